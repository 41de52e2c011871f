//! Texts: blocks of PEM, and what a text without one is.

use crate::error::{Error, Found};
use alloc::vec;
use alloc::vec::Vec;
use base64ct::{Base64, Encoding};
use zeroize::Zeroizing;

/// The most octets of a text, which may hold a chain of certificates beside a key.
const MOST_TEXT_OCTETS: usize = 1 << 20;
const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const HYPHENS: &[u8] = b"-----";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A block of PEM.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) label: &'a [u8],
    /// What is between the lines of the labels, or None if there is no last line.
    body: Option<&'a [u8]>,
}

/// Whether a document is a text in PEM, rather than DER.
pub(super) fn is_pem(document: &[u8]) -> bool {
    // A document in DER begins with the tag of a sequence, the digit 0 in a text.
    document.first() != Some(&0x30) && find(document, BEGIN).is_some()
}

/// The blocks of a text. What is beside them is skipped, as attributes that OpenSSL writes are.
///
/// # Errors
/// [`Error::TooLong`]; [`Error::Found`] if there is no block.
pub(super) fn blocks(text: &[u8]) -> Result<Vec<Block<'_>>, Error> {
    if text.len() > MOST_TEXT_OCTETS {
        return Err(Error::TooLong);
    }
    let mut blocks = Vec::new();
    let mut next = find(text, BEGIN).map(|start| &text[start + BEGIN.len()..]);
    while let Some(rest) = next {
        // A block ends before the next one begins, so that each character is looked at a few times.
        let end = find(rest, BEGIN);
        next = end.map(|end| &rest[end + BEGIN.len()..]);
        blocks.extend(block(&rest[..end.unwrap_or(rest.len())]));
    }
    match blocks.is_empty() {
        true => Err(what_is(text)),
        false => Ok(blocks),
    }
}

/// The block whose label begins a text, or None if the label does not end.
fn block(text: &[u8]) -> Option<Block<'_>> {
    let length = find(text, HYPHENS)?;
    let (label, rest) = (&text[..length], &text[length + HYPHENS.len()..]);
    let end = find(rest, END).filter(|&end| {
        let last = &rest[end + END.len()..];
        last.starts_with(label) && last[label.len()..].starts_with(HYPHENS)
    });
    Some(Block { label, body: end.map(|end| &rest[..end]) })
}

impl Block<'_> {
    /// The DER in the block, whatever the lengths of its lines.
    ///
    /// # Errors
    /// [`Error::Found`].
    pub(super) fn der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let body = self.body.ok_or(Error::Found(Found::NoEnd))?;
        if find(body, b",ENCRYPTED").is_some() {
            return Err(Error::Found(Found::OldEncryption));
        }
        if find(body, b"\\n").is_some() {
            return Err(Error::Found(Found::EscapedLines));
        }
        let mut digits = Zeroizing::new(Vec::with_capacity(body.len()));
        digits.extend(body.iter().filter(|&&octet| octet > b' '));
        let mut der = Zeroizing::new(vec![0; digits.len() / 4 * 3 + 3]);
        let length = Base64::decode(&digits[..], &mut der).map_err(|_| Error::Found(Found::BadDigits))?.len();
        der.truncate(length);
        Ok(der)
    }
}

/// The place of a piece in a text. The piece begins with a character that is no digit, so that the time tells nothing of
/// the digits.
fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    text.windows(piece.len()).position(|window| window == piece)
}

/// What a text without a block of PEM is.
fn what_is(text: &[u8]) -> Error {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii();
    let beginnings: [(&[u8], Found); 17] = [
        (b"ssh-", Found::OpenSshPublic),
        (b"ecdsa-sha2-", Found::OpenSshPublic),
        (b"sk-ssh-", Found::OpenSshPublic),
        (b"sk-ecdsa-", Found::OpenSshPublic),
        (b"---- BEGIN SSH2", Found::Ssh2Public),
        (b"PuTTY-User-Key-File", Found::Putty),
        (b"{", Found::Json),
        (b"<", Found::Xml),
        (b"MII", Found::BareDigits),
        (b"\xff\xfe", Found::Utf16),
        (b"\xfe\xff", Found::Utf16),
        (b"\xfe\xed\xfe\xed", Found::JavaKeyStore),
        (b"\x07\x02\0\0", Found::MicrosoftBlob),
        (b"\x06\x02\0\0", Found::MicrosoftBlob),
        (b"\x1e\xf1\xb5\xb0", Found::MicrosoftBlob),
        (b"\x30\x80", Found::Indefinite),
        (b"\x30", Found::Der),
    ];
    let is_text = |found| text.is_ascii() || !matches!(found, Found::Json | Found::Xml);
    let found = beginnings.iter().find(|&&(beginning, found)| text.starts_with(beginning) && is_text(found));
    match found {
        _ if text.is_empty() => Error::Found(Found::Nothing),
        Some(&(_, found)) => Error::Found(found),
        None => Error::Malformed,
    }
}

/// The error of a document that is no DER, which may be a text.
pub(super) fn error_of(document: &[u8]) -> Error {
    match is_pem(document) {
        true => Error::Found(Found::Pem),
        false => match what_is(document) {
            Error::Found(Found::Der) => Error::Malformed,
            error => error,
        },
    }
}
