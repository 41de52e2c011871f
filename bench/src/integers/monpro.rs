//! monpro: products and squares by the chosen kernels; powers by the default kernel.

use super::{POWER, POWER_VARTIME, PRODUCT, SQUARE};
use crate::contender::Contender;
use crate::operands::{Operands, from_words};
use monpro::{Kernel, Modulus, Residue};

const LIBRARY: &str = "monpro";

pub fn contenders(kernels: &[&'static Kernel], operands: &Operands) -> Vec<Contender> {
    let n = operands.words(&operands.n);
    let takes = |kernel: &&&'static Kernel| kernel.supports(&n);
    let mut contenders: Vec<Contender> =
        kernels.iter().filter(takes).flat_map(|kernel| products(kernel, operands)).collect();
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
    [Contender::new(name, PRODUCT, x.clone(), product, value), Contender::new(name, SQUARE, x, square, value)]
}

fn powers(operands: &Operands) -> [Contender; 2] {
    let n = Modulus::new(&operands.words(&operands.n)).expect("n is odd");
    let x = n.residue(&operands.words(&operands.x));
    let (e, same_e) = (operands.words(&operands.e), operands.words(&operands.e));
    let name = (LIBRARY, n.kernel().name);
    [
        Contender::new(name, POWER, x.clone(), move |z: &mut Residue| *z = z.pow(&e), value),
        Contender::new(name, POWER_VARTIME, x, move |z: &mut Residue| *z = z.pow_vartime(&same_e), value),
    ]
}

fn value(z: &Residue) -> num_bigint::BigUint {
    from_words(&z.to_number())
}
