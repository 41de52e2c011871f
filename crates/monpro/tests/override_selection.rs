//! A kernel that is selected for every modulus: tested in a process of its own, because it affects all
//! threads.

use monpro::ring::RingName;
use monpro::{Error, KERNELS, Kernel, Modulus, modexp_vartime, pow};

#[test]
fn the_kernel_is_taken_for_its_ring_where_it_takes_the_modulus() {
    let of_polynomials = Modulus::of_polynomial(&[7]).unwrap().kernel().name;
    for kernel in KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers) {
        match kernel.is_available() {
            true => kernel.override_selection().unwrap(),
            false => {
                let needs = kernel.required_instructions();
                let refusal = Error::KernelUnavailable { kernel: kernel.name, needs };
                assert_eq!(kernel.override_selection(), Err(refusal));
                continue;
            }
        }
        let n = [1_000_003, 0, 0, 0, 0, 0, 0, 0, 5];
        let taken = Modulus::new(&n).unwrap().kernel();
        assert_eq!(core::ptr::eq(taken, kernel), kernel.supports(&n), "{}", kernel.name);
        let bytes = monpro::natural::to_be_bytes(&n, 72);
        let power = monpro::natural::to_be_bytes(&pow(&[3], &[200], &n).unwrap(), 72);
        assert_eq!(modexp_vartime(&[3], &[200], &bytes), power, "{}", kernel.name);
    }
    assert_eq!(Modulus::of_polynomial(&[7]).unwrap().kernel().name, of_polynomials);
    Kernel::by_name("sos-gf2").unwrap().override_selection().unwrap();
    assert_eq!(Modulus::of_polynomial(&[7]).unwrap().kernel().name, "sos-gf2");
}
