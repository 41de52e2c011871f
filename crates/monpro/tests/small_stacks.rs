//! The entry points with huge numbers on threads with a stack of 256 KiB: scratch lies on the heap, and nothing recurses.

use monpro::diffie_hellman::{Group, GroupError};
use monpro::number_theory::{
    is_prime_vartime, jacobi_vartime, next_prime_vartime, previous_prime_vartime, sqrt_vartime,
};
use monpro::ring::RingName;
use monpro::{
    ARRAY_ENGINES, ArrayField, BATCH_ENGINES, BatchEngine, BinaryField, CrtTask, FixedBase, KERNELS,
    MAX_EXPONENT_BITS, Method, Modulus, PowTask, Shape, TwoModuli, fixed, inverse, inverse_vartime, modexp,
    modexp_vartime, natural, pow, pow_batch, pow_batch_on, pow_crt_batch, pow_crt_batch_on, pow_with,
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

/// Entry points beside those of the tests below, each with numbers as long as end in a second. A thread that overflows its
/// stack ends the process with its name, which is that of the row.
const ENTRY_POINTS: [(&str, fn()); 15] = [
    ("powers of long residues, in variable time", powers_in_variable_time),
    ("two moduli", two_moduli),
    ("a batch by each engine", batches),
    ("a batch of halves by each engine", batches_of_halves),
    ("inverse", || assert_eq!(inverse(&[2], &odd(LONG / 16)).unwrap().unwrap()[1], u64::MAX)),
    ("inverse_vartime", || assert_eq!(inverse_vartime(&[2], &odd(LONG)).unwrap().unwrap()[1], u64::MAX)),
    ("moduli of a fixed length", || {
        let n = fixed::Modulus::<64>::new([u64::MAX; 64]).unwrap();
        let x = n.residue(&[2; 128]);
        assert!(n.pow(x, &[3]).is_equal(n.mul(x, n.square(x))).to_bool());
        assert!(n.pow_vartime(x, &[2]).is_equal(n.square(x)).to_bool());
    }),
    ("a long prime", || assert!(is_prime_vartime(Group::named("ffdhe4096").unwrap().modulus().number()))),
    ("square roots modulo a composite", || assert!(sqrt_vartime(&[4], &odd(64)).is_err())),
    ("the longest polynomials", longest_polynomials),
    ("the search of a polynomial", || {
        assert_eq!(BinaryField::irreducible_polynomial(1279).unwrap(), [1279, 216, 0]);
        assert!(BinaryField::irreducible_polynomial(usize::MAX).is_err());
    }),
    ("elements of a long field", elements_of_a_long_field),
    ("groups in a long field", || {
        let field = BinaryField::from_exponents(&[4423, 2098, 0]).unwrap();
        let group = Group::binary_field(&field.element(&[2]).unwrap(), None).unwrap();
        let key = group.private_key(&vec![1; group.octets()]).unwrap();
        assert!(key.agree(key.public_value()).is_ok());
    }),
    ("arrays of elements", arrays),
    ("powers of a long fixed base", || {
        let x = Modulus::new(&odd(LONG / 4)).unwrap().residue(&[3]);
        assert_eq!(FixedBase::new(&x, 64).unwrap().pow(&[5]).to_number()[0], 243);
    }),
];

fn powers_in_variable_time() {
    let modulus = Modulus::new(&odd(LONG)).unwrap();
    let x = modulus.residue(&[3]);
    assert_eq!(x.pow_vartime(&[5]), x.pow_binary_vartime(&[5]));
    assert_eq!(modulus.multi_pow_vartime(&[(&x, &[2]), (&x, &[3])]).to_number()[0], 243);
}

fn two_moduli() {
    for words in [8, 16, LONG / 4] {
        let (p, q) = (odd(words), ones(words));
        let moduli = [&p, &q].map(|n| Modulus::new(n).unwrap());
        let powers = TwoModuli::new(moduli.each_ref()).pow_bounded([&[3], &[2]], [&[5], &[5]], 3);
        assert_eq!(powers.map(|power| power.to_number()[0]), [243, 32]);
    }
}

fn batches() {
    for engine in engines() {
        for words in [8, 16, LONG / 4] {
            let n = odd(words);
            let powers = pow_batch_on(&[engine], &[PowTask::bounded(&[3], &[5], &n, 3).unwrap(); 9]).powers;
            assert!(powers.iter().all(|power| power.as_ref().unwrap()[0] == 243), "{}", engine.name());
        }
    }
}

fn batches_of_halves() {
    for engine in engines() {
        for words in [8, 16, 32] {
            // q = p + 2 is 2 modulo p, whose inverse is (p + 1)/2.
            let (mut p, mut q, mut inverse) = (ones(words), ones(words), vec![0; words]);
            (p[0], q[0]) = (1, 3);
            (inverse[0], inverse[words - 1]) = (1 | 1 << 63, u64::MAX >> 1);
            inverse[1..words - 1].fill(u64::MAX);
            let task = CrtTask { base: &[3], p: &p, q: &q, d_p: &[2], d_q: &[2], q_inverse: &inverse };
            let powers = pow_crt_batch_on(&[engine], &[task; 9]).powers;
            assert!(powers.iter().all(|power| power.as_ref().unwrap()[0] == 9), "{}", engine.name());
        }
    }
}

/// The engines that this CPU has; tests/batch.rs says which it lacks.
fn engines() -> impl Iterator<Item = &'static dyn BatchEngine> {
    BATCH_ENGINES.iter().copied().filter(|engine| engine.unavailable_reason().is_none())
}

