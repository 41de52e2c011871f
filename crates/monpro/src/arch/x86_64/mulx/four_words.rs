//! Montgomery products and runs of squares modulo odd numbers of four words, in registers, in a time that depends on the
//! values.
//!
//! With R = W⁴, the product T of two factors is divided by R in four steps. Each of the first three replaces t by
//! ⌊t/W⌋ + (t mod W)·v, where v = W⁻¹ mod n: then no step waits for a product by n0. The last one is Step 3 of a
//! Montgomery product, (t + q·n)/W with q < W, which brings the sum back into bounds. If T < R², then t < W⁵ + (W + 2)·n
//! before the last step, and the result is below R + 2n + 2·n/W. n is subtracted while the result is not below R.
//!
//! The test below compares with the definition. Nothing is proved of this machine code, as it is of the blocks beside it.

use super::Mulx;
use crate::word::inverse_of_w;
use core::arch::asm;

/// The constants of an odd modulus n of four words, whose top word is not 0.
#[repr(C)]
pub(crate) struct FourWords {
    /// v = W⁻¹ mod n.
    v: [u64; 4],
    n: [u64; 4],
    /// −n⁻¹ mod W.
    n0: u64,
}

impl FourWords {
    /// The constants of n, where n0 = −n⁻¹ mod W.
    pub(crate) fn new(n: &[u64; 4], n0: u64) -> FourWords {
        FourWords { v: inverse_of_w(n, n0), n: *n, n0 }
    }
}

/// Replaces t, of which the registers hold six words from t0 on, by ⌊t/W⌋ + t0·v. The bit `pending` is a carry of the step
/// before, of the weight of t5; r8 is the carry of this step, of the weight above.
macro_rules! fold {
    ($t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $t5:literal $pending:literal) => {
        concat!(
            "mov rdx, ",
            $t0,
            "\n mulx r10, rax, [rsi]\n mulx r11, rbx, [rsi + 8]\n mulx ",
            $t0,
            ", rcx, [rsi + 16]\n",
            "add r10, rbx\n adc r11, rcx\n mulx rcx, rbx, [rsi + 24]\n adc ",
            $t0,
            ", rbx\n adc rcx, ",
            $pending,
            "\n",
            "add ",
            $t1,
            ", rax\n adc ",
            $t2,
            ", r10\n adc ",
            $t3,
            ", r11\n adc ",
            $t4,
            ", ",
            $t0,
            "\n",
            "adc ",
            $t5,
            ", rcx\n mov r8d, 0\n adc r8, 0\n"
        )
    };
}

/// Divides T, in r8, r12, r13, r14, r15, rdi, rbp, r9, by R; the result is in r8, r9, r10, r11. The constants are at rsi.
macro_rules! divide_by_r {
    () => {
        concat!(
            fold!("r8" "r12" "r13" "r14" "r15" "rdi" "0"),
            fold!("r12" "r13" "r14" "r15" "rdi" "rbp" "r8"),
            fold!("r13" "r14" "r15" "rdi" "rbp" "r9" "r8"),
            // The last step. The lowest word of the sum is 0; its carry is that of the negation.
            "mov rdx, r14\n imul rdx, [rsi + 64]\n",
            "mulx r10, rax, [rsi + 32]\n mulx r11, rbx, [rsi + 40]\n mulx r13, rcx, [rsi + 48]\n",
            "add r10, rbx\n adc r11, rcx\n mulx rcx, rbx, [rsi + 56]\n adc r13, rbx\n adc rcx, 0\n",
            "neg r14\n adc r10, r15\n adc r11, rdi\n adc r13, rbp\n adc r9, rcx\n adc r8, 0\n jz 3f\n",
            "4:\n sub r10, [rsi + 32]\n sbb r11, [rsi + 40]\n sbb r13, [rsi + 48]\n sbb r9, [rsi + 56]\n",
            "sbb r8, 0\n jnz 4b\n",
            "3:\n mov r8, r10\n mov rcx, r9\n mov r9, r11\n mov r10, r13\n mov r11, rcx\n"
        )
    };
}

/// Adds x\[i\]·y, for x at rdi and y at rcx, to four words; the word above becomes `top`.
macro_rules! row {
    ($i:literal: $t0:literal $t1:literal $t2:literal $t3:literal $top:literal) => {
        concat!(
            "mov rdx, [rdi + 8*",
            $i,
            "]\n mulx r10, rax, [rcx]\n mulx r11, rbx, [rcx + 8]\n add r10, rbx\n",
            "mulx r9, rbx, [rcx + 16]\n adc r11, rbx\n mulx ",
            $top,
            ", rbx, [rcx + 24]\n adc r9, rbx\n adc ",
            $top,
            ", 0\n add ",
            $t0,
            ", rax\n adc ",
            $t1,
            ", r10\n adc ",
            $t2,
            ", r11\n adc ",
            $t3,
            ", r9\n adc ",
            $top,
            ", 0\n"
        )
    };
}

