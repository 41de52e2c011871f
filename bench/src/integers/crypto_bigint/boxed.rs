//! Numbers on the heap.

use super::LIBRARY;
use crate::contender::Contender;
use crate::integers::{POWER, PRODUCT, SQUARE};
use crate::operands::{Operands, from_words};
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, MontyForm, MontyMultiplier, Odd};
use num_bigint::BigUint;

pub fn contenders(operands: &Operands) -> Vec<Contender> {
    let uint = |number: &BigUint| BoxedUint::from_words(operands.words(number));
    let n = Odd::new(uint(&operands.n)).expect("n is odd");
    // A multiplier borrows the parameters for as long as it lives, which is until the program ends.
    let params: &'static _ = Box::leak(Box::new(BoxedMontyParams::new_vartime(n)));
    let x = BoxedMontyForm::new(uint(&operands.x), params);
    let y = BoxedMontyForm::new(uint(&operands.y), params);
    let e = uint(&operands.e);
    let value = |z: &BoxedMontyForm| from_words(&z.retrieve().to_words());
    let (mut products, mut squares) = (Multiplier::from(params), Multiplier::from(params));
    let product = move |z: &mut _| products.mul_assign(z, &y);
    let square = move |z: &mut _| squares.square_assign(z);
    let power = move |z: &mut BoxedUint| *z = BoxedMontyForm::new(z.clone(), params).pow(&e).retrieve();
    let number = |z: &BoxedUint| from_words(&z.to_words());
    let boxed = (LIBRARY, "boxed");
    vec![
        Contender::new(boxed, PRODUCT, x.clone(), product, value),
        Contender::new(boxed, SQUARE, x, square, value),
        Contender::new(boxed, POWER, uint(&operands.x), power, number),
    ]
}

type Multiplier = <BoxedMontyForm as MontyForm>::Multiplier<'static>;
