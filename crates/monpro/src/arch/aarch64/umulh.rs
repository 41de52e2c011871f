//! Blocks of word products by MUL and UMULH, with carries by ADCS: instructions of every AArch64 CPU.
//!
//! A row of products is written out in [`rows`], where words stay in registers and carries in the flag; everything here
//! is composed of such rows. docs/0008 counts the instructions.

mod rows;

use crate::arch::blocks::Blocks;
use crate::arch::{InstructionSet, Task};
use crate::monoid::{self, Temporary};
use rows::{Row, Rows};

/// MUL, UMULH and ADCS.
#[derive(Clone, Copy)]
pub(crate) struct Umulh(());

impl InstructionSet for Umulh {
    const INSTRUCTIONS: &'static str = "UMULH";

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Umulh(()))
    }

    #[inline(always)]
    fn run<T: Task<Self>>(self, task: T) -> T::Output {
        task.run(self)
    }
}

impl Blocks for Umulh {
    const SHORT: &'static [usize] = &[4, 6, 8];
    const SHORT_SCRATCH: usize = 8;

    fn multiply_short(self, z: &mut [u64], [x, y]: [&[u64]; 2], (n, n0): (&[u64], u128), _t: &mut [u64]) {
        let n0 = n0 as u64;
        match n.len() {
            4 => product::<4>(self, chunk_mut(z), chunk(x), chunk(y), chunk(n), n0),
            6 => product::<6>(self, chunk_mut(z), chunk(x), chunk(y), chunk(n), n0),
            _ => product::<8>(self, chunk_mut(z), chunk(x), chunk(y), chunk(n), n0),
        }
    }

    fn square_short(
        self,
        z: &mut [u64],
        x: Option<&[u64]>,
        times: usize,
        modulus: (&[u64], u128),
        t: &mut [u64],
    ) {
        if let Some(x) = x {
            z.copy_from_slice(x);
        }
        let x = &mut t[..z.len()];
        for _ in 0..times {
            x.copy_from_slice(z);
            self.multiply_short(z, [x, x], modulus, &mut []);
        }
    }

    fn append_short(self, z: &mut [u64], times: usize, y: &[u64], modulus: (&[u64], u128), t: &mut [u64]) {
        self.square_short(z, None, times, modulus, t);
        let x = &mut t[..z.len()];
        x.copy_from_slice(z);
        self.multiply_short(z, [x, y], modulus, &mut []);
    }

