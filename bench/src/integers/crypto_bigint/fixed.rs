//! Numbers of a compile-time size; "fixed-amm" exponentiates by almost-Montgomery products.

use super::LIBRARY;
use crate::contender::Contender;
use crate::integers::{POWER, POWER_VARTIME, PRODUCT, SQUARE};
use crate::operands::{Operands, from_words};
use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{MontyForm, MontyMultiplier, Odd, Uint};
use num_bigint::BigUint;

pub fn contenders<const LIMBS: usize>(operands: &Operands) -> Vec<Contender>
where
    FixedMontyForm<LIMBS>: MontyForm<Params = FixedMontyParams<LIMBS>>,
{
    let uint = |number: &BigUint| {
        let words = operands.words(number);
        Uint::<LIMBS>::from_words(words.try_into().expect("the size is that of the operands"))
    };
    let params = FixedMontyParams::new_vartime(Odd::new(uint(&operands.n)).expect("n is odd"));
    let x = FixedMontyForm::new(&uint(&operands.x), &params);
    let y = FixedMontyForm::new(&uint(&operands.y), &params);
    let e = uint(&operands.e);
    let value = |z: &FixedMontyForm<LIMBS>| from_words(&z.retrieve().to_words());
    let product = move |z: &mut _| Multiplier::<LIMBS>::from(&params).mul_assign(z, &y);
    let square = move |z: &mut _| Multiplier::<LIMBS>::from(&params).square_assign(z);
    let fixed = (LIBRARY, "fixed");
    vec![
        Contender::new(fixed, PRODUCT, x, product, value),
        Contender::new(fixed, SQUARE, x, square, value),
        Contender::new(fixed, POWER, x, move |z| *z = z.pow(&e), value),
        Contender::new((LIBRARY, "fixed-amm"), POWER, x, move |z| *z = z.pow_amm(&e), value),
        Contender::new(fixed, POWER_VARTIME, x, move |z| *z = z.pow_vartime(&e), value),
    ]
}

type Multiplier<'a, const LIMBS: usize> = <FixedMontyForm<LIMBS> as MontyForm>::Multiplier<'a>;
