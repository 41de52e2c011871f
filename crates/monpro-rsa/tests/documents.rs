//! Tables of malformed keys, each with the error that it gives, and random mutations of good ones.

mod der;

use crypto_bigint::{BoxedUint, ConcatenatingMul, NonZero, Odd, Resize};
use der::{
    D, DP, DQ, E, INTEGER, N, NULL, Numbers, OBJECT_IDENTIFIER, OCTET_STRING, P, Q, Q_INV, SEQUENCE,
    algorithm, element, integer, public_pkcs1, public_spki, rsa_algorithm, sequence,
};
use getrandom::SysRng;
use monpro_rsa::{Error, Found, PrivateKey, PublicKey, is_private_key};
use pkcs8::der::pem::{LineEnding, encode_string};
use rand_core::UnwrapErr;
use std::sync::LazyLock;

/// A product of two primes of 128 bits.
const COMPOSITE: &str = "ffffffffffffffffffffffffffff9ede0000000000000000000000000936b15d";
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const RSASSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 10];
/// 1.2.840.113549.1.7.1.
const PKCS7_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];

static KEY: LazyLock<PrivateKey> =
    LazyLock::new(|| PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap());
static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| Numbers::of(&KEY));

/// A document, and the error that it gives, or None for one that is good.
type Row = (&'static str, Vec<u8>, Option<Error>);

fn boxed(octets: &[u8]) -> BoxedUint {
    BoxedUint::from_be_slice_truncated(octets, 1024)
}

fn octets(number: &BoxedUint) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

/// The sum of two numbers.
fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    octets(&boxed(a).wrapping_add(boxed(b)))
}

/// A number less one.
fn less_one(a: &[u8]) -> Vec<u8> {
    octets(&boxed(a).wrapping_sub(BoxedUint::one()))
}

/// All numbers of the key with these factors and e = 65537, right if the factors are prime.
fn numbers_of(p: &[u8], q: &[u8]) -> Numbers {
    let (p, q) = (boxed(p).resize(512), boxed(q).resize(512));
    let [p1, q1] = [&p, &q].map(|prime| NonZero::new(prime.wrapping_sub(BoxedUint::one())).unwrap());
    let phi = NonZero::new(p1.concatenating_mul(q1.as_ref())).unwrap();
    let e = BoxedUint::from(65537u64).resize(1024);
    let d = e.invert_mod(&phi).unwrap();
    let remainder = |m: &NonZero<BoxedUint>| octets(&d.rem(&NonZero::new(m.as_ref().resize(1024)).unwrap()));
    let inverse =
        q.rem(&NonZero::new(p.clone()).unwrap()).invert_odd_mod(&Odd::new(p.clone()).unwrap()).unwrap();
    Numbers([
        octets(&p.concatenating_mul(&q)),
        vec![1, 0, 1],
        octets(&d),
        octets(&p),
        octets(&q),
        remainder(&p1),
        remainder(&q1),
        octets(&inverse),
    ])
}

fn composite() -> Vec<u8> {
    octets(&BoxedUint::from_be_hex(COMPOSITE, 256).unwrap())
}

/// A PrivateKeyInfo with this version, algorithm and key.
fn private_info(version: u8, algorithm: Vec<u8>, key: &[u8]) -> Vec<u8> {
    sequence(&[integer(&[version]), algorithm, element(OCTET_STRING, key)])
}

/// The encoded fields of an RSAPrivateKey, with the version.
fn fields() -> Vec<Vec<u8>> {
    [vec![0]].iter().chain(&NUMBERS.0).map(|number| integer(number)).collect()
}

/// An RSAPrivateKey with another encoding of one field; field 0 is the version.
fn with_field(field: usize, encoded: Vec<u8>) -> Vec<u8> {
    let mut fields = fields();
    fields[field] = encoded;
    sequence(&fields)
}

