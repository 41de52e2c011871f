//! Every engine for arrays against the arithmetic of elements: in every degree up to 64, for every word that holds an
//! element, and for lengths about those of vectors and blocks.

mod random;

use monpro::{
    ARRAY_ENGINES, ArrayEngine, ArrayField, ArrayWord, BinaryField, FieldElement, FieldError, Shape,
};
use random::Random;
use std::io::Write;

#[test]
fn every_engine_computes_as_elements_do_in_every_degree() {
    for engine in available_engines() {
        for k in 1..=64 {
            let field = some_field(k, k as u64);
            let arrays = ArrayField::with_engine(engine, &field).unwrap();
            let mut random = Random(k as u64);
            if k <= 8 {
                agrees::<u8>(&field, &arrays, &mut random);
            }
            if k <= 16 {
                agrees::<u16>(&field, &arrays, &mut random);
            }
            if k <= 32 {
                agrees::<u32>(&field, &arrays, &mut random);
            }
            agrees::<u64>(&field, &arrays, &mut random);
        }
    }
}

#[test]
fn every_pair_of_elements_of_small_fields_has_its_product() {
    for engine in available_engines() {
        for f in [0b111, 0b1_0001_1011, 0b1_0001_1101, 0b1000_0011, 0b11_0000_0101_1011] {
            let Ok(field) = BinaryField::new(&[f]) else { continue };
            let arrays = ArrayField::with_engine(engine, &field).unwrap();
            let count = 1u16 << field.degree().min(8);
            for x in 0..count {
                let y: Vec<u16> = (0..count).collect();
                let mut z = vec![0; y.len()];
                arrays.scale(&mut z, &y, x).unwrap();
                let expected: Vec<u16> = y.iter().map(|&y| bitwise_product(x, y, f)).collect();
                assert_eq!(z, expected, "{} modulo {f:b}", engine.name);
            }
        }
    }
}

#[test]
fn the_inverses_of_arrays_longer_than_a_table_are_those_of_the_elements() {
    for engine in available_engines() {
        for k in [1, 3, 8, 9] {
            let field = some_field(k, 5);
            let arrays = ArrayField::with_engine(engine, &field).unwrap();
            let all: Vec<u16> = (1..1 << k).collect();
            let expected = of_words::<u16>(&field.batch_inverse(&of_field(&field, &all)).unwrap());
            let mut x = all.repeat(6);
            arrays.invert(&mut x).unwrap();
            assert_eq!(x, expected.repeat(6), "{} in degree {k}", engine.name);
        }
    }
}

#[test]
fn every_element_of_fields_of_degree_16_has_its_inverse() {
    // In the first field x is no generator, in the second it is; the last has many terms.
    for f in [0x1_002b, 0x1_002d, 0x1_ffed] {
        let field = BinaryField::new(&[f]).unwrap();
        for engine in available_engines() {
            let arrays = ArrayField::with_engine(engine, &field).unwrap();
            let all: Vec<u16> = (1..=u16::MAX).collect();
            let mut inverses = all.clone();
            arrays.invert(&mut inverses).unwrap();
            for (x, inverse) in all.into_iter().zip(inverses) {
                assert_eq!(bitwise_product(x, inverse, f), 1, "{} modulo {f:x}: {x:x}", engine.name);
            }
        }
    }
}

#[test]
fn only_gfni_has_inverses_of_bytes_in_degrees_that_divide_8_and_of_words_in_degree_16() {
    // Every field of degree up to 8, and some of each other degree.
    let mut fields: Vec<_> = (0b10..1 << 9).filter_map(|f| BinaryField::new(&[f]).ok()).collect();
    fields.extend([0x1_002b, 0x1_002d, 0x1_ffed].map(|f| BinaryField::new(&[f]).unwrap()));
    fields.extend((9..=64).map(|k| some_field(k, 3)));
    for engine in available_engines() {
        for field in &fields {
            let (k, has) = (field.degree(), engine.name == "gfni-avx512");
            let arrays = ArrayField::with_engine(engine, field).unwrap();
            let by_instructions = [
                arrays.inverts_by_instructions::<u8>(),
                arrays.inverts_by_instructions::<u16>(),
                arrays.inverts_by_instructions::<u32>(),
                arrays.inverts_by_instructions::<u64>(),
            ];
            let expected = [has && 8 % k == 0, has && k == 16, false, false];
            assert_eq!(by_instructions, expected, "{} modulo {:x?}", engine.name, field.modulus().number());
        }
    }
}

