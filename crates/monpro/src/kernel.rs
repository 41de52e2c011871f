//! The table of kernels: every way there is to compute z = x·y·R⁻¹ mod n.

mod arithmetic;
#[cfg(target_arch = "x86_64")]
mod blocks;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod ifma;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod pclmulqdq;
mod preferred;
mod scanning;
mod standard;

pub(crate) use arithmetic::{Arithmetic, Constants};

#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use crate::arch::x86_64::{avx2::Avx2, avx512::Avx512};
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::{mulx, pclmulqdq as pclmulqdq_lanes};
use crate::error::Error;
use crate::monoid;
use crate::natural;
use crate::ring::mulgf2::{Emulation, Tables, Thinned};
use crate::ring::{BinaryPolynomials, Integers, Ring, RingName};
use crate::word::Word;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};
use scanning::{ScanningMethod, product, square};

/// One way to compute z = x·y·R⁻¹ mod n, where R = 2^(radix_bits·s), over GF(2) x^(radix_bits·s).
///
/// The contract of every kernel: n is odd (has the constant coefficient 1) and below R; x, y < n imply z < n
/// (over GF(2): degrees); slices hold exactly s words; nothing is allocated; the time is independent of the
/// values, or else the name ends in `_vartime`.
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
    /// Which moduli the kernel takes, in words that end a sentence.
    pub(crate) takes: &'static str,
    /// Whether it takes the odd modulus n of n_bits bits.
    pub(crate) supports: fn(n: &[u64], n_bits: usize) -> bool,
    /// s, the number of words of residues of a modulus of n_bits bits; at least 1.
    pub(crate) words_for: fn(n_bits: usize) -> usize,
    /// The u64 cells that a residue of s words takes; what lies beyond the words is 0.
    pub(crate) cells: fn(s: usize) -> usize,
    pub(crate) divisor: Divisor,
    /// The constants beyond n0 that the kernel wants of a modulus.
    pub(crate) derive: fn(&Constants) -> Vec<u64>,
    pub(crate) temporary_cells: fn(s: usize) -> usize,
    pub(crate) product: Product,
    pub(crate) square: Square,
    pub(crate) select: Select,
    /// For residues of s words, where it has steps of its own.
    pub(crate) power_steps: fn(s: usize) -> Option<&'static PowerSteps>,
    /// Where it has one: over GF(2), and where that is fast.
    pub(crate) almost_inverse: Option<AlmostInverse>,
    pub(crate) arithmetic: &'static Arithmetic,
}

/// R, by which a kernel's products divide.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Divisor {
    /// R = x^(w·s), where x = 2 in Z.
    PowerOfX,
    /// R = 1: the product is the plain one, x·y mod n.
    One,
}

/// z = x·y·R⁻¹ mod n, with `t` as temporary space; every slice holds the kernel's words in u64 cells.
pub(crate) type Product = fn(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]);
/// z = x²·R⁻¹ mod n, likewise.
pub(crate) type Square = fn(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]);

/// z = entry `index` of the table, read in constant time.
pub(crate) type Select = fn(z: &mut [u64], table: &[u64], index: u64);

/// What a power is made of, where a kernel computes that faster than products one at a time.
///
/// After a step, z may be any number that is congruent to the residue and that the other functions here take: only
/// `finish` makes it the residue. Residues are such numbers.
pub(crate) struct PowerSteps {
    /// z = x·y·R⁻¹ mod n.
    pub(crate) multiply: Product,
    /// z = z^(2^times)·R^(1 − 2^times) mod n.
    pub(crate) square_repeatedly: fn(z: &mut [u64], times: usize, constants: &Constants, t: &mut [u64]),
    /// z = z mod n.
    pub(crate) finish: fn(z: &mut [u64], constants: &Constants),
}

/// An inverse but for a power of x that depends on k = deg n alone.
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
    /// Plain Rust: runs everywhere.
    pub(crate) const NONE: Requirement = Requirement { instructions: "", is_met: || true };
}