    fn multiply_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]) {
        accumulate::<8, true>(self, t, x, y);
    }

    fn accumulate_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]) {
        accumulate::<8, false>(self, t, x, y);
    }

    fn accumulate_4(self, t: &mut [u64], x: &[u64; 4], y: &[u64]) {
        accumulate::<4, false>(self, t, x, y);
    }

    fn first_cross_products_8(self, t: &mut [u64], x: &[u64]) {
        cross_products_8::<true>(self, t, x);
    }

    fn cross_products_8(self, t: &mut [u64], x: &[u64]) {
        cross_products_8::<false>(self, t, x);
    }

    fn cross_products_4(self, t: &mut [u64], x: &[u64]) {
        let (block, above) = x.split_first_chunk::<4>().expect("x has 4 words or more");
        let mut window = [0; 4];
        t[1] = self.row(chunk_mut::<1>(&mut window), chunk::<1>(block), block[1], t[1]);
        t[2] = self.row(chunk_mut::<2>(&mut window), chunk::<2>(block), block[2], t[2]);
        t[3] = self.row(chunk_mut::<3>(&mut window), chunk::<3>(block), block[3], t[3]);
        rows::<4, false>(self, &mut t[4..], window, block, above);
    }

    fn double_and_add_squares(self, t: &mut [u64], x: &[u64]) {
        let (mut below, mut carry) = (0, 0);
        for (t, x) in t.chunks_exact_mut(8).zip(x.chunks_exact(4)) {
            let t = chunk_mut::<8>(t);
            let words = *t;
            for (double, word) in t.iter_mut().zip(words) {
                *double = word << 1 | below >> 63;
                below = word;
            }
            carry = self.add_squares(t, chunk(x), carry);
        }
    }

    fn reduce_8(self, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64 {
        reduce::<8>(self, t, n, n0, carry)
    }

    fn reduce_4(self, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64 {
        reduce::<4>(self, t, n, n0, carry)
    }

    fn subtract_once(self, z: &mut [u64], u: &[u64], n: &[u64], carry: u64) {
        let mut borrow = 0;
        for ((z, u), n) in z.chunks_exact_mut(4).zip(u.chunks_exact(4)).zip(n.chunks_exact(4)) {
            let mut words = *chunk::<4>(u);
            borrow = self.subtract(&mut words, chunk(n), borrow);
            z.copy_from_slice(&words);
        }
        for (z, u) in z.chunks_exact_mut(4).zip(u.chunks_exact(4)) {
            self.choose(chunk_mut::<4>(z), chunk(u), borrow & !carry);
        }
    }

    fn select(self, z: &mut [u64], table: &[u64], index: u64) {
        monoid::select(z, table, index);
    }

    fn for_each_entry(
        self,
        width: usize,
        table: &[u64],
        indices: impl Iterator<Item = u64>,
        take: impl FnMut(&[u64]),
    ) {
        monoid::for_each_entry(&mut Temporary::new(width), table, indices, take);
    }
}

#[inline(always)]
fn chunk<const K: usize>(words: &[u64]) -> &[u64; K] {
    words.first_chunk().expect("there are K words or more")
}

#[inline(always)]
fn chunk_mut<const K: usize>(words: &mut [u64]) -> &mut [u64; K] {
    words.first_chunk_mut().expect("there are K words or more")
}

/// z = x·y·R⁻¹ mod n: Separated Operand Scanning \[koc96, §4\] with the rows in registers.
#[inline(always)]
fn product<const K: usize>(umulh: Umulh, z: &mut [u64; K], x: &[u64; K], y: &[u64; K], n: &[u64; K], n0: u64)
where
    Umulh: Rows<K>,
{
    let (mut upper, mut window) = ([0; K], [0; K]);
    for (word, &y) in window.iter_mut().zip(y) {
        *word = umulh.row(&mut upper, x, y, 0);
    }
    for _ in 0..K {
        umulh.quotient(&mut window, n, n0);
    }
    let carry = umulh.add(&mut window, &upper, 0);
    let mut difference = window;
    let borrow = umulh.subtract(&mut difference, n, 0);
    umulh.choose(&mut difference, &window, borrow & !carry);
    *z = difference;
}

/// t = t mod W^m + x·y for a y of m words; t counts as 0 in the first block.
#[inline(always)]
fn accumulate<const K: usize, const FIRST: bool>(umulh: Umulh, t: &mut [u64], x: &[u64; K], y: &[u64])
where
    Umulh: Rows<K>,
{
    rows::<K, FIRST>(umulh, t, [0; K], x, y);
}

/// t = t mod W^m + window + x·y, likewise.
#[inline(always)]
fn rows<const K: usize, const FIRST: bool>(
    umulh: Umulh,
    t: &mut [u64],
    mut window: [u64; K],
    x: &[u64; K],
    y: &[u64],
) where
    Umulh: Rows<K>,
{
    let (lower, upper) = t.split_at_mut(y.len());
    let x = *x;
    for (word, &y) in lower.iter_mut().zip(y) {
        *word = umulh.row(&mut window, &x, y, if FIRST { 0 } else { *word });
    }
    upper.copy_from_slice(&window);
}

/// t = t mod W^s + Σ xᵢ·xⱼ·W^(i+j) over i < 8 and i < j; t counts as 0 in the first block.
///
/// Row j of the triangle multiplies xⱼ by the words below it.
#[inline(always)]
fn cross_products_8<const FIRST: bool>(umulh: Umulh, t: &mut [u64], x: &[u64]) {
    let (block, above) = x.split_first_chunk::<8>().expect("x has 8 words or more");
    if FIRST {
        t[..8].fill(0);
    }
    let mut window = [0; 8];
    t[1] = umulh.row(chunk_mut::<1>(&mut window), chunk::<1>(block), block[1], t[1]);
    t[2] = umulh.row(chunk_mut::<2>(&mut window), chunk::<2>(block), block[2], t[2]);
    t[3] = umulh.row(chunk_mut::<3>(&mut window), chunk::<3>(block), block[3], t[3]);
    t[4] = umulh.row(chunk_mut::<4>(&mut window), chunk::<4>(block), block[4], t[4]);
    t[5] = umulh.row(chunk_mut::<5>(&mut window), chunk::<5>(block), block[5], t[5]);
    t[6] = umulh.row(chunk_mut::<6>(&mut window), chunk::<6>(block), block[6], t[6]);
    t[7] = umulh.row(chunk_mut::<7>(&mut window), chunk::<7>(block), block[7], t[7]);
    rows::<8, FIRST>(umulh, &mut t[8..], window, block, above);
}

/// t = t + q·n + carry·W^s, where q < W^K makes the lowest K words of the sum 0; these words then hold q instead.
#[inline(always)]
fn reduce<const K: usize>(umulh: Umulh, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64
where
    Umulh: Rows<K>,
{
    let (below, above) = n.split_first_chunk::<K>().expect("n has K words or more");
    let (q, t) = t.split_first_chunk_mut::<K>().expect("t is longer than n");
    let (middle, upper) = t.split_at_mut(above.len());
    let mut window = *q;
    let mut quotients = [0; K];
    for quotient in &mut quotients {
        *quotient = umulh.quotient(&mut window, below, n0);
    }
    *q = quotients;
    for (word, &n) in middle.iter_mut().zip(above) {
        *word = umulh.row(&mut window, &quotients, n, *word);
    }
    umulh.add(chunk_mut(upper), &window, carry)
}
