//! The binary fields against the bitwise oracle: in every degree up to 200, in the degrees of the named
//! fields, and in degrees that fill words exactly or miss that by one. The laws of a field are checked as
//! properties.

mod oracle;
mod random;

use monpro::ring::RingName;
use monpro::{BinaryField, FieldElement, FieldError, KERNELS, natural};
use proptest::prelude::*;
use random::Random;

/// The reduction polynomials of FIPS 186-4.
const NAMED: [&[usize]; 5] =
    [&[163, 7, 6, 3, 0], &[233, 74, 0], &[283, 12, 7, 5, 0], &[409, 87, 0], &[571, 10, 5, 2, 0]];

#[test]
fn the_fields_of_every_degree_up_to_200_agree_with_the_oracle() {
    for k in 2..=200 {
        agrees_with_the_oracle(&some_field(k), 2);
    }
}

#[test]
fn named_fields_and_the_degrees_about_whole_words_agree_with_the_oracle() {
    for exponents in NAMED {
        agrees_with_the_oracle(&BinaryField::from_exponents(exponents).unwrap(), 4);
    }
    for k in [63, 64, 65, 127, 128, 192, 255, 256] {
        agrees_with_the_oracle(&some_field(k), 4);
    }
}

#[test]
fn the_field_of_two_elements_is_one() {
    let field = BinaryField::new(&[0b11]).unwrap();
    let (zero, one) = (field.zero(), field.one());
    assert_eq!((field.degree(), field.octets()), (1, 1));
    assert_eq!((&one + &one, &one * &one, one.inverse().unwrap()), (zero.clone(), one.clone(), one.clone()));
    assert_eq!(
        (one.sqrt(), one.half_trace().unwrap(), one.frobenius(9)),
        (one.clone(), one.clone(), one.clone())
    );
    assert_eq!((one.trace(), zero.trace()), (true, false));
    assert_eq!(one.to_be_bytes(), [1]);
}

#[test]
fn powers_of_x_are_those_of_the_oracle() {
    for k in [2, 17, 64, 100] {
        let field = some_field(k);
        let x = field.element(&[2]).unwrap();
        for e in [0, 1, 5, 63, 64, 300] {
            let expected = oracle::power_of_two(RingName::BinaryPolynomials, e, field.modulus().number());
            assert_eq!(x.pow(&[e as u64]).to_number(), expected[..k.div_ceil(64)], "x^{e} in degree {k}");
        }
    }
}

#[test]
fn exactly_the_irreducible_polynomials_make_fields() {
    const DEGREE: usize = 11;
    let mut is_product = vec![false; 2 << DEGREE];
    for a in 2u64..1 << DEGREE {
        for b in 2..=a {
            let product = (0..64).fold(0, |sum, i| sum ^ ((a << i) * (b >> i & 1)));
            if let Some(entry) = is_product.get_mut(product as usize) {
                *entry = true;
            }
        }
    }
    for f in 3..2u64 << DEGREE {
        let outcome = BinaryField::new(&[f]).map(|field| field.degree());
        let degree = f.ilog2() as usize;
        match (f & 1, is_product[f as usize]) {
            (0, _) => assert_eq!(outcome, Err(FieldError::NoConstantTerm), "{f:b}"),
            (_, true) => assert_eq!(outcome, Err(FieldError::Reducible { degree }), "{f:b}"),
            (_, false) => assert_eq!(outcome, Ok(degree), "{f:b}"),
        }
    }
}

#[test]
fn products_of_large_irreducible_polynomials_are_refused() {
    let mut random = Random(7);
    for (a, b) in [(60, 60), (60, 90), (40, 121), (2, 161), (89, 127)] {
        let (f, g) = (some_field(a), random_field(b, &mut random));
        let mut product = vec![0; (a + b) / 64 + 1];
        for i in (0..=a).filter(|&i| coefficient(f.modulus().number(), i)) {
            for j in (0..=b).filter(|&j| coefficient(g.modulus().number(), j)) {
                product[(i + j) / 64] ^= 1 << ((i + j) % 64);
            }
        }
        let degree = a + b;
        assert_eq!(BinaryField::new(&product).unwrap_err(), FieldError::Reducible { degree });
    }
}

