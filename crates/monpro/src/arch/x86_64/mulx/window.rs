//! A window of 8 or 4 words in registers moves up over the words of a factor, a row of word products at a time.
//!
//! The window of 8 words is r8 … r15 and rbx, one of which is the word above; the window of 4 words is r8 … r12.

/// The instructions of a row: t\[i\] becomes the lowest word of window + t\[i\] + y\[i\]·x, and the window becomes
/// the words above it. x is at rcx, y at rbp, t at rdi. The top word of the window is 0; the register of the lowest
/// word becomes the next top. The products of the even words of x are one chain of carries over disjoint pairs of
/// words, the products of the odd words another. Between rows, the flag holds the carry of t\[i\]. In a row that is
/// `first`, t\[i\] counts as 0.
macro_rules! row_adc {
    (first $i:literal; $a0:literal $($a:literal)+) => {
        concat!(
            "mov rdx, [rbp + 8*", $i, "]\n", row_adc!(@chains "add"; $a0 $($a)+),
            "mov [rdi + 8*", $i, "], ", $a0, "\n mov ", $a0, ", 0\n"
        )
    };
    (next $i:literal; $a0:literal $($a:literal)+) => {
        concat!(
            "mov rdx, [rbp + 8*", $i, "]\n", row_adc!(@chains "adc"; $a0 $($a)+),
            "add ", $a0, ", [rdi + 8*", $i, "]\n mov [rdi + 8*", $i, "], ", $a0, "\n mov ", $a0, ", 0\n"
        )
    };
    (
        @chains $first:literal;
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal $a8:literal
    ) => {
        concat!(
            chain!($first "rcx": 0 $a0 $a1, 2 $a2 $a3, 4 $a4 $a5, 6 $a6 $a7), "adc ", $a8, ", 0\n",
            chain!("add" "rcx": 1 $a1 $a2, 3 $a3 $a4, 5 $a5 $a6, 7 $a7 $a8)
        )
    };
    (@chains $first:literal; $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            chain!($first "rcx": 0 $a0 $a1, 2 $a2 $a3), "adc ", $a4, ", 0\n",
            chain!("add" "rcx": 1 $a1 $a2, 3 $a3 $a4)
        )
    };
}

/// The same with two chains in parallel, one of the lower and one of the upper words of the products. No carry is
/// left between rows: the upper word of the last product is at most W − 2, and takes the carry of the lower words.
///
/// On Zen 3 a row of 8 with a MULX for every two other instructions takes 10.0 cycles, and 11.0 to 12.0 otherwise. So one
/// MULX is there for its place alone; its product is not used. The same instructions take up to 2 cycles more where a row
/// does not begin at half a line (docs/0030).
macro_rules! row_adx {
    (first $i:literal; $a0:literal $a1:literal $($a:literal)+) => {
        concat!(
            ".p2align 5\n mov rdx, [rbp + 8*", $i, "]\n", row_adx!(@clear $($a)+), "mulx rsi, rax, [rcx]\n",
            "adcx ", $a0, ", rax\n adox ", $a1, ", rsi\n", row_adx!(@products $a1 $($a)+),
            "mov [rdi + 8*", $i, "], ", $a0, "\n"
        )
    };
    (next $i:literal; $a0:literal $a1:literal $($a:literal)+) => {
        concat!(
            ".p2align 5\n mov rdx, [rbp + 8*", $i, "]\n", row_adx!(@clear $($a)+), "mulx rsi, rax, [rcx]\n",
            "adox ", $a0, ", [rdi + 8*", $i, "]\n adcx ", $a0, ", rax\n adox ", $a1, ", rsi\n",
            row_adx!(@products $a1 $($a)+), "mov [rdi + 8*", $i, "], ", $a0, "\n"
        )
    };
    (@clear $top:literal) => { concat!("xor ", $top, ", ", $top, "\n") };
    (@clear $a:literal $($more:literal)+) => { row_adx!(@clear $($more)+) };
    (@products $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal $top:literal) => {
        concat!(
            chains!("rcx": 1 $a1 $a2, 2 $a2 $a3, 3 $a3 $a4, 4 $a4 $a5, 5 $a5 $a6, 6 $a6 $a7),
            last_of_chains!("rcx" 7 $a7 $top)
        )
    };
    (@products $a1:literal $a2:literal $a3:literal $top:literal) => {
        concat!(chains!("rcx": 1 $a1 $a2, 2 $a2 $a3), last_of_chains!("rcx" 3 $a3 $top))
    };
}

