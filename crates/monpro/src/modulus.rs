//! The context: a modulus, the kernel chosen for it, and every constant the kernel needs.

use crate::cancellation::checkpoint;
use crate::division::secret::power_of_two;
use crate::error::Error;
use crate::kernel::{AlmostInverse, Constants, Divisor, Kernel, PowerSteps};
use crate::monoid::{self, Cells, Monoid, Temporary};
use crate::natural;
use crate::power;
use crate::ring::RingName;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroizing;

/// An odd modulus n ≥ 1 with its kernel: n, s, n0, R mod n, R² mod n.
///
/// Over GF(2)\[x\] n is a polynomial with constant coefficient 1. Numbers are little-endian slices of 64-bit
/// words of any length. Cloning is cheap: clones share the constants, which are erased with the last of them.
/// The length of n is public; its value is not.
#[derive(Clone)]
pub struct Modulus(Arc<Context>);

impl Modulus {
    /// The odd integer n ≥ 1, with the fastest kernel for its size on this CPU.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`].
    pub fn new(n: &[u64]) -> Result<Modulus, Error> {
        let kernel = Kernel::fastest(RingName::Integers, n);
        Modulus::with_kernel(kernel, n)
    }

    /// The polynomial n over GF(2), with constant coefficient 1, and the fastest kernel for it on this CPU.
    /// Its residues form a ring; for an irreducible n, [`BinaryField`](crate::BinaryField) offers more.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`].
    pub fn of_polynomial(n: &[u64]) -> Result<Modulus, Error> {
        Modulus::with_kernel(Kernel::fastest(RingName::BinaryPolynomials, n), n)
    }

    /// The modulus n, an element of the kernel's ring, with this kernel.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`], [`Error::KernelUnavailable`] on a CPU without its
    /// instructions, [`Error::UnsupportedModulus`].
    pub fn with_kernel(kernel: &'static Kernel, n: &[u64]) -> Result<Modulus, Error> {
        let n_bits = natural::bit_length(n);
        if n_bits == 0 {
            return Err(Error::ZeroModulus);
        }
        if n[0] & 1 == 0 {
            return Err(Error::EvenModulus);
        }
        if !kernel.is_available() {
            return Err(Error::KernelUnavailable {
                kernel: kernel.name,
                needs: kernel.required_instructions(),
            });
        }
        if !kernel.supports(n) {
            return Err(Error::UnsupportedModulus { kernel: kernel.name, takes: kernel.takes });
        }
        Ok(Modulus(Arc::new(Context::new(kernel, n, n_bits))))
    }

    /// The kernel that computes the products.
    #[must_use]
    pub fn kernel(&self) -> &'static Kernel {
        self.0.kernel
    }

    /// s, the number of words in the kernel's radix.
    #[must_use]
    pub fn s(&self) -> usize {
        self.0.s
    }

    /// The exponent of R, which is 2^exponent, or x^exponent over GF(2): w·s, or 0 for a kernel of plain
    /// products x·y mod n.
    #[must_use]
    pub fn r_exponent(&self) -> usize {
        self.0.r_exponent()
    }

    /// The number of bits of n; over GF(2) that is deg n + 1.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.0.n_bits
    }

    /// n, in ⌈bits/64⌉ words.
    #[must_use]
    pub fn number(&self) -> &[u64] {
        &self.0.number
    }

    pub(crate) fn context(&self) -> &Context {
        &self.0
    }
}

impl PartialEq for Modulus {
    /// Whether n and the kernel are the same: only then can residues be combined. The time depends on the lengths of
    /// the moduli, not on their values.
    fn eq(&self, other: &Modulus) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (core::ptr::eq(self.0.kernel, other.0.kernel)
                && natural::is_equal(&self.0.number, &other.0.number))
    }
}

impl Eq for Modulus {}

impl fmt::Debug for Modulus {
    /// The kernel and the size; never the value, which may be a secret prime.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Modulus").field("kernel", &self.0.kernel.name).field("bits", &self.0.n_bits).finish()
    }
}