/// Replaces x, in r8, r9, r10, r11, by x²·R⁻¹ mod n. The constants are at rsi.
macro_rules! square {
    () => {
        concat!(
            // The products of different words.
            "mov rdx, r8\n mulx r13, r12, r9\n mulx r14, rax, r10\n mulx r15, rbx, r11\n mulx rcx, r8, rdx\n",
            "mov rdx, r9\n add r13, rax\n adc r14, rbx\n adc r15, 0\n mulx rbx, rax, r10\n mulx rdi, rbp, r11\n",
            "add r14, rax\n adc r15, rbx\n adc rdi, 0\n add r15, rbp\n adc rdi, 0\n",
            "mulx rbx, rax, rdx\n mov rdx, r10\n mulx rbp, r9, r11\n add rdi, r9\n adc rbp, 0\n",
            // Twice that, and the squares of the words.
            "xor r9d, r9d\n add r12, r12\n adc r13, r13\n adc r14, r14\n adc r15, r15\n adc rdi, rdi\n",
            "adc rbp, rbp\n adc r9, r9\n add r12, rcx\n adc r13, rax\n adc r14, rbx\n mulx rbx, rax, rdx\n",
            "adc r15, rax\n adc rdi, rbx\n mov rdx, r11\n mulx rbx, rax, rdx\n adc rbp, rax\n adc r9, rbx\n",
            divide_by_r!()
        )
    };
}

/// x·y·R⁻¹ mod n, in r8, r9, r10, r11: x\[0\] is in rdx, the rest of x at rdi, y at rcx; the address of the constants is at
/// rsp, and comes into rsi.
macro_rules! multiply {
    () => {
        concat!(
            "mulx r12, r8, [rcx]\n mulx r13, rax, [rcx + 8]\n mulx r14, rbx, [rcx + 16]\n",
            "mulx r15, r10, [rcx + 24]\n add r12, rax\n adc r13, rbx\n adc r14, r10\n adc r15, 0\n",
            row!(1: "r12" "r13" "r14" "r15" "rbp"),
            row!(2: "r13" "r14" "r15" "rbp" "rsi"),
            row!(3: "r14" "r15" "rbp" "rsi" "rdi"),
            "mov r9, rdi\n mov rdi, rbp\n mov rbp, rsi\n mov rsi, [rsp]\n",
            divide_by_r!()
        )
    };
}

impl Mulx {
    /// x = x^(2^times)·R^(1 − 2^times) mod n, by `times` ≥ 1 squares; below R, for x < R.
    #[inline(always)]
    pub(crate) fn square_four_words(self, x: &mut [u64; 4], times: usize, modulus: &FourWords) {
        debug_assert!(times > 0);
        // SAFETY: the CPU has MULX, since a value of `Mulx` exists; x is read, then written, and the constants are read,
        // within their words; rbx, rbp, rdi and rsp are restored.
        unsafe {
            asm!(
                "push rbx", "push rbp", "push rdi", "push rcx",
                "mov r8, [rdi]", "mov r9, [rdi + 8]", "mov r10, [rdi + 16]", "mov r11, [rdi + 24]",
                ".p2align 5", "2:", square!(), "dec qword ptr [rsp]", "jnz 2b",
                "pop rcx", "pop rdi",
                "mov [rdi], r8", "mov [rdi + 8], r9", "mov [rdi + 16], r10", "mov [rdi + 24], r11",
                "pop rbp", "pop rbx",
                in("rdi") x.as_mut_ptr(), in("rsi") modulus, inout("rcx") times => _, out("rax") _, out("rdx") _,
                out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _,
                out("r15") _,
            );
        }
    }

