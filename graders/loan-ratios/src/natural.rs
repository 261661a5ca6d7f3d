//! Natural numbers of any length, kept in decimal so that reading one is linear.
//!
//! Six decimal digits go into a limb, lowest limb first. That base lets a whole convolution be
//! summed in 64 bits before any carry is taken, by hand or through [`crate::convolution`].

use crate::convolution;
use std::cmp::Ordering;

const BASE: u32 = 1_000_000;
const LIMB_DIGITS: usize = 6;

/// A natural number; zero has no limbs, and the highest limb of any other is not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Natural(Vec<u32>);

impl Natural {
    /// Reads the ASCII digits of `whole` followed by those of `fraction`, as one number.
    pub fn from_digits(whole: &[u8], fraction: &[u8]) -> Self {
        let mut limbs = Vec::with_capacity((whole.len() + fraction.len()).div_ceil(LIMB_DIGITS));
        let (mut limb, mut weight) = (0, 1);
        for digit in whole.iter().chain(fraction).rev() {
            limb += u32::from(digit.wrapping_sub(b'0')) * weight;
            weight *= 10;
            if weight == BASE {
                limbs.push(limb);
                (limb, weight) = (0, 1);
            }
        }
        limbs.push(limb);
        Self::trimmed(limbs)
    }

    /// The number given, which is small.
    pub fn from_u64(mut value: u64) -> Self {
        let mut limbs = Vec::new();
        while value > 0 {
            limbs.push((value % u64::from(BASE)) as u32);
            value /= u64::from(BASE);
        }
        Self(limbs)
    }

    /// The number itself where it has at most 18 digits.
    pub fn to_u64(&self) -> Option<u64> {
        let fold = |value, limb: &u32| value * u64::from(BASE) + u64::from(*limb);
        (self.0.len() <= 3).then(|| self.0.iter().rev().fold(0, fold))
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// How many decimal digits it takes to write this; 0 for zero.
    pub fn digit_count(&self) -> usize {
        self.0.last().map_or(0, |top| {
            (self.0.len() - 1) * LIMB_DIGITS
                + top.checked_ilog10().map_or(0, |log| log as usize + 1)
        })
    }

    /// This times `factor`.
    pub fn times_small(&self, factor: u32) -> Self {
        let scaled = self.0.iter().map(|limb| u64::from(*limb) * u64::from(factor));
        Self::carried(scaled, self.0.len())
    }

    /// This followed by `places` more zeros.
    pub fn shifted(&self, places: usize) -> Self {
        if self.is_zero() || places == 0 {
            return self.clone();
        }
        let zeros = places / LIMB_DIGITS;
        let mut limbs = vec![0; zeros];
        let rest = 10_u32.pow((places % LIMB_DIGITS) as u32);
        limbs.extend(self.times_small(rest).0);
        Self(limbs)
    }

    /// The product. Near-linear in the digits of both.
    pub fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::default();
        }
        let sums = convolution::convolve(&self.0, &other.0);
        let room = sums.len();
        Self::carried(sums.into_iter(), room)
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        let length = self.0.len().max(other.0.len());
        let sums = (0..length).map(|at| u64::from(self.limb(at)) + u64::from(other.limb(at)));
        Self::carried(sums, length)
    }

    /// How far apart the two are, whichever is larger.
    pub fn distance(&self, other: &Self) -> Self {
        let (large, small) = if *self < *other { (other, self) } else { (self, other) };
        let mut borrow = 0;
        let mut limbs = Vec::with_capacity(large.0.len());
        for (at, limb) in large.0.iter().enumerate() {
            let taken = small.limb(at) + borrow;
            borrow = u32::from(*limb < taken);
            limbs.push(limb + borrow * BASE - taken);
        }
        Self::trimmed(limbs)
    }

    fn limb(&self, at: usize) -> u32 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Takes the carries out of limbs that have outgrown the base.
    fn carried(sums: impl Iterator<Item = u64>, length: usize) -> Self {
        let mut limbs = Vec::with_capacity(length + 2);
        let mut carry = 0;
        for sum in sums {
            // Nothing saturates within the lengths that the convolution's module states.
            let total = sum.saturating_add(carry);
            limbs.push((total % u64::from(BASE)) as u32);
            carry = total / u64::from(BASE);
        }
        while carry > 0 {
            limbs.push((carry % u64::from(BASE)) as u32);
            carry /= u64::from(BASE);
        }
        Self::trimmed(limbs)
    }

    fn trimmed(mut limbs: Vec<u32>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self(limbs)
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// Adds two numbers given as sign and size; `true` is below zero.
pub(crate) fn signed_sum(left: (bool, &Natural), right: (bool, &Natural)) -> (bool, Natural) {
    if left.0 == right.0 {
        return (left.0, left.1.plus(right.1));
    }
    let negative = if left.1 < right.1 { right.0 } else { left.0 };
    (negative, left.1.distance(right.1))
}
