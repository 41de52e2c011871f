//! The subjects: the kernels, each as a function of secrets, and what is built on them.

use crate::c_interface;
use crate::columns;
use crate::fixed;
use crate::functions;
use crate::key_exchange;
use crate::rsa;
use crate::secrets::Secrets;
use crate::subject::Subject;
use monpro::ring::RingName;
use monpro::{BinaryField, KERNELS, Kernel, Modulus, Residue};
use std::hint::black_box;
use zeroize::Zeroizing;

const SIZES_BITS: [usize; 8] = [256, 320, 512, 1024, 1536, 2048, 3072, 4096];
/// A length from which on the kernel [`SPLITTING`] splits its products.
pub const SPLIT_BITS: usize = 32_800;
const SPLITTING: &str = "redc-ifma";
const FIELDS: [&[usize]; 5] =
    [&[163, 7, 6, 3, 0], &[233, 74, 0], &[571, 10, 5, 2, 0], &[1024, 19, 6, 1, 0], &[2048, 19, 14, 13, 0]];
/// The kernel and the size of the controls, exponentiations of variable time.
const CONTROL: (&str, usize) = ("cios", 512);

/// Every subject that this CPU can run, in a fixed order.
pub fn all() -> Vec<Subject> {
    let available = || KERNELS.iter().filter(|kernel| kernel.is_available());
    let integers = available().filter(|kernel| kernel.ring == RingName::Integers);
    let polynomials = available().filter(|kernel| kernel.ring == RingName::BinaryPolynomials);
    let mut subjects: Vec<Subject> = integers.flat_map(over_integers).collect();
    subjects.extend(polynomials.flat_map(over_polynomials));
    subjects.extend(FIELDS.map(of_field));
    subjects.extend(functions::all());
    subjects.extend(columns::all());
    subjects.extend(fixed::all());
    subjects.extend(c_interface::all());
    subjects.extend(key_exchange::all());
    subjects.extend(rsa::all());
    subjects.extend(controls());
    subjects
}

/// The subjects whose names contain this part.
pub fn named(part: &str) -> Vec<Subject> {
    all().into_iter().filter(|subject| subject.name.contains(part)).collect()
}

/// A kernel over the integers at each size that it takes.
fn over_integers(kernel: &'static Kernel) -> impl Iterator<Item = Subject> {
    let sizes = SIZES_BITS.into_iter().filter(move |&bits| kernel.supports(&Secrets::new(bits, 0, 0).n));
    let split = (kernel.name == SPLITTING)
        .then(|| Subject { name: format!("{SPLITTING}, long"), ..of_size(kernel, SPLIT_BITS) });
    sizes.map(move |bits| of_size(kernel, bits)).chain(split)
}

/// A kernel over the integers at a size; the modulus is a secret, its length is not.
fn of_size(kernel: &'static Kernel, bits: usize) -> Subject {
    Subject::of_kernel(kernel, bits, move |secrets| {
        let modulus = Modulus::with_kernel(kernel, &secrets.n).expect("the kernel takes the modulus");
        compute(&modulus, secrets, Residue::pow_bounded);
    })
}

/// A kernel over GF(2)[x] modulo each polynomial that it takes; the polynomial is public.
fn over_polynomials(kernel: &'static Kernel) -> impl Iterator<Item = Subject> {
    let polynomials = FIELDS.into_iter().map(|exponents| {
        BinaryField::polynomial_of(exponents).expect("the exponents are those of a field in use")
    });
    polynomials.filter(move |n| kernel.supports(n)).map(move |n| {
        let modulus = Modulus::with_kernel(kernel, &n).expect("the kernel takes the modulus");
        Subject::of_kernel(kernel, modulus.bits(), move |secrets| {
            compute(&modulus, secrets, Residue::pow_bounded);
        })
    })
}

/// The power, a product, sums, a square, the comparison and the conversion to a number.
fn compute(modulus: &Modulus, secrets: &Secrets, power: fn(&Residue, &[u64], usize) -> Residue) {
    let x = modulus.residue(&secrets.x);
    let z = power(&x, &secrets.e, secrets.e_bits);
    let z = &(&z * &x) - &(&x + &-&modulus.one());
    black_box(z == x);
    black_box(Zeroizing::new(z.square().to_number()));
}

/// The operations that only a field has. Whether an inverse exists is public, so x is never 0 here.
fn of_field(exponents: &'static [usize]) -> Subject {
    let field = BinaryField::from_exponents(exponents).expect("the exponents are those of a field in use");
    let kernel = field.modulus().kernel();
    let run = move |secrets: &Secrets| {
        let mut number = Zeroizing::new(secrets.x[..field.degree() / 64].to_vec());
        number[0] |= 1;
        let x = field.element(&number).expect("the number is below n");
        let (y, z) = (x.sqrt(), x.square());
        black_box(y.trace());
        black_box(x.inverse().is_ok());
        black_box(field.batch_inverse(&[&x, &y, &z]).is_ok());
        black_box(field.dot(&[&x, &y, &z], &[&z, &x, &y]).is_ok());
    };
    Subject { name: "BinaryField".to_owned(), ..Subject::of_kernel(kernel, exponents[0], run) }
}

/// Exponentiations whose names say that their time depends on the exponent.
fn controls() -> [Subject; 2] {
    let (name, bits) = CONTROL;
    let kernel = Kernel::by_name(name).expect("the kernel is portable");
    let control = |name: &str, power: fn(&Residue, &[u64], usize) -> Residue| {
        let run = move |secrets: &Secrets| {
            let modulus = Modulus::with_kernel(kernel, &secrets.n).expect("the kernel takes the modulus");
            compute(&modulus, secrets, power);
        };
        Subject {
            name: name.to_owned(),
            is_vartime: true,
            is_control: true,
            ..Subject::of_kernel(kernel, bits, run)
        }
    };
    [
        control("pow_vartime", |x, e, _| x.pow_vartime(e)),
        control("pow_binary_vartime", |x, e, _| x.pow_binary_vartime(e)),
    ]
}