    /// x = x^(2^times)·y·R^(−2^times) mod n, by `times` ≥ 1 squares and a product; below R, for x, y < R.
    #[inline(always)]
    pub(crate) fn append_four_words(self, x: &mut [u64; 4], times: usize, y: &[u64; 4], modulus: &FourWords) {
        debug_assert!(times > 0);
        // SAFETY: the CPU has MULX, since a value of `Mulx` exists; x is read and written, y and the constants are read,
        // within their words; rbx, rbp, rdi, rsi and rsp are restored.
        unsafe {
            asm!(
                "push rbx", "push rbp", "push rdi", "push rdx", "push rsi", "push rcx",
                "mov r8, [rdi]", "mov r9, [rdi + 8]", "mov r10, [rdi + 16]", "mov r11, [rdi + 24]",
                ".p2align 5", "2:", square!(), "dec qword ptr [rsp]", "jnz 2b",
                "pop rcx", "mov rcx, [rsp + 8]", "mov rdi, [rsp + 16]",
                "mov [rdi + 8], r9", "mov [rdi + 16], r10", "mov [rdi + 24], r11", "mov rdx, r8",
                multiply!(),
                "pop rsi", "pop rdx", "pop rdi",
                "mov [rdi], r8", "mov [rdi + 8], r9", "mov [rdi + 16], r10", "mov [rdi + 24], r11",
                "pop rbp", "pop rbx",
                in("rdi") x.as_mut_ptr(), in("rsi") modulus, in("rdx") y.as_ptr(), inout("rcx") times => _,
                out("rax") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                out("r14") _, out("r15") _,
            );
        }
    }

    /// x·y·R⁻¹ mod n, below R, for x, y < R.
    #[inline(always)]
    pub(crate) fn multiply_four_words(self, x: &[u64; 4], y: &[u64; 4], modulus: &FourWords) -> [u64; 4] {
        let (z0, z1, z2, z3);
        // SAFETY: the CPU has MULX, since a value of `Mulx` exists; x, y and the constants are read within their words;
        // rbx, rbp, rsi and rsp are restored.
        unsafe {
            asm!(
                "push rbx", "push rbp", "push rsi", "mov rdx, [rdi]", multiply!(), "pop rsi", "pop rbp", "pop rbx",
                inout("rdi") x.as_ptr() => _, inout("rcx") y.as_ptr() => _, in("rsi") modulus, out("rax") _,
                out("rdx") _, out("r8") z0, out("r9") z1, out("r10") z2, out("r11") z3, out("r12") _, out("r13") _,
                out("r14") _, out("r15") _,
            );
        }
        [z0, z1, z2, z3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use num_bigint::BigUint;

    fn number(words: &[u64; 4]) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |number, &word| number << 64 | BigUint::from(word))
    }

    /// Words that are all zeros, all ones, or any.
    fn words(seed: &mut u64) -> [u64; 4] {
        core::array::from_fn(|_| {
            *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            match *seed >> 61 {
                0 => 0,
                1 | 2 => u64::MAX,
                _ => *seed ^ *seed >> 29,
            }
        })
    }

    #[test]
    fn products_and_runs_of_squares_are_those_of_the_definition() {
        let Some(mulx) = detect_or_say::<Mulx>() else { return };
        let mut seed = 1;
        let extremes = [[u64::MAX; 4], [1, 0, 0, 1], [1, 0, 0, 1 << 63], [u64::MAX, u64::MAX, u64::MAX, 1]];
        for i in 0..3000 {
            let mut n = *extremes.get(i % 40).unwrap_or(&words(&mut seed));
            (n[0], n[3]) = (n[0] | 1, n[3].max(1));
            // Each step doubles the number of right bits; n is its own inverse modulo 8.
            let lift = |y: u64, _| y.wrapping_mul(2u64.wrapping_sub(n[0].wrapping_mul(y)));
            let n0 = (0..5).fold(n[0], lift).wrapping_neg();
            let constants = FourWords::new(&n, n0);
            let big_n = number(&n);
            assert_eq!((number(&constants.v) << 64) % &big_n, BigUint::from(1u8));
            let r_inverse = (BigUint::from(1u8) << 256u32).modinv(&big_n).unwrap();
            let (x, y) = match i % 3 {
                0 => ([u64::MAX; 4], [u64::MAX; 4]),
                _ => (words(&mut seed), words(&mut seed)),
            };
            let product = mulx.multiply_four_words(&x, &y, &constants);
            assert_eq!(
                number(&product) % &big_n,
                number(&x) * number(&y) * &r_inverse % &big_n,
                "{x:x?} {y:x?} {n:x?}"
            );
            let times = i % 7 + 1;
            let mut power = x;
            mulx.square_four_words(&mut power, times, &constants);
            let expected = (0..times).fold(number(&x), |z, _| &z * &z * &r_inverse % &big_n);
            assert_eq!(number(&power) % &big_n, expected, "{x:x?} {times} {n:x?}");
            let mut power = x;
            mulx.append_four_words(&mut power, times, &y, &constants);
            let expected = expected * number(&y) * &r_inverse % &big_n;
            assert_eq!(number(&power) % &big_n, expected, "{x:x?} {times} {y:x?} {n:x?}");
        }
    }
}
