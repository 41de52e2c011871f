//! Coarsely Integrated Operand Scanning \[koc96, §5\] of 4, 6 and 8 words, with the running sum in registers.
//!
//! Each quotient is known long before its row of x·y is complete, so nothing waits for it.

use super::{Mulx, chain};
use core::arch::asm;

/// A pass: window += x\[i\]·y, then window += q·n with the q that makes the lowest word a0 become 0. y is at rcx, n
/// at rbp; the address of x and n0 are on the stack. If the window is u < 2n before the pass, the words from a1 up
/// are (u + x\[i\]·y + q·n)/W < 2n after it. So before a pass, the top word is 0 and the word below it is 0 or 1;
/// after the pass, the top word is 0 or 1.
macro_rules! pass {
    ($i:literal; $($a:literal)+) => {
        concat!(
            "mov rdx, [rsp]\n mov rdx, [rdx + 8*", $i, "]\n", pass!(@product $($a)+),
            pass!(@quotient $($a)+)
        )
    };
    (@product $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal) => {
        concat!(
            chain!("add" "rcx": 0 $a0 $a1, 2 $a2 $a3), "adc ", $a4, ", 0\n",
            chain!("add" "rcx": 1 $a1 $a2, 3 $a3 $a4), "adc ", $a5, ", 0\n"
        )
    };
    (@product
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal
    ) => {
        concat!(
            chain!("add" "rcx": 0 $a0 $a1, 2 $a2 $a3, 4 $a4 $a5), "adc ", $a6, ", 0\n",
            chain!("add" "rcx": 1 $a1 $a2, 3 $a3 $a4, 5 $a5 $a6), "adc ", $a7, ", 0\n"
        )
    };
    (@product
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal
        $a8:literal $a9:literal
    ) => {
        concat!(
            chain!("add" "rcx": 0 $a0 $a1, 2 $a2 $a3, 4 $a4 $a5, 6 $a6 $a7), "adc ", $a8, ", 0\n",
            chain!("add" "rcx": 1 $a1 $a2, 3 $a3 $a4, 5 $a5 $a6, 7 $a7 $a8), "adc ", $a9, ", 0\n"
        )
    };
    (@quotient $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal) => {
        concat!(
            "mov rdx, ", $a0, "\n imul rdx, [rsp + 8]\n",
            chain!("add" "rbp": 0 $a0 $a1, 2 $a2 $a3), "adc ", $a4, ", 0\n adc ", $a5, ", 0\n",
            chain!("add" "rbp": 1 $a1 $a2, 3 $a3 $a4), "adc ", $a5, ", 0\n"
        )
    };
    (@quotient
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal
    ) => {
        concat!(
            "mov rdx, ", $a0, "\n imul rdx, [rsp + 8]\n",
            chain!("add" "rbp": 0 $a0 $a1, 2 $a2 $a3, 4 $a4 $a5), "adc ", $a6, ", 0\n adc ", $a7, ", 0\n",
            chain!("add" "rbp": 1 $a1 $a2, 3 $a3 $a4, 5 $a5 $a6), "adc ", $a7, ", 0\n"
        )
    };
    (@quotient
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal
        $a8:literal $a9:literal
    ) => {
        concat!(
            "mov rdx, ", $a0, "\n imul rdx, [rsp + 8]\n",
            chain!("add" "rbp": 0 $a0 $a1, 2 $a2 $a3, 4 $a4 $a5, 6 $a6 $a7),
            "adc ", $a8, ", 0\n adc ", $a9, ", 0\n",
            chain!("add" "rbp": 1 $a1 $a2, 3 $a3 $a4, 5 $a5 $a6, 7 $a7 $a8), "adc ", $a9, ", 0\n"
        )
    };
}

/// One pass for each word of x. Each pass renames the registers, down by one word.
macro_rules! passes {
    ($($a:literal)+; ) => { "" };
    ($a0:literal $($a:literal)+; $i:literal $($more:literal)*) => {
        concat!(pass!($i; $a0 $($a)+), passes!($($a)+ $a0; $($more)*))
    };
}

