//! Rows of up to eight words in registers, in chains of carries that no other instruction interrupts.
//!
//! The assembly touches neither memory nor the stack and never jumps, so its time does not depend on the words.

use super::Umulh;
use core::arch::asm;

/// A row of K word products. W = 2⁶⁴.
pub(super) trait Row<const K: usize> {
    /// The lowest word of t + window + x·y; the window becomes the K words above.
    ///
    /// K + 1 words suffice: (W − 1) + (W^K − 1) + (W^K − 1)·(W − 1) = W^(K+1) − 1.
    fn row(self, window: &mut [u64; K], x: &[u64; K], y: u64, t: u64) -> u64;
}

/// Operations on blocks of K words.
pub(super) trait Rows<const K: usize>: Row<K> + Copy {
    /// The word q that makes the lowest word of window + q·n zero, for n0 = −n⁻¹ mod W; the window becomes the K
    /// words above.
    fn quotient(self, window: &mut [u64; K], n: &[u64; K], n0: u64) -> u64;
    /// a = a + b + carry mod W^K; returns the carry. Both carries are 0 or 1.
    fn add(self, a: &mut [u64; K], b: &[u64; K], carry: u64) -> u64;
    /// a = a − b − borrow mod W^K; returns the borrow. Both borrows are 0 or 1.
    fn subtract(self, a: &mut [u64; K], b: &[u64; K], borrow: u64) -> u64;
    /// a = b where `is_b` is not 0; else a stays.
    fn choose(self, a: &mut [u64; K], b: &[u64; K], is_b: u64);
}

/// Adds the upper words of x·y to the window from its second word up, and sets `top` to the word above the window.
/// The chain begins with `$add`; `$x` is the next word to be multiplied.
macro_rules! upper_words {
    ($add:literal $x:ident;) => {
        concat!("umulh {p}, {", stringify!($x), "}, {y}\n adc {top}, {p}, xzr\n")
    };
    ($add:literal $x:ident; $next:ident $a:ident $($more:ident)*) => {
        concat!(
            "umulh {p}, {", stringify!($x), "}, {y}\n", $add, " {", stringify!($a), "}, {", stringify!($a), "}, {p}\n",
            upper_words!("adcs" $next; $($more)*)
        )
    };
}

/// Adds the lower words of x·y to the window from its second word up, and the last carry to `top`. Each sum moves
/// down by a word; the first goes to `$below`.
macro_rules! lower_words {
    ($below:ident;) => {
        concat!("adc {", stringify!($below), "}, {top}, xzr\n")
    };
    ($below:ident; $x:ident $a:ident $($more:ident)*) => {
        concat!(
            "mul {p}, {", stringify!($x), "}, {y}\n adcs {", stringify!($below), "}, {", stringify!($a), "}, {p}\n",
            lower_words!($a; $($more)*)
        )
    };
}

/// Implements [`Row`], given names for the words of x and of the window.
macro_rules! row {
    ($width:literal: $x0:ident $a0:ident $($x:ident $a:ident)*) => {
        impl Row<$width> for Umulh {
            #[inline(always)]
            fn row(self, window: &mut [u64; $width], x: &[u64; $width], y: u64, mut t: u64) -> u64 {
                let ([$a0, $($a),*], [$x0, $($x),*]) = (window, x);
                // SAFETY: these instructions are on every AArch64 CPU and change only the registers named.
                unsafe {
                    asm!(
                        concat!("adds {", stringify!($a0), "}, {", stringify!($a0), "}, {t}"),
                        upper_words!("adcs" $x0; $($x $a)*),
                        concat!("mul {p}, {", stringify!($x0), "}, {y}\n adds {t}, {", stringify!($a0), "}, {p}"),
                        lower_words!($a0; $($x $a)*),
                        $a0 = inout(reg) *$a0, $($a = inout(reg) *$a,)* $x0 = in(reg) *$x0, $($x = in(reg) *$x,)*
                        y = in(reg) y, t = inout(reg) t, p = out(reg) _, top = out(reg) _,
                        options(pure, nomem, nostack),
                    );
                }
                t
            }
        }
    };
}