/// The kernels for a polynomial of at most so many bits, the fastest first; measured as docs/0004 says. A narrow
/// vector answers sooner, a wide one does more at once.
const PREFERRED_OVER_POLYNOMIALS: &[(usize, &str)] = &[
    (129, "words-gf2-pclmulqdq"),
    (193, "words-gf2-avx2"),
    (257, "sparse-gf2-avx2"),
    (257, "words-gf2-avx2"),
    (257, "karatsuba-gf2-pclmulqdq"),
    (289, "words-gf2-avx512"),
    (usize::MAX, "sparse-gf2-avx512"),
    (usize::MAX, "sparse-gf2-avx2"),
    (usize::MAX, "sparse-gf2-pclmulqdq"),
    (897, "words-gf2-avx512"),
    (1025, "karatsuba-gf2-avx512"),
    (1537, "words-gf2-avx512"),
    (usize::MAX, "karatsuba-gf2-avx512"),
    (385, "words-gf2-avx2"),
    (513, "karatsuba-gf2-avx2"),
    (1025, "words-gf2-avx2"),
    (usize::MAX, "karatsuba-gf2-avx2"),
    (385, "karatsuba-gf2-pclmulqdq"),
    (641, "words-gf2-pclmulqdq"),
    (usize::MAX, "karatsuba-gf2-pclmulqdq"),
    (usize::MAX, "cios-gf2-pclmulqdq"),
    (usize::MAX, "cios-gf2"),
];

/// For each ring the row of the table, counted from 1, that [`Kernel::override_selection`] has chosen; 0 for none.
static OVERRIDES: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

impl Kernel {
    /// The kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] where the table has none.
    pub fn by_name(name: &str) -> Result<&'static Kernel, Error> {
        KERNELS.iter().find(|kernel| kernel.name == name).ok_or(Error::UnknownKernel)
    }

    /// The fastest available kernel for the odd modulus n.
    pub(crate) fn fastest(ring: RingName, n: &[u64]) -> &'static Kernel {
        let n_bits = natural::bit_length(n);
        Kernel::override_of(ring)
            .into_iter()
            .chain(Kernel::preferred(ring, n_bits))
            .find(|kernel| kernel.is_available() && kernel.supports(n))
            .expect("the portable kernels run everywhere and take any modulus")
    }

    /// The fastest available kernel for an odd modulus of n_bits bits whose R is as short as words of 64 bits allow.
    pub(crate) fn fastest_of_words(n_bits: usize) -> &'static Kernel {
        Kernel::preferred(RingName::Integers, n_bits)
            .find(|kernel| kernel.radix_bits == 64 && kernel.is_available())
            .expect("a portable kernel has words of 64 bits")
    }

    /// The kernels for a modulus of n_bits bits, the fastest first.
    fn preferred(ring: RingName, n_bits: usize) -> impl Iterator<Item = &'static Kernel> {
        let preferred = match ring {
            RingName::Integers => preferred::OVER_INTEGERS,
            RingName::BinaryPolynomials => PREFERRED_OVER_POLYNOMIALS,
        };
        preferred
            .iter()
            .filter(move |(most_bits, _)| n_bits <= *most_bits)
            .filter_map(|(_, name)| Kernel::by_name(name).ok())
    }

    /// From now on the kernel is taken for every modulus of its ring that it takes, in all threads, unless a modulus is
    /// made with another: for tests, and to find out which kernel is at fault.
    ///
    /// The Python package and the C library call it with what the environment variable `MONPRO_KERNEL` names.
    /// [`modexp_vartime`](crate::modexp_vartime) computes modulo up to 512 bits without a kernel.
    ///
    /// # Errors
    /// [`Error::KernelUnavailable`] on a CPU without its instructions.
    pub fn override_selection(&'static self) -> Result<(), Error> {
        if !self.is_available() {
            return Err(Error::KernelUnavailable { kernel: self.name, needs: self.required_instructions() });
        }
        let row = KERNELS.iter().position(|kernel| core::ptr::eq(kernel, self));
        OVERRIDES[self.ring as usize].store(row.map_or(0, |row| row + 1), Ordering::Relaxed);
        Ok(())
    }

    /// The kernel that [`Kernel::override_selection`] has chosen for the ring.
    pub(crate) fn override_of(ring: RingName) -> Option<&'static Kernel> {
        KERNELS.get(OVERRIDES[ring as usize].load(Ordering::Relaxed).wrapping_sub(1))
    }

    /// Whether this CPU has the instructions that the kernel needs.
    pub fn is_available(&self) -> bool {
        (self.requires.is_met)()
    }

    /// The instructions that the kernel needs; empty where it is plain Rust.
    pub fn required_instructions(&self) -> &'static str {
        self.requires.instructions
    }

    /// Whether the kernel takes the modulus n, if that is odd.
    pub fn supports(&self, n: &[u64]) -> bool {
        (self.supports)(n, natural::bit_length(n))
    }

    /// The address of the compiled product and of the compiled square, for reports of code size.
    pub fn code_addresses(&self) -> (usize, usize) {
        (self.product as usize, self.square as usize)
    }

    const fn scanning<M: ScanningMethod, R: Ring>(name: &'static str) -> Kernel {
        Kernel {
            name,
            paper: M::PAPER,
            ring: R::NAME,
            radix_bits: <R::Word as Word>::BITS,
            requires: Requirement::NONE,
            takes: "any modulus",
            supports: |_, _| true,
            words_for: |n_bits| n_bits.div_ceil(<R::Word as Word>::BITS as usize).max(1),
            cells: |s| s.div_ceil(arithmetic::words_per_cell::<R>()),
            divisor: M::DIVISOR,
            derive: |_| Vec::new(),
            temporary_cells: |s| M::temporary_words(s).div_ceil(arithmetic::words_per_cell::<R>()),
            product: product::<M, R>,
            square: square::<M, R>,
            select: monoid::select,
            power_steps: |_| None,
            almost_inverse: None,
            arithmetic: Arithmetic::of::<R>(),
        }
    }
}