/// The content of an element.
fn content(element: &[u8]) -> &[u8] {
    &element[2 + if element[1] < 0x80 { 0 } else { usize::from(element[1] & 0x7f) }..]
}

/// Integers that DER does not allow.
fn integers() -> Vec<Row> {
    let fields = fields();
    let malformed = Some(Error::Malformed);
    let positive = element(INTEGER, &[&[0, 0], content(&fields[1 + P])].concat());
    vec![
        ("a negative p", with_field(1 + P, element(INTEGER, &NUMBERS.0[P])), malformed),
        ("two leading zeros", with_field(1 + P, positive), malformed),
        ("an integer without octets", with_field(1 + D, element(INTEGER, &[])), malformed),
        (
            "octets for an integer",
            with_field(1 + D, element(OCTET_STRING, content(&fields[1 + D]))),
            malformed,
        ),
    ]
}

/// Encodings that DER does not allow, or that are of no RSA key.
fn encodings() -> Vec<Row> {
    let (pkcs1, pkcs8) = (NUMBERS.pkcs1(), NUMBERS.pkcs8());
    let malformed = Some(Error::Malformed);
    let found = |found| Some(Error::Found(found));
    let fields = fields();
    let indefinite = |der: &[u8]| [&[SEQUENCE, 0x80], content(der), &[0, 0]].concat();
    let long_length = |der: &[u8]| {
        let length = content(der).len();
        [&[SEQUENCE, 0x83, 0, (length >> 8) as u8, length as u8], content(der)].concat()
    };
    let info = |algorithm| private_info(0, algorithm, &pkcs1);
    let prime_info = sequence(&[integer(&[3]), integer(&[1]), integer(&[1])]);
    let mut three_primes = fields.clone();
    three_primes[0] = integer(&[1]);
    three_primes.push(element(SEQUENCE, &prime_info));
    let mut six_primes = three_primes.clone();
    six_primes[9] = sequence(&vec![prime_info; 4]);
    let mut rows = vec![
        ("PKCS#1", pkcs1.clone(), None),
        ("PKCS#8", pkcs8.clone(), None),
        ("no algorithm's parameters", info(algorithm(der::RSA_ENCRYPTION, &[])), None),
        ("nothing", vec![], found(Found::Nothing)),
        ("an empty sequence", sequence(&[]), malformed),
        ("an octet behind PKCS#1", [&pkcs1[..], &[0]].concat(), malformed),
        ("an octet behind PKCS#8", [&pkcs8[..], &[0]].concat(), malformed),
        (
            "an octet behind the key",
            private_info(0, rsa_algorithm(), &[&pkcs1[..], &[0]].concat()),
            malformed,
        ),
        ("an indefinite length", indefinite(&pkcs1), found(Found::Indefinite)),
        ("an indefinite length of PKCS#8", indefinite(&pkcs8), found(Found::Indefinite)),
        ("a length that is not minimal", long_length(&pkcs1), malformed),
        ("a length that is not minimal, PKCS#8", long_length(&pkcs8), malformed),
        ("a set for a sequence", [&[0x31], &pkcs1[1..]].concat(), malformed),
        ("version 1 with two primes", with_field(0, integer(&[1])), malformed),
        ("version 2", with_field(0, integer(&[2])), malformed),
        ("version −1", with_field(0, element(INTEGER, &[0xff])), malformed),
        ("primes that are none", sequence(&three_primes), Some(Error::Factors)),
        ("six primes", sequence(&six_primes), Some(Error::MultiPrime)),
        ("a number too few", sequence(&fields[..8]), malformed),
        ("a number too many", sequence(&[&fields[..], &[integer(&[1])]].concat()), malformed),
        ("PKCS#8, version 2", private_info(2, rsa_algorithm(), &pkcs1), malformed),
        ("PKCS#8 in PKCS#8", private_info(0, rsa_algorithm(), &pkcs8), malformed),
        (
            "an algorithm with other parameters",
            info(algorithm(der::RSA_ENCRYPTION, &integer(&[1]))),
            malformed,
        ),
        ("a key of RSASSA-PSS", info(algorithm(RSASSA_PSS, &sequence(&[]))), None),
        (
            "encrypted",
            sequence(&[algorithm(PBES2, &sequence(&[])), element(OCTET_STRING, &pkcs8)]),
            malformed,
        ),
        ("a public key", public_spki(&NUMBERS.0[N], &NUMBERS.0[E]), found(Found::PublicKey)),
        ("an identifier", element(OBJECT_IDENTIFIER, der::RSA_ENCRYPTION), malformed),
    ];
    for (name, whole) in [("PKCS#1, cut off", &pkcs1), ("PKCS#8, cut off", &pkcs8)] {
        rows.extend((1..whole.len()).map(|length| (name, whole[..length].to_vec(), malformed)));
    }
    rows
}