/// Four rows, repeated by the count at the top of the stack. The instructions that count and move preserve the carry
/// flag.
macro_rules! rows {
    ($row:ident $which:ident; $($a:literal)+) => {
        concat!(
            ".p2align 6\n 2:\n", rows!(@four $row $which; $($a)+; 0 1 2 3), rows!(@down $($a)+),
            "lea rdi, [rdi + 32]\n lea rbp, [rbp + 32]\n dec qword ptr [rsp]\n jnz 2b\n"
        )
    };
    (@four $row:ident $which:ident; $($a:literal)+; ) => { "" };
    (@four $row:ident $which:ident; $a0:literal $($a:literal)+; $i:literal $($more:literal)*) => {
        concat!($row!($which $i; $a0 $($a)+), rows!(@four $row $which; $($a)+ $a0; $($more)*))
    };
    // Moves the window, which now begins with a4, back to begin with a0.
    (@down $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "mov rax, ", $a3, "\n mov ", $a3, ", ", $a2, "\n mov ", $a2, ", ", $a1, "\n",
            "mov ", $a1, ", ", $a0, "\n mov ", $a0, ", ", $a4, "\n mov ", $a4, ", rax\n"
        )
    };
    (@down
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal $a8:literal
    ) => {
        concat!(
            "mov rax, ", $a0, "\n mov rsi, ", $a1, "\n mov rdx, ", $a2, "\n",
            "mov ", $a0, ", ", $a4, "\n mov ", $a1, ", ", $a5, "\n mov ", $a2, ", ", $a6, "\n",
            "mov ", $a4, ", ", $a8, "\n mov ", $a8, ", ", $a3, "\n mov ", $a3, ", ", $a7, "\n",
            "mov ", $a5, ", rax\n mov ", $a6, ", rsi\n mov ", $a7, ", rdx\n"
        )
    };
}

/// The instructions that clear one word of the window after another by adding multiples of n, and store the quotients
/// in t: for the lowest word a0, q = a0·n0 mod W and window += q·n. t is at rdi, n at rcx, n0 in rbp. The register of
/// the top word may hold anything.
macro_rules! quotients {
    ($quotient_row:ident; $($a:literal)+; ) => { "" };
    ($quotient_row:ident; $a0:literal $($a:literal)+; $i:literal $($more:literal)*) => {
        concat!(
            "mov rdx, ", $a0, "\n imul rdx, rbp\n mov [rdi + 8*", $i, "], rdx\n",
            $quotient_row!($a0 $($a)+), quotients!($quotient_row; $($a)+ $a0; $($more)*)
        )
    };
}

/// window += q·n for the q in rdx that makes the lowest word 0.
///
/// The next quotient waits for the second word, so the upper word of q·n\[0\] is computed first. The lower word is
/// not computed: its sum with a0 is W, or 0 if a0 is 0.
macro_rules! quotient_row_adc {
    ($a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal $a8:literal) => {
        concat!(
            "mulx ", $a8, ", rax, [rcx]\n", chain!("add" "rcx": 1 $a1 $a2, 3 $a3 $a4, 5 $a5 $a6),
            "mulx rsi, rax, [rcx + 56]\n adc ", $a7, ", rax\n adc rsi, 0\n",
            "neg ", $a0, "\n adc ", $a1, ", ", $a8, "\n mov ", $a8, ", rsi\n",
            chain!("adc" "rcx": 2 $a2 $a3, 4 $a4 $a5, 6 $a6 $a7), "adc ", $a8, ", 0\n"
        )
    };
    ($a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "mulx ", $a4, ", rax, [rcx]\n", chain!("add" "rcx": 1 $a1 $a2),
            "mulx rsi, rax, [rcx + 24]\n adc ", $a3, ", rax\n adc rsi, 0\n",
            "neg ", $a0, "\n adc ", $a1, ", ", $a4, "\n mov ", $a4, ", rsi\n",
            chain!("adc" "rcx": 2 $a2 $a3), "adc ", $a4, ", 0\n"
        )
    };
}