/// What a [`Modulus`] shares among its clones, and the operations on residues in cells.
pub(crate) struct Context {
    kernel: &'static Kernel,
    power_steps: Option<&'static PowerSteps>,
    n_bits: usize,
    s: usize,
    /// The number of cells of a scratch for a product, a square, or an operation of the ring on s words.
    scratch_cells: usize,
    /// n in 64-bit words.
    number: Zeroizing<Vec<u64>>,
    /// n in the kernel's words.
    n: Cells,
    /// −n⁻¹ mod W.
    n0: Zeroizing<u64>,
    derived: Cells,
    /// R mod n, the Montgomery form of 1.
    r: Cells,
    /// R² mod n; the product with it converts into Montgomery form.
    r2: Cells,
    /// R·x^chunk_bits mod n; the product with it multiplies by x^chunk_bits. Over the integers it is computed where a number
    /// has more than one chunk, which is rare.
    shift: Cells,
    /// R⁴·x^(1 − 2k) mod n for k = deg n, if the kernel has an almost inverse; the product of that with it is
    /// the inverse.
    completion: Cells,
}

impl Context {
    /// The constants of the odd n, which has n_bits ≥ 1 bits.
    fn new(kernel: &'static Kernel, n: &[u64], n_bits: usize) -> Context {
        let mut context = Context::without_powers_of_r(kernel, n, n_bits);
        if n_bits > 1 {
            context.compute_powers_of_r();
            if kernel.almost_inverse.is_some() {
                context.completion = context.completion_of_inverses();
            }
        } else {
            // Modulo 1 every residue is 0.
            (context.r, context.r2) = (context.zero(), context.zero());
            (context.shift, context.completion) = (context.zero(), context.zero());
        }
        context
    }

    /// The constants of n except the powers of R. They suffice for products and for [`Context::to_number`].
    pub(crate) fn without_powers_of_r(kernel: &'static Kernel, n: &[u64], n_bits: usize) -> Context {
        let s = (kernel.words_for)(n_bits);
        let cells = (kernel.cells)(s);
        let mut context = Context {
            kernel,
            power_steps: (kernel.power_steps)(s),
            n_bits,
            s,
            scratch_cells: (kernel.temporary_cells)(s).max(cells),
            number: Zeroizing::new(natural::resized(n, n_bits.div_ceil(64))),
            n: Cells::default(),
            n0: Zeroizing::default(),
            derived: Cells::default(),
            r: Cells::default(),
            r2: Cells::default(),
            shift: Cells::default(),
            completion: Cells::default(),
        };
        context.n = context.load(n, 0);
        *context.n0 = (kernel.arithmetic.n0)(&context.n);
        context.derived = (kernel.derive)(&context.constants()).into();
        context
    }

    /// The exponent of R, which is 2^exponent, or x^exponent over GF(2).
    pub(crate) fn r_exponent(&self) -> usize {
        match self.kernel.divisor {
            Divisor::PowerOfX => self.s * self.kernel.radix_bits as usize,
            Divisor::One => 0,
        }
    }

    /// R² mod n, where R = W^s for the words of 64 bits that n has.
    pub(crate) fn r_squared_in_words(&self) -> Option<&[u64]> {
        let is_of_words = self.kernel.radix_bits == 64 && self.kernel.divisor == Divisor::PowerOfX;
        (is_of_words && self.s == self.number.len()).then_some(&self.r2)
    }

    fn compute_powers_of_r(&mut self) {
        match self.kernel.divisor {
            Divisor::PowerOfX => {
                self.r2 = self.r_squared();
                self.r = self.leave(&self.r2);
                if self.kernel.ring == RingName::BinaryPolynomials {
                    self.shift = self.product_with_r2(self.chunk_bits());
                }
            }
            Divisor::One => {
                self.r = self.zero();
                (self.kernel.arithmetic.set_word)(&mut self.r, 0, 1);
                self.r2 = self.r.clone();
                self.shift = self.power_of_x(self.chunk_bits());
            }
        }
    }

