(table 10_000_000 funcref)