/// The same with two chains in parallel. The lowest word becomes 0, and takes the last carry of the lower words up.
macro_rules! quotient_row_adx {
    ($a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal $a8:literal) => {
        concat!(
            "xor ", $a8, ", ", $a8, "\n",
            chains!("rcx": 0 $a0 $a1, 1 $a1 $a2, 2 $a2 $a3, 3 $a3 $a4, 4 $a4 $a5, 5 $a5 $a6, 6 $a6 $a7, 7 $a7 $a8),
            "adcx ", $a8, ", ", $a0, "\n"
        )
    };
    ($a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "xor ", $a4, ", ", $a4, "\n", chains!("rcx": 0 $a0 $a1, 1 $a1 $a2, 2 $a2 $a3, 3 $a3 $a4),
            "adcx ", $a4, ", ", $a0, "\n"
        )
    };
}

/// The body of [`Blocks::accumulate_8`](crate::arch::blocks::Blocks::accumulate_8) and the similar methods.
macro_rules! accumulate {
    ($row:ident $which:ident, 8, $t:ident, $x:ident, $y:ident) => {
        accumulate!($row $which, $t, $x, $y;
            0 "r8" 1 "r9" 2 "r10" 3 "r11" 4 "r12" 5 "r13" 6 "r14" 7 "r15"; "rbx")
    };
    ($row:ident $which:ident, 4, $t:ident, $x:ident, $y:ident) => {
        accumulate!($row $which, $t, $x, $y; 0 "r8" 1 "r9" 2 "r10" 3 "r11"; "r12")
    };
    ($row:ident $which:ident, $t:ident, $x:ident, $y:ident; $($j:literal $a:literal)+; $top:literal) => {{
        assert!(!$y.is_empty() && $y.len() % 4 == 0 && $t.len() == $y.len() + $x.len());
        // SAFETY: the CPU has the instructions, since `self` exists; t is read and written from its first
        // word to its last, y and x are read likewise; rbx, rbp and rsp are restored.
        unsafe {
            core::arch::asm!(
                "push rbx", "push rbp", "push rax", "mov rbp, rdx",
                $(concat!("xor ", $a, ", ", $a),)+ concat!("xor ", $top, ", ", $top),
                rows!($row $which; $($a)+ $top),
                $(concat!("adc ", $a, ", 0\n mov [rdi + 8*", $j, "], ", $a),)+
                "pop rax", "pop rbp", "pop rbx",
                inout("rdi") $t.as_mut_ptr() => _, in("rcx") $x.as_ptr(), inout("rdx") $y.as_ptr() => _,
                inout("rax") $y.len() / 4 => _, out("rsi") _, out("r8") _, out("r9") _, out("r10") _,
                out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            );
        }
    }};
}

/// The body of [`Blocks::cross_products_8`](crate::arch::blocks::Blocks::cross_products_8) and the similar methods.
macro_rules! cross_products {
    ($row:ident $triangle:ident $which:ident, 8, $t:ident, $x:ident) => {
        cross_products!($row $which, 8, $triangle!($which), $t, $x;
            0 "rbx" 1 "r8" 2 "r9" 3 "r10" 4 "r11" 5 "r12" 6 "r13" 7 "r14"; "r15")
    };
    ($row:ident $triangle:ident $which:ident, 4, $t:ident, $x:ident) => {
        cross_products!($row $which, 4, $triangle!($which), $t, $x;
            0 "r12" 1 "r8" 2 "r9" 3 "r10"; "r11")
    };
    (
        $row:ident $which:ident, $width:literal, $triangle:expr, $t:ident, $x:ident;
        $($j:literal $a:literal)+; $top:literal
    ) => {{
        let rows_above = $x.len().checked_sub($width).expect("x has the words of a block or more");
        assert!($x.len() % 4 == 0 && $t.len() == $x.len() + $width);
        // SAFETY: the CPU has the instructions, since `self` exists; t is read and written from its first
        // word to its last, x is read likewise; rbx, rbp and rsp are restored.
        unsafe {
            core::arch::asm!(
                ".p2align 6", "push rbx", "push rbp", "push rax",
                $triangle,
                concat!("lea rbp, [rcx + 8*", $width, "]\n lea rdi, [rdi + 8*", $width, "]\n mov ", $top, ", 0"),
                // Clears the carry flag, whether or not there are rows.
                "cmp qword ptr [rsp], 0", "je 3f",
                rows!($row $which; $($a)+ $top),
                "3:",
                $(concat!("adc ", $a, ", 0\n mov [rdi + 8*", $j, "], ", $a),)+
                "pop rax", "pop rbp", "pop rbx",
                inout("rdi") $t.as_mut_ptr() => _, in("rcx") $x.as_ptr(),
                inout("rax") rows_above / 4 => _, out("rdx") _, out("rsi") _, out("r8") _, out("r9") _,
                out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            );
        }
    }};
}

