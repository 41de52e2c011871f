//! Numbers of a compile-time size; "fixed-amm" exponentiates by almost-Montgomery products.

use super::LIBRARY;
use crate::contender::{Contender, Operation};
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
    let number = uint(&operands.x);
    let x = FixedMontyForm::new(&number, &params);
    let y = FixedMontyForm::new(&uint(&operands.y), &params);
    let e = uint(&operands.e);
    let value = |z: &FixedMontyForm<LIMBS>| from_words(&z.retrieve().to_words());
    let product = move |z: &mut _| Multiplier::<LIMBS>::from(&params).mul_assign(z, &y);
    let square = move |z: &mut _| Multiplier::<LIMBS>::from(&params).square_assign(z);
    let power = |engine, operation: Operation, of: Power<LIMBS>| {
        let step = move |z: &mut Uint<LIMBS>| *z = of(&FixedMontyForm::new(z, &params), &e).retrieve();
        Contender::new((LIBRARY, engine), operation, number, step, |z| from_words(&z.to_words()))
    };
    vec![
        Contender::new((LIBRARY, "fixed"), PRODUCT, x, product, value),
        Contender::new((LIBRARY, "fixed"), SQUARE, x, square, value),
        power("fixed", POWER, FixedMontyForm::pow),
        power("fixed-amm", POWER, FixedMontyForm::pow_amm),
        power("fixed", POWER_VARTIME, FixedMontyForm::pow_vartime),
    ]
}

/// A power of a number in Montgomery form.
type Power<const LIMBS: usize> = fn(&FixedMontyForm<LIMBS>, &Uint<LIMBS>) -> FixedMontyForm<LIMBS>;
type Multiplier<'a, const LIMBS: usize> = <FixedMontyForm<LIMBS> as MontyForm>::Multiplier<'a>;
