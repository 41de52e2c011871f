//! Fields by their names, the search for polynomials, and orders of elements.

use monpro::{BinaryField, FieldError};

#[test]
fn every_name_is_that_of_a_field_and_says_its_degree() {
    let names: Vec<&str> = BinaryField::names().collect();
    assert_eq!(names.len(), 30);
    for name in names {
        let field = BinaryField::named(name).unwrap();
        let digits: String = name.chars().filter(char::is_ascii_digit).take(3).collect();
        let degree = digits.parse().unwrap_or(if name == "AES" { 8 } else { 128 });
        assert_eq!(field.degree(), degree, "{name}");
        assert_eq!(BinaryField::named(&name.to_lowercase()).unwrap(), field);
    }
    let refusal = BinaryField::named("B-999").unwrap_err();
    assert!(refusal.to_string().ends_with("sect571k1, sect571r1"), "{refusal}");
}

#[test]
fn the_irreducible_polynomials_found_are_those_of_seroussi() {
    for expected in [
        &[1, 0][..],
        &[2, 1, 0],
        &[3, 1, 0],
        &[8, 4, 3, 1, 0],
        &[64, 4, 3, 1, 0],
        &[127, 1, 0],
        &[128, 7, 2, 1, 0],
        &[163, 7, 6, 3, 0],
        &[233, 74, 0],
        &[283, 12, 7, 5, 0],
        &[409, 87, 0],
        &[571, 10, 5, 2, 0],
    ] {
        assert_eq!(BinaryField::irreducible_polynomial(expected[0]).unwrap(), expected);
    }
    assert_eq!(BinaryField::irreducible_polynomial(0), Err(FieldError::ConstantPolynomial));
    let degree = BinaryField::MAX_SEARCH_DEGREE + 1;
    assert_eq!(
        BinaryField::irreducible_polynomial(degree),
        Err(FieldError::DegreeTooHighToSearch { degree })
    );
}

#[test]
fn the_first_polynomial_that_makes_a_field_is_found() {
    for k in 2..=24 {
        let of_three = (1..k).map(|a| vec![k, a, 0]);
        let of_five = (1..k).flat_map(|a| (1..a).flat_map(move |b| (1..b).map(move |c| vec![k, a, b, c, 0])));
        let candidates: Vec<_> = of_three.chain(of_five).collect();
        let field = |exponents: &Vec<usize>| BinaryField::from_exponents(exponents).ok();
        let irreducible = candidates.iter().find(|exponents| field(exponents).is_some());
        assert_eq!(BinaryField::irreducible_polynomial(k).ok().as_ref(), irreducible, "degree {k}");
        let primitive = candidates.iter().find(|exponents| {
            field(exponents)
                .is_some_and(|field| field.element(&[2]).unwrap().order_vartime() == Ok((1 << k) - 1))
        });
        assert_eq!(BinaryField::primitive_polynomial(k).ok().as_ref(), primitive, "degree {k}");
    }
}

#[test]
fn every_degree_has_a_primitive_polynomial() {
    for k in 1..=BinaryField::MAX_ORDER_DEGREE {
        let exponents = BinaryField::primitive_polynomial(k).unwrap();
        assert_eq!(BinaryField::from_exponents(&exponents).unwrap().is_primitive(), Ok(true));
    }
}

#[test]
fn orders_are_those_that_repeated_products_find() {
    for exponents in [&[1, 0][..], &[2, 1, 0], &[4, 3, 2, 1, 0], &[6, 3, 0], &[8, 4, 3, 1, 0]] {
        let field = BinaryField::from_exponents(exponents).unwrap();
        let mut least_generator = None;
        for number in 1..1u64 << field.degree() {
            let x = field.element(&[number]).unwrap();
            let (mut power, mut order) = (x.clone(), 1);
            while power != field.one() {
                power = &power * &x;
                order += 1;
            }
            assert_eq!(x.order_vartime(), Ok(order));
            if order == (1 << field.degree()) - 1 && least_generator.is_none() {
                least_generator = Some(x);
            }
        }
        assert_eq!(field.generator().ok(), least_generator);
        let x_generates = field.degree() == 1
            || field.element(&[2]).unwrap().order_vartime() == Ok((1 << field.degree()) - 1);
        assert_eq!(field.is_primitive(), Ok(x_generates));
        assert_eq!(field.zero().order_vartime(), Err(FieldError::OrderOfZero));
    }
}

#[test]
fn orders_need_a_field_whose_group_is_known() {
    let primitive = BinaryField::from_exponents(&BinaryField::primitive_polynomial(128).unwrap()).unwrap();
    let x = primitive.element(&[2]).unwrap();
    assert_eq!(x.order_vartime(), Ok(u128::MAX));
    // x generates the group, so the order of x^d is that of the group by d, for each d that divides it.
    for d in [3, 17, 255, 65_537] {
        assert_eq!(x.pow(&[d]).order_vartime(), Ok(u128::MAX / u128::from(d)), "x^{d}");
    }
    let long = BinaryField::named("B-163").unwrap();
    let refusal = FieldError::UnknownGroupOrder { degree: 163 };
    assert_eq!(long.is_primitive(), Err(refusal.clone()));
    assert_eq!(long.generator().err(), Some(refusal.clone()));
    assert_eq!(long.one().order_vartime(), Err(refusal));
    assert_eq!(BinaryField::primitive_polynomial(129), Err(FieldError::UnknownGroupOrder { degree: 129 }));
}