/// The body of [`Blocks::reduce_8`](crate::arch::blocks::Blocks::reduce_8) and
/// [`Blocks::reduce_4`](crate::arch::blocks::Blocks::reduce_4).
macro_rules! reduce {
    ($row:ident $quotient_row:ident, 8, $t:ident, $n:ident, $n0:ident, $carry:ident) => {
        reduce!($row $quotient_row, 8, $t, $n, $n0, $carry;
            0 "r8" 1 "r9" 2 "r10" 3 "r11" 4 "r12" 5 "r13" 6 "r14" 7 "r15"; "rbx";
            "rbx" "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15";
            0 "rbx" "add", 1 "r8" "adc", 2 "r9" "adc", 3 "r10" "adc", 4 "r11" "adc", 5 "r12" "adc", 6 "r13" "adc",
            7 "r14" "adc"; "r15")
    };
    ($row:ident $quotient_row:ident, 4, $t:ident, $n:ident, $n0:ident, $carry:ident) => {
        reduce!($row $quotient_row, 4, $t, $n, $n0, $carry;
            0 "r8" 1 "r9" 2 "r10" 3 "r11"; "r12"; "r12" "r8" "r9" "r10" "r11";
            0 "r12" "add", 1 "r8" "adc", 2 "r9" "adc", 3 "r10" "adc"; "r11")
    };
    (
        $row:ident $quotient_row:ident, $width:literal, $t:ident, $n:ident, $n0:ident, $carry:ident;
        $($i:literal $loaded:literal)+; $new:literal; $($a:literal)+;
        $($j:literal $stored:literal $add:literal),+; $top:literal
    ) => {{
        assert!($n.len() > $width && $n.len() % 4 == 0 && $t.len() == $n.len() + $width);
        let carry_out: u64;
        // SAFETY: the CPU has the instructions, since `self` exists; t is read and written from its first
        // word to its last, n is read likewise; rbx, rbp and rsp are restored.
        unsafe {
            core::arch::asm!(
                "push rbx", "push rbp", "push rsi", "push rax", "mov rbp, rdx",
                $(concat!("mov ", $loaded, ", [rdi + 8*", $i, "]"),)+
                ".p2align 6", quotients!($quotient_row; $($loaded)+ $new; $($i)+),
                concat!("lea rbp, [rcx + 8*", $width, "]\n mov rcx, rdi\n add rdi, 8*", $width),
                concat!("xor ", $top, ", ", $top),
                rows!($row next; $($a)+),
                // Adds the last row's carry and the upper words of t, then the incoming carry.
                $(concat!("adc ", $stored, ", [rdi + 8*", $j, "]"),)+
                "pop rcx", "pop rcx", "mov eax, 0", "adc rax, 0",
                $(concat!($add, " ", $stored, ", rcx\n mov ecx, 0\n mov [rdi + 8*", $j, "], ", $stored),)+
                "adc rax, 0", "pop rbp", "pop rbx",
                inout("rdi") $t.as_mut_ptr() => _, inout("rcx") $n.as_ptr() => _, inout("rdx") $n0 => _,
                inout("rsi") $carry => _, inout("rax") ($n.len() - $width) as u64 / 4 => carry_out, out("r8") _,
                out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            );
        }
        carry_out
    }};
}

pub(super) use {
    accumulate, cross_products, quotient_row_adc, quotient_row_adx, quotients, reduce, row_adc, row_adx, rows,
};
