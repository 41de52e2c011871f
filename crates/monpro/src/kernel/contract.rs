//! The contract of a kernel, and the types in it.

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
use crate::arch::InstructionSet;
use crate::natural;
use crate::ring::RingName;
use alloc::vec::Vec;

/// One way to compute z = x·y·R⁻¹ mod n. Over the integers R = 2^(radix_bits·s). Over GF(2) R = x^(radix_bits·s), or
/// R = 1 for some kernels.
///
/// Every kernel keeps this contract: n is odd (over GF(2): has the constant coefficient 1) and below R; if x, y < n
/// then z < n (over GF(2): by degrees); slices hold exactly s words; nothing is allocated; the time does not depend
/// on the values, unless the name ends in `_vartime`. A word is a limb of `radix_bits` bits.
pub struct Kernel {
    /// The name in the table: the method, then what distinguishes the ring or the instruction set.
    pub name: &'static str,
    /// The bibliography key of the paper that describes the method.
    pub paper: &'static str,
    /// The ring of the residues.
    pub ring: RingName,
    /// The bits of a word; R = 2^(radix_bits·s).
    pub radix_bits: u32,
    pub(crate) requires: Requirement,
    /// The moduli that the kernel takes, as the end of a sentence.
    pub(crate) takes: &'static str,
    /// Whether the kernel takes the odd modulus n of n_bits bits.
    pub(crate) supports: fn(n: &[u64], n_bits: usize) -> bool,
    /// s, the number of words of residues of a modulus of n_bits bits; at least 1.
    pub(crate) words_for: fn(n_bits: usize) -> usize,
    /// The number of u64 cells of a residue of s words; all bits of the cells outside the words are 0.
    pub(crate) cells: fn(s: usize) -> usize,
    pub(crate) divisor: Divisor,
    /// Computes the constants, other than n0, that the kernel needs of a modulus.
    pub(crate) derive: fn(&Constants) -> Vec<u64>,
    pub(crate) temporary_cells: fn(s: usize) -> usize,
    pub(crate) product: Product,
    pub(crate) square: Square,
    pub(crate) select: Select,
    /// The steps of a power for residues of s words, if the kernel has its own.
    pub(crate) power_steps: fn(s: usize) -> Option<&'static PowerSteps>,
    /// The kernel's almost inverse, if it has one: only kernels over GF(2) do, where it is fast.
    pub(crate) almost_inverse: Option<AlmostInverse>,
    pub(crate) arithmetic: &'static Arithmetic,
}

/// R, the divisor in a kernel's products.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Divisor {
    /// R = x^(w·s), where x = 2 in Z.
    PowerOfX,
    /// R = 1: the product is the plain one, x·y mod n.
    One,
}

/// z = x·y·R⁻¹ mod n, with `t` as scratch; every slice holds the kernel's words in u64 cells.
pub(crate) type Product = fn(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]);
/// z = x²·R⁻¹ mod n, likewise.
pub(crate) type Square = fn(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]);

/// z = z^(2^times)·y·R^(−2^times) mod n, likewise.
pub(crate) type Append = fn(z: &mut [u64], times: usize, y: &[u64], constants: &Constants, t: &mut [u64]);

/// The same for times ≥ 1 and a y that is entry `index` of the table, for one index after the other; each entry is selected in
/// constant time.
pub(crate) type AppendEntries = fn(
    z: &mut [u64],
    times: usize,
    entries: (&[u64], &mut dyn Iterator<Item = u64>),
    constants: &Constants,
    t: &mut [u64],
);

/// z = entry `index` of the table, read in constant time.
pub(crate) type Select = fn(z: &mut [u64], table: &[u64], index: u64);