/// Keys of elliptic curves, private and public.
fn elliptic_curves() -> Vec<Row> {
    let info = private_info(0, algorithm(EC_PUBLIC_KEY, &element(NULL, &[])), &NUMBERS.pkcs1());
    let sec_1 = sequence(&[integer(&[1]), element(OCTET_STRING, &[7; 32])]);
    let spki = sequence(&[algorithm(EC_PUBLIC_KEY, &[]), element(der::BIT_STRING, &[0, 4, 7])]);
    let error = Some(Error::Found(Found::EllipticCurve));
    vec![("PKCS#8", info, error), ("SEC 1", sec_1, error), ("SubjectPublicKeyInfo", spki, error)]
}

/// Numbers that are no key's.
fn numbers() -> Vec<Row> {
    let good = &NUMBERS;
    let [n, _, d, p, q, dp, dq, q_inv] = &good.0;
    let with = |field: usize, value: &[u8]| good.with([(field, value)]).pkcs8();
    let even = |x: &[u8]| sum(x, &[1]);
    let two = |x: &[u8]| sum(x, &[2]);
    let phi = octets(&boxed(n).wrapping_sub(boxed(p)).wrapping_sub(boxed(q)).wrapping_add(BoxedUint::one()));
    let third = BoxedUint::from(3u64).resize(1024).invert_mod(&NonZero::new(boxed(&phi)).unwrap());
    let mut rows = vec![
        ("d modulo φ(n)", numbers_of(p, q).pkcs8(), None),
        ("the primes the other way round", numbers_of(q, p).pkcs8(), None),
        (
            "the primes alone the other way round",
            good.with([(P, q), (Q, p)]).pkcs8(),
            Some(Error::PrivateExponent),
        ),
        (
            "p = q",
            good.with([(N, &octets(&boxed(p).wrapping_mul(boxed(p)))), (Q, p)]).pkcs8(),
            Some(Error::Factors),
        ),
        ("p·1 = n", good.with([(P, n), (Q, &[1])]).pkcs8(), Some(Error::Factors)),
        ("1·q = n", good.with([(P, &[1]), (Q, n)]).pkcs8(), Some(Error::Factors)),
        ("a composite p", numbers_of(&composite(), q).pkcs8(), Some(Error::NotPrime)),
        ("a composite q", numbers_of(p, &composite()).pkcs8(), Some(Error::NotPrime)),
        ("n of 511 bits", with(N, &[&[0x7f][..], &n[1..]].concat()), Some(Error::Modulus)),
        ("n of 16385 bits", with(N, &[&[1][..], &[0; 2047], &[1]].concat()), Some(Error::Modulus)),
        ("e of 257 bits", with(E, &[&[1][..], &[0; 31], &[1]].concat()), Some(Error::PublicExponent)),
        ("another e", with(E, &[3]), Some(Error::PrivateExponent)),
    ];
    // The e of d = 3, if 3 is prime to φ(n), is as long as n.
    rows.extend(third.into_option().map(|e| {
        ("a small d", good.with([(E, &octets(&e)), (D, &[3])]).pkcs8(), Some(Error::PublicExponent))
    }));
    let values = [
        (N, Error::Modulus, vec![vec![0], vec![1], even(n)]),
        (N, Error::Factors, vec![two(n)]),
        (E, Error::PublicExponent, vec![vec![0], vec![1], vec![4]]),
        (
            D,
            Error::PrivateExponent,
            vec![vec![0], vec![1], vec![3], even(d), two(d), sum(d, &phi), n.clone()],
        ),
        (P, Error::Factors, vec![vec![0], vec![1], vec![3], even(p), two(p), n.clone()]),
        (Q, Error::Factors, vec![vec![0], vec![1], vec![3], even(q), two(q), n.clone()]),
        (DP, Error::PrivateExponent, vec![vec![0], vec![1], two(dp), sum(dp, &less_one(p)), dq.clone()]),
        (DQ, Error::PrivateExponent, vec![vec![0], vec![1], two(dq), sum(dq, &less_one(q)), dp.clone()]),
        (Q_INV, Error::PrivateExponent, vec![vec![0], vec![1], even(q_inv), sum(q_inv, p), less_one(p)]),
    ];
    for (field, error, values) in values {
        rows.extend(values.iter().map(|value| ("a wrong number", with(field, value), Some(error))));
    }
    rows
}

