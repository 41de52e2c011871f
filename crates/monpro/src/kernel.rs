//! The table of kernels: every way there is to compute z = x·y·R⁻¹ mod n.

mod arithmetic;
mod scanning;

pub(crate) use arithmetic::{Arithmetic, Constants};

use crate::error::Error;
use crate::ring::{BinaryPolynomials, Integers, RingName};
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
    pub(crate) supports_words: fn(s: usize) -> bool,
    pub(crate) temporary_cells: fn(s: usize) -> usize,
    pub(crate) product: Product,
    pub(crate) square: Square,
    pub(crate) arithmetic: &'static Arithmetic,
}

/// z = x·y·R⁻¹ mod n, with `t` as temporary space; every slice holds the kernel's words in u64 cells.
pub(crate) type Product = fn(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]);
/// z = x²·R⁻¹ mod n, likewise.
pub(crate) type Square = fn(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]);

/// The instructions that a kernel needs, and whether this CPU has them.
pub(crate) struct Requirement {
    pub(crate) instructions: &'static str,
    pub(crate) is_met: fn() -> bool,
}

impl Requirement {
    /// Plain Rust: runs everywhere.
    pub(crate) const NONE: Requirement = Requirement { instructions: "", is_met: || true };
}

impl Kernel {
    /// The kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] where the table has none.
    pub fn by_name(name: &str) -> Result<&'static Kernel, Error> {
        KERNELS.iter().find(|kernel| kernel.name == name).ok_or(Error::UnknownKernel)
    }

    /// The fastest available kernel for a modulus of n_bits bits.
    pub(crate) fn fastest(ring: RingName, n_bits: usize) -> &'static Kernel {
        let preferred: &[&str] = match ring {
            RingName::Integers => &["cios-pairs"],
            RingName::BinaryPolynomials => &["cios-gf2"],
        };
        preferred
            .iter()
            .filter_map(|name| Kernel::by_name(name).ok())
            .find(|kernel| kernel.is_available() && kernel.supports(n_bits))
            .expect("the portable kernels run everywhere and take any width")
    }

    /// Whether this CPU has the instructions that the kernel needs.
    pub fn is_available(&self) -> bool {
        (self.requires.is_met)()
    }

    /// The instructions that the kernel needs; empty where it is plain Rust.
    pub fn required_instructions(&self) -> &'static str {
        self.requires.instructions
    }

    /// Whether the kernel handles a modulus of n_bits bits.
    pub fn supports(&self, n_bits: usize) -> bool {
        (self.supports_words)(self.words_for(n_bits))
    }

    /// s, the number of words of a modulus of n_bits bits; at least 1.
    pub fn words_for(&self, n_bits: usize) -> usize {
        n_bits.div_ceil(self.radix_bits as usize).max(1)
    }

    /// The address of the compiled product and of the compiled square, for reports of code size.
    pub fn code_addresses(&self) -> (usize, usize) {
        (self.product as usize, self.square as usize)
    }

    const fn scanning<M: ScanningMethod, R: crate::ring::Ring>(name: &'static str) -> Kernel {
        Kernel {
            name,
            paper: M::PAPER,
            ring: R::NAME,
            radix_bits: <R::Word as crate::word::Word>::BITS,
            requires: Requirement::NONE,
            supports_words: |_| true,
            temporary_cells: |s| M::temporary_words(s).div_ceil(arithmetic::words_per_cell::<R>()),
            product: product::<M, R>,
            square: square::<M, R>,
            arithmetic: Arithmetic::of::<R>(),
        }
    }
}

/// Declares the modules of the kernels and lists them in [`KERNELS`], a line each. A scanning method defines
/// `Method` and serves both rings and both word sizes; any other kernel defines its own `KERNEL`.
macro_rules! kernels {
    (scanning methods: $($method:ident)* ; kernels: $($kernel:ident)*) => {
        $(mod $method;)*
        $(mod $kernel;)*

        /// Every kernel there is. Tests, benchmarks, documentation and the command line walk this table.
        pub static KERNELS: &[Kernel] = &[
            $(Kernel::scanning::<$method::Method, Integers<u64>>(stringify!($method)),)*
            $($kernel::KERNEL,)*
            $(Kernel::scanning::<$method::Method, Integers<u32>>(concat!(stringify!($method), "-w32")),)*
            $(Kernel::scanning::<$method::Method, BinaryPolynomials<u64>>(concat!(stringify!($method), "-gf2")),)*
            $(Kernel::scanning::<$method::Method, BinaryPolynomials<u32>>(concat!(stringify!($method), "-gf2-w32")),)*
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
    kernels:
        cios_pairs
}
