//! A library's way to do one operation, as a chain of steps in which each needs the result of the one before.

use crate::operands::Operands;
use num_bigint::BigUint;
use serde::Serialize;
use std::hint::black_box;

/// What is timed. A step takes the running value z to …
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Operation {
    /// … z·y, one Montgomery product; operands stay in Montgomery form.
    #[serde(rename = "monmul")]
    Product,
    /// … z², one Montgomery square.
    #[serde(rename = "monsqr")]
    Square,
    /// … zᵉ for e as long as n, in time independent of the values.
    #[serde(rename = "modexp")]
    Power,
    /// … zᵉ, in a time that may depend on the values.
    #[serde(rename = "modexp-vartime")]
    PowerVartime,
}

impl Operation {
    pub const ALL: [Operation; 4] =
        [Operation::Product, Operation::Square, Operation::Power, Operation::PowerVartime];

    pub fn title(self) -> &'static str {
        match self {
            Operation::Product => "Montgomery product",
            Operation::Square => "Montgomery square",
            Operation::Power => "Modular exponentiation, constant time",
            Operation::PowerVartime => "Modular exponentiation, variable time",
        }
    }

    /// z after one step, by num-bigint.
    fn oracle(self, z: &BigUint, operands: &Operands) -> BigUint {
        match self {
            Operation::Product => z * &operands.y % &operands.n,
            Operation::Square => z * z % &operands.n,
            Operation::Power | Operation::PowerVartime => z.modpow(&operands.e, &operands.n),
        }
    }
}

/// A library's way to do an operation on the operands of one size; z starts as x.
pub struct Contender {
    pub library: &'static str,
    /// Which of the library's ways, such as the name of a kernel.
    pub engine: &'static str,
    pub operation: Operation,
    chain: Box<dyn Chain>,
}

impl Contender {
    /// A contender whose running value is a `Z`: `step` takes it one step on, `value` gives the number that it
    /// stands for.
    pub fn new<Z: Clone + 'static>(
        (library, engine): (&'static str, &'static str),
        operation: Operation,
        start: Z,
        step: impl FnMut(&mut Z) + 'static,
        value: impl Fn(&Z) -> BigUint + 'static,
    ) -> Contender {
        let chain = Box::new(Running { z: start.clone(), start, step, value });
        Contender { library, engine, operation, chain }
    }

    /// Does so many steps.
    pub fn advance(&mut self, steps: u64) {
        self.chain.advance(steps);
    }

    /// Whether the first three steps give what num-bigint gives.
    pub fn is_right(&mut self, operands: &Operands) -> bool {
        let mut expected = operands.x.clone();
        self.chain.restart();
        (0..3).all(|_| {
            self.chain.advance(1);
            expected = self.operation.oracle(&expected, operands);
            self.chain.value() == expected
        })
    }
}

trait Chain {
    fn restart(&mut self);
    fn advance(&mut self, steps: u64);
    fn value(&self) -> BigUint;
}

struct Running<Z, S, V> {
    start: Z,
    z: Z,
    step: S,
    value: V,
}

impl<Z: Clone, S: FnMut(&mut Z), V: Fn(&Z) -> BigUint> Chain for Running<Z, S, V> {
    fn restart(&mut self) {
        self.z = self.start.clone();
    }

    fn advance(&mut self, steps: u64) {
        for _ in 0..steps {
            (self.step)(&mut self.z);
        }
        black_box(&self.z);
    }

    fn value(&self) -> BigUint {
        (self.value)(&self.z)
    }
}
