//! Products, runs of squares, and both in one, of 3 to 10 words, with the exact number of words.
//!
//! All numbers but y lie in one workspace, so that one register holds their address and the others hold words. First come
//! the rows of the product T, below n·R, in memory; then Montgomery's reduction of T in registers, two words at a time.
//! Ten words leave one register beside them: they are reduced one word at a time, and y is copied into the workspace.
//! By ADC, a row adds the even words' products in one pass, then the odd words'. By ADCX and ADOX it adds all in one pass,
//! the lower words in one chain of carries and the upper words in the other. docs/0014 has measurements.

use super::{Adx, Mulx};
use crate::monoid::MOST_ON_STACK;
use core::arch::asm;

/// The most words of a number.
const MOST: usize = 10;

/// Where the parts of the workspace begin: −n⁻¹ mod W², the number of squares, and the modulus n. The factor x follows, which
/// becomes the result, and T.
const N0: usize = 0;
const COUNT: usize = N0 + 2;
const N: usize = COUNT + 1;
/// The words of the workspace.
pub(super) const WORKSPACE: usize = N + 4 * MOST;
/// Else each power of few words would allocate it.
const _: () = assert!(WORKSPACE <= MOST_ON_STACK);
/// The word to which rbp points, so that most distances from it fit in a byte.
const MIDDLE: usize = 16;

/// The operands in memory: at rbp those of the workspace, at their distances from its middle; y at rcx; z at rsi.
macro_rules! word {
    (n0) => {
        "[rbp - 128]"
    };
    (n1) => {
        "[rbp - 120]"
    };
    (count) => {
        "[rbp - 112]"
    };
    (n $i:literal) => {
        concat!("[rbp - 104 + 8*", $i, "]")
    };
    (x $i:literal) => {
        concat!("[rbp - 24 + 8*", $i, "]")
    };
    (t $i:literal) => {
        concat!("[rbp + 56 + 8*", $i, "]")
    };
    // y, where T has its upper words later.
    (above $i:literal) => {
        concat!("[rbp + 136 + 8*", $i, "]")
    };
    (y $i:literal) => {
        concat!("[rcx + 8*", $i, "]")
    };
    (z $i:literal) => {
        concat!("[rsi + 8*", $i, "]")
    };
}

/// One chain of carries: adds the products of rdx and words j, j + 2, … to pairs of registers, then the last carry to the
/// registers above. The chain begins with the carry flag (adc) or without it (add).
macro_rules! products {
    (
        $add:literal $number:ident: $j0:literal $j1:literal $($j:literal)*; $a0:literal $a1:literal $($a:literal)*
    ) => {
        concat!(
            products!($add $number: $j0; $a0 $a1), products!("adc" $number: $($j)*; $($a)*)
        )
    };
    ($add:literal $number:ident: $j:literal; $a0:literal $a1:literal $($a:literal)*) => {
        concat!(
            "mulx rsi, rax, ", word!($number $j), "\n ", $add, " ", $a0, ", rax\n adc ", $a1, ", rsi\n",
            products!("adc" $number: ; $($a)*)
        )
    };
    ($add:literal $number:ident: ; $($a:literal)*) => { concat!($("adc ", $a, ", 0\n",)*) };
}

/// The first row: rdx times words j, with the lowest word in the first register.
macro_rules! first_row {
    ($number:ident [$j0:literal $($j:literal)+] $a0:literal $a1:literal $($a:literal)+) => {
        concat!(
            "mulx ", $a1, ", ", $a0, ", ", word!($number $j0), "\n", first_row!(@next "add" $number [$($j)+] $a1 $($a)+)
        )
    };
    (@next $add:literal $number:ident [$j:literal $($more:literal)*] $lower:literal $upper:literal $($a:literal)*) => {
        concat!(
            "mulx ", $upper, ", rax, ", word!($number $j), "\n ", $add, " ", $lower, ", rax\n",
            first_row!(@next "adc" $number [$($more)*] $upper $($a)*)
        )
    };
    (@next $add:literal $number:ident [] $top:literal) => { concat!("adc ", $top, ", 0\n") };
    // The words are those in the registers, each of which is read before it changes.
    (registers $a0:literal $a1:literal $($a:literal)+) => {
        concat!("mov rdx, ", $a0, "\n mulx ", $a1, ", ", $a0, ", ", $a1, "\n", first_row!(@registers "add" $a1 $($a)+))
    };
    (@registers $add:literal $lower:literal $upper:literal $($a:literal)*) => {
        concat!(
            "mulx ", $upper, ", rax, ", $upper, "\n ", $add, " ", $lower, ", rax\n",
            first_row!(@registers "adc" $upper $($a)*)
        )
    };
    (@registers $add:literal $top:literal) => { concat!("adc ", $top, ", 0\n") };
}

