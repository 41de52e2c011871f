//! Every entry point with huge numbers on a thread with a stack of 256 KiB: scratch lies on the heap, and nothing recurses.

use monpro::diffie_hellman::{Group, GroupError};
use monpro::number_theory::{
    is_prime_vartime, jacobi_vartime, next_prime_vartime, previous_prime_vartime, sqrt_vartime,
};
use monpro::ring::RingName;
use monpro::{
    BinaryField, CrtTask, FixedBase, KERNELS, MAX_EXPONENT_BITS, Method, Modulus, PowTask, fixed, modexp,
    modexp_vartime, natural, pow, pow_batch, pow_crt_batch, pow_with,
};
use std::thread;

const STACK: usize = 256 << 10;
/// The words of a huge number: a million bits.
const HUGE: usize = 1 << 14;
/// The words of a modulus of 2¹⁷ bits, whose powers end in a second.
const LONG: usize = 1 << 11;

/// Runs the work on a thread with a small stack. An overflow would end the process.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread starts")
        .join()
        .expect("the work ends");
}

/// The odd number 2^(64·words) − 1 − 2^64.
fn odd(words: usize) -> Vec<u64> {
    let mut n = vec![u64::MAX; words];
    n[words.min(2) - 1] ^= 2;
    n
}

/// The number with all bits set.
fn ones(words: usize) -> Vec<u64> {
    vec![u64::MAX; words]
}

#[test]
fn moduli_of_many_words_have_products_and_powers() {
    on_a_small_stack(|| {
        let n = odd(LONG);
        let modulus = Modulus::new(&n).unwrap();
        let x = modulus.residue(&[3]);
        assert_eq!((&x * &x).to_number()[0], 9);
        assert_eq!(x.pow(&[5]).to_number()[0], 243);
        assert_eq!(modulus.multi_pow(&[(&x, &[2]), (&x, &[3])]).to_number()[0], 243);
        assert_eq!(pow(&[3], &[5], &n).unwrap()[0], 243);
        assert_eq!(PowTask::new(&[3], &[5], &n).modulus_bits(), 64 * LONG);
        assert_eq!(pow_batch(&[PowTask::new(&[3], &[2], &n); 3])[2].as_ref().unwrap()[0], 9);
    });
}

#[test]
fn even_moduli_of_many_words_have_powers() {
    on_a_small_stack(|| {
        // 2^k, 2^k·m with a small m, and 2·m with a huge one.
        let mut power_of_two = vec![0; LONG];
        power_of_two[LONG - 1] = 1 << 63;
        let mut small_odd_part = power_of_two.clone();
        small_odd_part[LONG - 1] |= 1 << 60;
        let mut n = ones(LONG);
        n[0] <<= 1;
        for n in [power_of_two, small_odd_part, n] {
            assert_eq!(pow(&[3], &[5], &n).unwrap()[0], 243);
            let bytes = natural::to_be_bytes(&n, 8 * n.len());
            assert_eq!(modexp(&[3], &[5], &bytes).last(), Some(&243));
            assert_eq!(modexp_vartime(&[3], &[5], &bytes).last(), Some(&243));
        }
    });
}

#[test]
fn every_kernel_takes_long_moduli() {
    on_a_small_stack(|| {
        for kernel in KERNELS.iter().filter(|kernel| kernel.is_available()) {
            // Sparse, as some kernels over GF(2) want it. Portable kernels are slow.
            let sparse = |words: usize| {
                let mut n = vec![0; words];
                (n[0], n[words - 1]) = (0b10_1101, 1 << 63);
                n
            };
            let lengths: &[usize] = match (kernel.radix_bits, kernel.required_instructions()) {
                (..32, _) => &[16],
                (_, "") => &[96],
                _ => &[512, 256, 128, 64, 32, 16, 8],
            };
            let longest = lengths.iter().map(|&words| sparse(words)).find(|n| kernel.supports(n));
            let n = longest.expect("the kernel takes some of the moduli");
            let modulus = Modulus::with_kernel(kernel, &n).unwrap();
            let x = modulus.residue(&[2]);
            assert_eq!(x.pow_bounded(&[5], 3).to_number()[0], 32, "{}", kernel.name);
            assert_eq!((&(&x - &x) + &x.square()).to_number()[0], 4, "{}", kernel.name);
            assert_eq!(modulus.residue_from_words(&x.words()).unwrap(), x, "{}", kernel.name);
        }
    });
}

