//! The parts of a square: cross products of a block of words with itself, and the squares of words.

use super::Mulx;
use core::arch::asm;

/// The instructions that add a word in a register to word `from` of t, and leave the carry in the flag.
macro_rules! emit {
    (next) => {
        ""
    };
    (next $add:literal $from:literal $word:literal) => {
        concat!($add, " ", $word, ", [rdi + 8*", $from, "]\n mov [rdi + 8*", $from, "], ", $word, "\n")
    };
    // t counts as 0: there is no carry.
    (first) => {
        "mov qword ptr [rdi], 0\n"
    };
    (first $add:literal $from:literal $word:literal) => {
        concat!("mov [rdi + 8*", $from, "], ", $word, "\n xor eax, eax\n")
    };
}

/// The instructions that compute Σ xᵢ·xⱼ·W^(i+j) over i < j < 8: its lowest 8 words are added to t, its upper 8 words
/// become the window.
///
/// Row i is x\[i\]·x\[i + 1 ..\]. Each of the first rows completes two words; the carry of adding them to t goes into
/// the first chain of the next row. Word k is in register k mod 9 of r8 … r15, rbx, except in the last rows.
macro_rules! triangle_8_adc {
    ($which:ident) => {
        concat!(
            // Word 0 is 0.
            emit!($which), first_row_8!(),
            // Row 1: words 3 … 9.
            emit!($which "add" 1 "r9"), emit!($which "adc" 2 "r10"), "mov r8d, 0\n mov rdx, [rcx + 8]\n",
            chain!("adc" "rcx": 2 "r11" "r12", 4 "r13" "r14", 6 "r15" "rbx"), "adc r8, 0\n",
            chain!("add" "rcx": 3 "r12" "r13", 5 "r14" "r15", 7 "rbx" "r8"),
            // Row 2: words 5 … 10.
            emit!($which "add" 3 "r11"), emit!($which "adc" 4 "r12"), "mov r9d, 0\n mov rdx, [rcx + 16]\n",
            chain!("adc" "rcx": 3 "r13" "r14", 5 "r15" "rbx", 7 "r8" "r9"),
            chain!("add" "rcx": 4 "r14" "r15", 6 "rbx" "r8"), "adc r9, 0\n",
            // Row 3: words 7 … 11.
            emit!($which "add" 5 "r13"), emit!($which "adc" 6 "r14"), "mov r10d, 0\n mov rdx, [rcx + 24]\n",
            chain!("adc" "rcx": 4 "r15" "rbx", 6 "r8" "r9"), "adc r10, 0\n",
            chain!("add" "rcx": 5 "rbx" "r8", 7 "r9" "r10"),
            // Row 4: words 9 … 12.
            emit!($which "add" 7 "r15"), "adc rbx, 0\n mov r11d, 0\n mov rdx, [rcx + 32]\n",
            chain!("adc" "rcx": 5 "r8" "r9", 7 "r10" "r11"),
            chain!("add" "rcx": 6 "r9" "r10"), "adc r11, 0\n",
            // Row 5: words 11 … 13. Row 6: words 13, 14. Word 15 is 0.
            "xor r12d, r12d\n mov rdx, [rcx + 40]\n", chain!("adc" "rcx": 6 "r10" "r11"), "adc r12, 0\n",
            chain!("add" "rcx": 7 "r11" "r12"),
            "xor r13d, r13d\n mov rdx, [rcx + 48]\n", chain!("adc" "rcx": 7 "r12" "r13"), "xor r14d, r14d\n"
        )
    };
}

/// Row 0 of 8 words: words 1 … 8.
macro_rules! first_row_8 {
    () => {
        concat!(
            "mov rdx, [rcx]\n mulx r10, r9, [rcx + 8]\n mulx r11, rax, [rcx + 16]\n add r10, rax\n",
            "mulx r12, rax, [rcx + 24]\n adc r11, rax\n mulx r13, rax, [rcx + 32]\n adc r12, rax\n",
            "mulx r14, rax, [rcx + 40]\n adc r13, rax\n mulx r15, rax, [rcx + 48]\n adc r14, rax\n",
            "mulx rbx, rax, [rcx + 56]\n adc r15, rax\n adc rbx, 0\n",
        )
    };
}