/// Two chains of carries in one pass, both of which begin with a flag of 0: adds the products of rdx and words j to
/// registers, the lower words by ADCX, and the upper words by ADOX, one register higher.
macro_rules! products_in_one_pass {
    ($number:ident: $j:literal $($more:literal)*; $lower:literal $upper:literal $($a:literal)*) => {
        concat!(
            "mulx rsi, rax, ", word!($number $j), "\n adcx ", $lower, ", rax\n adox ", $upper, ", rsi\n",
            products_in_one_pass!($number: $($more)*; $upper $($a)*)
        )
    };
    ($number:ident: ; $top:literal) => { "" };
}

/// Adds xᵢ times words j to as many registers and one above, the top, which it clears first.
///
/// On Zen 3 an instruction more than two for each MULX costs three or four cycles a row. So in rows by ADX that are `padded` a
/// MULX precedes the last of them; its product is not used. docs/0030 has measurements.
macro_rules! row {
    (adc x $i:literal $number:ident $words:tt [$($a:literal)+] $top:literal) => {
        concat!(
            "mov ", $top, ", 0\n mov rdx, ", word!(x $i), "\n", row!(@chains $number $words $($a)+ $top)
        )
    };
    (adx x $i:literal $number:ident [$($j:literal)+] [$($a:literal)+] $top:literal) => {
        concat!(
            "xor ", $top, ", ", $top, "\n mov rdx, ", word!(x $i), "\n",
            products_in_one_pass!($number: $($j)+; $($a)+ $top), "mov eax, 0\n adcx ", $top, ", rax\n"
        )
    };
    (padded x $i:literal $number:ident [$($j:literal)+] [$($a:literal)+] $top:literal) => {
        concat!(
            "xor ", $top, ", ", $top, "\n mov rdx, ", word!(x $i), "\n",
            row!(@padded $number [$($j)+] [$($a)+] $top)
        )
    };
    // The upper word of the last product is at most W − 2, so that it takes the carry of the lower words.
    (@padded $number:ident [$j:literal] [$a:literal] $top:literal) => {
        concat!(
            "mulx rsi, rax, ", word!($number $j), "\n adcx ", $a, ", rax\n adcx rsi, ", $top, "\n",
            "mulx rax, rax, ", word!(n 0), "\n adox ", $top, ", rsi\n"
        )
    };
    (@padded $number:ident [$j:literal $($more:literal)+] [$lower:literal $upper:literal $($a:literal)*] $top:literal) => {
        concat!(
            products_in_one_pass!($number: $j; $lower $upper),
            row!(@padded $number [$($more)+] [$upper $($a)*] $top)
        )
    };
    (@chains $number:ident [$j0:literal $($j:literal)+] $a0:literal $($a:literal)+) => {
        concat!(products!("add" $number: $j0 $($j)+; $a0 $($a)+), products!("add" $number: $($j)+; $($a)+))
    };
    (@chains $number:ident [$j:literal] $a0:literal $a1:literal) => { products!("add" $number: $j; $a0 $a1) };
}

/// T = x·y by rows \[koc96, §4\]: row i adds xᵢ·y to the columns from i on. The lowest column is complete after a row, and
/// its register becomes the next column above. The lower words of T are then in the registers.
macro_rules! product_rows {
    (
        $carry:ident $y:ident [$i0:literal $($i:literal)+] [$($a:literal)+] $second:literal [$($lower:literal)+]
        [$($upper:literal)+]
    ) => {
        concat!(
            "mov rdx, ", word!(x $i0), "\n", first_row!($y [$i0 $($i)+] $($a)+ $second),
            product_rows!(@next $carry $y [$($i)+] [$i0 $($i)+] [$($a)+ $second] [$($lower)+ $($upper)+]),
            lower_columns!([$($lower)+] [$($a)+])
        )
    };
    (
        @next $carry:ident $y:ident [$i:literal $($more:literal)*] $words:tt [$a0:literal $($a:literal)+]
        [$column:literal $($columns:literal)+]
    ) => {
        concat!(
            "mov ", word!(t $column), ", ", $a0, "\n", row!($carry x $i $y $words [$($a)+] $a0),
            product_rows!(@next $carry $y [$($more)*] $words [$($a)+ $a0] [$($columns)+])
        )
    };
    (@next $carry:ident $y:ident [] $words:tt [$($a:literal)+] [$($column:literal)+]) => {
        concat!($("mov ", word!(t $column), ", ", $a, "\n",)+)
    };
}

