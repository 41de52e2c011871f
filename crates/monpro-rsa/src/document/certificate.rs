//! The public key in a certificate.

use pkcs8::der::{Decode, Error, Reader, SliceReader, TagMode, TagNumber, asn1::AnyRef};
use pkcs8::spki::SubjectPublicKeyInfoRef;

/// The key of an X.509 certificate \[RFC 5280, §4.1\]. Nothing else in it is read: neither its signature nor its dates.
///
/// # Errors
/// If it is no certificate. What OpenSSL writes behind a trusted certificate is skipped.
pub(super) fn public_key_info(der: &[u8]) -> Result<SubjectPublicKeyInfoRef<'_>, Error> {
    SliceReader::new(der)?.sequence(|certificate| {
        let info = certificate.sequence(|content| {
            let _version = content.context_specific::<u8>(TagNumber(0), TagMode::Explicit)?;
            // The serial number, the algorithm of the signature, the issuer, the validity and the subject.
            for _ in 0..5 {
                AnyRef::decode(content)?;
            }
            let info = SubjectPublicKeyInfoRef::decode(content)?;
            content.drain(content.remaining_len())?;
            Ok::<_, Error>(info)
        })?;
        certificate.drain(certificate.remaining_len())?;
        Ok(info)
    })
}
