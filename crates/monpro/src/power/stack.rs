//! Powers in arrays on the stack, by the windows of [`super::window`].

use super::window::{Bits, SlidingWindows, Windowed, fixed_windows, multiply_windows, sliding_width};
use crate::natural;
use core::borrow::Borrow;
use zeroize::{Zeroize, Zeroizing};

/// Elements small enough to be copied, with a product.
pub(crate) trait CopyMonoid {
    /// An element.
    type Element: Copy;
    /// x·y.
    fn mul(&self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x².
    fn square(&self, x: &Self::Element) -> Self::Element;

    /// x = x^(2^times).
    #[inline(always)]
    fn square_repeatedly(&self, x: &mut Self::Element, times: usize) {
        // In a local variable, which the compiler keeps in registers.
        let mut power = *x;
        for _ in 0..times {
            power = self.square(&power);
        }
        *x = power;
    }

    /// x = x^(2^squares)·y.
    #[inline(always)]
    fn append(&self, x: &mut Self::Element, squares: usize, y: &Self::Element) {
        self.square_repeatedly(x, squares);
        *x = self.mul(x, y);
    }
}

/// The width of the widest sliding windows: their table has 2^(6 − 1) entries.
const MOST_SLIDING_WIDTH: u32 = 6;
/// The width of the widest fixed windows: their table has 2⁴ entries. For elements of at most 9 words and exponents as
/// long, wider windows are more work.
const MOST_FIXED_WIDTH: u32 = 4;

/// A running power.
struct Power<'a, M: CopyMonoid> {
    monoid: &'a M,
    value: M::Element,
}

/// F is a factor or a reference to one.
impl<M: CopyMonoid, F: Borrow<M::Element>> Windowed<F> for Power<'_, M> {
    #[inline(always)]
    fn begin(&mut self, factor: F) {
        self.value = *factor.borrow();
    }

    #[inline(always)]
    fn append(&mut self, squares: usize, factor: F) {
        self.monoid.append(&mut self.value, squares, factor.borrow());
    }

    #[inline(always)]
    fn square(&mut self, times: usize) {
        self.monoid.square_repeatedly(&mut self.value, times);
    }
}

/// xᵉ for e ≥ 1, by sliding windows. The time depends on e; it depends on x only if the time of a product does.
#[inline(always)]
pub(crate) fn sliding_window_vartime<M: CopyMonoid, E: Bits + ?Sized>(
    monoid: &M,
    x: &M::Element,
    e: &E,
) -> M::Element {
    let width = sliding_width(e, MOST_SLIDING_WIDTH);
    let mut power = Power { monoid, value: *x };
    let windows = SlidingWindows::new(e, width);
    if width == 1 {
        multiply_windows(&mut power, windows.map(|(position, _)| (position, x)));
        return power.value;
    }
    let x2 = monoid.square(x);
    let mut odd_powers = [*x; 1 << (MOST_SLIDING_WIDTH - 1)];
    for i in 1..1 << (width - 1) {
        odd_powers[i] = monoid.mul(&odd_powers[i - 1], &x2);
    }
    multiply_windows(&mut power, windows.map(|(position, index)| (position, &odd_powers[index])));
    power.value
}

/// x^(e mod 2^e_bits) by fixed windows. `select(table, index)` reads the whole table. No branch or address depends on x
/// or e, unless the products' do. The table is erased.
#[inline(always)]
pub(crate) fn fixed_window<M: CopyMonoid>(
    monoid: &M,
    one: M::Element,
    x: &M::Element,
    (e, e_bits): (&[u64], usize),
    select: impl Fn(&[M::Element], u64) -> M::Element,
) -> M::Element
where
    M::Element: Zeroize,
{
    let words = size_of::<M::Element>() / size_of::<u64>();
    let width = super::width_in_constant_time(e_bits, words, MOST_FIXED_WIDTH);
    let mut powers = Zeroizing::new([one; 1 << MOST_FIXED_WIDTH]);
    powers[1] = *x;
    for i in 2..1 << width {
        powers[i] = match i % 2 {
            0 => monoid.square(&powers[i / 2]),
            _ => monoid.mul(&powers[i - 1], x),
        };
    }
    let table = &powers[..1 << width];
    let windows = fixed_windows(e_bits, width);
    let factor = |(position, bits)| (position, select(table, natural::bits_at(e, position, bits)));
    let mut power = Power { monoid, value: one };
    multiply_windows(&mut power, windows.map(factor));
    power.value
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// The exponents of a base modulo a prime, under addition, with the products counted.
    struct Exponents {
        products: Cell<usize>,
    }

    const PRIME: u64 = (1 << 61) - 1;

    impl CopyMonoid for Exponents {
        type Element = u64;

        fn mul(&self, x: &u64, y: &u64) -> u64 {
            self.products.set(self.products.get() + 1);
            (x + y) % PRIME
        }

        fn square(&self, x: &u64) -> u64 {
            self.mul(x, x)
        }
    }

    /// All ones have the most windows, and the longest exponent the widest of them.
    #[test]
    fn a_long_exponent_takes_few_products_beside_its_squares() {
        for words in [8, 16, 32] {
            let e = &[u64::MAX; 32][..words];
            let monoid = Exponents { products: Cell::new(0) };
            let modulo = |rest: u128, &word: &u64| (rest << 64 | u128::from(word)) % u128::from(PRIME);
            assert_eq!(sliding_window_vartime(&monoid, &1, e), e.iter().fold(0, modulo) as u64);
            assert!(monoid.products.get() <= 64 * words * 5 / 4, "{words} words: {}", monoid.products.get());
        }
    }
}