/// T = x², for an x in registers and in memory: first Σ xᵢ·xⱼ·W^(i+j) over i < j by rows, each of which completes two
/// columns, the odd one first; then twice that, and the squares of the words, behind that or, by ADCX and ADOX, in the same
/// pass. No carry leaves T, since x² < W^(2s). The lower words of T are then in the registers `a`.
macro_rules! square_rows {
    (
        $carry:ident [$($i:literal)+] [$($x:literal)+] [$($a:literal)+] $second:literal
        [$($lower:literal)+] [$($upper:literal)+] $last:literal
    ) => {
        concat!(
            first_row!(registers $($x)+),
            square_rows!(@rows $carry [$($i)+] [$($x)+] [$($lower)+ $($upper)+]),
            square_rows!(@double $carry [$($i)+] [$($a)+] $second [$($lower)+] [$($upper)+] $last)
        )
    };
    (@rows $carry:ident [$i0:literal $($i:literal)+] $registers:tt [$column0:literal $($column:literal)+]) => {
        square_rows!(@next $carry [$($i)+] $registers [$($column)+])
    };
    (
        @next $carry:ident [$i:literal $($j:literal)+] [$a0:literal $a1:literal $($a:literal)+]
        [$column0:literal $column1:literal $($column:literal)+]
    ) => {
        concat!(
            "mov ", word!(t $column0), ", ", $a0, "\n mov ", word!(t $column1), ", ", $a1, "\n",
            row!($carry x $i x [$($j)+] [$($a)+] $a0),
            square_rows!(@next $carry [$($j)+] [$($a)+ $a0] [$($column)+])
        )
    };
    (
        @next $carry:ident [$i:literal] [$a0:literal $a1:literal] [$column0:literal $column1:literal $last:literal]
    ) => {
        concat!("mov ", word!(t $column0), ", ", $a0, "\n mov ", word!(t $column1), ", ", $a1, "\n")
    };
    (
        @double adc [$($i:literal)+] [$($a:literal)+] $second:literal
        [$column0:literal $($lower:literal)+] [$($upper:literal)+] $last:literal
    ) => {
        concat!(
            "xor eax, eax\n mov ", word!(t $last), ", rax\n",
            $("mov rax, ", word!(t $lower), "\n adc rax, rax\n mov ", word!(t $lower), ", rax\n",)+
            $("mov rax, ", word!(t $upper), "\n adc rax, rax\n mov ", word!(t $upper), ", rax\n",)+
            square_rows!(@first_square [$($i)+] [$column0 $($lower)+ $($upper)+]),
            lower_columns!([$column0 $($lower)+] [$($a)+])
        )
    };
    (@first_square [$i:literal $($more:literal)+] [$column0:literal $column1:literal $($column:literal)+]) => {
        concat!(
            "mov rdx, ", word!(x $i), "\n mulx rsi, rax, rdx\n mov ", word!(t $column0), ", rax\n",
            "add rsi, ", word!(t $column1), "\n mov ", word!(t $column1), ", rsi\n",
            square_rows!(@squares [$($more)+] [$($column)+])
        )
    };
    (@squares [$i:literal $($more:literal)*] [$column0:literal $column1:literal $($column:literal)*]) => {
        concat!(
            "mov rdx, ", word!(x $i), "\n mulx rsi, rax, rdx\n",
            "adc rax, ", word!(t $column0), "\n mov ", word!(t $column0), ", rax\n",
            "adc rsi, ", word!(t $column1), "\n mov ", word!(t $column1), ", rsi\n",
            square_rows!(@squares [$($more)*] [$($column)*])
        )
    };
    (@squares [] []) => { "" };
    // The highest column holds nothing yet.
    (
        @double $adx:ident [$i:literal $($more:literal)+] [$a0:literal $a1:literal $($a:literal)+] $second:literal
        [$column0:literal $column1:literal $($lower:literal)+] [$($upper:literal)+] $last:literal
    ) => {
        concat!(
            "mov rdx, ", word!(x $i), "\n mulx rsi, ", $a0, ", rdx\n xor eax, eax\n mov ", word!(t $last), ", rax\n",
            square_rows!(@lower $a1 $column1 "rsi"),
            square_rows!(@double_and_square $second [$($more)+] [$($a)+] [$($lower)+ $($upper)+])
        )
    };
    (
        @double_and_square $second:literal [$i:literal $($more:literal)*] [$a0:literal $a1:literal $($a:literal)*]
        [$column0:literal $column1:literal $($column:literal)+]
    ) => {
        concat!(
            "mov rdx, ", word!(x $i), "\n mulx rsi, rax, rdx\n",
            square_rows!(@lower $a0 $column0 "rax"), square_rows!(@lower $a1 $column1 "rsi"),
            square_rows!(@double_and_square $second [$($more)*] [$($a)*] [$($column)+])
        )
    };
    (
        @double_and_square $second:literal [$i:literal $($more:literal)*] [$a:literal]
        [$column0:literal $column1:literal $($column:literal)*]
    ) => {
        concat!(
            "mov rdx, ", word!(x $i), "\n mulx rsi, rax, rdx\n",
            square_rows!(@lower $a $column0 "rax"), square_rows!(@upper $second $column1 "rsi"),
            square_rows!(@double_and_square $second [$($more)*] [] [$($column)*])
        )
    };
    (
        @double_and_square $second:literal [$i:literal $($more:literal)*] []
        [$column0:literal $column1:literal $($column:literal)*]
    ) => {
        concat!(
            "mov rdx, ", word!(x $i), "\n mulx rsi, rax, rdx\n",
            square_rows!(@upper $second $column0 "rax"), square_rows!(@upper $second $column1 "rsi"),
            square_rows!(@double_and_square $second [$($more)*] [] [$($column)*])
        )
    };
    (@double_and_square $second:literal [] [] []) => { "" };
    (@lower $a:literal $column:literal $square:literal) => {
        concat!(
            "mov ", $a, ", ", word!(t $column), "\n adcx ", $a, ", ", $a, "\n adox ", $a, ", ", $square, "\n"
        )
    };
    (@upper $second:literal $column:literal $square:literal) => {
        concat!(square_rows!(@lower $second $column $square), "mov ", word!(t $column), ", ", $second, "\n")
    };
}

