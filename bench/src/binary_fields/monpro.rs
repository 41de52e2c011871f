//! monpro: the field with the kernel that monpro selects, and with each of some kernels.

use super::{INVERSE, POWER, PRODUCT, SQUARE};
use crate::contender::Contender;
use crate::operands::{Operands, from_words};
use monpro::ring::RingName;
use monpro::{BinaryField, FieldElement, KERNELS, Kernel};
use num_bigint::BigUint;

pub const LIBRARY: &str = "monpro";

/// The kernels with words of 64 bits that need an instruction of this CPU, except the bit-serial ones.
pub fn instructed_kernels() -> Vec<&'static Kernel> {
    let wanted = |kernel: &&Kernel| {
        kernel.radix_bits == 64
            && !kernel.required_instructions().is_empty()
            && !kernel.name.starts_with("standard")
    };
    available_kernels().into_iter().filter(wanted).collect()
}

/// Every kernel that this CPU can run.
pub fn available_kernels() -> Vec<&'static Kernel> {
    let runs = |kernel: &&Kernel| kernel.ring == RingName::BinaryPolynomials && kernel.is_available();
    KERNELS.iter().filter(runs).collect()
}

/// The contenders; kernels that do not take the modulus are left out.
pub fn contenders(kernels: &[&'static Kernel], operands: &Operands) -> Result<Vec<Contender>, String> {
    let n = operands.words(&operands.n);
    let refused = |error| format!("monpro refuses a polynomial of degree {}: {error}", operands.bits);
    let chosen = BinaryField::new(&n).map_err(refused)?;
    let mut contenders = Vec::from(ways(LIBRARY, &chosen, operands));
    for kernel in kernels.iter().filter(|kernel| kernel.supports(&n)) {
        let field = BinaryField::with_kernel(kernel, &n).map_err(refused)?;
        contenders.extend(ways(&label(kernel), &field, operands));
    }
    Ok(contenders)
}

/// Kernels that need the same instructions are listed as one.
fn label(kernel: &Kernel) -> String {
    match kernel.required_instructions() {
        "" => format!("{LIBRARY}, plain Rust"),
        instructions => format!("{LIBRARY}, {instructions}"),
    }
}

fn ways(library: &str, field: &BinaryField, operands: &Operands) -> [Contender; 4] {
    let element = |number: &BigUint| field.element(&operands.words(number)).expect("the number is below n");
    let (x, y, addend) = (element(&operands.x), element(&operands.y), element(&operands.y));
    let (mut scratch, mut same_scratch) = (field.modulus().scratch(), field.modulus().scratch());
    let (e, e_bits) = (operands.words(&operands.e), operands.bits);
    let product = move |z: &mut FieldElement| z.mul_assign(&y, &mut scratch);
    let square = move |z: &mut FieldElement| z.square_assign(&mut same_scratch);
    let inverse = move |z: &mut FieldElement| *z = &z.inverse().expect("z is not 0") + &addend;
    let power = move |z: &mut FieldElement| *z = z.pow_bounded(&e, e_bits);
    let name = (library, field.modulus().kernel().name);
    [
        Contender::new(name, PRODUCT, x.clone(), product, value),
        Contender::new(name, SQUARE, x.clone(), square, value),
        Contender::new(name, INVERSE, x.clone(), inverse, value),
        Contender::new(name, POWER, x, power, value),
    ]
}

fn value(z: &FieldElement) -> BigUint {
    from_words(&z.to_number())
}