    /// R² mod n: over the integers by a division, which takes less than half of the time of doublings and squares where n
    /// has more than a few words. The vectors of a kernel may make R hundreds of bits longer than n, each of which costs
    /// a doubling.
    fn r_squared(&self) -> Cells {
        const MOST_WORDS_BY_SQUARES: usize = 7;
        let exponent = self.r_exponent();
        let is_short = self.number.len() <= MOST_WORDS_BY_SQUARES && exponent < self.n_bits + 64;
        if self.kernel.ring == RingName::BinaryPolynomials || is_short {
            return self.form_of_power_of_x(exponent);
        }
        self.load(&power_of_two(&self.number, 2 * exponent), 0)
    }

    /// R·x^exponent mod n for an exponent ≥ 1, where x = 2 in Z.
    ///
    /// The highest bits of the exponent form a number of at most s, and take that number of doublings of R.
    /// Since MonPro(R·xᵃ, R·xᵃ) = R·x²ᵃ, each lower bit takes a square, and one more doubling if it is 1.
    fn form_of_power_of_x(&self, exponent: usize) -> Cells {
        let squares = (exponent / (self.s / 2).max(1)).ilog2();
        let mut power = self.power_of_x(self.r_exponent() + (exponent >> squares));
        let (mut squared, mut scratch) = (self.zero(), self.scratch());
        for bit in (0..squares).rev() {
            checkpoint();
            self.square(&mut squared, &power, &mut scratch);
            core::mem::swap(&mut power, &mut squared);
            if exponent >> bit & 1 == 1 {
                self.mul_x(&mut power, 1);
            }
        }
        power
    }

    /// R·x^exponent mod n for x^exponent ≤ R, where x = 2 in Z.
    fn product_with_r2(&self, exponent: usize) -> Cells {
        if exponent == self.r_exponent() {
            return self.r2.clone();
        }
        let w = self.kernel.radix_bits as usize;
        let (mut power, mut z) = (self.zero(), self.zero());
        (self.kernel.arithmetic.set_word)(&mut power, exponent / w, 1 << (exponent % w));
        self.mul(&mut z, &power, &self.r2, &mut self.scratch());
        z
    }

    /// R⁴·x^(1 − 2k) mod n for n of degree k over GF(2)\[x\]. For R = x^(w·s) it is x^(2·(w·s − k) + 1)·R²
    /// mod n. For R = 1 it is the power (x⁻¹)^(2k − 1), where x⁻¹ = (n + 1)/x.
    fn completion_of_inverses(&self) -> Cells {
        let k = self.n_bits - 1;
        match self.kernel.divisor {
            Divisor::PowerOfX => {
                let mut completion = self.r2.clone();
                self.mul_x(&mut completion, 2 * (self.s * self.kernel.radix_bits as usize - k) + 1);
                completion
            }
            Divisor::One => {
                let inverse_of_x = self.load(&self.number, 1);
                power::binary_vartime(self, &inverse_of_x, &[2 * k as u64 - 1])
            }
        }
    }

    /// x^exponent mod n, where x = 2 in Z and exponent ≥ n_bits − 2, by doubling x^(n_bits − 2) < n.
    fn power_of_x(&self, exponent: usize) -> Cells {
        let w = self.kernel.radix_bits as usize;
        let start = self.n_bits - 2;
        let mut power = self.zero();
        (self.kernel.arithmetic.set_word)(&mut power, start / w, 1 << (start % w));
        self.mul_x(&mut power, exponent - start);
        power
    }

    /// z = x^times·z mod n, where x = 2 in Z.
    fn mul_x(&self, z: &mut [u64], times: usize) {
        let mut scratch = self.scratch();
        for _ in 0..times {
            checkpoint();
            (self.kernel.arithmetic.mul_x)(z, &self.constants(), &mut scratch);
        }
    }