/// Loads the lower columns of T.
macro_rules! lower_columns {
    ([$($column:literal)+] [$($a:literal)+]) => { concat!($("mov ", $a, ", ", word!(t $column), "\n",)+) };
}

/// x = T·R⁻¹ mod n. The window `a` holds S words; two quotients at a time make its two lowest words 0:
/// q₀ + q₁·W = (a₀ + a₁·W)·(−n⁻¹) mod W². So a chain of latencies leads over two words, not over each. If S is odd, the
/// last quotient comes alone. With one register beside the window each does; the rows of 10 words take longer than the
/// chain.
///
/// A row (a + q·n)/W is below (R + (W − 1)·R)/W = R, so the window stays one of S words. The sum with the upper words of T
/// is u = (T + q·n)/R < (n·R + R·n)/R = 2n. So one subtraction leaves a number below n. By ADCX and ADOX, u and u − n are
/// computed side by side: the upper words of T less n wait for no quotient, and fill the time between two of them.
macro_rules! divide {
    ($carry:ident $words:tt [$($a:literal)+] [$new0:literal $new1:literal] $upper:tt) => {
        divide!(@first $carry $words $words $upper $new0 $new1 $($a)+)
    };
    ($carry:ident [$k:literal $($more:literal)+] [$a0:literal $($a:literal)+] [$new:literal] $upper:tt) => {
        concat!(
            divide!(@single $carry [$k $($more)+] $new $a0 $($a)+), divide!(@difference $carry [$k $($more)+] $upper),
            divide!(@singles $carry [$($more)+] [$k $($more)+] $upper $a0 $($a)+ $new)
        )
    };
    (
        @first $carry:ident [$k0:literal $k1:literal $($k:literal)*] $words:tt $upper:tt
        $new0:literal $new1:literal $a0:literal $a1:literal $($a:literal)+
    ) => {
        concat!(
            divide!(@pair $carry $words $new0 $new1 $a0 $a1 $($a)+), divide!(@difference $carry $words $upper),
            divide!(@quotients $carry [$($k)*] $words $upper $a0 $a1 $($a)+ $new0 $new1)
        )
    };
    (
        @pair $carry:ident $words:tt $new0:literal $new1:literal $a0:literal $a1:literal $($a:literal)+
    ) => {
        concat!(
            "mov rdx, ", $a0, "\n mulx ", $new1, ", rax, ", word!(n0), "\n imul rdx, ", word!(n1), "\n",
            "mov rsi, ", $a1, "\n imul rsi, ", word!(n0), "\n add ", $new1, ", rdx\n add ", $new1, ", rsi\n",
            "mov rdx, rax\n", divide!(@row $carry $words $new0; $a0 $a1 $($a)+),
            "mov rdx, ", $new1, "\n", divide!(@row $carry $words $new1; $a1 $($a)+ $new0)
        )
    };
    (@single $carry:ident $words:tt $new:literal $a0:literal $($a:literal)+) => {
        concat!(
            "mov rdx, ", $a0, "\n imul rdx, ", word!(n0), "\n", divide!(@row $carry $words $new; $a0 $($a)+)
        )
    };
    (@difference adc $words:tt $upper:tt) => { "" };
    // The upper words of T less n, in place of the lower words, and 1 − borrow in place of x₀: neither is read again.
    (@difference $adx:ident [$($i:literal)+] [$($upper:literal)+]) => {
        concat!(
            "xor eax, eax\n",
            $("mov rax, ", word!(t $upper), "\n sbb rax, ", word!(n $i), "\n mov ", word!(t $i), ", rax\n",)+
            "mov eax, 1\n sbb rax, 0\n mov ", word!(x 0), ", rax\n"
        )
    };
    (
        @quotients $carry:ident [$k0:literal $k1:literal $($k:literal)*] $words:tt $upper:tt
        $new0:literal $new1:literal $a0:literal $a1:literal $($a:literal)+
    ) => {
        concat!(
            divide!(@pair $carry $words $new0 $new1 $a0 $a1 $($a)+),
            divide!(@quotients $carry [$($k)*] $words $upper $a0 $a1 $($a)+ $new0 $new1)
        )
    };
    (
        @quotients $carry:ident [$k:literal] $words:tt $upper:tt $new0:literal $new1:literal $a0:literal $($a:literal)+
    ) => {
        concat!(
            divide!(@single $carry $words $new0 $a0 $($a)+), divide!(@end $carry $words $upper $a0 $($a)+ $new0)
        )
    };
    (
        @quotients $carry:ident [] $words:tt $upper:tt $top:literal $unused:literal $($a:literal)+
    ) => {
        divide!(@end $carry $words $upper $top $($a)+)
    };
    (
        @singles $carry:ident [$k:literal $($more:literal)*] $words:tt $upper:tt
        $new:literal $a0:literal $($a:literal)+
    ) => {
        concat!(
            divide!(@single $carry $words $new $a0 $($a)+),
            divide!(@singles $carry [$($more)*] $words $upper $a0 $($a)+ $new)
        )
    };
    (@singles $carry:ident [] $words:tt $upper:tt $top:literal $($a:literal)+) => {
        divide!(@end $carry $words $upper $top $($a)+)
    };
    // The carry flag is 0 after `adc` has added 0 to a word that is 0.
    (@end adc [$($i:literal)+] [$($upper:literal)+] $top:literal $($a:literal)+) => {
        concat!(
            "xor ", $top, ", ", $top, "\n", $("adc ", $a, ", ", word!(t $upper), "\n",)+ "adc ", $top, ", 0\n",
            $("mov ", word!(x $i), ", ", $a, "\n",)+ $("sbb ", $a, ", ", word!(n $i), "\n",)+ "sbb ", $top, ", 0\n",
            $("cmovc ", $a, ", ", word!(x $i), "\n mov ", word!(x $i), ", ", $a, "\n",)+
        )
    };
    // u, the sum with the upper words of T, and u − n, the sum with their difference from n, in one pass. u − n is negative
    // if the difference had a borrow that its sum does not carry back. If not, W − 1 + (1 − borrow) + carry is W or more.
    (@end $adx:ident [$($i:literal)+] [$($upper:literal)+] $top:literal $($a:literal)+) => {
        concat!(
            "xor eax, eax\n",
            $(
                "mov rax, ", word!(t $i), "\n adox rax, ", $a, "\n mov ", word!(t $i), ", rax\n",
                "adcx ", $a, ", ", word!(t $upper), "\n",
            )+
            "mov rax, -1\n adox rax, ", word!(x 0), "\n",
            $("cmovo ", $a, ", ", word!(t $i), "\n mov ", word!(x $i), ", ", $a, "\n",)+
        )
    };
    // The lowest register becomes 0.
    (@row adx [$($i:literal)+] $new:literal; $a0:literal $($a:literal)+) => {
        concat!(
            "xor ", $new, ", ", $new, "\n", products_in_one_pass!(n: $($i)+; $a0 $($a)+ $new),
            "adcx ", $new, ", ", $a0, "\n"
        )
    };
    (@row padded [$($i:literal)+] $new:literal; $a0:literal $($a:literal)+) => {
        concat!(
            "xor ", $new, ", ", $new, "\n", products_in_one_pass!(n: $($i)+; $a0 $($a)+ $new),
            "mulx rax, rax, ", word!(n 0), "\n adcx ", $new, ", ", $a0, "\n"
        )
    };
    // The lowest word of q·n is the negative of a₀, so that its carry is that of the negation.
    (
        @row adc [$i0:literal $i1:literal $($i:literal)+] $new:literal; $a0:literal $a1:literal $($a:literal)+
    ) => {
        concat!(
            "xor ", $new, ", ", $new, "\n mulx rsi, rax, ", word!(n $i0), "\n neg ", $a0, "\n adc ", $a1, ", rsi\n",
            products!("adc" n: $($i)+; $($a)+ $new), products!("add" n: $i1 $($i)+; $a1 $($a)+ $new)
        )
    };
}