/// The passes; the first begins with an empty window.
macro_rules! first_pass {
    ($a0:literal $a1:literal $($a:literal)+; $i0:literal $($i:literal)+) => {
        concat!(
            "mov rdx, [rdi]\n mulx ", $a1, ", ", $a0, ", [rcx]\n", first_pass!(@row "add" $a1 $($a)+; $($i)+),
            pass!(@quotient $a0 $a1 $($a)+), passes!($a1 $($a)+ $a0; $($i)+)
        )
    };
    (@row $add:literal $lower:literal $upper:literal $($a:literal)+; $j:literal $($more:literal)*) => {
        concat!(
            "mulx ", $upper, ", rax, [rcx + 8*", $j, "]\n ", $add, " ", $lower, ", rax\n",
            first_pass!(@row "adc" $upper $($a)+; $($more)*)
        )
    };
    (@row $add:literal $upper:literal $next:literal; ) => {
        concat!("adc ", $upper, ", 0\n xor ", $next, ", ", $next, "\n")
    };
}

/// Defines z = x·y·R⁻¹ mod n for a number of words. The arguments are the registers of the window at the beginning;
/// the registers at the end, each with its index in z and the instruction that subtracts a word of n; and the
/// register of the word above.
macro_rules! product {
    (
        $name:ident, $words:literal; $($i:literal)+; $($a:literal)+;
        $($j:literal $b:literal $subtract:literal),+; $top:literal
    ) => {
        /// z = x·y·R⁻¹ mod n for x, y < n.
        #[inline(always)]
        pub(super) fn $name(
            _: Mulx,
            z: &mut [u64; $words],
            x: &[u64; $words],
            y: &[u64; $words],
            n: &[u64; $words],
            n0: u64,
        ) {
            // SAFETY: the CPU has MULX, since a value of `Mulx` exists; z is written, then read, x, y and n are read,
            // within their words; rbx, rbp and rsp are restored.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push rax", "push rdx", "push rdi", "mov rbp, rsi",
                    first_pass!($($a)+; $($i)+),
                    "mov rsi, [rsp + 16]",
                    $(concat!("mov [rsi + 8*", $j, "], ", $b),)+
                    $(concat!($subtract, " ", $b, ", [rbp + 8*", $j, "]"),)+
                    concat!("sbb ", $top, ", 0"),
                    $(concat!("cmovc ", $b, ", [rsi + 8*", $j, "]\n mov [rsi + 8*", $j, "], ", $b),)+
                    "lea rsp, [rsp + 24]", "pop rbp", "pop rbx",
                    inout("rdi") x.as_ptr() => _, in("rcx") y.as_ptr(), inout("rsi") n.as_ptr() => _,
                    inout("rdx") n0 => _, inout("rax") z.as_mut_ptr() => _, out("r8") _, out("r9") _, out("r10") _,
                    out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                );
            }
        }
    };
}

product!(product_4, 4; 0 1 2 3; "r8" "r9" "r10" "r11" "r12" "r13";
    0 "r12" "sub", 1 "r13" "sbb", 2 "r8" "sbb", 3 "r9" "sbb"; "r10");
product!(product_6, 6; 0 1 2 3 4 5; "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15";
    0 "r14" "sub", 1 "r15" "sbb", 2 "r8" "sbb", 3 "r9" "sbb", 4 "r10" "sbb", 5 "r11" "sbb"; "r12");
product!(product_8, 8; 0 1 2 3 4 5 6 7; "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx" "rdi";
    0 "rbx" "sub", 1 "rdi" "sbb", 2 "r8" "sbb", 3 "r9" "sbb", 4 "r10" "sbb", 5 "r11" "sbb", 6 "r12" "sbb",
    7 "r13" "sbb"; "r14");
