//! The published alias table of units.

/// One unit: its id, its symbols (compared as they are) and its words (compared in lower case).
pub(crate) struct Entry {
    pub(crate) id: &'static str,
    pub(crate) symbols: &'static [&'static str],
    pub(crate) words: &'static [&'static str],
}

macro_rules! entries {
    ($($id:literal [$($symbol:literal)*] [$($word:literal)*])*) => {
        &[$(Entry { id: $id, symbols: &[$($symbol),*], words: &[$($word),*] }),*]
    };
}

/// Units that a symbol or word names without doubt.
pub(crate) const UNITS: &[Entry] = entries! {
    "percent" ["%" "％" "pct"] ["percent" "per cent" "per-cent" "percents"]
    "permille" ["‰"] ["per mille" "permille"]
    "dollar" ["$" "US$" "USD"] ["us dollars" "us dollar" "u.s. dollars" "dollars" "dollar" "usd"]
    "australian dollar" ["A$" "AU$" "AUD"] ["australian dollars" "australian dollar"]
    "canadian dollar" ["C$" "CA$" "CAD"] ["canadian dollars" "canadian dollar"]
    "hong kong dollar" ["HK$" "HKD"] ["hong kong dollars"]
    "singapore dollar" ["S$" "SGD"] ["singapore dollars"]
    "new zealand dollar" ["NZ$" "NZD"] ["new zealand dollars"]
    "euro" ["€" "EUR"] ["euros" "euro"]
    "pound sterling" ["£" "GBP"] ["pounds sterling" "pound sterling" "british pounds" "quid"]
    "yen" ["JPY" "円"] ["yen" "japanese yen"]
    "yuan" ["CNY" "RMB" "元"] ["yuan" "renminbi"]
    "rupee" ["₹" "INR" "Rs"] ["rupees" "rupee"]
    "won" ["₩" "KRW"] ["korean won"]
    "rouble" ["₽" "RUB"] ["rubles" "ruble" "roubles" "rouble"]
    "lira" ["₺" "TRY"] ["turkish lira"]
    "baht" ["฿" "THB"] ["baht"]
    "shekel" ["₪" "ILS"] ["shekels" "shekel"]
    "dong" ["₫" "VND"] ["vietnamese dong"]
    "franc" ["CHF"] ["swiss francs" "swiss franc" "francs" "franc"]
    "swedish krona" ["SEK"] ["swedish kronor"]
    "norwegian krone" ["NOK"] ["norwegian kroner"]
    "danish krone" ["DKK"] ["danish kroner"]
    "zloty" ["PLN" "zł"] ["zloty" "zlotys"]
    "real" ["R$" "BRL"] ["brazilian reais"]
    "rand" ["ZAR"] ["rand"]
    "mexican peso" ["MXN"] ["mexican pesos"]
    "hryvnia" ["₴" "UAH"] ["hryvnia"]
    "naira" ["₦" "NGN"] ["naira"]
    "bitcoin" ["₿" "BTC"] ["bitcoin" "bitcoins"]
    "cent" ["¢"] ["cents" "cent"]
    "penny" [] ["pence"]
    "metre" ["m"] ["metres" "metre" "meters" "meter"]
    "kilometre" ["km"] ["kilometres" "kilometre" "kilometers" "kilometer" "kms"]
    "centimetre" ["cm"] ["centimetres" "centimetre" "centimeters" "centimeter"]
    "millimetre" ["mm"] ["millimetres" "millimetre" "millimeters" "millimeter"]
    "micrometre" ["µm" "μm" "um"] ["micrometres" "micrometre" "micrometers" "micrometer" "microns" "micron"]
    "nanometre" ["nm"] ["nanometres" "nanometre" "nanometers" "nanometer"]
    "decimetre" ["dm"] ["decimetres" "decimeters"]
    "inch" ["in"] ["inches" "inch"]
    "foot" ["ft"] ["feet" "foot"]
    "yard" ["yd"] ["yards" "yard" "yds"]
    "mile" ["mi"] ["miles" "mile"]
    "nautical mile" ["nmi"] ["nautical miles" "nautical mile"]
    "light-year" ["ly"] ["light years" "light year" "light-years" "light-year"]
    "astronomical unit" ["AU" "au"] ["astronomical units"]
    "parsec" ["pc"] ["parsecs" "parsec"]
    "angstrom" ["Å"] ["angstroms" "angstrom"]
    "gram" ["g"] ["grams" "gram" "grammes"]
    "kilogram" ["kg"] ["kilograms" "kilogram" "kilos" "kilo" "kgs"]
    "milligram" ["mg"] ["milligrams" "milligram"]
    "microgram" ["µg" "μg" "mcg"] ["micrograms" "microgram"]
    "tonne" ["t"] ["tonnes" "tonne" "metric tons" "metric ton"]
    "pound mass" ["lb" "lbs"] ["pounds mass"]
    "ounce" ["oz"] ["ounces" "ounce"]
    "stone" [] ["stones" "stone"]
    "second" ["s" "sec"] ["seconds" "second" "secs"]
    "millisecond" ["ms" "msec"] ["milliseconds" "millisecond"]
    "microsecond" ["µs" "μs" "us"] ["microseconds" "microsecond"]
    "nanosecond" ["ns"] ["nanoseconds" "nanosecond"]
    "minute" ["min"] ["minutes" "minute" "mins"]
    "hour" ["h" "hr"] ["hours" "hour" "hrs"]
    "day" ["d"] ["days" "day"]
    "week" ["wk"] ["weeks" "week" "wks"]
    "month" ["mo"] ["months" "month"]
    "year" ["yr"] ["years" "year" "yrs"]
    "decade" [] ["decades" "decade"]
    "century" [] ["centuries" "century"]
    "litre" ["l" "L" "ℓ"] ["litres" "litre" "liters" "liter"]
    "millilitre" ["ml" "mL"] ["millilitres" "millilitre" "milliliters" "milliliter"]
    "centilitre" ["cl" "cL"] ["centilitres" "centiliters"]
    "gallon" ["gal"] ["gallons" "gallon"]
    "quart" ["qt"] ["quarts" "quart"]
    "pint" [] ["pints" "pint"]
    "cup" [] ["cups" "cup"]
    "tablespoon" ["tbsp"] ["tablespoons" "tablespoon"]
    "teaspoon" ["tsp"] ["teaspoons" "teaspoon"]
    "fluid ounce" ["fl oz"] ["fluid ounces" "fluid ounce" "fl. oz"]
    "hectare" ["ha"] ["hectares" "hectare"]
    "acre" ["ac"] ["acres" "acre"]
    "celsius" ["°C" "℃"] ["degrees celsius" "degree celsius" "celsius" "degrees centigrade" "centigrade"]
    "fahrenheit" ["°F" "℉"] ["degrees fahrenheit" "degree fahrenheit" "fahrenheit"]
    "kelvin" [] ["kelvins" "kelvin"]
    "radian" ["rad"] ["radians" "radian"]
    "hertz" ["Hz"] ["hertz"]
    "kilohertz" ["kHz"] ["kilohertz"]
    "megahertz" ["MHz"] ["megahertz"]
    "gigahertz" ["GHz"] ["gigahertz"]
    "newton" ["N"] ["newtons" "newton"]
    "kilonewton" ["kN"] ["kilonewtons"]
    "joule" ["J"] ["joules" "joule"]
    "kilojoule" ["kJ"] ["kilojoules" "kilojoule"]
    "megajoule" ["MJ"] ["megajoules"]
    "calorie" ["cal"] ["calories" "calorie"]
    "kilocalorie" ["kcal"] ["kilocalories" "kilocalorie"]
    "electronvolt" ["eV"] ["electronvolts" "electron volts"]
    "watt" ["W"] ["watts" "watt"]
    "milliwatt" ["mW"] ["milliwatts"]
    "kilowatt" ["kW"] ["kilowatts" "kilowatt"]
    "megawatt" ["MW"] ["megawatts" "megawatt"]
    "gigawatt" ["GW"] ["gigawatts"]
    "kilowatt-hour" ["kWh"] ["kilowatt hours" "kilowatt-hours"]
    "watt-hour" ["Wh"] ["watt hours" "watt-hours"]
    "horsepower" ["hp"] ["horsepower"]
    "volt" ["V"] ["volts" "volt"]
    "millivolt" ["mV"] ["millivolts"]
    "kilovolt" ["kV"] ["kilovolts"]
    "ampere" ["A"] ["amperes" "ampere" "amps" "amp"]
    "milliampere" ["mA"] ["milliamperes" "milliamps"]
    "ohm" ["Ω" "Ω"] ["ohms" "ohm"]
    "kilo-ohm" ["kΩ"] ["kilohms"]
    "tesla" [] ["teslas" "tesla"]
    "pascal" ["Pa"] ["pascals" "pascal"]
    "kilopascal" ["kPa"] ["kilopascals"]
    "megapascal" ["MPa"] ["megapascals"]
    "bar" ["bar"] ["bars"]
    "atmosphere" ["atm"] ["atmospheres" "atmosphere"]
    "psi" ["psi"] []
    "mmHg" ["mmHg"] []
    "mole" ["mol"] ["moles" "mole"]
    "molecular kilo" ["kmol"] []
    "decibel" ["dB"] ["decibels" "decibel"]
    "bit" ["bit"] ["bits"]
    "byte" [] ["bytes" "byte"]
    "kilobyte" ["kB" "KB"] ["kilobytes" "kilobyte"]
    "megabyte" ["MB"] ["megabytes" "megabyte"]
    "gigabyte" ["GB"] ["gigabytes" "gigabyte"]
    "terabyte" ["TB"] ["terabytes" "terabyte"]
    "kibibyte" ["KiB"] ["kibibytes"]
    "mebibyte" ["MiB"] ["mebibytes"]
    "gibibyte" ["GiB"] ["gibibytes"]
    "kilobit" ["kbit" "kb"] ["kilobits"]
    "megabit" ["Mbit" "Mb"] ["megabits"]
    "gigabit" ["Gbit" "Gb"] ["gigabits"]
    "pixel" ["px"] ["pixels" "pixel"]
    "revolution" ["rev"] ["revolutions" "revolution"]
};