/// Copies words one by one, since a load of several words would wait until their single stores are done.
macro_rules! copy {
    ($from:ident to $to:ident: $($i:literal)+) => {
        concat!($("mov rax, ", word!($from $i), "\n mov ", word!($to $i), ", rax\n",)+)
    };
}

/// Copies words, and leaves them in the registers.
macro_rules! load {
    ($from:ident to $to:ident: [$($i:literal)+] [$($a:literal)+]) => {
        concat!($("mov ", $a, ", ", word!($from $i), "\n mov ", word!($to $i), ", ", $a, "\n",)+)
    };
}

/// Copies y into the workspace, if its rows are to read it there.
macro_rules! take {
    (y: $($i:literal)+) => {
        ""
    };
    (above: $($i:literal)+) => {
        copy!(y to above: $($i)+)
    };
}

/// The product and the runs of squares of numbers of S words, apart and in one.
pub(super) trait Short<const S: usize> {
    /// z = x·y·R⁻¹ mod n for x·y < n·R.
    fn product(self, z: &mut [u64; S], x: &[u64; S], y: &[u64; S], workspace: &mut [u64; WORKSPACE]);

    /// z = x^(2^count)·R^(1 − 2^count) mod n for the count ≥ 1 in the workspace, where x is below n, or z is, if no x is
    /// given.
    fn square(self, z: &mut [u64; S], x: Option<&[u64; S]>, workspace: &mut [u64; WORKSPACE]);