#[test]
fn bases_of_a_million_bits_are_reduced() {
    on_a_small_stack(|| {
        let x = ones(HUGE);
        // 2^(64·HUGE) = 1 modulo 2^64 − 1, whose multiples x and 3·5·17·257 are.
        for ring in [RingName::Integers, RingName::BinaryPolynomials] {
            for kernel in KERNELS.iter().filter(|kernel| kernel.ring == ring && kernel.is_available()) {
                let n = [257];
                if kernel.radix_bits >= 32 && kernel.supports(&n) {
                    let modulus = Modulus::with_kernel(kernel, &n).unwrap();
                    assert_eq!(modulus.residue(&x), modulus.zero(), "{}", kernel.name);
                }
            }
        }
        assert_eq!(pow(&x, &[3], &[257]), Ok(vec![0]));
        assert_eq!(pow(&x, &[3], &[514]), Ok(vec![257]));
        let bytes = natural::to_be_bytes(&x, 8 * HUGE);
        assert_eq!(modexp(&bytes, &[3], &[1, 1]), [0, 0]);
        assert_eq!(modexp_vartime(&bytes, &[3], &[1, 1]), [0, 0]);
        assert_eq!(modexp_vartime(&bytes, &[3], &[2, 2]), [1, 1]);
        assert!(fixed::Modulus::<1>::new([257]).unwrap().residue(&x).is_zero().to_bool());
        assert_eq!(pow_batch(&[PowTask::new(&x, &[3], &[257]); 8]), vec![Ok(vec![0]); 8]);
        let task = CrtTask { base: &x, p: &[11], q: &[7], d_p: &[3], d_q: &[1], q_inverse: &[8] };
        // x is 8 modulo 11 and 1 modulo 7; 8³ is 6 modulo 11.
        assert_eq!(pow_crt_batch(&[task; 8]), vec![Ok(vec![50, 0]); 8]);
    });
}

#[test]
fn exponents_of_a_million_bits_take_powers() {
    on_a_small_stack(|| {
        let (e, bytes) = (ones(HUGE), vec![0xff; 8 * HUGE]);
        // Modulo 257 the order of 3 is 256, so the exponent is −1; 3·86 = 1 modulo 257.
        let modulus = Modulus::new(&[257]).unwrap();
        let x = modulus.residue(&[3]);
        for power in [x.pow(&e), x.pow_vartime(&e), x.pow_binary_vartime(&e)] {
            assert_eq!(power.to_number(), [86]);
        }
        assert_eq!(modulus.multi_pow(&[(&x, &e)]).to_number(), [86]);
        assert_eq!(modulus.multi_pow_vartime(&[(&x, &e)]).to_number(), [86]);
        assert_eq!(FixedBase::new(&x, MAX_EXPONENT_BITS).unwrap().pow(&e).to_number(), [86]);
        for method in [Method::BinaryVartime, Method::FixedWindow, Method::SlidingWindowVartime] {
            assert_eq!(pow_with(method, &[3], &e, &[257], Modulus::new), Ok(vec![86]));
        }
        assert_eq!(modexp(&[3], &bytes, &[1, 1]), [0, 86]);
        assert_eq!(modexp_vartime(&[3], &bytes, &[1, 1]), [0, 86]);
        assert_eq!(pow_batch(&[PowTask::new(&[3], &e, &[257]); 8]), vec![Ok(vec![86]); 8]);
        let n = fixed::Modulus::<1>::new([257]).unwrap();
        assert_eq!(n.to_number(n.pow(n.residue(&[3]), &e)), [86]);
    });
}

#[test]
fn fields_and_groups_of_the_highest_degrees_are_refused_or_end() {
    on_a_small_stack(|| {
        assert!(BinaryField::polynomial_of(&[BinaryField::MAX_DEGREE + 1, 0]).is_err());
        assert!(BinaryField::new(&ones(HUGE)).is_err());
        let field = BinaryField::from_exponents(&[4423, 2098, 0]).unwrap();
        let x = field.element(&[2]).unwrap();
        assert_eq!(&x * &x.inverse().unwrap(), field.one());
        assert_eq!(x.sqrt().square(), x);
        let refused = Group::integers(&odd(HUGE), &[2], None).unwrap_err();
        assert_eq!(refused, GroupError::ModulusTooLong { bits: 64 * HUGE });
        let group = Group::named("ffdhe8192").unwrap();
        let key = group.private_key(&vec![1; group.octets()]).unwrap();
        assert!(key.agree(key.public_value()).is_ok());
        assert!(key.agree(&vec![1; 8 * HUGE]).is_err());
    });
}

#[test]
fn number_theory_takes_many_words() {
    on_a_small_stack(|| {
        let n = ones(HUGE);
        // 3 divides 2^(64·words) − 1.
        assert!(!is_prime_vartime(&n));
        assert_eq!(jacobi_vartime(&[3], &n), Some(0));
        assert_eq!(jacobi_vartime(&n, &n[1..]), Some(0));
        // 2^607 − 1 and 2^255 − 19, which are 3 and 1 modulo 4.
        let mut mersenne = ones(10);
        mersenne[9] >>= 33;
        let mut p = ones(4);
        (p[0], p[3]) = (p[0] - 18, p[3] >> 1);
        for p in [&mersenne, &p] {
            assert!(is_prime_vartime(p));
            assert_eq!(sqrt_vartime(&[9], p).map(|root| root[0]), Ok(3));
        }
        assert_eq!(previous_prime_vartime(&next_prime_vartime(&p)), Some(p));
    });
}