fn longest_polynomials() {
    // x divides the polynomial, which is therefore refused.
    assert!(BinaryField::from_exponents(&[BinaryField::MAX_DEGREE, 1]).is_err());
    let n = odd(LONG);
    let x = Modulus::of_polynomial(&n).unwrap().residue(&[2]);
    assert_eq!(x.pow(&[5]).to_number()[0], 32);
    assert_eq!(x.pow_vartime(&[5]).to_number()[0], 32);
}

fn elements_of_a_long_field() {
    let field = BinaryField::from_exponents(&[4423, 2098, 0]).unwrap();
    let x = field.element(&[2]).unwrap();
    let elements = [x.square(), x.clone()];
    let inverses = field.batch_inverse(&elements).unwrap();
    assert_eq!(field.dot(&elements, &inverses).unwrap(), field.zero());
    assert_eq!(x.frobenius(4423), x);
    assert_eq!(x.pow_vartime(&[4]), x.pow_bounded(&[4], 3));
    assert_eq!(x.trace(), x.square().trace());
    let half = x.half_trace().unwrap();
    assert_eq!(&half.square() + &half, if x.trace() { &x + &field.one() } else { x.clone() });
    assert!(x.order_vartime().is_err() && field.is_primitive().is_err() && field.generator().is_err());
}

fn arrays() {
    let field = BinaryField::from_exponents(&[64, 4, 3, 1, 0]).unwrap();
    for engine in ARRAY_ENGINES.iter().filter(|engine| engine.is_available()) {
        let arrays = ArrayField::with_engine(engine, &field).unwrap();
        let (x, mut z) = (vec![3u64; 1 << 16], vec![0u64; 1 << 16]);
        arrays.multiply(&mut z, &x, &x).unwrap();
        assert!(z.iter().all(|&z| z == 5), "{}", engine.name);
        arrays.invert(&mut z[..1 << 10]).unwrap();
        arrays
            .matrix_product(
                Shape { rows: 64, inner: 64, columns: 64 },
                &mut z[..1 << 12],
                &x[..1 << 12],
                &x[..1 << 12],
            )
            .unwrap();
        // 64 products of 3 by itself.
        assert!(z[..1 << 12].iter().all(|&z| z == 0), "{}", engine.name);
    }
}

#[test]
fn entry_points_take_long_numbers() {
    for (name, work) in ENTRY_POINTS {
        thread::Builder::new().name(name.into()).stack_size(STACK).spawn(work).unwrap().join().expect(name);
    }
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

/// Every operation on rows of 2¹⁵ bits, and the fast ones on rows of the most octets, in this thread and in others.
#[cfg(feature = "columns")]
#[test]
fn columns_take_long_numbers() {
    use monpro::columns::{Column, MOST_OCTETS, OPERATIONS, Primes, Results, compute};
    const ROWS: usize = 3;
    for width in [2 * LONG, MOST_OCTETS] {
        on_a_small_stack(move || {
            let primes = Primes::new(|octets: &mut [u8]| octets.fill(2));
            for named in &OPERATIONS {
                if width == MOST_OCTETS && !["product", "prime"].contains(&named.name) {
                    continue;
                }
                // 2^(8·width) − 2, and 3 for an exponent.
                let mut rows = vec![0xff; ROWS * width];
                rows.chunks_mut(width).for_each(|row| row[width - 1] = 0xfe);
                let (rows, exponent) = (rows.as_slice(), [3].as_slice());
                let column = |name: &&str| match *name {
                    "exponent" => Column::constant(&exponent),
                    _ => Column::fixed(&rows, width, ROWS).unwrap(),
                };
                let operands: Vec<Column<'_>> = named.operands.iter().map(column).collect();
                let octets = if named.name == "prime" { 1 } else { width };
                let (mut out, mut statuses) = (vec![1; ROWS * octets], vec![0; ROWS]);
                let mut results = Results::fixed(&mut out, octets);
                let operation = named.operation.unwrap_or(&primes);
                assert!(
                    compute(operation, &operands, &mut results, &mut statuses, Some(2), &mut ()).unwrap()
                );
                // Each operand is a multiple of the modulus, so that only the inverse fails; and the number is even.
                assert!(out.iter().all(|&octet| octet == 0), "{}", named.name);
                assert_eq!(statuses[0] != 0, named.name == "inverse", "{}", named.name);
            }
        });
    }
}
