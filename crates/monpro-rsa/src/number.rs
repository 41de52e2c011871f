//! The numbers of key generation and blinding, and their conversion from and to monpro's words.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, NonZero, Odd, RandomMod, Resize};
use monpro::natural;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// A number in words of 64 bits, the lowest first; erased when dropped.
pub(crate) type Words = Zeroizing<Vec<u64>>;

/// The number with these octets, big-endian, or None if it has more than `most_bits` bits. Only a number within the
/// bound is copied.
pub(crate) fn from_octets(octets: &[u8], most_bits: usize) -> Option<Words> {
    let start = octets.iter().position(|&octet| octet != 0).unwrap_or(octets.len());
    let octets = &octets[start..];
    let top_bits = octets.first().map_or(0, |top| top.ilog2() as usize + 1);
    match 8 * octets.len().saturating_sub(1) + top_bits <= most_bits {
        true => Some(Zeroizing::new(natural::from_be_bytes(octets))),
        false => None,
    }
}

/// The words of a number.
pub(crate) fn words(number: &BoxedUint) -> Words {
    Zeroizing::new(natural::from_be_bytes(&Zeroizing::new(number.to_be_bytes())))
}

/// The number of these words, with room for at least `bits`.
pub(crate) fn boxed(words: &[u64], bits: usize) -> BoxedUint {
    let octets = (8 * words.len()).max(bits.div_ceil(8));
    BoxedUint::from_be_slice_truncated(
        &Zeroizing::new(natural::to_be_bytes(words, octets)),
        8 * octets as u32,
    )
}

/// Whether the numbers are equal, whatever their leading zeros, in time independent of their values.
pub(crate) fn are_equal(a: &[u64], b: &[u64]) -> bool {
    let length = a.len().max(b.len());
    let word = |x: &[u64], i: usize| x.get(i).copied().unwrap_or(0);
    (0..length).fold(0, |bits, i| bits | (word(a, i) ^ word(b, i))) == 0
}

/// Whether a < b, in time that depends on the lengths alone.
pub(crate) fn is_below(a: &[u64], b: &[u64]) -> bool {
    let length = a.len().max(b.len());
    let word = |x: &[u64], i: usize| x.get(i).copied().unwrap_or(0);
    (0..length).fold(false, |borrow, i| {
        let (difference, under) = word(a, i).overflowing_sub(word(b, i));
        under | difference.overflowing_sub(u64::from(borrow)).1
    })
}

/// A random unit r modulo n, and r⁻¹ mod n: the pair that blinds an operation.
pub(crate) fn random_unit<R: CryptoRng + ?Sized>(n: &[u64], random: &mut R) -> (Words, Words) {
    let n = boxed(n, 0);
    let modulus = Odd::new(n.clone()).expect("the modulus of a key is odd");
    let below = NonZero::new(n).expect("the modulus of a key is not 0");
    loop {
        let r = BoxedUint::random_mod_vartime(random, &below);
        if let Some(inverse) = r.invert_odd_mod(&modulus).into_option() {
            return (words(&r), words(&inverse));
        }
    }
}

/// a mod (p − 1), for p of at least 2 bits.
pub(crate) fn modulo_predecessor(a: &BoxedUint, p: &BoxedUint) -> BoxedUint {
    let predecessor = NonZero::new(p - BoxedUint::one()).expect("p is not 1");
    a.rem(&predecessor).resize(p.bits_precision())
}