/// Declares the modules of the kernels and lists them in [`KERNELS`], a line each. A scanning method defines
/// `Method` and serves both rings and both word sizes; a variant is a method over GF(2)\[x\] with another word or
/// another MULGF2, on vectors the standard method; a method on lanes is one over GF(2)\[x\] by vector instructions,
/// the wide ones where the compiler knows them; operand scanning in blocks is one over the integers by MULX; any other
/// kernel defines its own `KERNEL`.
macro_rules! kernels {
    (
        scanning methods: $($method:ident)* ;
        variants: $($variant:literal = $variant_method:ident of $word:ident by $mulgf2:ident)* ;
        variants by instruction: $($instructed:literal = $instructed_method:ident of $instructed_word:ident)* ;
        variants on vectors: $($vector:literal = of $vector_word:ident by $vector_mulgf2:ident)* ;
        variants on vectors by instruction: $($both:literal = of $both_word:ident)* ;
        methods on lanes: $($laned:literal = $laned_method:ident by $lanes:ident)* ;
        methods on wide lanes: $($wide:literal = $wide_method:ident by $wide_lanes:ident)* ;
        operand scanning in blocks: $($in_blocks:literal = $blocks:ident)* ;
        kernels: $($kernel:ident)*
    ) => {
        $(mod $method;)*
        $(mod $kernel;)*

        /// Every kernel there is. Tests, benchmarks, documentation and the command line walk this table.
        pub static KERNELS: &[Kernel] = &[
            $(Kernel::scanning::<$method::Method, Integers<u64>>(stringify!($method)),)*
            $($kernel::KERNEL,)*
            $(
                #[cfg(target_arch = "x86_64")]
                blocks::kernel::<mulx::$blocks>($in_blocks),
            )*
            $(Kernel::scanning::<$method::Method, Integers<u32>>(concat!(stringify!($method), "-w32")),)*
            $(Kernel::scanning::<$method::Method, BinaryPolynomials<u64>>(concat!(stringify!($method), "-gf2")),)*
            $(Kernel::scanning::<$method::Method, BinaryPolynomials<u32>>(concat!(stringify!($method), "-gf2-w32")),)*
            $(Kernel::scanning::<$variant_method::Method, BinaryPolynomials<$word, $mulgf2>>($variant),)*
            $(
                #[cfg(target_arch = "x86_64")]
                pclmulqdq::scanning_by_instruction::<$instructed_method::Method, $instructed_word>($instructed),
            )*
            $(
                #[cfg(target_arch = "x86_64")]
                pclmulqdq::on_vectors::<standard::OnVectors, $vector_word, $vector_mulgf2>($vector),
            )*
            $(
                #[cfg(target_arch = "x86_64")]
                pclmulqdq::on_vectors_by_instruction::<standard::OnVectors, $both_word>($both),
            )*
            $(
                #[cfg(target_arch = "x86_64")]
                lanes::kernel::<lanes::$laned_method, pclmulqdq_lanes::$lanes>($laned),
            )*
            $(
                #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
                lanes::kernel::<lanes::$wide_method, $wide_lanes>($wide),
            )*
            #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
            ifma::kernel::<52>("redc-ifma"),
            #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
            ifma::kernel::<51>("redc-ifma-w51"),
        ];
    };
}