/// The same with two chains of carries in parallel. The words of t are loaded before they are added to, so that a complete word
/// is only stored, and no carry is left between rows.
macro_rules! triangle_8_adx {
    (first) => {
        concat!("mov qword ptr [rdi], 0\n", first_row_8!(), triangle_8_adx!(@rows))
    };
    (next) => {
        concat!(
            "mov rdx, [rcx]\n mov r9, [rdi + 8]\n mov r10, [rdi + 16]\n mov r11, [rdi + 24]\n",
            "mov r12, [rdi + 32]\n mov r13, [rdi + 40]\n mov r14, [rdi + 48]\n mov r15, [rdi + 56]\n xor ebx, ebx\n",
            chains!("rcx": 1 "r9" "r10", 2 "r10" "r11", 3 "r11" "r12", 4 "r12" "r13", 5 "r13" "r14", 6 "r14" "r15"),
            last_of_chains!("rcx" 7 "r15" "rbx"), triangle_8_adx!(@rows)
        )
    };
    (@rows) => {
        concat!(
            // Row 1: words 3 … 9.
            "mov [rdi + 8], r9\n mov [rdi + 16], r10\n xor r8d, r8d\n mov rdx, [rcx + 8]\n",
            chains!("rcx": 2 "r11" "r12", 3 "r12" "r13", 4 "r13" "r14", 5 "r14" "r15", 6 "r15" "rbx"),
            last_of_chains!("rcx" 7 "rbx" "r8"),
            // Row 2: words 5 … 10.
            "mov [rdi + 24], r11\n mov [rdi + 32], r12\n xor r9d, r9d\n mov rdx, [rcx + 16]\n",
            chains!("rcx": 3 "r13" "r14", 4 "r14" "r15", 5 "r15" "rbx", 6 "rbx" "r8"),
            last_of_chains!("rcx" 7 "r8" "r9"),
            // Row 3: words 7 … 11.
            "mov [rdi + 40], r13\n mov [rdi + 48], r14\n xor r10d, r10d\n mov rdx, [rcx + 24]\n",
            chains!("rcx": 4 "r15" "rbx", 5 "rbx" "r8", 6 "r8" "r9"), last_of_chains!("rcx" 7 "r9" "r10"),
            // Row 4: words 9 … 12.
            "mov [rdi + 56], r15\n xor r11d, r11d\n mov rdx, [rcx + 32]\n",
            chains!("rcx": 5 "r8" "r9", 6 "r9" "r10"), last_of_chains!("rcx" 7 "r10" "r11"),
            // Row 5: words 11 … 13. Row 6: words 13, 14. Word 15 is 0.
            "xor r12d, r12d\n mov rdx, [rcx + 40]\n", chains!("rcx": 6 "r10" "r11"),
            last_of_chains!("rcx" 7 "r11" "r12"),
            "xor r13d, r13d\n mov rdx, [rcx + 48]\n", last_of_chains!("rcx" 7 "r12" "r13"), "xor r14d, r14d\n"
        )
    };
}

/// The triangle of 4 words.
macro_rules! triangle_4_adc {
    ($which:ident) => {
        concat!(
            // Row 0: words 1 … 4; word 0 is 0.
            emit!($which),
            "mov rdx, [rcx]\n mulx r10, r9, [rcx + 8]\n mulx r11, rax, [rcx + 16]\n add r10, rax\n",
            "mulx r12, rax, [rcx + 24]\n adc r11, rax\n adc r12, 0\n",
            // Row 1: words 3 … 5.
            emit!($which "add" 1 "r9"), emit!($which "adc" 2 "r10"), "mov r8d, 0\n mov rdx, [rcx + 8]\n",
            chain!("adc" "rcx": 2 "r11" "r12"), "adc r8, 0\n",
            chain!("add" "rcx": 3 "r12" "r8"),
            // Row 2: words 5, 6. Word 7 is 0.
            emit!($which "add" 3 "r11"), "adc r12, 0\n mov r9d, 0\n mov rdx, [rcx + 16]\n",
            chain!("adc" "rcx": 3 "r8" "r9"), "xor r10d, r10d\n"
        )
    };
}