/// A certificate, a request for one or a list of revoked ones, with these elements signed.
fn signed(content: &[Vec<u8>]) -> Vec<u8> {
    sequence(&[sequence(content), rsa_algorithm(), element(der::BIT_STRING, &[0, 1])])
}

/// Documents of other kinds, and what is like them but of no kind.
fn other_kinds() -> Vec<Row> {
    let spki = public_spki(&NUMBERS.0[N], &NUMBERS.0[E]);
    let (name, version) = (sequence(&[]), element(0xa0, &integer(&[2])));
    let six = |first: u8| sequence(&[[first, 5, 5, 5, 5, 5].map(|number| integer(&[number])).concat()]);
    let content = |identifier: &[u8]| sequence(&[element(OBJECT_IDENTIFIER, identifier), element(0xa0, &[])]);
    let elliptic = || algorithm(EC_PUBLIC_KEY, &[]);
    let of_curve = |version: u8| private_info(version, elliptic(), &[7; 32]);
    // The thirteenth element is cut off.
    let mut long = vec![integer(&[2]), elliptic(), element(OCTET_STRING, &[7; 32])];
    long.extend(vec![element(NULL, &[]); 9]);
    long.push(vec![INTEGER, 9]);
    let certificate = [integer(&[1]), rsa_algorithm(), name.clone(), name.clone(), name.clone()];
    let malformed = Some(Error::Malformed);
    let found = |found| Some(Error::Found(found));
    vec![
        (
            "a certificate",
            signed(&[&[version], &certificate[..], std::slice::from_ref(&spki)].concat()),
            found(Found::Certificate),
        ),
        (
            "a request",
            signed(&[integer(&[0]), name.clone(), spki, element(0xa0, &[])]),
            found(Found::CertificateRequest),
        ),
        (
            "a list of revoked certificates",
            signed(&[integer(&[1]), rsa_algorithm(), name.clone(), element(0x17, b"260101000000Z")]),
            found(Found::RevocationList),
        ),
        ("PKCS#12", sequence(&[integer(&[3]), content(PKCS7_DATA), sequence(&[])]), found(Found::Pkcs12)),
        ("PKCS#12 without a code", sequence(&[integer(&[3]), content(PKCS7_DATA)]), found(Found::Pkcs12)),
        ("PKCS#7", content(PKCS7_DATA), found(Found::Pkcs7)),
        ("another identifier before something", content(der::RSA_ENCRYPTION), malformed),
        ("a key of DSA", six(0), found(Found::Dsa)),
        ("six numbers of another version", six(1), malformed),
        ("a public key of PKCS#1", public_pkcs1(&NUMBERS.0[N], &NUMBERS.0[E]), found(Found::PublicKey)),
        ("two negative numbers", sequence(&vec![element(INTEGER, &[0x80]); 2]), malformed),
        ("an elliptic curve's PKCS#8 of version 2", of_curve(2), found(Found::EllipticCurve)),
        ("an elliptic curve's document with more elements", sequence(&long), found(Found::EllipticCurve)),
    ]
}

