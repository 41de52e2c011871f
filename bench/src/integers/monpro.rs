//! monpro: every kernel that races; powers take a number to a number, the modulus being ready.

use super::{POWER, POWER_VARTIME, PRODUCT, SQUARE};
use crate::contender::Contender;
use crate::operands::{Operands, from_words};
use monpro::{Kernel, Modulus, Residue};

pub const LIBRARY: &str = "monpro";

/// These kernels, or where there are none the one that monpro selects.
pub fn contenders(kernels: &[&'static Kernel], operands: &Operands) -> Vec<Contender> {
    let n = operands.words(&operands.n);
    let takes = |kernel: &&&'static Kernel| kernel.supports(&n);
    let of_kernel = |kernel: &&'static Kernel| {
        let n = Modulus::with_kernel(kernel, &n).expect("n is odd and the kernel takes it");
        products(&n, operands).into_iter().chain(powers(&n, operands)).collect::<Vec<_>>()
    };
    if kernels.is_empty() {
        return of_kernel(&Modulus::new(&n).expect("n is odd").kernel());
    }
    kernels.iter().filter(takes).flat_map(of_kernel).collect()
}

fn products(n: &Modulus, operands: &Operands) -> [Contender; 2] {
    let (x, y) = (n.residue(&operands.words(&operands.x)), n.residue(&operands.words(&operands.y)));
    let (mut scratch, mut same_scratch) = (n.scratch(), n.scratch());
    let product = move |z: &mut Residue| z.mul_assign(&y, &mut scratch);
    let square = move |z: &mut Residue| z.square_assign(&mut same_scratch);
    let value = |z: &Residue| from_words(&z.to_number());
    let name = (LIBRARY, n.kernel().name);
    [Contender::new(name, PRODUCT, x.clone(), product, value), Contender::new(name, SQUARE, x, square, value)]
}

fn powers(n: &Modulus, operands: &Operands) -> [Contender; 2] {
    let (n, same_n) = (n.clone(), n.clone());
    let x = operands.words(&operands.x);
    let (e, same_e) = (operands.words(&operands.e), operands.words(&operands.e));
    let name = (LIBRARY, n.kernel().name);
    let power = move |z: &mut Vec<u64>| *z = n.residue(z).pow(&e).to_number();
    let power_vartime = move |z: &mut Vec<u64>| *z = same_n.residue(z).pow_vartime(&same_e).to_number();
    let value = |z: &Vec<u64>| from_words(z);
    [
        Contender::new(name, POWER, x.clone(), power, value),
        Contender::new(name, POWER_VARTIME, x, power_vartime, value),
    ]
}