/// The same with two chains of carries in parallel.
macro_rules! triangle_4_adx {
    (next) => {
        concat!(
            "mov rdx, [rcx]\n mov r9, [rdi + 8]\n mov r10, [rdi + 16]\n mov r11, [rdi + 24]\n xor r12d, r12d\n",
            chains!("rcx": 1 "r9" "r10", 2 "r10" "r11"), last_of_chains!("rcx" 3 "r11" "r12"),
            // Row 1: words 3 … 5.
            "mov [rdi + 8], r9\n mov [rdi + 16], r10\n xor r8d, r8d\n mov rdx, [rcx + 8]\n",
            chains!("rcx": 2 "r11" "r12"), last_of_chains!("rcx" 3 "r12" "r8"),
            // Row 2: words 5, 6. Word 7 is 0.
            "mov [rdi + 24], r11\n xor r9d, r9d\n mov rdx, [rcx + 16]\n",
            last_of_chains!("rcx" 3 "r8" "r9"), "xor r10d, r10d\n"
        )
    };
}

/// t = 2·t + Σ xᵢ²·W^(2i), for an x of a multiple of 4 words. Each 8 words of t take two chains of carries, one after
/// the other. Between blocks rbx and rbp hold the carries of these chains, as 0 or −1.
#[inline(always)]
pub(super) fn double_and_add_squares(_: Mulx, t: &mut [u64], x: &[u64]) {
    assert!(x.len() % 4 == 0 && t.len() == 2 * x.len());
    // SAFETY: the CPU has MULX, since a value of `Mulx` exists; t is read and written from its first word to its
    // last, x is read likewise; rbx and rbp are restored.
    unsafe {
        asm!(
            "push rbx", "push rbp", "push rax", "xor ebx, ebx", "xor ebp, ebp",
            "cmp rcx, [rsp]", "je 3f", ".p2align 5", "2:",
            "mov r8, [rdi]", "mov r9, [rdi + 8]", "mov r10, [rdi + 16]", "mov r11, [rdi + 24]",
            "mov r12, [rdi + 32]", "mov r13, [rdi + 40]", "mov r14, [rdi + 48]", "mov r15, [rdi + 56]",
            "add rbx, rbx", "adc r8, r8", "adc r9, r9", "adc r10, r10", "adc r11, r11",
            "adc r12, r12", "adc r13, r13", "adc r14, r14", "adc r15, r15", "sbb rbx, rbx", "add rbp, rbp",
            "mov rdx, [rcx]", "mulx rsi, rax, rdx", "adc r8, rax", "adc r9, rsi",
            "mov rdx, [rcx + 8]", "mulx rsi, rax, rdx", "adc r10, rax", "adc r11, rsi",
            "mov rdx, [rcx + 16]", "mulx rsi, rax, rdx", "adc r12, rax", "adc r13, rsi",
            "mov rdx, [rcx + 24]", "mulx rsi, rax, rdx", "adc r14, rax", "adc r15, rsi", "sbb rbp, rbp",
            "mov [rdi], r8", "mov [rdi + 8], r9", "mov [rdi + 16], r10", "mov [rdi + 24], r11",
            "mov [rdi + 32], r12", "mov [rdi + 40], r13", "mov [rdi + 48], r14", "mov [rdi + 56], r15",
            "add rdi, 64", "add rcx, 32", "cmp rcx, [rsp]", "jne 2b", "3:",
            "pop rax", "pop rbp", "pop rbx",
            inout("rdi") t.as_mut_ptr() => _, inout("rcx") x.as_ptr() => _, inout("rax") x.as_ptr_range().end => _,
            out("rdx") _, out("rsi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _,
            out("r13") _, out("r14") _, out("r15") _,
        );
    }
}

pub(super) use {emit, first_row_8, triangle_4_adc, triangle_4_adx, triangle_8_adc, triangle_8_adx};