/// Whatever their algorithm and their encryption.
#[test]
fn private_keys_are_told_by_their_outlines() {
    let key = numbers_of(&NUMBERS.0[P], &NUMBERS.0[Q]);
    let encrypted = sequence(&[rsa_algorithm(), element(OCTET_STRING, &[1])]);
    let one = || integer(&[1]);
    for (name, document, expected) in [
        ("PKCS#1", key.pkcs1(), true),
        ("PKCS#8", key.pkcs8(), true),
        ("an encrypted key", encrypted, true),
        ("a key of SEC1", sequence(&[one(), element(OCTET_STRING, &[1])]), true),
        ("parameters of Diffie–Hellman", sequence(&[one(), one(), one()]), false),
        ("nothing", vec![], false),
        ("no sequence", one(), false),
    ] {
        assert_eq!(is_private_key(&document), expected, "{name}");
    }
    for (name, document, error) in other_kinds() {
        let is_private =
            matches!(error, Some(Error::Found(Found::Dsa | Found::EllipticCurve | Found::Pkcs12)));
        let is_alike = name == "six numbers of another version";
        assert_eq!(is_private_key(&document), is_private | is_alike, "{name}");
    }
}

#[test]
fn what_is_no_private_key_is_named() {
    for (name, document, error) in other_kinds() {
        assert_eq!(PrivateKey::from_der(&document).err(), error, "{name}: {document:02x?}");
        assert_eq!(PrivateKey::load(&document, None).err(), error, "{name}: {document:02x?}");
    }
}

/// A document in DER that has the beginning of PEM inside is read as DER, and a text of the longest length as a text.
#[test]
fn a_document_is_read_as_what_it_is() {
    let begin = b"-----BEGIN PRIVATE KEY-----";
    let attributes =
        element(0xa0, &sequence(&[element(OBJECT_IDENTIFIER, PKCS7_DATA), element(0x31, begin)]));
    let der =
        sequence(&[integer(&[0]), rsa_algorithm(), element(OCTET_STRING, &NUMBERS.pkcs1()), attributes]);
    let text = KEY.to_pem().to_string();
    let longest = " ".repeat((1 << 20) - text.len()) + &text;
    for document in [&der[..], &KEY.to_der(), text.as_bytes(), longest.as_bytes()] {
        let key = PrivateKey::load(document, None).unwrap();
        assert_eq!(*key.to_der(), *KEY.to_der());
        assert_eq!(PublicKey::load(document, None).as_ref(), Ok(KEY.public_key()));
    }
    assert_eq!(PrivateKey::from_der(text.as_bytes()).err(), Some(Error::Found(Found::Pem)));
}

#[test]
fn private_documents_give_the_errors_of_the_tables() {
    for (name, document, error) in [encodings(), elliptic_curves(), integers(), numbers()].concat() {
        let read = PrivateKey::from_der(&document);
        assert_eq!(read.err(), error, "{name}: {document:02x?}");
        for label in ["PRIVATE KEY", "RSA PRIVATE KEY"] {
            let text = encode_string(label, LineEnding::LF, &document).unwrap();
            assert_eq!(PrivateKey::from_pem(&text).err(), error, "{name}: {text}");
            let error = error.filter(|&error| error != Error::Found(Found::PublicKey));
            assert_eq!(PublicKey::from_pem(&text).err(), error, "{name}: {text}");
        }
    }
}