#[test]
fn every_kernel_serves_a_field() {
    let mut random = Random(3);
    let dense = random_field(130, &mut random);
    let mut served = 0;
    for polynomial in [BinaryField::polynomial_of(NAMED[0]).unwrap(), dense.modulus().number().to_vec()] {
        for kernel in KERNELS.iter().filter(|kernel| kernel.is_available() && kernel.supports(&polynomial)) {
            match BinaryField::with_kernel(kernel, &polynomial) {
                Ok(field) => {
                    assert_eq!(field.modulus().kernel().name, kernel.name);
                    agrees_with_the_oracle(&field, 1);
                    served += 1;
                }
                Err(error) => {
                    assert_eq!(kernel.ring, RingName::Integers, "{error}");
                    let wanted = RingName::BinaryPolynomials;
                    assert_eq!(error, monpro::Error::WrongRing { kernel: kernel.name, wanted }.into());
                }
            }
        }
    }
    assert!(served >= 40, "{served}");
}

#[test]
fn what_is_no_field_and_no_element_is_a_typed_error() {
    let refused = |words: &[u64]| BinaryField::new(words).unwrap_err();
    assert_eq!(refused(&[]), FieldError::ConstantPolynomial);
    assert_eq!(refused(&[0, 0]), FieldError::ConstantPolynomial);
    assert_eq!(refused(&[1]), FieldError::ConstantPolynomial);
    assert_eq!(refused(&[2]), FieldError::NoConstantTerm);
    assert_eq!(refused(&[0b101]), FieldError::Reducible { degree: 2 });
    let exponents = |exponents: &[usize]| BinaryField::from_exponents(exponents).unwrap_err();
    assert_eq!(exponents(&[]), FieldError::ConstantPolynomial);
    assert_eq!(exponents(&[5, 2, 2, 0]), FieldError::RepeatedExponent { exponent: 2 });
    assert_eq!(exponents(&[usize::MAX, 0]), FieldError::DegreeTooHigh { degree: usize::MAX });

    let field = BinaryField::from_be_bytes(&[1, 0x1b]).unwrap();
    let degree = |number: &[u64]| match field.element(number) {
        Err(FieldError::ElementDegree { degree, field_degree: 8 }) => degree,
        other => panic!("{other:?}"),
    };
    assert_eq!(degree(&[0x100]), 8);
    assert_eq!(degree(&[0, 1 << 5]), 69);
    // Equal words above the degree do not cancel.
    assert_eq!(degree(&[0, 1 << 5, 1 << 5]), 133);
    assert!(field.element(&[0xff, 0, 0]).is_ok());
    let octets = |octets: &[u8]| field.element_from_be_bytes(octets).unwrap_err();
    assert_eq!(octets(&[]), FieldError::OctetCount { expected: 1, given: 0 });
    assert_eq!(octets(&[0, 1]), FieldError::OctetCount { expected: 1, given: 2 });
    assert_eq!(field.zero().inverse().unwrap_err(), FieldError::InverseOfZero);
    assert_eq!(field.one().half_trace().unwrap_err(), FieldError::HalfTraceOfEvenDegree { degree: 8 });
    let one = [field.one()];
    assert_eq!(field.dot(&one, &[]).unwrap_err(), FieldError::LengthsDiffer { first: 1, second: 0 });
    let with_zero = [field.one(), field.zero(), field.zero()];
    assert_eq!(field.batch_inverse(&with_zero).unwrap_err(), FieldError::InverseOfZeroAmong { index: 1 });
}

#[test]
fn an_element_whose_words_are_equal_is_not_0() {
    let field = BinaryField::named("GCM").unwrap();
    // An even number of equal words cancel in a sum.
    let mut words = vec![5; field.modulus().s()];
    if words.len() % 2 == 1 {
        *words.last_mut().unwrap() = 0;
    }
    let x = field.element(&field.modulus().residue_from_words(&words).unwrap().to_number()).unwrap();
    assert_eq!(x.residue().words(), words);
    assert!(!x.is_zero());
    assert_eq!(&x * &x.inverse().unwrap(), field.one());
    assert_eq!(field.batch_inverse(std::slice::from_ref(&x)).unwrap(), [x.inverse().unwrap()]);
}

#[test]
#[should_panic(expected = "another field")]
fn elements_of_different_fields_do_not_meet_in_a_sum() {
    let (field, other) = (some_field(10), some_field(11));
    let _ = field.dot(&[field.one()], &[other.one()]);
}

#[test]
#[should_panic(expected = "different moduli")]
fn elements_of_different_fields_do_not_multiply() {
    let _ = &some_field(10).one() * &some_field(11).one();
}

#[test]
fn nothing_secret_is_printed() {
    let shown = format!("{:?}", some_field(40).element(&[0xdead_beef]).unwrap());
    assert!(!shown.contains("3735928559") && !shown.to_lowercase().contains("dead"), "{shown}");
}

