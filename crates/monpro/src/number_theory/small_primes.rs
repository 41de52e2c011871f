//! The primes by which candidates are divided first.

/// The bound of the primes.
pub(super) const BOUND: usize = 1 << 12;

/// The odd primes below [`BOUND`].
pub(super) const ODD_PRIMES: [u16; 563] = {
    let mut is_composite = [false; BOUND];
    let mut primes = [0; 563];
    let (mut count, mut i) = (0, 3);
    while i < BOUND {
        if !is_composite[i] {
            primes[count] = i as u16;
            count += 1;
            let mut multiple = i * i;
            while multiple < BOUND {
                is_composite[multiple] = true;
                multiple += i;
            }
        }
        i += 2;
    }
    assert!(count == primes.len());
    primes
};

/// x mod m for an m below 2^32.
pub(super) fn remainder(x: &[u64], m: u64) -> u64 {
    x.iter().rev().fold(0, |rest, word| {
        let rest = (rest << 32 | word >> 32) % m;
        (rest << 32 | word & 0xffff_ffff) % m
    })
}

/// The first odd prime below [`BOUND`] that divides x.
pub(super) fn factor(x: &[u64]) -> Option<u64> {
    // Two primes have a product of less than 32 bits, so that one pass over x serves both.
    ODD_PRIMES.chunks(2).find_map(|pair| {
        let rest = remainder(x, pair.iter().map(|&prime| u64::from(prime)).product());
        pair.iter().map(|&prime| u64::from(prime)).find(|prime| rest % prime == 0)
    })
}
