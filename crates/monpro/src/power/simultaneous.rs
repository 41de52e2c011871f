//! Products of powers, x₁^e₁·x₂^e₂·…, whose squares are shared (Straus; interleaved, Möller 2001).

use super::{Power, Table, fixed_window_width, odd_powers, powers_below, sliding_window_width};
use crate::monoid::{Cells, Monoid};
use crate::natural;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Π x^(e mod 2^e_bits) over the terms (x, e), by windows of a fixed width: after each width squares a product for each
/// term, with a power of x that is chosen by reading the whole of its table. No branch or address depends on a value.
pub(crate) fn product_of_powers<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])], e_bits: usize) -> Cells {
    let mut power = Power::new(monoid, monoid.one());
    let cells = power.value.len();
    let width = fixed_window_width(e_bits, cells);
    let tables: Vec<Table> = terms.iter().map(|(x, _)| powers_below(monoid, x, 1 << width)).collect();
    let mut factor = Zeroizing::new(vec![0; cells]);
    for window in (0..e_bits.div_ceil(width as usize)).rev() {
        let position = window * width as usize;
        let bits = width.min((e_bits - position) as u32);
        let is_first = position + width as usize >= e_bits;
        power.square(if is_first { 0 } else { width as usize });
        for (i, ((_, e), table)) in terms.iter().zip(&tables).enumerate() {
            monoid.select(&mut factor, table.elements(), natural::bits_at(e, position, bits));
            match is_first && i == 0 {
                true => power.value.copy_from_slice(&factor),
                false => power.multiply(&factor),
            }
        }
    }
    power.finish()
}

/// A window of the exponent of a term: its lowest bit, which is 1, and its value.
struct Window {
    position: usize,
    term: usize,
    odd: usize,
}

/// Π xᵉ over the terms (x, e), by windows that begin and end with a 1 bit: only odd powers of x are tabled.
pub(crate) fn product_of_powers_vartime<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])]) -> Cells {
    let mut windows = Vec::new();
    let mut tables = Vec::with_capacity(terms.len());
    for (term, (x, e)) in terms.iter().enumerate() {
        let width = sliding_window_width(e);
        tables.push(odd_powers(monoid, x, 1 << (width - 1)));
        windows.extend(odd_windows(e, width).map(|(position, odd)| Window { position, term, odd }));
    }
    windows.sort_by_key(|window| core::cmp::Reverse(window.position));
    let Some(first) = windows.first() else {
        return monoid.one();
    };
    let factor = |window: &Window| {
        let (table, cells) = (&tables[window.term], terms[window.term].0.len());
        &table[window.odd / 2 * cells..][..cells]
    };
    let mut power = Power::new(monoid, Zeroizing::new(factor(first).to_vec()));
    let mut position = first.position;
    for window in &windows[1..] {
        power.square(position - window.position);
        position = window.position;
        power.multiply(factor(window));
    }
    power.square(position);
    power.finish()
}

/// The windows of e from the top down, each of at most `width` bits, the longest that begin and end with a 1 bit: the
/// position of its lowest bit, and its value.
fn odd_windows(e: &[u64], width: u32) -> impl Iterator<Item = (usize, usize)> {
    let mut unread = natural::bit_length(e);
    core::iter::from_fn(move || {
        while unread > 0 && natural::bits_at(e, unread - 1, 1) == 0 {
            unread -= 1;
        }
        let bits = width.min(unread as u32);
        let window = natural::bits_at(e, unread - bits as usize, bits.max(1));
        (unread > 0).then(|| {
            let zeros = window.trailing_zeros();
            let position = unread - bits as usize + zeros as usize;
            unread = position;
            (position, (window >> zeros) as usize)
        })
    })
}