/// Implements [`Rows`], given names for the words of two numbers.
macro_rules! rows {
    ($width:literal: $x0:ident $a0:ident $($x:ident $a:ident)*) => {
        row!($width: $x0 $a0 $($x $a)*);

        impl Rows<$width> for Umulh {
            #[inline(always)]
            fn quotient(self, window: &mut [u64; $width], n: &[u64; $width], n0: u64) -> u64 {
                let ([$a0, $($a),*], [$x0, $($x),*]) = (window, n);
                let q;
                // SAFETY: these instructions are on every AArch64 CPU and change only the registers named.
                unsafe {
                    asm!(
                        concat!("mul {y}, {", stringify!($a0), "}, {n0}"),
                        upper_words!("adds" $x0; $($x $a)*),
                        // The lowest product is not computed: its sum with a0 is W, or 0 if a0 is 0.
                        concat!("cmp {", stringify!($a0), "}, #1"),
                        lower_words!($a0; $($x $a)*),
                        $a0 = inout(reg) *$a0, $($a = inout(reg) *$a,)* $x0 = in(reg) *$x0, $($x = in(reg) *$x,)*
                        n0 = in(reg) n0, y = out(reg) q, p = out(reg) _, top = out(reg) _,
                        options(pure, nomem, nostack),
                    );
                }
                q
            }

            #[inline(always)]
            fn add(self, a: &mut [u64; $width], b: &[u64; $width], mut carry: u64) -> u64 {
                let ([$a0, $($a),*], [$x0, $($x),*]) = (a, b);
                // SAFETY: these instructions are on every AArch64 CPU and change only the registers named.
                unsafe {
                    asm!(
                        "cmp {carry}, #1",
                        each_word!("adcs" $x0 $a0 $($x $a)*),
                        "adc {carry}, xzr, xzr",
                        $a0 = inout(reg) *$a0, $($a = inout(reg) *$a,)* $x0 = in(reg) *$x0, $($x = in(reg) *$x,)*
                        carry = inout(reg) carry, options(pure, nomem, nostack),
                    );
                }
                carry
            }

            #[inline(always)]
            fn subtract(self, a: &mut [u64; $width], b: &[u64; $width], mut borrow: u64) -> u64 {
                let ([$a0, $($a),*], [$x0, $($x),*]) = (a, b);
                // SAFETY: these instructions are on every AArch64 CPU and change only the registers named.
                unsafe {
                    asm!(
                        // The carry flag is the inverse of a borrow.
                        "cmp xzr, {borrow}",
                        each_word!("sbcs" $x0 $a0 $($x $a)*),
                        "cset {borrow}, cc",
                        $a0 = inout(reg) *$a0, $($a = inout(reg) *$a,)* $x0 = in(reg) *$x0, $($x = in(reg) *$x,)*
                        borrow = inout(reg) borrow, options(pure, nomem, nostack),
                    );
                }
                borrow
            }

            #[inline(always)]
            fn choose(self, a: &mut [u64; $width], b: &[u64; $width], is_b: u64) {
                let ([$a0, $($a),*], [$x0, $($x),*]) = (a, b);
                // SAFETY: these instructions are on every AArch64 CPU and change only the registers named.
                unsafe {
                    asm!(
                        "cmp {is_b}, #0",
                        concat!("csel {", stringify!($a0), "}, {", stringify!($x0), "}, {", stringify!($a0), "}, ne"),
                        $(concat!("csel {", stringify!($a), "}, {", stringify!($x), "}, {", stringify!($a), "}, ne"),)*
                        $a0 = inout(reg) *$a0, $($a = inout(reg) *$a,)* $x0 = in(reg) *$x0, $($x = in(reg) *$x,)*
                        is_b = in(reg) is_b, options(pure, nomem, nostack),
                    );
                }
            }
        }
    };
}

/// The instruction on each word of a and the same word of b.
macro_rules! each_word {
    ($instruction:literal $($x:ident $a:ident)*) => {
        concat!($($instruction, " {", stringify!($a), "}, {", stringify!($a), "}, {", stringify!($x), "}\n"),*)
    };
}

row!(1: x0 a0);
row!(2: x0 a0 x1 a1);
row!(3: x0 a0 x1 a1 x2 a2);
rows!(4: x0 a0 x1 a1 x2 a2 x3 a3);
row!(5: x0 a0 x1 a1 x2 a2 x3 a3 x4 a4);
rows!(6: x0 a0 x1 a1 x2 a2 x3 a3 x4 a4 x5 a5);
row!(7: x0 a0 x1 a1 x2 a2 x3 a3 x4 a4 x5 a5 x6 a6);
rows!(8: x0 a0 x1 a1 x2 a2 x3 a3 x4 a4 x5 a5 x6 a6 x7 a7);

impl Umulh {
    /// t = t + Σ xᵢ²·W^(2i) + carry mod W⁸; returns the carry. Both carries are 0 or 1.
    #[inline(always)]
    pub(super) fn add_squares(self, t: &mut [u64; 8], x: &[u64; 4], mut carry: u64) -> u64 {
        let ([t0, t1, t2, t3, t4, t5, t6, t7], [x0, x1, x2, x3]) = (t, x);
        // SAFETY: these instructions are on every AArch64 CPU and change only the registers named.
        unsafe {
            asm!(
                "cmp {carry}, #1",
                "mul {p}, {x0}, {x0}", "adcs {t0}, {t0}, {p}", "umulh {p}, {x0}, {x0}", "adcs {t1}, {t1}, {p}",
                "mul {p}, {x1}, {x1}", "adcs {t2}, {t2}, {p}", "umulh {p}, {x1}, {x1}", "adcs {t3}, {t3}, {p}",
                "mul {p}, {x2}, {x2}", "adcs {t4}, {t4}, {p}", "umulh {p}, {x2}, {x2}", "adcs {t5}, {t5}, {p}",
                "mul {p}, {x3}, {x3}", "adcs {t6}, {t6}, {p}", "umulh {p}, {x3}, {x3}", "adcs {t7}, {t7}, {p}",
                "adc {carry}, xzr, xzr",
                t0 = inout(reg) *t0, t1 = inout(reg) *t1, t2 = inout(reg) *t2, t3 = inout(reg) *t3,
                t4 = inout(reg) *t4, t5 = inout(reg) *t5, t6 = inout(reg) *t6, t7 = inout(reg) *t7,
                x0 = in(reg) *x0, x1 = in(reg) *x1, x2 = in(reg) *x2, x3 = in(reg) *x3,
                carry = inout(reg) carry, p = out(reg) _, options(pure, nomem, nostack),
            );
        }
        carry
    }
}