    /// x·R mod n, by Horner's rule from the highest chunk down: c₀ + X·(c₁ + X·(c₂ + …)) for X = x^chunk_bits.
    pub(crate) fn enter(&self, x: &[u64]) -> Cells {
        let mut sum = self.zero();
        let Some(highest) = (64 * x.len()).div_ceil(self.chunk_bits()).checked_sub(1) else { return sum };
        let (mut scratch, mut chunk) = (self.scratch(), Temporary::new(sum.len()));
        self.load_bits_into(&mut chunk, x, highest * self.chunk_bits(), self.chunk_bits());
        self.mul(&mut sum, &chunk, &self.r2, &mut scratch);
        if highest == 0 {
            return sum;
        }
        let (mut shifted, mut low) = (self.zero(), self.zero());
        let own_shift = self.shift.is_empty().then(|| self.product_with_r2(self.chunk_bits()));
        let shift = own_shift.as_ref().unwrap_or(&self.shift);
        for i in (0..highest).rev() {
            checkpoint();
            self.load_bits_into(&mut chunk, x, i * self.chunk_bits(), self.chunk_bits());
            self.mul(&mut low, &chunk, &self.r2, &mut scratch);
            self.mul(&mut shifted, &sum, shift, &mut scratch);
            (self.kernel.arithmetic.add)(&mut sum, &shifted, &low, &self.constants(), &mut scratch);
        }
        sum
    }

    /// The number of bits that [`Context::enter`] converts at a time.
    ///
    /// If R = x^(w·s), a chunk c < R need not be below n: MonPro(c, R²) is still c·R mod n, since c·R² + m·n
    /// < R·n + R·n. In Z, if w·s exceeds the bits of n, a chunk has only w·s − 1 bits, because m may then be
    /// a little larger than R. If R = 1, the product is plain and needs residues: a chunk has one bit less
    /// than n.
    fn chunk_bits(&self) -> usize {
        match (self.kernel.divisor, self.kernel.ring) {
            (Divisor::PowerOfX, RingName::Integers) => (self.r_exponent() - 1).max(self.n_bits),
            (Divisor::PowerOfX, RingName::BinaryPolynomials) => self.r_exponent(),
            (Divisor::One, _) => (self.n_bits - 1).max(1),
        }
    }

    /// x·R⁻¹ mod n, which removes one factor R.
    fn leave(&self, x: &[u64]) -> Cells {
        let mut z = self.zero();
        self.leave_into(&mut z, x);
        z
    }

    /// z = x·R⁻¹ mod n.
    fn leave_into(&self, z: &mut [u64], x: &[u64]) {
        let mut unit = Temporary::new(z.len());
        (self.kernel.arithmetic.set_word)(&mut unit, 0, 1);
        self.mul(z, x, &unit, &mut self.scratch());
    }

    /// a⁻¹·R mod n for x = a·R mod n, if x is prime to n and deg n ≥ 1; 0 for x = 0. None if the kernel has
    /// no inversion of its own.
    pub(crate) fn inverse(&self, x: &[u64]) -> Option<Cells> {
        let AlmostInverse { compute, temporary_cells } = self.kernel.almost_inverse.as_ref()?;
        let mut temporary = Zeroizing::new(vec![0; temporary_cells(self.s)]);
        let (mut almost, mut z) = (self.zero(), self.zero());
        compute(&mut almost, x, &self.constants(), &mut temporary);
        self.mul(&mut z, &almost, &self.completion, &mut temporary);
        Some(z)
    }

    /// The number whose Montgomery form is x, in ⌈n_bits/64⌉ words.
    pub(crate) fn to_number(&self, x: &[u64]) -> Vec<u64> {
        let mut number = vec![0; self.number.len()];
        let mut z = Temporary::new((self.kernel.cells)(self.s));
        // MonPro(x, 1) needs 1 to be a residue; modulo 1 it is not, and every residue is 0.
        if self.n_bits > 1 {
            self.leave_into(&mut z, x);
        }
        self.store(&mut number, &z);
        number
    }

