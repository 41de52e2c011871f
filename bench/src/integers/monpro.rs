//! monpro: every kernel that races. Powers map a number to a number; the modulus is precomputed.

use super::{BATCH, BATCH_SIZE, POWER, POWER_VARTIME, PRODUCT, SQUARE};
use crate::contender::Contender;
use crate::operands::{Operands, from_words};
use monpro::{BATCH_ENGINES, Kernel, Modulus, PowTask, Residue, pow_batch};

pub const LIBRARY: &str = "monpro";

/// These kernels or, if there are none, the one that monpro selects.
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

/// Powers by a batch engine, if one runs here; nothing of the modulus is precomputed.
pub fn batch(operands: &Operands) -> Contender {
    let lanes = BATCH_ENGINES.iter().find(|engine| engine.unavailable_reason().is_none());
    let engine = lanes.map_or("one after the other", |engine| engine.name());
    let [e, n] = [&operands.e, &operands.n].map(|number| operands.words(number));
    let step = move |z: &mut Vec<u64>| {
        let bases: Vec<Vec<u64>> = (0..BATCH_SIZE).map(|i| with_lowest_word(z, z[0] ^ i)).collect();
        let tasks: Vec<PowTask<'_>> = bases.iter().map(|base| PowTask::new(base, &e, &n)).collect();
        let powers = pow_batch(&tasks).into_iter().map(|power| power.expect("n is not 0"));
        *z = powers.reduce(exclusive_or).expect("there are powers");
    };
    Contender::new((LIBRARY, engine), BATCH, operands.words(&operands.x), step, |z| from_words(z))
}

fn with_lowest_word(z: &[u64], word: u64) -> Vec<u64> {
    [&[word], &z[1..]].concat()
}

fn exclusive_or(x: Vec<u64>, y: Vec<u64>) -> Vec<u64> {
    x.into_iter().zip(y).map(|(x, y)| x ^ y).collect()
}