/// Rates that are written as one symbol: the symbol, and what is divided by what.
pub(crate) const RATES: &[(&str, &str, &str)] = &[
    ("mph", "mile", "hour"),
    ("kph", "kilometre", "hour"),
    ("kmh", "kilometre", "hour"),
    ("mps", "metre", "second"),
    ("fps", "foot", "second"),
    ("Mbps", "megabit", "second"),
    ("Gbps", "gigabit", "second"),
    ("kbps", "kilobit", "second"),
    ("rpm", "revolution", "minute"),
];

/// Words and symbols that name more than one unit. Those that share a name agree with each other.
pub(crate) const AMBIGUOUS: &[(&str, &str)] = &[
    ("pounds", "pound"),
    ("pound", "pound"),
    ("degrees", "degree"),
    ("degree", "degree"),
    ("deg", "degree"),
    ("°", "degree"),
    ("tons", "ton"),
    ("ton", "ton"),
    ("¥", "¥"),
    ("￥", "¥"),
    ("kr", "krone"),
    ("kronor", "krone"),
    ("kroner", "krone"),
    ("krona", "krone"),
    ("krone", "krone"),
    ("pesos", "peso"),
    ("peso", "peso"),
    ("dinars", "dinar"),
    ("dinar", "dinar"),
    ("percentage points", "percentage point"),
    ("percentage point", "percentage point"),
    ("c", "c"),
    ("C", "C"),
    ("F", "F"),
    ("T", "T"),
    ("Cal", "Cal"),
    ("reais", "real"),
    ("lira", "lira"),
];

/// Words that scale the number before them, so that it is text.
pub(crate) const SCALES: &[&str] = &[
    "hundred",
    "thousand",
    "thousands",
    "million",
    "millions",
    "mn",
    "mio",
    "billion",
    "billions",
    "bn",
    "trillion",
    "trillions",
    "tn",
    "lakh",
    "lakhs",
    "crore",
    "crores",
    "dozen",
    "dozens",
    "and a half",
    "and a quarter",
    "and a third",
    "and one half",
    "and one third",
    "and two thirds",
    "and three quarters",
    "and three-quarters",
    "halves",
    "thirds",
    "third",
    "quarters",
    "fourths",
    "fifths",
    "sixths",
    "eighths",
    "tenths",
    "hundredths",
    "thousandths",
    "squared",
    "cubed",
    "factorial",
    "times ten",
];

/// Symbols that scale the number before them, compared as they are.
pub(crate) const SCALE_SYMBOLS: &[&str] = &["k", "K", "M", "B"];