    /// t·R⁻¹ mod n over GF(2)\[x\], for deg t < 2·deg n: a whole sum of products of residues takes one
    /// reduction.
    ///
    /// With X = x^chunk_bits and t = h·X + l, the result is h·X·R⁻¹ + MonPro(l, 1). The factor X·R⁻¹ is 1, or
    /// X for R = 1.
    pub(crate) fn reduce(&self, t: &[u64]) -> Cells {
        let mut scratch = self.scratch();
        let low = self.leave(&self.load_bits(t, 0, self.chunk_bits()));
        let mut high = self.load_bits(t, self.chunk_bits(), self.chunk_bits());
        if self.kernel.divisor == Divisor::One {
            let unshifted = high.clone();
            self.mul(&mut high, &unshifted, &self.shift, &mut scratch);
        }
        let mut z = self.zero();
        self.add(&mut z, &high, &low);
        z
    }

    /// number = Σ x\[i\]·2^(w·i), where x\[i\] are the words of x. The bits that do not fit are 0.
    pub(crate) fn store(&self, number: &mut [u64], x: &[u64]) {
        let w = self.kernel.radix_bits as usize;
        number.fill(0);
        if w == 64 {
            let length = number.len().min(self.s);
            number[..length].copy_from_slice(&x[..length]);
            return;
        }
        for i in 0..self.s {
            let word = self.word(x, i);
            let (cell, shift) = (i * w / 64, i * w % 64);
            if cell < number.len() {
                number[cell] |= word << shift;
            }
            if shift + w > 64 && cell + 1 < number.len() {
                number[cell + 1] |= word >> (64 - shift);
            }
        }
    }

    /// The cells of the residue whose Montgomery form has these words. Checks that there are s words, of a
    /// number below n.
    pub(crate) fn checked(&self, words: &[u64]) -> Result<Cells, Error> {
        if words.len() != self.s {
            return Err(Error::WordCount { expected: self.s, given: words.len() });
        }
        let mut x = self.zero();
        for (i, &word) in words.iter().enumerate() {
            if word > u64::MAX >> (64 - self.kernel.radix_bits) {
                return Err(Error::NotReduced);
            }
            (self.kernel.arithmetic.set_word)(&mut x, i, word);
        }
        match (self.kernel.arithmetic.is_reduced)(&x, &self.constants()) {
            true => Ok(x),
            false => Err(Error::NotReduced),
        }
    }

    /// Word i of x.
    pub(crate) fn word(&self, x: &[u64], i: usize) -> u64 {
        (self.kernel.arithmetic.word)(x, i)
    }

    /// The w·s bits of the number from bit `position` up, in the kernel's words.
    pub(crate) fn load(&self, number: &[u64], position: usize) -> Cells {
        self.load_bits(number, position, self.s * self.kernel.radix_bits as usize)
    }

    /// The `bits` ≤ w·s bits of the number from bit `position` up, in the kernel's words.
    fn load_bits(&self, number: &[u64], position: usize, bits: usize) -> Cells {
        let mut z = self.zero();
        self.load_bits_into(&mut z, number, position, bits);
        z
    }

    /// The same into the words of z; those above stay as they are.
    fn load_bits_into(&self, z: &mut [u64], number: &[u64], position: usize, bits: usize) {
        let w = self.kernel.radix_bits as usize;
        for i in 0..bits.div_ceil(w) {
            let word = natural::bits_at(number, position + i * w, w.min(bits - i * w) as u32);
            (self.kernel.arithmetic.set_word)(z, i, word);
        }
    }

    /// The residue 0.
    pub(crate) fn zero(&self) -> Cells {
        Cells::zeros((self.kernel.cells)(self.s))
    }

    /// z = a + b mod n.
    pub(crate) fn add(&self, z: &mut [u64], a: &[u64], b: &[u64]) {
        (self.kernel.arithmetic.add)(z, a, b, &self.constants(), &mut self.scratch());
    }

    /// z = a − b mod n.
    pub(crate) fn sub(&self, z: &mut [u64], a: &[u64], b: &[u64]) {
        (self.kernel.arithmetic.sub)(z, a, b, &self.constants());
    }

