//! Powers by a sliding window in arrays on the stack.

use super::exponent::Exponent;

/// Elements small enough to be copied, with a product.
pub(super) trait SmallMonoid {
    /// An element.
    type Element: Copy;
    /// x·y.
    fn mul(&self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x².
    fn square(&self, x: &Self::Element) -> Self::Element;

    /// xᵉ for e ≥ 1 by windows that begin and end with a 1 bit: only odd powers of x are tabled.
    #[inline(always)]
    fn power_vartime(&self, x: &Self::Element, e: Exponent) -> Self::Element {
        let width = width(e);
        let mut odd_powers = [*x; 1 << (MOST_WIDTH - 1)];
        if width > 1 {
            let x2 = self.square(x);
            for i in 1..1 << (width - 1) {
                odd_powers[i] = self.mul(&odd_powers[i - 1], &x2);
            }
        }
        let mut unread = e.bits();
        let mut power = None;
        while unread > 0 {
            if !e.bit(unread - 1) {
                power = power.map(|power| self.square(&power));
                unread -= 1;
                continue;
            }
            let bits = width.min(unread);
            let window = e.bits_at(unread - bits, bits as u32);
            let zeros = window.trailing_zeros() as usize;
            let factor = &odd_powers[window >> (zeros + 1)];
            power = Some(match power {
                None => *factor,
                Some(mut power) => {
                    for _ in 0..bits - zeros {
                        power = self.square(&power);
                    }
                    self.mul(&power, factor)
                }
            });
            unread -= bits - zeros;
        }
        power.expect("the exponent is at least 1")
    }
}

const MOST_WIDTH: usize = 6;

/// The width b with the fewest products on average: 2^(b−1) for the table, bits/(b + 1) for the windows; 1 where
/// e has no more 1 bits than that.
fn width(e: Exponent) -> usize {
    let bits = e.bits();
    let width = match bits {
        0..=6 => 1,
        7..=24 => 2,
        25..=80 => 3,
        81..=240 => 4,
        241..=672 => 5,
        _ => MOST_WIDTH,
    };
    if e.ones() <= (1 << (width - 1)) + bits / (width + 1) { 1 } else { width }
}