#[test]
fn long_sums_of_products_are_reduced_in_parts() {
    for engine in available_engines() {
        for k in [8, 16, 32, 64] {
            let field = some_field(k, 9);
            let arrays = ArrayField::with_engine(engine, &field).unwrap();
            let inner = 1030;
            let mut random = Random(k as u64);
            let (a, b) = (elements::<u64>(k, inner, &mut random), elements::<u64>(k, inner, &mut random));
            let mut z = [0];
            arrays.matrix_product(Shape { rows: 1, inner, columns: 1 }, &mut z, &a, &b).unwrap();
            assert_eq!(z[0], word(&field.dot(&of_field(&field, &a), &of_field(&field, &b)).unwrap()));
        }
    }
}

#[test]
fn what_is_no_element_or_has_no_inverse_is_refused() {
    let field = BinaryField::from_exponents(&[5, 2, 0]).unwrap();
    let arrays = ArrayField::new(&field).unwrap();
    let mut x = [3u8, 1, 0, 7, 0];
    assert_eq!(arrays.invert(&mut x), Err(FieldError::InverseOfZeroAmong { index: 2 }));
    assert_eq!(x, [3, 1, 0, 7, 0]);
    let long = BinaryField::from_exponents(&[65, 18, 0]).unwrap();
    let refused = ArrayField::new(&long).err();
    assert_eq!(refused, Some(FieldError::DegreeTooHighForArrays { degree: 65 }));
    let panics = |misuse: &dyn Fn()| {
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(misuse)).is_err());
    };
    let no_element = Err(FieldError::WordNoElement { degree: 5 });
    assert_eq!(arrays.multiply(&mut [0u8], &[1], &[32]), no_element);
    assert_eq!(arrays.multiply(&mut [0u8], &[32], &[1]), no_element);
    // Two words that are none do not hide each other.
    assert_eq!(arrays.multiply(&mut [0u8; 2], &[32, 32], &[1, 1]), no_element);
    assert_eq!(arrays.scale(&mut [0u8], &[32], 1), no_element);
    assert_eq!(arrays.scale(&mut [0u8], &[1], 32), no_element);
    assert_eq!(arrays.invert(&mut [32u8]), no_element);
    let shape = Shape { rows: 1, inner: 1, columns: 1 };
    assert_eq!(arrays.matrix_product(shape, &mut [0u8], &[32], &[1]), no_element);
    assert_eq!(arrays.matrix_product(shape, &mut [0u8], &[1], &[32]), no_element);
    panics(&|| arrays.multiply(&mut [0u8], &[1, 1], &[1]).unwrap());
    panics(&|| arrays.matrix_product(Shape { inner: 2, ..shape }, &mut [0u8], &[1, 1], &[1]).unwrap());
    let wide = ArrayField::new(&some_field(9, 1)).unwrap();
    panics(&|| wide.multiply(&mut [0u8], &[1], &[1]).unwrap());
}

/// The engines that this CPU has. Prints the others, past the test program's capture.
fn available_engines() -> impl Iterator<Item = &'static ArrayEngine> {
    let skipped = ARRAY_ENGINES.iter().filter(|engine| !engine.is_available());
    skipped.for_each(|engine| {
        let (name, lacks) = (engine.name, engine.required_instructions);
        writeln!(std::io::stderr(), "arrays: NOT RUN: engine {name}: this CPU lacks {lacks}")
            .expect("stderr is open");
    });
    ARRAY_ENGINES.iter().filter(|engine| engine.is_available())
}