    /// The number of cells of a scratch of this modulus.
    pub(crate) fn scratch_cells(&self) -> usize {
        self.scratch_cells
    }

    fn constants(&self) -> Constants<'_> {
        Constants { n: &self.n, n0: *self.n0, s: self.s, n_bits: self.n_bits, derived: &self.derived }
    }
}

/// The residues under the Montgomery product, with the neutral element R mod n.
impl Monoid for Context {
    fn one(&self) -> Cells {
        self.r.clone()
    }

    fn scratch(&self) -> Temporary {
        Temporary::new(self.scratch_cells)
    }

    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
        (self.kernel.product)(z, x, y, &self.constants(), scratch);
    }

    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
        (self.kernel.square)(z, x, &self.constants(), scratch);
    }

    fn step(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
        match self.power_steps {
            Some(steps) => (steps.multiply)(z, x, y, &self.constants(), scratch),
            None => self.mul(z, x, y, scratch),
        }
    }

    fn square_repeatedly(&self, z: &mut [u64], times: usize, spare: &mut [u64], scratch: &mut [u64]) {
        let constants = self.constants();
        match self.power_steps {
            Some(steps) => (steps.square_repeatedly)(z, times, &constants, scratch),
            None => monoid::square_repeatedly(z, times, spare, |z, x| {
                (self.kernel.square)(z, x, &constants, scratch);
            }),
        }
    }

    fn append(&self, z: &mut [u64], times: usize, y: &[u64], spare: &mut [u64], scratch: &mut [u64]) {
        match self.power_steps.and_then(|steps| steps.append) {
            Some(append) if times > 0 => append(z, times, y, &self.constants(), scratch),
            _ => monoid::append(self, z, times, y, spare, scratch),
        }
    }

    fn append_entries(
        &self,
        z: &mut [u64],
        times: usize,
        entries: (&[u64], &mut dyn Iterator<Item = u64>),
        spare: &mut [u64],
        scratch: &mut [u64],
    ) {
        match self.power_steps.and_then(|steps| steps.append_entries) {
            Some(append_entries) => append_entries(z, times, entries, &self.constants(), scratch),
            None => monoid::append_entries(self, z, times, entries, spare, scratch),
        }
    }

    fn finish(&self, z: &mut [u64]) {
        if let Some(steps) = self.power_steps {
            (steps.finish)(z, &self.constants());
        }
    }

    fn select(&self, z: &mut [u64], table: &[u64], index: u64) {
        (self.kernel.select)(z, table, index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::KERNELS;
    use num_bigint::BigUint;

    /// The entries of the widest tables of powers.
    const ENTRIES: usize = 256;

    /// Words that differ from entry to entry and from word to word.
    fn word(entry: usize, i: usize) -> u64 {
        (entry as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(7 * i as u32)
            .wrapping_add(i as u64)
    }

    /// Moduli of 1 to 25 words: every number of vectors and of words that are selected at a time.
    fn moduli() -> impl Iterator<Item = Vec<u64>> {
        (1..=25).map(|words| {
            let mut n = vec![0; words];
            n[0] = 0b10_1101;
            n[words - 1] |= 1 << 63;
            n
        })
    }

    #[test]
    fn a_kernel_with_a_most_length_takes_it_and_refuses_one_bit_more() {
        for kernel in KERNELS.iter().filter(|kernel| kernel.is_available()) {
            let most =
                kernel.takes.strip_prefix("moduli of up to ").and_then(|rest| rest.strip_suffix(" bits"));
            let Some(most) = most else { continue };
            let of_bits = |bits: usize| {
                let mut n = vec![0u64; bits.div_ceil(64)];
                n[0] = 1;
                n[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
                Modulus::with_kernel(kernel, &n)
            };
            let most: usize = most.parse().unwrap();
            assert!(of_bits(most).is_ok(), "{}", kernel.name);
            let refusal = Error::UnsupportedModulus { kernel: kernel.name, takes: kernel.takes };
            assert_eq!(of_bits(most + 1).unwrap_err(), refusal);
        }
    }

    fn kernels_over_integers() -> impl Iterator<Item = &'static Kernel> {
        KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers && kernel.is_available())
    }

    #[test]
    fn r_squared_in_words_is_that_of_all_kernels_with_the_words_of_n() {
        let integer = |x: &[u64]| BigUint::from_bytes_be(&natural::to_be_bytes(x, 8 * x.len()));
        let moduli = [&[1][..], &[3], &[(1 << 32) - 5], &[u64::MAX], &[1, 1], &[u64::MAX; 5], &[u64::MAX; 9]];
        let mut compared = 0;
        for kernel in kernels_over_integers() {
            for n in moduli.into_iter().filter(|n| kernel.supports(n)) {
                let context = Context::new(kernel, n, natural::bit_length(n));
                let has_words_of_n = kernel.radix_bits == 64 && context.s == n.len();
                let r2 = context.r_squared_in_words();
                assert_eq!(r2.is_some(), has_words_of_n, "{} modulo {n:x?}", kernel.name);
                if let Some(r2) = r2 {
                    let expected = (BigUint::from(1u8) << (128 * n.len())) % integer(n);
                    assert_eq!((r2.len(), integer(r2)), (n.len(), expected), "{} modulo {n:x?}", kernel.name);
                    compared += 1;
                }
            }
        }
        assert!(compared >= 7, "{compared}");
    }

    #[test]
    fn an_integer_is_converted_in_chunks_below_half_of_r_unless_n_is_as_long_as_r() {
        for kernel in kernels_over_integers() {
            for bits in [1, 2, 31, 32, 33, 51, 52, 63, 64, 65, 127, 128, 129, 416, 512, 1000] {
                let mut n = vec![0u64; usize::div_ceil(bits, 64)];
                n[(bits - 1) / 64] = 1 << ((bits - 1) % 64);
                n[0] |= 1;
                if !kernel.supports(&n) {
                    continue;
                }
                let context = Context::without_powers_of_r(kernel, &n, bits);
                let most = if bits == context.r_exponent() { bits } else { context.r_exponent() - 1 };
                let chunk_bits = context.chunk_bits();
                assert!((bits..=most).contains(&chunk_bits), "{}: {chunk_bits} of {bits} bits", kernel.name);
            }
        }
    }

    #[test]
    fn modulo_1_every_number_is_0() {
        for kernel in KERNELS.iter().filter(|kernel| kernel.is_available() && kernel.supports(&[1])) {
            let modulus = Modulus::with_kernel(kernel, &[1]).expect("the kernel takes 1");
            let [few, many] = [&[5][..], &[u64::MAX; 70]].map(|number| modulus.residue(number));
            for x in [modulus.zero(), modulus.one(), few, many] {
                assert_eq!(x.to_number(), [0], "{}", kernel.name);
            }
        }
    }

    #[test]
    fn every_kernel_selects_every_entry_of_the_widest_table() {
        for kernel in KERNELS.iter().filter(|kernel| kernel.is_available()) {
            let mut checked = 0;
            for n in moduli().filter(|n| kernel.supports(n)) {
                let context = Context::without_powers_of_r(kernel, &n, natural::bit_length(&n));
                let entry = |entry: usize| {
                    let words: Vec<u64> = (0..n.len()).map(|i| word(entry, i)).collect();
                    context.load(&words, 0)
                };
                let table: Vec<u64> = (0..ENTRIES).flat_map(|i| entry(i).to_vec()).collect();
                for index in (0..ENTRIES).step_by(if n.len() <= 9 { 1 } else { 15 }) {
                    let mut selected = entry(ENTRIES);
                    context.select(&mut selected, &table, index as u64);
                    assert_eq!(selected, entry(index), "{}: entry {index}, {} words", kernel.name, n.len());
                }
                checked += 1;
            }
            assert!(checked > 0, "{} takes none of the moduli", kernel.name);
        }
    }
}