/// The steps of a power, for a kernel that computes them faster than single products.
///
/// A step takes residues and the results of steps. Its result z is congruent to the residue, but need not be reduced;
/// `finish` reduces it.
pub(crate) struct PowerSteps {
    /// z = x·y·R⁻¹ mod n.
    pub(crate) multiply: Product,
    /// z = z^(2^times)·R^(1 − 2^times) mod n.
    pub(crate) square_repeatedly: fn(z: &mut [u64], times: usize, constants: &Constants, t: &mut [u64]),
    /// z = z^(2^times)·y·R^(−2^times) mod n for times ≥ 1, if that is faster than the squares and the product apart.
    pub(crate) append: Option<Append>,
    /// The same for many y of a table, if that is faster than a selection and an `append` for each.
    pub(crate) append_entries: Option<AppendEntries>,
    /// z = z mod n.
    pub(crate) finish: fn(z: &mut [u64], constants: &Constants),
}

/// An inverse up to a power of x, which depends on k = deg n alone.
pub(crate) struct AlmostInverse {
    /// z = a⁻¹·x^(2·k − 1)·R⁻¹ mod n, for k ≥ 1 and an a that is prime to n; for a = 0, z = 0.
    pub(crate) compute: Square,
    pub(crate) temporary_cells: fn(s: usize) -> usize,
}

/// The instructions that a kernel needs, and whether this CPU has them.
pub(crate) struct Requirement {
    pub(crate) instructions: &'static str,
    pub(crate) is_met: fn() -> bool,
}

impl Requirement {
    /// Nothing: plain Rust runs everywhere.
    pub(crate) const NONE: Requirement = Requirement { instructions: "", is_met: || true };

    /// The instructions of I.
    #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
    pub(crate) const fn of<I: InstructionSet>() -> Requirement {
        Requirement { instructions: I::INSTRUCTIONS, is_met: || I::detect().is_some() }
    }
}

/// The constants of a modulus that a kernel needs.
pub(crate) struct Constants<'a> {
    /// The lowest s words of n, in cells. Over GF(2) the leading coefficient of an n of degree w·s is left out.
    pub(crate) n: &'a [u64],
    /// −n⁻¹ mod W.
    pub(crate) n0: u64,
    /// The number of words of a residue.
    pub(crate) s: usize,
    /// The number of bits of n.
    pub(crate) n_bits: usize,
    /// The result of the kernel's `derive`.
    // So far only kernels of x86-64 derive any.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(crate) derived: &'a [u64],
}

/// The operations of a [`Ring`](crate::ring::Ring) on residues in cells.
pub(crate) struct Arithmetic {
    /// Word i of x.
    pub(crate) word: fn(x: &[u64], i: usize) -> u64,
    /// Stores `word`, which is below the radix, as word i of z.
    pub(crate) set_word: fn(z: &mut [u64], i: usize, word: u64),
    /// −n⁻¹ mod W.
    pub(crate) n0: fn(n: &[u64]) -> u64,
    /// z = x·z mod n, where x = 2 in Z; see [`Ring::mul_x`](crate::ring::Ring::mul_x).
    pub(crate) mul_x: fn(z: &mut [u64], constants: &Constants, t: &mut [u64]),
    /// z = a + b mod n.
    pub(crate) add: Product,
    /// z = a − b mod n.
    pub(crate) sub: fn(z: &mut [u64], a: &[u64], b: &[u64], constants: &Constants),
    /// Whether a is a residue of n.
    pub(crate) is_reduced: fn(a: &[u64], constants: &Constants) -> bool,
}

impl Kernel {
    /// Whether this CPU has the instructions that the kernel needs.
    #[must_use]
    pub fn is_available(&self) -> bool {
        (self.requires.is_met)()
    }

    /// The instructions that the kernel needs; empty for plain Rust.
    #[must_use]
    pub fn required_instructions(&self) -> &'static str {
        self.requires.instructions
    }

    /// Whether the kernel takes the odd modulus n.
    #[must_use]
    pub fn supports(&self, n: &[u64]) -> bool {
        (self.supports)(n, natural::bit_length(n))
    }

    /// The address of the compiled product and of the compiled square, for reports of code size.
    #[must_use]
    pub fn code_addresses(&self) -> (usize, usize) {
        (self.product as usize, self.square as usize)
    }
}