    /// z = z^(2^count)·y·R^(−2^count) mod n for the count ≥ 1 in the workspace, where z is below n, and y below R.
    fn append(self, z: &mut [u64; S], y: &[u64; S], workspace: &mut [u64; WORKSPACE]);
}

/// Defines the product and the square of a number S of words for both instruction sets. Given are the place where rows read y;
/// registers for S words, and one or two beside them; those in which `divide` leaves the result; and the columns of T.
macro_rules! short {
    (
        @by $set:ident $carry:ident $words:literal $y:ident: [$($i:literal)+] [$($a:literal)+]
        [$second:literal $($third:literal)?]
        [$($x:literal)+] [$($lower:literal)+] [$($upper:literal)+] $last:literal
    ) => {
        impl Short<$words> for $set {
            #[inline(always)]
            fn product(
                self,
                z: &mut [u64; $words],
                x: &[u64; $words],
                y: &[u64; $words],
                workspace: &mut [u64; WORKSPACE],
            ) {
                // SAFETY: the CPU has the instructions, since a value of the set exists; x and y are read, z is written,
                // and the workspace is read and written, within their words; rbx, rbp and rsp are restored.
                unsafe {
                    asm!(
                        "push rbx", "push rbp", "push rdx", "mov rbp, rdi",
                        copy!(z to x: $($i)+), take!($y: $($i)+),
                        product_rows!($carry $y [$($i)+] [$($a)+] $second [$($lower)+] [$($upper)+]),
                        divide!($carry [$($i)+] [$($a)+] [$second $($third)?] [$($upper)+]),
                        "pop rsi", copy!(x to z: $($i)+), "pop rbp", "pop rbx",
                        inout("rdi") workspace.as_mut_ptr().add(MIDDLE) => _, inout("rsi") x.as_ptr() => _,
                        inout("rcx") y.as_ptr() => _, inout("rdx") z.as_mut_ptr() => _, out("rax") _, out("r8") _,
                        out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                    );
                }
            }

            #[inline(always)]
            fn square(
                self,
                z: &mut [u64; $words],
                x: Option<&[u64; $words]>,
                workspace: &mut [u64; WORKSPACE],
            ) {
                // SAFETY: the CPU has the instructions, since a value of the set exists; x or z is read, then z is
                // written, and the workspace is read and written, within their words; rbx, rbp and rsp are restored.
                unsafe {
                    asm!(
                        "push rbx", "push rbp", "push rcx", "mov rbp, rdi",
                        load!(z to x: [$($i)+] [$($x)+]), ".p2align 5", "2:",
                        square_rows!($carry [$($i)+] [$($x)+] [$($a)+] $second [$($lower)+] [$($upper)+] $last),
                        divide!($carry [$($i)+] [$($a)+] [$second $($third)?] [$($upper)+]),
                        concat!("dec qword ptr ", word!(count)), "jnz 2b",
                        "pop rsi", copy!(x to z: $($i)+), "pop rbp", "pop rbx",
                        inout("rdi") workspace.as_mut_ptr().add(MIDDLE) => _, inout("rcx") z.as_mut_ptr() => _,
                        inout("rsi") x.map_or(z.as_ptr(), |x| x.as_ptr()) => _, out("rax") _, out("rdx") _,
                        out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                        out("r14") _, out("r15") _,
                    );
                }
            }

            #[inline(always)]
            fn append(self, z: &mut [u64; $words], y: &[u64; $words], workspace: &mut [u64; WORKSPACE]) {
                // SAFETY: the CPU has the instructions, since a value of the set exists; y is read, z is read, then
                // written, and the workspace is read and written, within their words; rbx, rbp and rsp are restored.
                unsafe {
                    asm!(
                        "push rbx", "push rbp", "push rsi", "push rcx", "mov rbp, rdi",
                        load!(z to x: [$($i)+] [$($x)+]), ".p2align 5", "2:",
                        square_rows!($carry [$($i)+] [$($x)+] [$($a)+] $second [$($lower)+] [$($upper)+] $last),
                        divide!($carry [$($i)+] [$($a)+] [$second $($third)?] [$($upper)+]),
                        concat!("dec qword ptr ", word!(count)), "jnz 2b", "pop rcx", take!($y: $($i)+),
                        product_rows!($carry $y [$($i)+] [$($a)+] $second [$($lower)+] [$($upper)+]),
                        divide!($carry [$($i)+] [$($a)+] [$second $($third)?] [$($upper)+]),
                        "pop rsi", copy!(x to z: $($i)+), "pop rbp", "pop rbx",
                        inout("rdi") workspace.as_mut_ptr().add(MIDDLE) => _, inout("rcx") y.as_ptr() => _,
                        inout("rsi") z.as_mut_ptr() => _, out("rax") _, out("rdx") _,
                        out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                        out("r14") _, out("r15") _,
                    );
                }
            }
        }
    };
    ($adx:ident $($operands:tt)+) => {
        short!(@by Mulx adc $($operands)+);
        short!(@by Adx $adx $($operands)+);
    };
}