proptest! {
    #[test]
    fn elements_form_a_field(k in 2..90usize, x in any::<[u64; 2]>(), y in any::<[u64; 2]>(), z in any::<[u64; 2]>()) {
        let field = some_field(k);
        let [x, y, z] = [x, y, z].map(|number| field.element(&lowest(&number, k)).unwrap());
        prop_assert_eq!(&x + &y, &y + &x);
        prop_assert_eq!(&x * &y, &y * &x);
        prop_assert_eq!(&(&x + &y) + &z, &x + &(&y + &z));
        prop_assert_eq!(&(&x * &y) * &z, &x * &(&y * &z));
        prop_assert_eq!(&x * &(&y + &z), &(&x * &y) + &(&x * &z));
        prop_assert_eq!(&x + &field.zero(), x.clone());
        prop_assert_eq!(&x * &field.one(), x.clone());
        prop_assert_eq!(&x - &x, field.zero());
        prop_assert_eq!(&x + &-&x, field.zero());
        if !x.is_zero() {
            prop_assert_eq!(&x * &x.inverse().unwrap(), field.one());
        }
        prop_assert_eq!((&x + &y).square(), &x.square() + &y.square());
        prop_assert_eq!((&x + &y).trace(), x.trace() ^ y.trace());
        prop_assert_eq!((&x * &y).frobenius(3), &x.frobenius(3) * &y.frobenius(3));
        prop_assert_eq!(x.frobenius(k), x.clone());
        prop_assert_eq!(x.frobenius(1), x.square());
        prop_assert_eq!((&x * &y).sqrt(), &x.sqrt() * &y.sqrt());
    }

    #[test]
    fn powers_keep_their_laws(k in 2..70usize, x in any::<[u64; 2]>(), d in any::<u32>(), e in any::<u32>()) {
        let field = some_field(k);
        let x = field.element(&lowest(&x, k)).unwrap();
        let (d, e) = (u64::from(d), u64::from(e));
        prop_assert_eq!(&x.pow(&[d]) * &x.pow_vartime(&[e]), x.pow_bounded(&[d + e], 33));
    }

    #[test]
    fn octets_and_numbers_lead_back(k in 2..150usize, x in any::<[u64; 3]>()) {
        let field = some_field(k);
        let number = lowest(&x, k);
        let x = field.element(&number).unwrap();
        prop_assert_eq!(x.to_number().len(), k.div_ceil(64));
        prop_assert_eq!(x.to_number(), &number[..k.div_ceil(64)]);
        prop_assert_eq!(x.to_be_bytes(), natural::to_be_bytes(&number, k.div_ceil(8)));
        prop_assert_eq!(field.element_from_be_bytes(&x.to_be_bytes()).unwrap(), x);
    }
}

/// Every operation on some elements of the field, against the oracle.
fn agrees_with_the_oracle(field: &BinaryField, count: usize) {
    let k = field.degree();
    let context = format!("{field:?} of {:x?}", field.modulus().number());
    let oracle = Oracle { f: field.modulus().number().to_vec() };
    let mut random = Random(k as u64);
    let mut numbers = vec![oracle.number(&[1]), oracle.number(&lowest(&[u64::MAX; 10], k))];
    numbers.extend((0..count).map(|_| oracle.number(&lowest(&random.words(10), k))));
    let elements: Vec<_> = numbers.iter().map(|number| field.element(number).unwrap()).collect();
    let value = |element: &FieldElement| oracle.number(&element.to_number());

    let mut sum = oracle.number(&[]);
    let mut scratch = field.modulus().scratch();
    for (x, x_number) in elements.iter().zip(&numbers) {
        unary_operations_agree(x, x_number, &oracle, &context);
        for (y, y_number) in elements.iter().zip(&numbers) {
            let product = oracle.product(x_number, y_number);
            assert_eq!(value(&(x * y)), product, "product in {context}");
            let mut in_place = x.clone();
            in_place.mul_assign(y, &mut scratch);
            assert_eq!(value(&in_place), product, "product in place in {context}");
            let expected: Vec<u64> = x_number.iter().zip(y_number).map(|(a, b)| a ^ b).collect();
            assert_eq!(value(&(x + y)), expected, "sum in {context}");
            sum = sum.iter().zip(&product).map(|(a, b)| a ^ b).collect();
        }
    }
    let pairs = || elements.iter().flat_map(|x| elements.iter().map(move |y| (x, y)));
    let (xs, ys): (Vec<_>, Vec<_>) = pairs().unzip();
    assert_eq!(value(&field.dot(&xs, &ys).unwrap()), sum, "dot product in {context}");
    assert_eq!(field.dot::<FieldElement>(&[], &[]).unwrap(), field.zero());
    let units: Vec<_> = elements.iter().filter(|element| !element.is_zero()).collect();
    for (x, inverse) in units.iter().zip(field.batch_inverse(&units).unwrap()) {
        assert_eq!(inverse, x.inverse().unwrap(), "batch inverse in {context}");
    }
    assert_eq!(field.batch_inverse::<FieldElement>(&[]).unwrap(), []);
}

