//! monpro: products and squares by every kernel of the integers that runs here; powers by the default kernel.

use crate::contender::{Contender, Operation};
use crate::operands::{Operands, from_words};
use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, Residue};

const LIBRARY: &str = "monpro";

pub fn contenders(operands: &Operands) -> Vec<Contender> {
    let takes = |kernel: &&Kernel| {
        kernel.ring == RingName::Integers && kernel.is_available() && kernel.supports(operands.bits)
    };
    let mut contenders: Vec<Contender> =
        KERNELS.iter().filter(takes).flat_map(|kernel| products(kernel, operands)).collect();
    contenders.extend(powers(operands));
    contenders
}

fn products(kernel: &'static Kernel, operands: &Operands) -> [Contender; 2] {
    let n =
        Modulus::with_kernel(kernel, &operands.words(&operands.n)).expect("n is odd and the kernel takes it");
    let (x, y) = (n.residue(&operands.words(&operands.x)), n.residue(&operands.words(&operands.y)));
    let (mut scratch, mut same_scratch) = (n.scratch(), n.scratch());
    let product = move |z: &mut Residue| z.mul_assign(&y, &mut scratch);
    let square = move |z: &mut Residue| z.square_assign(&mut same_scratch);
    let name = (LIBRARY, kernel.name);
    [
        Contender::new(name, Operation::Product, x.clone(), product, value),
        Contender::new(name, Operation::Square, x, square, value),
    ]
}

fn powers(operands: &Operands) -> [Contender; 2] {
    let n = Modulus::new(&operands.words(&operands.n)).expect("n is odd");
    let x = n.residue(&operands.words(&operands.x));
    let (e, same_e) = (operands.words(&operands.e), operands.words(&operands.e));
    let name = (LIBRARY, n.kernel().name);
    [
        Contender::new(name, Operation::Power, x.clone(), move |z: &mut Residue| *z = z.pow(&e), value),
        Contender::new(
            name,
            Operation::PowerVartime,
            x,
            move |z: &mut Residue| *z = z.pow_vartime(&same_e),
            value,
        ),
    ]
}

fn value(z: &Residue) -> num_bigint::BigUint {
    from_words(&z.to_number())
}