short!(adx 3 y: [0 1 2] ["r8" "r9" "r10"] ["r11" "r12"]
    ["r11" "r12" "r8"] [0 1 2] [3 4 5] 5);
short!(adx 4 y: [0 1 2 3] ["r8" "r9" "r10" "r11"] ["r12" "r13"]
    ["r12" "r13" "r8" "r9"] [0 1 2 3] [4 5 6 7] 7);
short!(adx 5 y: [0 1 2 3 4] ["r8" "r9" "r10" "r11" "r12"] ["r13" "r14"]
    ["r13" "r14" "r8" "r9" "r10"] [0 1 2 3 4] [5 6 7 8 9] 9);
short!(padded 6 y: [0 1 2 3 4 5] ["r8" "r9" "r10" "r11" "r12" "r13"] ["r14" "r15"]
    ["r14" "r15" "r8" "r9" "r10" "r11"] [0 1 2 3 4 5] [6 7 8 9 10 11] 11);
short!(padded 7 y: [0 1 2 3 4 5 6] ["r8" "r9" "r10" "r11" "r12" "r13" "r14"] ["r15" "rbx"]
    ["r15" "rbx" "r8" "r9" "r10" "r11" "r12"] [0 1 2 3 4 5 6] [7 8 9 10 11 12 13] 13);
short!(padded 8 y: [0 1 2 3 4 5 6 7] ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"] ["rbx" "rdi"]
    ["rbx" "rdi" "r8" "r9" "r10" "r11" "r12" "r13"] [0 1 2 3 4 5 6 7] [8 9 10 11 12 13 14 15] 15);