#[test]
fn public_documents_give_the_errors_of_the_table() {
    let (n, e) = (&NUMBERS.0[N], &NUMBERS.0[E]);
    let (pkcs1, spki) = (public_pkcs1(n, e), public_spki(n, e));
    let of = |algorithm, key: &[u8]| sequence(&[algorithm, element(der::BIT_STRING, &[&[0], key].concat())]);
    let malformed = Some(Error::Malformed);
    let null = element(NULL, &[]);
    let mut rows = vec![
        ("PKCS#1", pkcs1.clone(), None),
        ("SubjectPublicKeyInfo", spki.clone(), None),
        ("no algorithm's parameters", of(algorithm(der::RSA_ENCRYPTION, &[]), &pkcs1), None),
        ("other parameters", of(algorithm(der::RSA_ENCRYPTION, &integer(&[1])), &pkcs1), malformed),
        ("an octet behind PKCS#1", [&pkcs1[..], &[0]].concat(), malformed),
        ("an octet behind", [&spki[..], &[0]].concat(), malformed),
        ("an octet behind the key", of(rsa_algorithm(), &[&pkcs1[..], &[0]].concat()), malformed),
        (
            "seven bits",
            sequence(&[rsa_algorithm(), element(der::BIT_STRING, &[&[1], &pkcs1[..]].concat())]),
            malformed,
        ),
        ("three numbers", sequence(&[integer(n), integer(e), integer(e)]), malformed),
        ("a number", sequence(&[integer(n)]), malformed),
        ("a negative n", sequence(&[element(INTEGER, n), integer(e)]), malformed),
        ("a key of RSASSA-PSS", of(algorithm(RSASSA_PSS, &[]), &pkcs1), None),
        ("wrong parameters of PSS", of(algorithm(RSASSA_PSS, &null), &pkcs1), Some(Error::PssParameters)),
        (
            "an elliptic curve",
            of(algorithm(EC_PUBLIC_KEY, &null), &pkcs1),
            Some(Error::Found(Found::EllipticCurve)),
        ),
        ("a private key", NUMBERS.pkcs1(), None),
        ("an even n", public_spki(&sum(n, &[1]), e), Some(Error::Modulus)),
        ("n = 0", public_spki(&[0], e), Some(Error::Modulus)),
        ("an even e", public_spki(n, &[2]), Some(Error::PublicExponent)),
        ("e = 1", public_spki(n, &[1]), Some(Error::PublicExponent)),
        ("e = n", public_spki(n, n), Some(Error::PublicExponent)),
    ];
    for (name, whole) in [("PKCS#1, cut off", &pkcs1), ("SubjectPublicKeyInfo, cut off", &spki)] {
        rows.extend((1..whole.len()).map(|length| (name, whole[..length].to_vec(), malformed)));
    }
    for (name, document, error) in rows {
        assert_eq!(PublicKey::from_der(&document).err(), error, "{name}");
        let text = encode_string("PUBLIC KEY", LineEnding::LF, &document).unwrap();
        assert_eq!(PublicKey::from_pem(&text).err(), error, "{name}: {text}");
    }
}

#[test]
fn texts_are_the_documents_in_base64() {
    let text = |label, der: &[u8]| encode_string(label, LineEnding::LF, der).unwrap();
    let public = KEY.public_key();
    let written: [(&str, &[u8], &str); 4] = [
        ("PRIVATE KEY", &KEY.to_der(), &KEY.to_pem()),
        ("RSA PRIVATE KEY", &KEY.to_pkcs1_der(), &KEY.to_pkcs1_pem()),
        ("PUBLIC KEY", &public.to_der(), &public.to_pem()),
        ("RSA PUBLIC KEY", &public.to_pkcs1_der(), &public.to_pkcs1_pem()),
    ];
    for (label, der, pem) in written {
        assert_eq!(pem, text(label, der));
    }
}

