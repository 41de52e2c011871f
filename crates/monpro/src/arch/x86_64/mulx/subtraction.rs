//! The last step of a product: subtracts n if the number is not below n.

use core::arch::asm;

/// z = u − n if u + carry·W^s ≥ n, else u, for a multiple of 4 words. The first loop computes the difference, the
/// second chooses each word by the borrow. The loops count by instructions that preserve the carry flag.
#[inline(always)]
pub(super) fn subtract_once(z: &mut [u64], u: &[u64], n: &[u64], carry: u64) {
    assert!(!n.is_empty() && n.len() % 4 == 0 && z.len() == n.len() && u.len() == n.len());
    // SAFETY: z is written and read, u and n are read, from the first word to the last.
    unsafe {
        asm!(
            "test rax, rax", ".p2align 5", "2:",
            "mov r8, [rsi + 8*rax]", "mov r9, [rsi + 8*rax + 8]",
            "mov r10, [rsi + 8*rax + 16]", "mov r11, [rsi + 8*rax + 24]",
            "sbb r8, [rcx + 8*rax]", "sbb r9, [rcx + 8*rax + 8]",
            "sbb r10, [rcx + 8*rax + 16]", "sbb r11, [rcx + 8*rax + 24]",
            "mov [rdi + 8*rax], r8", "mov [rdi + 8*rax + 8], r9",
            "mov [rdi + 8*rax + 16], r10", "mov [rdi + 8*rax + 24], r11",
            "lea rax, [rax + 4]", "dec r12", "jnz 2b",
            // The carry flag becomes the borrow of u + carry·W^s − n.
            "mov eax, 0", "sbb rdx, 0", ".p2align 5", "3:",
            "mov r8, [rdi + 8*rax]", "mov r9, [rdi + 8*rax + 8]",
            "mov r10, [rdi + 8*rax + 16]", "mov r11, [rdi + 8*rax + 24]",
            "cmovc r8, [rsi + 8*rax]", "cmovc r9, [rsi + 8*rax + 8]",
            "cmovc r10, [rsi + 8*rax + 16]", "cmovc r11, [rsi + 8*rax + 24]",
            "mov [rdi + 8*rax], r8", "mov [rdi + 8*rax + 8], r9",
            "mov [rdi + 8*rax + 16], r10", "mov [rdi + 8*rax + 24], r11",
            "lea rax, [rax + 4]", "dec r13", "jnz 3b",
            in("rdi") z.as_mut_ptr(), in("rsi") u.as_ptr(), in("rcx") n.as_ptr(), inout("rdx") carry => _,
            inout("r12") n.len() / 4 => _, inout("r13") n.len() / 4 => _,
            inout("rax") 0u64 => _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, options(nostack),
        );
    }
}