kernels! {
    scanning methods:
        sos
        cios
        fios
        fips
        cihs
    ;
    variants:
        "cios-gf2-w8" = cios of u8 by Thinned
        "cios-gf2-w16" = cios of u16 by Thinned
        "cios-gf2-w8-emulation" = cios of u8 by Emulation
        "cios-gf2-w16-emulation" = cios of u16 by Emulation
        "cios-gf2-w32-emulation" = cios of u32 by Emulation
        "cios-gf2-w64-emulation" = cios of u64 by Emulation
        "cios-gf2-w8-tables_vartime" = cios of u8 by Tables
        "cios-gf2-w16-tables_vartime" = cios of u16 by Tables
        "cios-gf2-w32-tables_vartime" = cios of u32 by Tables
        "cios-gf2-w64-tables_vartime" = cios of u64 by Tables
        "standard-gf2" = standard of u64 by Thinned
        "standard-gf2-w8-emulation" = standard of u8 by Emulation
        "standard-gf2-w16-emulation" = standard of u16 by Emulation
        "standard-gf2-w32-emulation" = standard of u32 by Emulation
        "standard-gf2-w64-emulation" = standard of u64 by Emulation
        "standard-gf2-w8-tables_vartime" = standard of u8 by Tables
        "standard-gf2-w16-tables_vartime" = standard of u16 by Tables
        "standard-gf2-w32-tables_vartime" = standard of u32 by Tables
    ;
    variants by instruction:
        "cios-gf2-w8-pclmulqdq" = cios of u8
        "cios-gf2-w16-pclmulqdq" = cios of u16
        "cios-gf2-w32-pclmulqdq" = cios of u32
        "cios-gf2-pclmulqdq" = cios of u64
        "standard-gf2-w8-pclmulqdq" = standard of u8
        "standard-gf2-w16-pclmulqdq" = standard of u16
        "standard-gf2-w32-pclmulqdq" = standard of u32
        "standard-gf2-pclmulqdq" = standard of u64
    ;
    variants on vectors:
        "standard-gf2-w8-emulation-avx2" = of u8 by Emulation
        "standard-gf2-w16-emulation-avx2" = of u16 by Emulation
        "standard-gf2-w32-emulation-avx2" = of u32 by Emulation
        "standard-gf2-w8-tables-avx2_vartime" = of u8 by Tables
        "standard-gf2-w16-tables-avx2_vartime" = of u16 by Tables
        "standard-gf2-w32-tables-avx2_vartime" = of u32 by Tables
    ;
    variants on vectors by instruction:
        "standard-gf2-w8-pclmulqdq-avx2" = of u8
        "standard-gf2-w16-pclmulqdq-avx2" = of u16
        "standard-gf2-w32-pclmulqdq-avx2" = of u32
        "standard-gf2-pclmulqdq-avx2" = of u64
    ;
    methods on lanes:
        "words-gf2-pclmulqdq" = Words by Pclmulqdq
        "karatsuba-gf2-pclmulqdq" = Karatsuba by Pclmulqdq
        "sparse-gf2-pclmulqdq" = Sparse by Pclmulqdq
    ;
    methods on wide lanes:
        "words-gf2-avx2" = Words by Avx2
        "words-gf2-avx512" = Words by Avx512
        "karatsuba-gf2-avx2" = Karatsuba by Avx2
        "karatsuba-gf2-avx512" = Karatsuba by Avx512
        "sparse-gf2-avx2" = Sparse by Avx2
        "sparse-gf2-avx512" = Sparse by Avx512
    ;
    operand scanning in blocks:
        "sos-mulx" = Mulx
        "sos-adx" = Adx
    ;
    kernels:
        cios_pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the compiler knows all instructions; elsewhere rows are missing from the table.
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    #[test]
    fn what_is_preferred_is_in_the_table_and_of_the_ring() {
        let lists = [
            (RingName::Integers, preferred::OVER_INTEGERS),
            (RingName::BinaryPolynomials, PREFERRED_OVER_POLYNOMIALS),
        ];
        for (ring, list) in lists {
            for (_, name) in list {
                assert_eq!(Kernel::by_name(name).map(|kernel| kernel.ring), Ok(ring), "{name}");
            }
        }
    }

    #[test]
    fn every_modulus_has_a_fastest_kernel() {
        for bits in 1..=3000 {
            let mut n = alloc::vec![1; bits / 64 + 1];
            n[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
            for ring in [RingName::Integers, RingName::BinaryPolynomials] {
                let kernel = Kernel::fastest(ring, &n);
                assert!(kernel.ring == ring && kernel.is_available() && kernel.supports(&n));
            }
        }
    }
}