short!(padded 9 y: [0 1 2 3 4 5 6 7 8] ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx"] ["rdi" "rcx"]
    ["rdi" "rcx" "r8" "r9" "r10" "r11" "r12" "r13" "r14"] [0 1 2 3 4 5 6 7 8] [9 10 11 12 13 14 15 16 17] 17);
short!(padded 10 above: [0 1 2 3 4 5 6 7 8 9]
    ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx" "rdi"] ["rcx"]
    ["rcx" "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx"] [0 1 2 3 4 5 6 7 8 9]
    [10 11 12 13 14 15 16 17 18 19] 19);

/// An instruction set with products of each short number of words.
pub(super) trait ShortBlocks:
    Short<3> + Short<4> + Short<5> + Short<6> + Short<7> + Short<8> + Short<9> + Short<10>
{
}

impl ShortBlocks for Mulx {}
impl ShortBlocks for Adx {}

/// Evaluates the call for the number of words of n.
macro_rules! with_words {
    ($n:ident: $($words:literal)+; |$words_name:ident| $call:expr) => {
        match $n.len() {
            $($words => {
                const $words_name: usize = $words;
                $call
            })+
            _ => unreachable!("a short number has 3 to 10 words"),
        }
    };
}

/// z = x·y·R⁻¹ mod n for x·y < n·R, where n has 3 to 10 words and n0 is −n⁻¹ mod W².
pub(super) fn multiply<I: ShortBlocks>(
    set: I,
    z: &mut [u64],
    [x, y]: [&[u64]; 2],
    (n, n0): (&[u64], u128),
    t: &mut [u64],
) {
    with_words!(
        n: 3 4 5 6 7 8 9 10;
        |S| Short::<S>::product(set, array_mut(z), array(x), array(y), workspace::<S>(array(n), n0, t))
    );
}

/// z = x^(2^times)·R^(1 − 2^times) mod n for times ≥ 1 and x < n, or x = z where none is given; n has 3 to 10 words, and n0
/// is −n⁻¹ mod W².
pub(super) fn square<I: ShortBlocks>(
    set: I,
    z: &mut [u64],
    x: Option<&[u64]>,
    times: usize,
    (n, n0): (&[u64], u128),
    t: &mut [u64],
) {
    with_words!(
        n: 3 4 5 6 7 8 9 10;
        |S| Short::<S>::square(set, array_mut(z), x.map(array), workspace_of_squares::<S>(array(n), n0, times, t))
    );
}

/// z = z^(2^times)·y·R^(−2^times) mod n for times ≥ 1, z < n and y < R; n has 3 to 10 words, and n0 is −n⁻¹ mod W².
pub(super) fn append<I: ShortBlocks>(
    set: I,
    z: &mut [u64],
    times: usize,
    y: &[u64],
    (n, n0): (&[u64], u128),
    t: &mut [u64],
) {
    with_words!(
        n: 3 4 5 6 7 8 9 10;
        |S| Short::<S>::append(set, array_mut(z), array(y), workspace_of_squares::<S>(array(n), n0, times, t))
    );
}

/// The workspace at the beginning of t, with the constants of the modulus.
#[inline(always)]
fn workspace<'a, const S: usize>(n: &[u64; S], n0: u128, t: &'a mut [u64]) -> &'a mut [u64; WORKSPACE] {
    let workspace: &mut [u64; WORKSPACE] = t.first_chunk_mut().expect("the scratch holds a workspace");
    workspace[N..N + S].copy_from_slice(n);
    workspace[N0] = n0 as u64;
    workspace[N0 + 1] = (n0 >> 64) as u64;
    workspace
}

/// The same with the number of squares, which is not 0.
#[inline(always)]
fn workspace_of_squares<'a, const S: usize>(
    n: &[u64; S],
    n0: u128,
    times: usize,
    t: &'a mut [u64],
) -> &'a mut [u64; WORKSPACE] {
    assert!(times > 0, "no square is computed");
    let workspace = workspace(n, n0, t);
    workspace[COUNT] = times as u64;
    workspace
}

#[inline(always)]
fn array<const S: usize>(words: &[u64]) -> &[u64; S] {
    words.try_into().expect("all numbers have as many words as the modulus")
}

#[inline(always)]
fn array_mut<const S: usize>(words: &mut [u64]) -> &mut [u64; S] {
    words.try_into().expect("all numbers have as many words as the modulus")
}
