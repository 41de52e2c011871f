//! Every kernel of the table keeps its contract: z·R = x·y mod n and z < n, for s = 1 … 33 and 64, operands at
//! the edges and in between, against the bitwise oracle.
//!
//! A program of its own, so that it can say which kernels ran and name loudly those that this CPU cannot run.

mod oracle;

use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for kernel in KERNELS {
        if !kernel.is_available() {
            println!("kernel {:<16} SKIPPED: this CPU lacks {}", kernel.name, kernel.required_instructions());
            skipped += 1;
            continue;
        }
        match check(kernel) {
            Ok(Checked { widths, products }) => {
                println!("kernel {:<16} ok: {widths} widths, {products} products and squares", kernel.name);
                passed += 1;
            }
            Err(mistake) => {
                println!("kernel {:<16} FAILED: {mistake}", kernel.name);
                failed += 1;
            }
        }
    }
    println!("\nconformance: {passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Checked {
    widths: usize,
    products: usize,
}

fn check(kernel: &'static Kernel) -> Result<Checked, String> {
    let mut checked = Checked { widths: 0, products: 0 };
    for s in (1..=33).chain([64]) {
        let n_bits = s * kernel.radix_bits as usize;
        if !kernel.supports(n_bits) {
            continue;
        }
        checked.widths += 1;
        for n in moduli(n_bits) {
            checked.products += check_modulus(kernel, s, &n)?;
        }
    }
    match checked.widths {
        0 => Err("supports none of the widths".into()),
        _ => Ok(checked),
    }
}

fn check_modulus(kernel: &'static Kernel, s: usize, n: &[u64]) -> Result<usize, String> {
    let modulus = Modulus::with_kernel(kernel, n).map_err(|error| error.to_string())?;
    if modulus.s() != s {
        return Err(format!("{} words for {} bits", modulus.s(), modulus.bits()));
    }
    let r = oracle::power_of_two(kernel.ring, s * kernel.radix_bits as usize, n);
    let operands = operands(kernel.ring, n);
    let mut count = 0;
    for x in &operands {
        let x_residue = modulus.residue_from_words(&words(x, kernel, s)).map_err(|e| e.to_string())?;
        for y in &operands {
            let y_residue = modulus.residue_from_words(&words(y, kernel, s)).map_err(|e| e.to_string())?;
            compare(kernel, n, &r, [x, y], &(&x_residue * &y_residue).words(), "product")?;
            count += 1;
        }
        compare(kernel, n, &r, [x, x], &x_residue.square().words(), "square")?;
        count += 1;
    }
    Ok(count)
}

/// z < n and z·R = x·y mod n determine z.
fn compare(
    kernel: &Kernel,
    n: &[u64],
    r: &[u64],
    [x, y]: [&Vec<u64>; 2],
    z: &[u64],
    what: &str,
) -> Result<(), String> {
    let mut number = vec![0; n.len()];
    for (i, word) in z.iter().enumerate() {
        let position = i * kernel.radix_bits as usize;
        number[position / 64] |= word << (position % 64);
        if position % 64 + kernel.radix_bits as usize > 64 {
            if let Some(next) = number.get_mut(position / 64 + 1) {
                *next |= word >> (64 - position % 64);
            }
        }
    }
    let is_residue = match kernel.ring {
        RingName::Integers => number.iter().rev().lt(n.iter().rev()),
        RingName::BinaryPolynomials => oracle::bits(&number) < oracle::bits(n),
    };
    let is_product = oracle::product(kernel.ring, &number, r, n) == oracle::product(kernel.ring, x, y, n);
    if is_residue && is_product {
        return Ok(());
    }
    Err(format!("wrong {what} modulo {n:x?} of {x:x?} and {y:x?}: {number:x?}"))
}

/// The words of a number in the kernel's radix.
fn words(number: &[u64], kernel: &Kernel, s: usize) -> Vec<u64> {
    let bit = |i: usize| number.get(i / 64).map_or(0, |word| word >> (i % 64) & 1);
    let w = kernel.radix_bits as usize;
    (0..s).map(|i| (0..w).rev().fold(0, |word, j| word << 1 | bit(i * w + j))).collect()
}

/// Odd moduli of exactly n_bits bits: all ones, sparse, random with the top bit set; and one whose top word has
/// its top bits clear.
fn moduli(n_bits: usize) -> Vec<Vec<u64>> {
    let length = n_bits.div_ceil(64);
    let clip = |mut n: Vec<u64>, bits: usize| {
        n[length - 1] &= u64::MAX >> (64 * length - bits);
        n[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
        n[0] |= 1;
        n
    };
    let mut random = Random(n_bits as u64);
    vec![
        clip(vec![u64::MAX; length], n_bits),
        clip(vec![0; length], n_bits),
        clip(random.words(length), n_bits),
        clip(random.words(length), n_bits - 13),
    ]
}

/// Residues of n: 0, 1, the largest, one with all ones below the top, one power of two, two random ones.
fn operands(ring: RingName, n: &[u64]) -> Vec<Vec<u64>> {
    let bits = oracle::bits(n);
    let below = |mut x: Vec<u64>, bits: usize| {
        for (i, word) in x.iter_mut().enumerate() {
            *word &= match bits.saturating_sub(64 * i) {
                0 => 0,
                rest if rest < 64 => (1 << rest) - 1,
                _ => u64::MAX,
            };
        }
        x
    };
    let unit = |i: usize| {
        let mut x = vec![0; n.len()];
        x[i / 64] |= 1 << (i % 64);
        x
    };
    let ones = below(vec![u64::MAX; n.len()], bits - 1);
    let largest = match ring {
        // n is odd: n − 1 differs in one bit.
        RingName::Integers => {
            n.iter().enumerate().map(|(i, word)| if i == 0 { word - 1 } else { *word }).collect()
        }
        RingName::BinaryPolynomials => ones.clone(),
    };
    let mut random = Random(bits as u64 + 1);
    vec![
        vec![0; n.len()],
        unit(0),
        largest,
        ones,
        unit(bits - 2),
        below(random.words(n.len()), bits - 1),
        below(random.words(n.len()), bits - 1),
    ]
}

/// SplitMix64: the tests need variety, the same in each run.
struct Random(u64);

impl Random {
    fn words(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.next()).collect()
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
