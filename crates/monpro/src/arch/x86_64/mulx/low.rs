//! Products modulo a power of W: rows of a window that loses its highest word in each, behind whole rows.

/// The instructions that add rdx·x\[j\] to words, the lower word of a product to a word of the second list and the upper
/// one to the next, in one chain of carries: for every second j of the first list, as far as there are words. What would
/// be above the last word is left out. The chain begins with the carry flag (adc) or without it (add).
macro_rules! low_chain_adc {
    ($first:literal; $($j:literal)*; ) => { "" };
    ($first:literal; $j:literal $($js:literal)*; $a:literal) => {
        concat!("mulx rsi, rax, [rcx + 8*", $j, "]\n ", $first, " ", $a, ", rax\n")
    };
    ($first:literal; $j:literal $k:literal $($js:literal)*; $a:literal $b:literal $($as:literal)*) => {
        concat!(chain!($first "rcx": $j $a $b), low_chain_adc!("adc"; $($js)*; $($as)*))
    };
}

/// The same for every j, with two chains.
macro_rules! low_chains_adx {
    ($j:literal $($js:literal)*; $a:literal) => {
        concat!("mulx rsi, rax, [rcx + 8*", $j, "]\n adcx ", $a, ", rax\n")
    };
    ($j:literal $($js:literal)*; $a:literal $b:literal $($as:literal)*) => {
        concat!(
            "mulx rsi, rax, [rcx + 8*", $j, "]\n adcx ", $a, ", rax\n adox ", $b, ", rsi\n",
            low_chains_adx!($($js)*; $b $($as)*)
        )
    };
}

/// The instructions of a row, like those of `row_adc`: t\[i\] becomes the lowest word of window + t\[i\] + y\[i\]·x,
/// and the window the words above it, of which the highest is left out. x counts as long as the window, and nothing is
/// above it. Between rows, the flag holds the carry of t\[i\].
macro_rules! low_row_adc {
    (first $i:literal; $a0:literal $($a:literal)*) => {
        concat!(low_row_adc!(@chains "add"; $i; $a0 $($a)*), "mov [rdi + 8*", $i, "], ", $a0, "\n")
    };
    (next $i:literal; $a0:literal $($a:literal)*) => {
        concat!(
            low_row_adc!(@chains "adc"; $i; $a0 $($a)*),
            "add ", $a0, ", [rdi + 8*", $i, "]\n mov [rdi + 8*", $i, "], ", $a0, "\n"
        )
    };
    (@chains $first:literal; $i:literal; $a0:literal $($a:literal)*) => {
        concat!(
            "mov rdx, [rbp + 8*", $i, "]\n", low_chain_adc!($first; 0 1 2 3 4 5 6 7; $a0 $($a)*),
            low_chain_adc!("add"; 1 2 3 4 5 6 7; $($a)*)
        )
    };
}

/// The same with two chains in parallel. No carry is left between rows.
macro_rules! low_row_adx {
    (first $i:literal; $($a:literal)+) => {
        low_row_adx!(@row ""; $i; $($a)+)
    };
    (next $i:literal; $($a:literal)+) => {
        low_row_adx!(@row concat!("add rax, [rdi + 8*", $i, "]\n adc rsi, 0\n"); $i; $($a)+)
    };
    // TEST clears both carries, and needs no register, where a row with a word above the window clears that word.
    (@row $add:expr; $i:literal; $a0:literal $($a:literal)*) => {
        concat!(
            "mov rdx, [rbp + 8*", $i, "]\n mulx rsi, rax, [rcx]\n", $add, "test rax, rax\n adcx ", $a0, ", rax\n",
            low_row_adx!(@above $($a)*), "mov [rdi + 8*", $i, "], ", $a0, "\n"
        )
    };
    (@above) => { "" };
    (@above $a1:literal $($a:literal)*) => {
        concat!("adox ", $a1, ", rsi\n", low_chains_adx!(1 2 3 4 5 6 7; $a1 $($a)*))
    };
}

/// As many rows as the window has words.
macro_rules! low_rows {
    ($row:ident $which:ident; ; ) => { "" };
    ($row:ident $which:ident; $a0:literal $($a:literal)*; $i:literal $($more:literal)*) => {
        concat!($row!($which $i; $a0 $($a)*), low_rows!($row $which; $($a)*; $($more)*))
    };
}

/// The body of [`LowBlocks::accumulate_low_8`](crate::arch::blocks::LowBlocks::accumulate_low_8) and of
/// [`LowBlocks::multiply_low_8`](crate::arch::blocks::LowBlocks::multiply_low_8).
macro_rules! accumulate_low_8 {
    ($row:ident $low_row:ident $which:ident, $t:ident, $x:ident, $y:ident) => {{
        let whole_rows = $y.len().checked_sub(8).expect("y has 8 words or more");
        assert!($y.len() % 4 == 0 && $t.len() == $y.len());
        // SAFETY: the CPU has the instructions, since `self` exists; t is read and written from its first
        // word to its last, y and x are read likewise; rbx, rbp and rsp are restored.
        unsafe {
            core::arch::asm!(
                "push rbx", "push rbp", "push rax", "mov rbp, rdx",
                "xor r8, r8", "xor r9, r9", "xor r10, r10", "xor r11, r11", "xor r12, r12", "xor r13, r13",
                "xor r14, r14", "xor r15, r15", "xor rbx, rbx",
                // Clears the carry flag, whether or not there are whole rows.
                "cmp qword ptr [rsp], 0", "je 3f",
                rows!($row $which; "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx"),
                "3:",
                low_rows!($low_row $which; "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"; 0 1 2 3 4 5 6 7),
                "pop rax", "pop rbp", "pop rbx",
                inout("rdi") $t.as_mut_ptr() => _, in("rcx") $x.as_ptr(), inout("rdx") $y.as_ptr() => _,
                inout("rax") whole_rows / 4 => _, out("rsi") _, out("r8") _, out("r9") _, out("r10") _,
                out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            );
        }
    }};
}

/// The body of [`LowBlocks::accumulate_low_4`](crate::arch::blocks::LowBlocks::accumulate_low_4).
macro_rules! accumulate_low_4 {
    ($low_row:ident, $t:ident, $x:ident, $y:ident) => {
        // SAFETY: the CPU has the instructions, since `self` exists; x, y and t are arrays of 4 words, of which all are
        // read, and those of t written; rbp and rsp are restored.
        unsafe {
            core::arch::asm!(
                "push rbp", "mov rbp, rdx",
                // These clear the carry flag, too.
                "xor r8, r8", "xor r9, r9", "xor r10, r10", "xor r11, r11",
                low_rows!($low_row next; "r8" "r9" "r10" "r11"; 0 1 2 3),
                "pop rbp",
                in("rdi") $t.as_mut_ptr(), in("rcx") $x.as_ptr(), inout("rdx") $y.as_ptr() => _, out("rax") _,
                out("rsi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            );
        }
    };
}

pub(super) use {
    accumulate_low_4, accumulate_low_8, low_chain_adc, low_chains_adx, low_row_adc, low_row_adx, low_rows,
};