fn unary_operations_agree(x: &FieldElement, number: &[u64], oracle: &Oracle, context: &str) {
    let k = x.field().degree();
    let value = |element: &FieldElement| oracle.number(&element.to_number());
    let square = |number: &[u64]| oracle.product(number, number);
    assert_eq!(value(x), number);
    assert_eq!(value(&x.square()), square(number), "square in {context}");
    let mut in_place = x.clone();
    in_place.square_assign(&mut x.field().modulus().scratch());
    assert_eq!(value(&in_place), square(number), "square in place in {context}");
    assert_eq!(square(&value(&x.sqrt())), number, "square root in {context}");

    // Conjugates x^(2^i): the trace is their sum, the half-trace is the sum of every second one.
    let conjugates: Vec<Vec<u64>> =
        std::iter::successors(Some(number.to_vec()), |number| Some(square(number))).take(k).collect();
    let total = |step: usize, count: usize| {
        conjugates.iter().step_by(step).take(count).fold(oracle.number(&[]), |sum, conjugate| {
            sum.iter().zip(conjugate).map(|(a, b)| a ^ b).collect()
        })
    };
    assert_eq!(oracle.number(&[u64::from(x.trace())]), total(1, k), "trace in {context}");
    if k % 2 == 1 {
        assert_eq!(value(&x.half_trace().unwrap()), total(2, k / 2 + 1), "half-trace in {context}");
    }
    for n in [0, 1, 2, k / 2, k - 1, k, k + 1, usize::MAX] {
        assert_eq!(value(&x.frobenius(n)), conjugates[n % k], "Frobenius in {context}");
    }
    // x^(2^i + 2^j) is the product of two conjugates.
    let (i, j) = (k / 3, k - 1);
    let mut e = vec![0; k.div_ceil(64) + 1];
    e[i / 64] |= 1 << (i % 64);
    e[j / 64] ^= 1 << (j % 64);
    if i != j {
        let expected = oracle.product(&conjugates[i], &conjugates[j]);
        assert_eq!(value(&x.pow(&e)), expected, "power in {context}");
        assert_eq!(value(&x.pow_vartime(&e)), expected, "power in {context}");
    }
    if !x.is_zero() {
        let inverse = value(&x.inverse().unwrap());
        assert_eq!(oracle.product(&inverse, number), oracle.number(&[1]), "inverse in {context}");
    }
}

/// Products modulo f by the bitwise oracle, of numbers as long as f.
struct Oracle {
    f: Vec<u64>,
}

impl Oracle {
    fn product(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        oracle::product(RingName::BinaryPolynomials, x, y, &self.f)
    }

    /// The number, as long as f.
    fn number(&self, number: &[u64]) -> Vec<u64> {
        assert!(oracle::bits(number) < oracle::bits(&self.f));
        (0..self.f.len()).map(|i| number.get(i).copied().unwrap_or(0)).collect()
    }
}

/// A field of degree k: its polynomial is the first trinomial or pentanomial for odd k, and random for even
/// k.
fn some_field(k: usize) -> BinaryField {
    if k % 2 == 0 {
        return random_field(k, &mut Random(k as u64));
    }
    let trinomials = (1..k).map(|a| vec![k, a, 0]);
    let pentanomials =
        (3..k).flat_map(|a| (2..a).flat_map(move |b| (1..b).map(move |c| vec![k, a, b, c, 0])));
    let found = trinomials.chain(pentanomials).find_map(|terms| BinaryField::from_exponents(&terms).ok());
    found.expect("there is an irreducible trinomial or pentanomial of each such degree")
}

fn random_field(k: usize, random: &mut Random) -> BinaryField {
    let candidates = std::iter::from_fn(|| {
        let mut f = lowest(&random.words(k / 64 + 1), k);
        f[0] |= 1;
        f[k / 64] |= 1 << (k % 64);
        Some(f)
    });
    candidates
        .take(100 * k)
        .find_map(|f| BinaryField::new(&f).ok())
        .expect("every k-th polynomial is irreducible")
}

/// The k lowest bits, as long as the number.
fn lowest(number: &[u64], k: usize) -> Vec<u64> {
    let kept = |i: usize| match k.saturating_sub(64 * i) {
        0 => 0,
        bits if bits < 64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    number.iter().enumerate().map(|(i, word)| word & kept(i)).collect()
}

fn coefficient(number: &[u64], i: usize) -> bool {
    number[i / 64] >> (i % 64) & 1 == 1
}
