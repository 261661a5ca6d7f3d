//! A small generator of pseudo-random numbers, for resampling and for splitting: the same seed gives the same
//! numbers on every machine. It is no source of secrets.
//!
//! SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
//! 2014, 453-472. Whole numbers below a limit without bias: D. Lemire, "Fast random integer generation in an
//! interval", ACM Transactions on Modeling and Computer Simulation 29 (2019) 3:1-3:12.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream that belongs to a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `limit`, each with the same chance. 0 where `limit` is 0 or 1.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = limit as u64;
        if limit < 2 {
            return 0;
        }
        loop {
            let wide = u128::from(self.next_bits()) * u128::from(limit);
            let low = wide as u64;
            // What is rejected is less than the limit: the division is seldom needed.
            if low >= limit || low >= limit.wrapping_neg() % limit {
                return (wide >> 64) as usize;
            }
        }
    }

    /// A number from 0 up to, but not including, 1, in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts the items into an order that has the same chance as any other (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation with seed 1234567.
    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::seeded(1_234_567);
        let first: Vec<_> = (0..3).map(|_| random.next_bits()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_below_their_limit_and_are_evenly_spread() {
        let mut random = Random::seeded(7);
        let mut seen = [0_u32; 5];
        for _ in 0..10_000 {
            seen[random.below(5)] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
        }
        // Six standard deviations of a count with mean 2,000.
        assert!(seen.iter().all(|count| count.abs_diff(2_000) < 240), "{seen:?}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<_> = (0..100).collect();
        Random::seeded(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