/// A text, and the error that it gives, or None for one that is good.
type TextRow = (&'static str, String, Option<Error>);

fn good_texts() -> Vec<TextRow> {
    let good = KEY.to_pem().to_string();
    let lines: Vec<&str> = good.lines().collect();
    let body = lines[1..lines.len() - 1].concat();
    let labelled = |label: &str| good.replace("PRIVATE KEY", label);
    let wrapped = |width: usize| {
        let chunks = body.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap());
        std::iter::once(lines[0]).chain(chunks).chain(lines.last().copied()).collect::<Vec<_>>().join("\n")
    };
    vec![
        ("as written", good.clone(), None),
        ("lines that end with CR LF", good.replace('\n', "\r\n"), None),
        ("lines that end with CR", good.replace('\n', "\r"), None),
        ("no end of the last line", good.trim_end().to_string(), None),
        ("the other label", labelled("RSA PRIVATE KEY"), None),
        ("the label of an encrypted key", labelled("ENCRYPTED PRIVATE KEY"), None),
        ("shorter lines", wrapped(48), None),
        ("one line", wrapped(body.len()), None),
        ("no line ends", good.replace('\n', ""), None),
        ("spaces for line ends", good.replace('\n', " "), None),
        ("a space in a line", good.replacen(&lines[2][..8], &format!("{} ", &lines[2][..8]), 1), None),
        ("an empty line", good.replacen(lines[2], &format!("\n{}", lines[2]), 1), None),
        ("a byte order mark", format!("\u{feff}{good}"), None),
        ("attributes before it", format!("Bag Attributes\n    friendlyName: a\n{good}"), None),
        ("two keys", [&good[..], &good[..]].concat(), None),
        (
            "a certificate behind it",
            format!("{good}-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----"),
            None,
        ),
        ("a label alone behind it", format!("{good}-----BEGIN "), None),
    ]
}

fn bad_texts() -> Vec<TextRow> {
    let good = KEY.to_pem().to_string();
    let lines: Vec<&str> = good.lines().collect();
    let body = lines[1..lines.len() - 1].concat();
    let malformed = Some(Error::Malformed);
    let labelled = |label: &str| good.replace("PRIVATE KEY", label);
    let found = |found| Some(Error::Found(found));
    vec![
        ("nothing", String::new(), found(Found::Nothing)),
        ("white space", " \r\n\t".to_string(), found(Found::Nothing)),
        ("no lines of a label", body.clone(), found(Found::BareDigits)),
        ("characters for line ends", good.replace('\n', "\\n"), found(Found::EscapedLines)),
        ("an unknown label", labelled("OPEN KEY"), found(Found::OtherLabel)),
        ("parameters alone", labelled("EC PARAMETERS"), found(Found::Parameters)),
        ("an elliptic curve's label", labelled("EC PRIVATE KEY"), found(Found::EllipticCurve)),
        ("a public label", labelled("PUBLIC KEY"), found(Found::PublicKey)),
        ("another label at the end", good.replace("END PRIVATE", "END RSA PRIVATE"), found(Found::NoEnd)),
        ("no end", good.replace(lines[lines.len() - 1], ""), found(Found::NoEnd)),
        ("no beginning", good.replace(lines[0], ""), found(Found::BareDigits)),
        ("no body", [lines[0], lines[lines.len() - 1]].join("\n"), found(Found::Nothing)),
        ("four hyphens", good.replace("-----BEGIN", "----BEGIN"), malformed),
        ("no letter of base64", good.replacen(&lines[2][..4], "****", 1), found(Found::BadDigits)),
        ("a letter too few", good.replacen(lines[2], &lines[2][1..], 1), found(Found::BadDigits)),
        (
            "padding in the middle",
            good.replacen(lines[2], &format!("{}==", &lines[2][..62]), 1),
            found(Found::BadDigits),
        ),
        (
            "a header",
            good.replacen(lines[1], &format!("Proc-Type: 4,ENCRYPTED\n\n{}", lines[1]), 1),
            found(Found::OldEncryption),
        ),
        (
            "another header",
            good.replacen(lines[1], &format!("A: b\n\n{}", lines[1]), 1),
            found(Found::BadDigits),
        ),
        ("more than a mebibyte", " ".repeat(1 << 20) + &good, Some(Error::TooLong)),
        (
            "a block of more than 64 KiB",
            format!("{}\n{}\n{}", lines[0], "A".repeat(1 << 17), lines.last().unwrap()),
            Some(Error::TooLong),
        ),
    ]
}

