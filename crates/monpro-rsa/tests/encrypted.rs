//! Encrypted documents: what is written is read, what OpenSSL wrote is read, and what costs too much is refused.

mod der;

use der::{INTEGER, OCTET_STRING, SEQUENCE, algorithm, element, integer, sequence};
use getrandom::SysRng;
use monpro_rsa::{Error, Found, PrivateKey, PublicKey};
use rand_core::UnwrapErr;
use std::sync::LazyLock;

static KEY: LazyLock<PrivateKey> =
    LazyLock::new(|| PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap());
const PASSPHRASE: &[u8] = b"correct horse";

const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];
const PBES1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 3];
const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12];
const SCRYPT: &[u8] = &[0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 11];
const HMAC_WITH_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9];
const HMAC_WITH_MD5: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 6];
const AES_256_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42];
const AES_256_GCM: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 46];

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

#[test]
fn what_is_written_is_read_with_its_passphrase_alone() {
    let pem = KEY.to_encrypted_pem(PASSPHRASE, &mut random()).unwrap();
    let der = KEY.to_encrypted_der(PASSPHRASE, &mut random()).unwrap();
    assert!(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    for key in [
        PrivateKey::from_encrypted_pem(&pem, PASSPHRASE),
        PrivateKey::from_encrypted_der(&der, PASSPHRASE),
        PrivateKey::load(pem.as_bytes(), Some(PASSPHRASE)),
        PrivateKey::load(&der, Some(PASSPHRASE)),
    ] {
        assert_eq!(*key.unwrap().to_der(), *KEY.to_der());
    }
    assert_eq!(PublicKey::load(&der, Some(PASSPHRASE)).as_ref(), Ok(KEY.public_key()));
    for wrong in [&b""[..], b"correct hors", b"correct horse "] {
        assert_eq!(PrivateKey::from_encrypted_der(&der, wrong).unwrap_err(), Error::WrongPassphrase);
    }
    for unread in [PrivateKey::from_der(&der), PrivateKey::from_pem(&pem), PrivateKey::load(&der, None)] {
        assert_eq!(unread.unwrap_err(), Error::PassphraseNeeded);
    }
    assert_eq!(PublicKey::from_pem(&pem), Err(Error::PassphraseNeeded));
    assert_eq!(KEY.to_encrypted_pem(b"", &mut random()), Err(Error::EmptyPassphrase));
}

/// Neither salt nor initial vector comes twice.
#[test]
fn each_document_is_encrypted_anew() {
    let [one, other] = [0; 2].map(|_| KEY.to_encrypted_der(PASSPHRASE, &mut random()).unwrap());
    let is_shared = |window: &[u8]| other.windows(16).any(|others| others == window);
    let shared = one.windows(16).filter(|&window| is_shared(window)).count();
    // The identifiers and their lengths are the same, the rest is not.
    assert!(shared < 100, "{shared}");
}

#[test]
fn a_passphrase_for_a_document_that_is_not_encrypted_is_not_used() {
    let key = PrivateKey::from_encrypted_pem(KEY.to_pem(), PASSPHRASE).unwrap();
    assert_eq!(*key.to_der(), *KEY.to_der());
}

/// An EncryptedPrivateKeyInfo of these parts.
fn document(derivation: Vec<u8>, cipher: Vec<u8>) -> Vec<u8> {
    let parameters = sequence(&[derivation, cipher]);
    sequence(&[algorithm(PBES2, &parameters), element(OCTET_STRING, &[7; 32])])
}

fn aes(iv: &[u8]) -> Vec<u8> {
    algorithm(AES_256_CBC, &element(OCTET_STRING, iv))
}

fn pbkdf2(iterations: &[u8], rest: &[Vec<u8>]) -> Vec<u8> {
    let salt = element(OCTET_STRING, &[1; 8]);
    let parameters = [&[salt, integer(iterations)], rest].concat();
    algorithm(PBKDF2, &sequence(&parameters))
}

fn scrypt(numbers: &[&[u8]]) -> Vec<u8> {
    let salt = element(OCTET_STRING, &[1; 8]);
    let numbers = numbers.iter().map(|number| integer(number));
    algorithm(SCRYPT, &sequence(&std::iter::once(salt).chain(numbers).collect::<Vec<_>>()))
}

/// A document, and the error that it gives with a passphrase.
type Row = (&'static str, Vec<u8>, Error);

const OTHER: Error = Error::Found(Found::OtherEncryption);
const OLD: Error = Error::Found(Found::OldEncryption);

fn of_pbkdf2() -> Vec<Row> {
    let sha256 = algorithm(HMAC_WITH_SHA256, &[der::NULL, 0]);
    let good = || pbkdf2(&[1], &[]);
    let octets = |n: u32| n.to_be_bytes().to_vec();
    vec![
        ("HMAC-SHA-1 by default", document(good(), aes(&[2; 16])), Error::WrongPassphrase),
        (
            "HMAC-SHA-256",
            document(pbkdf2(&[1], std::slice::from_ref(&sha256)), aes(&[2; 16])),
            Error::WrongPassphrase,
        ),
        (
            "the length of the key",
            document(pbkdf2(&[1], &[integer(&[32])]), aes(&[2; 16])),
            Error::WrongPassphrase,
        ),
        ("both", document(pbkdf2(&[1], &[integer(&[32]), sha256]), aes(&[2; 16])), Error::WrongPassphrase),
        (
            "another length of the key",
            document(pbkdf2(&[1], &[integer(&[16])]), aes(&[2; 16])),
            Error::Malformed,
        ),
        ("no iteration", document(pbkdf2(&[0], &[]), aes(&[2; 16])), Error::Malformed),
        (
            "10,000,001 iterations",
            document(pbkdf2(&octets(10_000_001), &[]), aes(&[2; 16])),
            Error::TooCostly,
        ),
        ("2^32 iterations", document(pbkdf2(&[1, 0, 0, 0, 0], &[]), aes(&[2; 16])), Error::TooCostly),
        ("2^800 iterations", document(pbkdf2(&[1; 100], &[]), aes(&[2; 16])), Error::TooCostly),
        (
            "negative iterations",
            document(
                algorithm(PBKDF2, &sequence(&[element(OCTET_STRING, &[1; 8]), element(INTEGER, &[0xff])])),
                aes(&[2; 16]),
            ),
            Error::Malformed,
        ),
        (
            "HMAC-MD5",
            document(pbkdf2(&[1], &[algorithm(HMAC_WITH_MD5, &[der::NULL, 0])]), aes(&[2; 16])),
            OTHER,
        ),
        (
            "a salt elsewhere",
            document(algorithm(PBKDF2, &sequence(&[element(SEQUENCE, &[]), integer(&[1])])), aes(&[2; 16])),
            OTHER,
        ),
    ]
}

fn of_scrypt() -> Vec<Row> {
    let octets = |n: u32| n.to_be_bytes().to_vec();
    vec![
        ("scrypt", document(scrypt(&[&[16], &[1], &[1]]), aes(&[2; 16])), Error::WrongPassphrase),
        (
            "scrypt of 128 MiB",
            document(scrypt(&[&octets(1 << 17), &[8], &[1]]), aes(&[2; 16])),
            Error::WrongPassphrase,
        ),
        (
            "scrypt of 256 MiB",
            document(scrypt(&[&octets(1 << 18), &[8], &[1]]), aes(&[2; 16])),
            Error::TooCostly,
        ),
        (
            "scrypt, p of 5",
            document(scrypt(&[&octets(1 << 17), &[8], &[5]]), aes(&[2; 16])),
            Error::TooCostly,
        ),
        (
            "scrypt, r·p above 2^16",
            document(scrypt(&[&[2], &[1], &octets(65537)]), aes(&[2; 16])),
            Error::TooCostly,
        ),
        (
            "scrypt, a long N",
            document(scrypt(&[&[[1].as_slice(), &[0; 100]].concat(), &[1], &[1]]), aes(&[2; 16])),
            Error::Malformed,
        ),
        (
            "scrypt, N of 2^63",
            document(scrypt(&[&(1u64 << 63).to_be_bytes(), &[255; 8], &[255; 8]]), aes(&[2; 16])),
            Error::TooCostly,
        ),
        (
            "scrypt, N no power of two",
            document(scrypt(&[&[17], &[1], &[1]]), aes(&[2; 16])),
            Error::Malformed,
        ),
        ("scrypt, N of 1", document(scrypt(&[&[1], &[1], &[1]]), aes(&[2; 16])), Error::Malformed),
        ("scrypt, no r", document(scrypt(&[&[16], &[0], &[1]]), aes(&[2; 16])), Error::Malformed),
        ("scrypt, no p", document(scrypt(&[&[16], &[1], &[0]]), aes(&[2; 16])), Error::Malformed),
        (
            "scrypt, another length",
            document(scrypt(&[&[16], &[1], &[1], &[16]]), aes(&[2; 16])),
            Error::Malformed,
        ),
    ]
}

fn of_other_parts() -> Vec<Row> {
    let good = || pbkdf2(&[1], &[]);
    vec![
        ("another derivation", document(algorithm(PBES1, &sequence(&[])), aes(&[2; 16])), OTHER),
        ("another cipher", document(good(), algorithm(AES_256_GCM, &sequence(&[]))), OTHER),
        ("a short initial vector", document(good(), aes(&[2; 8])), Error::WrongPassphrase),
        ("no initial vector", document(good(), algorithm(AES_256_CBC, &[])), Error::Malformed),
        (
            "no parameters of the derivation",
            document(algorithm(PBKDF2, &[]), aes(&[2; 16])),
            Error::Malformed,
        ),
        ("PBES1", sequence(&[algorithm(PBES1, &sequence(&[])), element(OCTET_STRING, &[7; 32])]), OLD),
        (
            "no parameters",
            sequence(&[algorithm(PBES2, &[]), element(OCTET_STRING, &[7; 32])]),
            Error::Malformed,
        ),
        (
            "one part",
            sequence(&[algorithm(PBES2, &sequence(&[good()])), element(OCTET_STRING, &[7; 32])]),
            Error::Malformed,
        ),
    ]
}

/// Each is refused before anything is computed, or is read as far as the wrong passphrase shows.
#[test]
fn parameters_give_the_errors_of_the_tables() {
    for (name, der, error) in [of_pbkdf2(), of_scrypt(), of_other_parts()].concat() {
        assert_eq!(PrivateKey::from_encrypted_der(&der, PASSPHRASE).unwrap_err(), error, "{name}");
        // Without a passphrase the same is said, but where the passphrase decides.
        let error = if error == Error::WrongPassphrase { Error::PassphraseNeeded } else { error };
        assert_eq!(PrivateKey::from_der(&der).unwrap_err(), error, "{name}");
    }
}

/// Keys of 512 bits by OpenSSL 3.0: `openssl genrsa 512 | openssl pkcs8 -topk8 …`, with the passphrase "passphrase".
#[test]
fn what_openssl_encrypted_is_read() {
    for (name, pem) in OF_OPENSSL {
        let key = PrivateKey::from_encrypted_pem(pem, b"passphrase").expect(name);
        assert_eq!(key.public_key().bits(), 512, "{name}");
        let wrong = PrivateKey::from_encrypted_pem(pem, b"another").unwrap_err();
        assert_eq!(wrong, Error::WrongPassphrase, "{name}");
    }
}

const OF_OPENSSL: [(&str, &str); 8] = [
    (
        "-v2 aes128 -v2prf hmacWithSHA1",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBrzBJBgkqhkiG9w0BBQ0wPDAbBgkqhkiG9w0BBQwwDgQIr+XCXKZLNy8CAggA
MB0GCWCGSAFlAwQBAgQQKtubd1I9RT5UKDUvqMHQswSCAWA97cqu4SACGE77vUhS
A6b1r/fqhzySp0AI6IitIYkUCNLK1aEt1Hs6NN7K35SqT91KVth+HOE/c3uA/sqp
yoZA6sLYp/sgWf5CI6YaDSnX6CjS+ydMTIXexyd2iw5Ydfv39Y6/vIy6iQU9fiMj
fPZhVaguf80y8YhS2Qe+HZ6ZO2mbZT1xnqc6ty7Eqo0HBvCi60h6yCl3Chqi5nno
FD/nGIUA7qy6LrVsuwqyfueJdUTLwo5jFkEOUXwsQ4F6UTiz1XUIpDa5ef0L9utc
FRgUhwh6ysw4BvJkfb9z0X2wpXgHlDf3tJ6TBAhmz2LbOeeeAw/Jj334Sfpz8cXl
UNTxXjZ7qazKZcRmeaQRoy9TfQYX0fKCnbUM/3gXjGRqt3eproHVRyuvhigj/ugX
DP+wh4ZwnvzdzaxWqzKFWnOCSHzEO1FUtSAywEQOCRdZPLAB70vj4PPiuQOjmQgc
9rnz
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-v2 aes192 -v2prf hmacWithSHA224",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIwTY4bytG25kCAggA
MAwGCCqGSIb3DQIIBQAwHQYJYIZIAWUDBAEWBBAX1T8Pu/q7vjdcJ4WZD/bdBIIB
YMwbJY1iyJLoEEUA807wRQmwP2ivvfl7weLF92zQHGrfB2O9yYsr+zNBxHvpLjQx
TG472Zlso0X0+bS8WUxhQfeTDQS3hgoEdyoCi+NbTwCfyjLaQXrTVQeLGJmMYKxP
/mGIOzPN5yAknZ9smcc7C8O6FmUhzWnRaSiJcgxcHvsAOjQ7ER/UDeiugUG3KH8J
GYcATKeBIl3KcAcnpRnD1ew0CFPrpMhZ19YceAXxnLeB6kMXXTgJCZ2Mdx9IrbNN
Dn98OVHNN1RTU/43+J5y1iHTqxF9xPoTe8DS4bXe/gaGst8KvnFmrKb73Rmey0Sw
UANnY4bw69f+PfhaVoCJvE1wzOAbsSwAK2+h7IjrcF6GQ85HFszpH6gUJYppK2iS
m3mSppkKfyIRCZCSgT4TZ2Nl9FO/Waqhn50UHl3kdhJ4oAuxTOHAnw0wHsxEW123
SbA3MQyV0kZWgJSzEBsb9MY=
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-v2 aes256",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIKOeQ7UhW5K8CAggA
MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBCfB2lBuAFXmJexn1P3JFtXBIIB
YP3KdzjLdQkCa50uHcdEx4fLLOBxCGj/7hVMSue48gCzlUVwwmh+qZT/bhdrGR92
iMOMxHsc9ZSphU5nocBnGIsZxmc3pF+DHRgDd6/uVvEvELvQzoAmpEcAGUKhZVUL
lPuFdsS5drsEDZmJvqS0TioCo3fi9rzAkYqkxFopx9RnBb35Xlzr0Ni77n6TWSjP
/kPvbmcbvt5xV7epxjLTKI1ey4pMUSTWcs6y94YNYiX8qnUSLbJdHjGuOQZhDCy7
ccokazq2W99cTH+LYe/aEEtXW6yiAv/0Qc7xmnyDE9YVW6Kk2t9+2IDsmt1nCBsh
VOGN3R9sKmrTpe+bEnmwwCRKDo7dcs5Y8L2f0dwWHiZRpCS2M6sNfuFF331x4Meu
2c3d8tnlWQqwzbQTjDrSKOXvjQLzsQsDD9pcXQNZtZT3Hkr0udvOZx40zZLhiZzm
LDbU2THoDsc0nMx50B4RzJw=
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-v2 aes256 -v2prf hmacWithSHA384",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI1n8fxFufbrUCAggA
MAwGCCqGSIb3DQIKBQAwHQYJYIZIAWUDBAEqBBB23JAeaOJ1K8SN4oP/hpA+BIIB
YHL6TTGVA5lap9/hWFcrkUN9HeWK328N699J8hSqEQj9W0XUctzn88R5NCK1KXoh
KStWbdHIx59vH1cZVHMeDOfE0F0MvCnjzsyuiYpb7hBhg3Ca9G+G0t2czKvjHT3p
T9Sk6aZFwti5GD2pEFbas9EZvr0ATmYn3jJ/wLBzE0myxZzx7Y7+Xt46Iwso65AQ
mc33+5kwyQWnszeZOKTnV1qjo7udCDSqFZVk/ZEOV8rCBdX1zQhY7ws9gL4Nk2NG
SglHOY9f26MCPSHXl5JXrZezSsPiapakorn5T/HtsgYO8jwNFbfvU16/wrkMbvc6
2FR5L6dWjqvtvVl3L6KHD5LLUFC1poiqSEV94x78lKid8pamag+2OlIOSKpq9whH
egwOGuvEzL6CbyU4+PHof2/IqIaGZ3Vx+D3XvBdAV3DUNsNJHMHoMnulD1Rx3XyC
bp0ea0LPSDQqXAf/lJT/cSE=
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-v2 aes256 -v2prf hmacWithSHA512",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIPj93wvX9wiACAggA
MAwGCCqGSIb3DQILBQAwHQYJYIZIAWUDBAEqBBAVC/36DPoEFlBB+hXYvls4BIIB
YJ5o5ffCaVb7jbIRzHlUNm5auuLwp5uib+FbCfZ4EDsxLdr4rwSIppPbv9UGP83X
yd8IfATQalGtUucyu4yJJHO40r4fT1Uv/AfQ6Y8ldEjlXSJp0o2ORIFVn969kUpY
0PBHcQmOSS60lQMJLwlQXn80TYnytq7Rkp7LpsXngfp4/Vl6IVhijgDQtDjHUQnM
hteDulP/m6lQfJ6jNtHiR5D6ZJ/FJ3VDqCFp1I/BvtsDmwsu4P39i8jvjwxVCCvX
d6fni81KOYP6vN9D9M+nuNRfkkdxO45DJzmFKfirevUp0a9riGqe76jPhLAZpt/7
W5xL3WUwxlkiC3L/HGjWBgkfSk7usMxBfOttqViphE9dcNEcZyyIxvbOqWnYFQmB
wTN8wNrnVSL7wJX0kCLi/vGz1B1d2aVr4OWvVKiYmsqWgih41df26htrzsQy8NzL
8bg/GtkLkFgS/qg1JtGadYQ=
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-v2 des3",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBtDBOBgkqhkiG9w0BBQ0wQTApBgkqhkiG9w0BBQwwHAQIJzo5h4OMjOACAggA
MAwGCCqGSIb3DQIJBQAwFAYIKoZIhvcNAwcECJSvTQ/7Un8VBIIBYO485S0rlaVr
LHswNBnkPJPJdq1cWm1j4mZ+WYR11n2ve7PXT6oPBPcx95ngDngV2R9OFjc9dCpl
BN+C5tf3Bnxb36W5lyp5y3WgliNYeosZHTMnX/3NbyFg4i7kOS/SwGRWyUN9azUK
D4nNyeZM0XSMQbARuXnZRvSSwzakg68hVYct7/v16nbZoxzRMWbzIU2Z4jq8N8er
8LEwvB/SutOlN3HD50JHr8Rs/5iW2CP2SgubzVcxsoJ8DpYgjYxmN4zfghf7Es2U
cwJ3gpLPPgfndZ5XmjWwv8o7NIq2Ve0caOHhnRzYIeOwHLzJYVQdpX7b7KVgiyTN
hfwMlgtUZT43p6pRWvjuWDYemhyPu+JnPNbIrtMw2AY1RysK49Mu446aONeXLKHl
ppbUBx1UPv267Tnbq/Rj/gjvsKdy1Qo+llQwLtAlGi+vkHiPzchmtXFg4Kgg/UVA
nB7he6/ZTnA=
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-v2 aes256 -v2prf hmacWithSHA512-256",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIn4//4kUB1UwCAggA
MAwGCCqGSIb3DQINBQAwHQYJYIZIAWUDBAEqBBCEOcWXTgafInBf9OfKft7HBIIB
YG4CxvvBCfwqDcV77/2BVt3rW8sT8vQ+tbVXSddgQ8AP4ZI497p84z60iwS/orFt
ll8eRJgdGABKhkDNHMCKk2Imf5l9AwE79RQQ2SwcRWbuPnKiZrl64AYMfXDBY0/u
6iMTKJ5yjBMB7dvwl2SQm73xvEquIP+wQyqYwSoplkcdvDXGDEkTDt1C56ewlFUe
CiZQnRg1oinUj1rTFNLHgQJYVqsuHSFxU54sSmuOAdivGJ/mW0FDTGXF50FiaTdK
gXZKaen64HFooKgX4X5McjJkk1iyE0YQxTBntwk8d9qZLhLGLnrOxlvV2h/qtQkG
GILZ6gCv0+erXc6EeA3UpXIwnF2snEv7e5Ve4/27GTe3xajlgtFM9ZZrUdv40pZL
uFX7iTmcXqkX4OKZOcoM7fbn0VFxfjRA8MwSz7KibxvZG0xZxB/hnSIbjVDzcmfi
MvnBobPue/8HKn1IbHNmU2w=
-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "-scrypt -scrypt_N 1024",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBtTBPBgkqhkiG9w0BBQ0wQjAhBgkrBgEEAdpHBAswFAQIs0xrugMpi7YCAgQA
AgEIAgEBMB0GCWCGSAFlAwQBKgQQlmyMwxfIMIA6Les1S4QokwSCAWAiacAUU7l4
KRW3ZNoTczFtH4OYhN2MrIJx7XqVXJl5Yq1jW2iobym+wHxU5KRXRdqUDx3vWLJE
JLYoctJ8u5LZgzCP0ZinOpu4L26csh+BUt+6wOOFhf0eYoudfqGGIyMGBbtlMt/b
VtP6mDIta1NsC+HSz7p1BTSP2Tm4ki1yZXPnXIaQ+Gi9Evhg+IW1kUbOQDZhKS8t
akGUl2CmDZF9MbWcFUZOGXCmsyUwWERCFeZGryndyJsX+mYpgQI20mXJADIopkFJ
56CQg5DMKFIDNw1quSnDMHKimJ+iEEMAi3oqsOcHMYtbyMi+5ypawKTysb6MVYJh
VREqoFkDCCKQaU0B0ZRtI4jbAFGziiz2DNQJ+UUr+jVR/robcjlyyP63qREkFnp6
Lgl72yLZRWUll+/5O/oumjVbM4xLIJg2ebRKi8wCy4+oa7FZnq0JAcdsS8Wf7onA
qkjq5TPbXmdw
-----END ENCRYPTED PRIVATE KEY-----",
    ),
];