/// Products, inverses and matrix products in words W, of random elements and of 0, 1 and the element of all ones.
fn agrees<W: ArrayWord>(field: &BinaryField, arrays: &ArrayField, random: &mut Random) {
    let k = field.degree();
    let what = format!("{} in degree {k}, words of {} bits", arrays.engine().name, W::BITS);
    for length in [0, 1, 7, 65, 130] {
        let (x, y) = (elements::<W>(k, length, random), elements::<W>(k, length, random));
        let mut z = vec![W::ONE; length];
        arrays.multiply(&mut z, &x, &y).unwrap();
        let products =
            of_field(field, &x).iter().zip(&of_field(field, &y)).map(|(x, y)| x * y).collect::<Vec<_>>();
        assert_eq!(z, of_words::<W>(&products), "{what}");
        let mut inverses: Vec<W> = z.iter().map(|&z| if z == W::ZERO { W::ONE } else { z }).collect();
        let units = of_field(field, &inverses);
        arrays.invert(&mut inverses).unwrap();
        assert_eq!(inverses, of_words::<W>(&field.batch_inverse(&units).unwrap()), "{what}");
    }
    for (rows, inner, columns) in
        [(0, 3, 2), (2, 0, 3), (3, 2, 0), (1, 1, 1), (4, 3, 35), (6, 7, 9), (9, 2, 70)]
    {
        let (a, b) = (elements::<W>(k, rows * inner, random), elements::<W>(k, inner * columns, random));
        let mut z = vec![W::ONE; rows * columns];
        arrays.matrix_product(Shape { rows, inner, columns }, &mut z, &a, &b).unwrap();
        let (a, b) = (of_field(field, &a), of_field(field, &b));
        for (i, z) in z.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let column: Vec<_> = b.iter().skip(column).step_by(columns).cloned().collect();
            let sum = field.dot(&a[row * inner..][..inner], &column).unwrap();
            assert_eq!(z.widen(), word(&sum), "{what}, {rows} × {inner} × {columns}");
        }
    }
}

fn elements<W: ArrayWord>(k: usize, count: usize, random: &mut Random) -> Vec<W> {
    let mask = u64::MAX >> (64 - k);
    let mut words: Vec<u64> = random.words(count).iter().map(|word| word & mask).collect();
    for (word, edge) in words.iter_mut().step_by(3).zip([0, 1, mask, 1 << (k - 1)]) {
        *word = edge;
    }
    words.into_iter().map(W::truncate).collect()
}

fn of_field<W: ArrayWord>(field: &BinaryField, words: &[W]) -> Vec<FieldElement> {
    words.iter().map(|word| field.element(&[word.widen()]).unwrap()).collect()
}

fn of_words<W: ArrayWord>(elements: &[FieldElement]) -> Vec<W> {
    elements.iter().map(|element| W::truncate(word(element))).collect()
}

fn word(element: &FieldElement) -> u64 {
    element.to_number()[0]
}

/// The field of an irreducible polynomial of degree k that follows a random one.
fn some_field(k: usize, seed: u64) -> BinaryField {
    let mut low = u128::from(Random(seed).words(1)[0] & u64::MAX >> (64 - k) | 1);
    loop {
        let f = 1 << k | low;
        if let Ok(field) = BinaryField::new(&[f as u64, (f >> 64) as u64][..1 + k / 64]) {
            return field;
        }
        low = (low + 2) % (1 << k);
    }
}

fn bitwise_product(x: u16, y: u16, f: u64) -> u16 {
    let k = f.ilog2();
    let mut product = (0..16).fold(0, |sum, i| sum ^ ((u64::from(x) << i) * u64::from(y >> i & 1)));
    for i in (k..32).rev() {
        product ^= (f << (i - k)) * (product >> i & 1);
    }
    product as u16
}
