//! A writer of DER for tests: it writes any numbers, also those that no library would write.

#![allow(dead_code, reason = "each test program uses a part")]

use monpro_rsa::PrivateKey;
use pkcs1::RsaPrivateKeyRef;
use pkcs8::PrivateKeyInfoRef;
use pkcs8::der::Decode;

pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const NULL: u8 = 0x05;
pub(crate) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(crate) const SEQUENCE: u8 = 0x30;

/// 1.2.840.113549.1.1.1.
pub(crate) const RSA_ENCRYPTION: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];

/// An element with the shortest form of its length.
pub(crate) fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut element = vec![tag];
    match content.len() {
        length @ 0..=0x7f => element.push(length as u8),
        length => {
            let octets = length.to_be_bytes();
            let start = octets.iter().position(|&octet| octet != 0).unwrap();
            element.push(0x80 | (octets.len() - start) as u8);
            element.extend(&octets[start..]);
        }
    }
    element.extend(content);
    element
}

pub(crate) fn sequence(elements: &[Vec<u8>]) -> Vec<u8> {
    element(SEQUENCE, &elements.concat())
}

/// A non-negative integer, whatever leading zeros its octets have.
pub(crate) fn integer(octets: &[u8]) -> Vec<u8> {
    let start = octets.iter().position(|&octet| octet != 0).unwrap_or(octets.len());
    let sign: &[u8] = if octets.get(start).is_none_or(|&top| top >= 0x80) { &[0] } else { &[] };
    element(INTEGER, &[sign, &octets[start..]].concat())
}

/// The identifier of an algorithm with these encoded parameters.
pub(crate) fn algorithm(oid: &[u8], parameters: &[u8]) -> Vec<u8> {
    sequence(&[element(OBJECT_IDENTIFIER, oid), parameters.to_vec()])
}

pub(crate) fn rsa_algorithm() -> Vec<u8> {
    algorithm(RSA_ENCRYPTION, &element(NULL, &[]))
}

/// The fields n, e, d, p, q, dP, dQ and qInv of a private key, by index.
pub(crate) const N: usize = 0;
pub(crate) const E: usize = 1;
pub(crate) const D: usize = 2;
pub(crate) const P: usize = 3;
pub(crate) const Q: usize = 4;
pub(crate) const DP: usize = 5;
pub(crate) const DQ: usize = 6;
pub(crate) const Q_INV: usize = 7;

/// The numbers of a private key, big-endian: n, e, d, p, q, dP, dQ, qInv.
#[derive(Clone)]
pub(crate) struct Numbers(pub(crate) [Vec<u8>; 8]);

impl Numbers {
    pub(crate) fn of(key: &PrivateKey) -> Numbers {
        let der = key.to_der();
        let info = PrivateKeyInfoRef::from_der(&der).unwrap();
        let key = RsaPrivateKeyRef::from_der(info.private_key.as_bytes()).unwrap();
        let numbers = [
            key.modulus,
            key.public_exponent,
            key.private_exponent,
            key.prime1,
            key.prime2,
            key.exponent1,
            key.exponent2,
            key.coefficient,
        ];
        Numbers(numbers.map(|number| number.as_bytes().to_vec()))
    }

    /// The numbers with others in place of some.
    pub(crate) fn with<const K: usize>(&self, others: [(usize, &[u8]); K]) -> Numbers {
        let mut numbers = self.clone();
        for (field, octets) in others {
            numbers.0[field] = octets.to_vec();
        }
        numbers
    }

    /// The numbers as an RSAPrivateKey of PKCS#1.
    pub(crate) fn pkcs1(&self) -> Vec<u8> {
        let numbers = self.0.iter().map(|number| integer(number));
        sequence(&std::iter::once(integer(&[0])).chain(numbers).collect::<Vec<_>>())
    }

    /// The numbers as a PrivateKeyInfo of PKCS#8.
    pub(crate) fn pkcs8(&self) -> Vec<u8> {
        sequence(&[integer(&[0]), rsa_algorithm(), element(OCTET_STRING, &self.pkcs1())])
    }
}

/// An RSAPublicKey of PKCS#1.
pub(crate) fn public_pkcs1(n: &[u8], e: &[u8]) -> Vec<u8> {
    sequence(&[integer(n), integer(e)])
}

/// A SubjectPublicKeyInfo.
pub(crate) fn public_spki(n: &[u8], e: &[u8]) -> Vec<u8> {
    let key = [&[0][..], &public_pkcs1(n, e)].concat();
    sequence(&[rsa_algorithm(), element(BIT_STRING, &key)])
}