#[test]
fn texts_give_the_errors_of_the_tables() {
    for (name, text, error) in [good_texts(), bad_texts()].concat() {
        assert_eq!(PrivateKey::from_pem(&text).err(), error, "{name}: {text}");
    }
}

/// Numbers that look random, the same in each run \[Marsaglia, xorshift\].
struct Generator(u64);

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// The document with one to four changes: an octet, a bit, a part left out, doubled or moved, octets put in.
    fn mutated(&mut self, document: &[u8]) -> Vec<u8> {
        let mut changed = document.to_vec();
        for _ in 0..=self.below(4) {
            let i = self.below(changed.len().max(1)).min(changed.len());
            let end = (i + 1 + self.below(8)).min(changed.len());
            match self.below(6) {
                0 if i < changed.len() => changed[i] = self.below(256) as u8,
                1 if i < changed.len() => changed[i] ^= 1 << self.below(8),
                2 => drop(changed.drain(i..end)),
                3 => changed.extend_from_within(i..end),
                4 => drop(changed.splice(i..i, vec![self.below(256) as u8; 1 + self.below(300)])),
                _ => changed.truncate(changed.len() - changed.len().min(self.below(8))),
            }
        }
        changed
    }
}

/// 20,000 mutated documents are refused, or read as the key that they were. None panics.
#[test]
fn mutated_documents_are_refused_or_are_the_same_key() {
    let public = KEY.public_key();
    let (private, spki) = (KEY.to_der(), public.to_der());
    let (private_text, public_text) = (KEY.to_pem(), public.to_pem());
    let mut generator = Generator(0x9e37_79b9_7f4a_7c15);
    for _ in 0..5000 {
        for der in [generator.mutated(&private), generator.mutated(&NUMBERS.pkcs1())] {
            if let Ok(key) = PrivateKey::from_der(&der) {
                assert_eq!(*key.to_der(), *private, "{der:02x?}");
            }
        }
        // A public key has nothing that would show another modulus to be wrong.
        let _ = PublicKey::from_der(&generator.mutated(&spki)).map(|key| key.to_der());
        if let Ok(text) = String::from_utf8(generator.mutated(private_text.as_bytes())) {
            let _ = PrivateKey::from_pem(&text).map(|key| assert_eq!(*key.to_der(), *private, "{text}"));
        }
        if let Ok(text) = String::from_utf8(generator.mutated(public_text.as_bytes())) {
            let _ = PublicKey::from_pem(&text).map(|key| key.to_pem());
        }
    }
}

/// A text of many beginnings takes time that grows as its length: no piece is searched for its end again and again.
#[test]
fn texts_of_many_beginnings_are_read_in_linear_time() {
    let good = KEY.to_pem().to_string();
    for piece in ["-----BEGIN ", "-----BEGIN A-----", "-----END A-----\n", "-----"] {
        let text = piece.repeat((1 << 20) / piece.len() - good.len() / piece.len() - 1) + &good;
        let started = std::time::Instant::now();
        let _ = PrivateKey::from_pem(&text);
        // Linear time is below a tenth of a second; quadratic time is a minute and more.
        assert!(started.elapsed().as_secs() < 10, "{piece}");
    }
}
