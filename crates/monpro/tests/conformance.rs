//! Every kernel of the table keeps its contract, z·R = x·y mod n and z < n, against the bitwise oracle. Moduli have
//! s = 1 … 33 and 64 words, a few bits more and a few less; over GF(2) they also have the degrees of fields in use.
//! Operands are at the edges and in between.
//!
//! A program of its own, so that it can print which kernels ran, and name loudly the kernels that this CPU cannot
//! run.

mod oracle;
mod random;

use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus};
use random::Random;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for kernel in KERNELS {
        if !kernel.is_available() {
            println!("kernel {:<40} SKIPPED: this CPU lacks {}", kernel.name, kernel.required_instructions());
            skipped += 1;
            continue;
        }
        match check(kernel) {
            Ok(Checked { moduli, products }) => {
                println!("kernel {:<40} ok: {moduli} moduli, {products} products and squares", kernel.name);
                passed += 1;
            }
            Err(mistake) => {
                println!("kernel {:<40} FAILED: {mistake}", kernel.name);
                failed += 1;
            }
        }
    }
    println!("\nconformance: {passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Checked {
    moduli: usize,
    products: usize,
}

impl Checked {
    /// Checks the kernel modulo n, if the kernel takes n.
    fn add(&mut self, kernel: &'static Kernel, n: &[u64], operands: &[Vec<u64>]) -> Result<(), String> {
        if kernel.supports(n) {
            self.moduli += 1;
            self.products += check_modulus(kernel, n, operands)?;
        }
        Ok(())
    }
}

fn check(kernel: &'static Kernel) -> Result<Checked, String> {
    let mut checked = Checked { moduli: 0, products: 0 };
    for s in (1..=33).chain([64]) {
        // The oracle takes a time of s², so for large s only a third of the moduli are checked, in turn.
        let moduli = moduli(s * kernel.radix_bits as usize);
        for n in moduli.into_iter().enumerate().filter(|(i, _)| s <= 8 || (s + i) % 3 == 0).map(|(_, n)| n) {
            checked.add(kernel, &n, &operands(kernel.ring, &n))?;
        }
    }
    if kernel.ring == RingName::BinaryPolynomials {
        for n in FIELDS.iter().flat_map(|field| field_polynomials(field)) {
            checked.add(kernel, &n, &operands(kernel.ring, &n)[3..6])?;
        }
    }
    match checked.moduli {
        0 => Err("takes none of the moduli".into()),
        _ => Ok(checked),
    }
}

fn check_modulus(kernel: &'static Kernel, n: &[u64], operands: &[Vec<u64>]) -> Result<usize, String> {
    let modulus = Modulus::with_kernel(kernel, n).map_err(|error| error.to_string())?;
    let r = oracle::power_of_two(kernel.ring, modulus.r_exponent(), n);
    let residue = |x| modulus.residue_from_words(&words(x, kernel, modulus.s())).map_err(|e| e.to_string());
    let mut count = 0;
    for x in operands {
        let x_residue = residue(x)?;
        for y in operands {
            compare(kernel, n, &r, [x, y], &(&x_residue * &residue(y)?).words(), "product")?;
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
    for (i, &word) in z.iter().enumerate() {
        let position = i * kernel.radix_bits as usize;
        let (cell, shift) = (position / 64, position % 64);
        for (part, cell) in [(word << shift, cell), ((word >> 1) >> (63 - shift), cell + 1)] {
            match number.get_mut(cell) {
                Some(target) => *target |= part,
                None if part == 0 => {}
                None => return Err(format!("{what} modulo {n:x?} has more words than n: {z:x?}")),
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

/// The degree of each field in use, then the exponents of the terms of its polynomial between the first and the last.
const FIELDS: [&[usize]; 7] = [
    &[163, 7, 6, 3],
    &[233, 74],
    &[283, 12, 7, 5],
    &[409, 87],
    &[571, 10, 5, 2],
    &[1024, 19, 6, 1],
    &[2048, 19, 14, 13],
];

/// The sparse polynomial with the field's terms and a random one, of the field's degree, one less and one more.
fn field_polynomials(field: &[usize]) -> Vec<Vec<u64>> {
    let (degree, terms) = field.split_first().expect("a field has a degree");
    let polynomials = [degree - 1, *degree, degree + 1].map(|k| {
        let mut random = Random(k as u64).words(k / 64 + 1);
        random[k / 64] = random[k / 64] & ((1 << (k % 64)) - 1) | 1 << (k % 64);
        random[0] |= 1;
        let mut sparse = vec![0; k / 64 + 1];
        for &i in terms.iter().chain([&0, &k]) {
            sparse[i / 64] |= 1 << (i % 64);
        }
        [random, sparse]
    });
    polynomials.into_iter().flatten().collect()
}

/// Odd moduli about n_bits bits long: all ones, two terms, three, five, random with the top bit set; then one bit
/// longer, one shorter, and random with a whole word's top bits clear.
fn moduli(n_bits: usize) -> Vec<Vec<u64>> {
    let mut random = Random(n_bits as u64);
    let number = |words: Vec<u64>, bits: usize| {
        let mut n = words;
        n.truncate(bits.div_ceil(64));
        let top = (bits - 1) % 64;
        let last = n.last_mut().expect("a modulus has a word");
        *last = *last & ((1 << top) - 1) | 1 << top;
        n[0] |= 1;
        n
    };
    let sparse = |terms: &[usize], bits: usize| {
        let mut n = vec![0; bits.div_ceil(64)];
        for &i in terms.iter().filter(|&&i| i < bits) {
            n[i / 64] |= 1 << (i % 64);
        }
        number(n, bits)
    };
    let length = n_bits.div_ceil(64) + 1;
    let mut moduli = vec![
        number(vec![u64::MAX; length], n_bits),
        sparse(&[], n_bits),
        sparse(&[n_bits / 3], n_bits),
        sparse(&[2, 5, n_bits / 2], n_bits + 1),
        sparse(&[74, 233], n_bits),
    ];
    moduli.extend(
        [n_bits - 13.min(n_bits - 2), n_bits - 1, n_bits, n_bits + 1]
            .map(|bits| number(random.words(length), bits)),
    );
    moduli
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
