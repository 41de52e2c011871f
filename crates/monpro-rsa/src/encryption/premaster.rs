//! The premaster secret of TLS 1.2 and before, encrypted by RSA \[RFC 5246, §7.4.7.1\].

use crate::error::Error;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

/// The octets of the secret, with the version that the client has offered.
const OCTETS: usize = 48;
/// The least number of random octets.
const LEAST_PADDING: usize = 8;

/// The premaster secret of TLS 1.2 and before \[RFC 5246, §7.4.7.1\] from the private power of the client's ciphertext: the
/// last 48 octets of the power, if its padding is right and they begin with a version that is allowed, and otherwise the
/// substitute, which must be random and new. No branch and no address depends on which it is.
///
/// The version is the one that the client has offered. Some clients send the one that was agreed, which is allowed, too,
/// if it is given. The power is in as many octets as n has, such as [`PrivateKey::raw`](crate::PrivateKey::raw) returns.
///
/// # Errors
/// [`Error::Decryption`] for a power of fewer than 59 octets, which holds no secret with its padding.
pub fn premaster_secret(
    power: &[u8],
    offered: u16,
    agreed: Option<u16>,
    substitute: &[u8; OCTETS],
) -> Result<Zeroizing<[u8; OCTETS]>, Error> {
    let (padding, secret) = power.split_last_chunk::<OCTETS>().ok_or(Error::Decryption)?;
    let [zero, two, random @ .., separator] = padding else { return Err(Error::Decryption) };
    if random.len() < LEAST_PADDING {
        return Err(Error::Decryption);
    }
    let begins_with = |version: u16| secret[..2].ct_eq(&version.to_be_bytes());
    let is_agreed = agreed.map_or(Choice::from(0), begins_with);
    let mut is_good = zero.ct_eq(&0) & two.ct_eq(&2) & separator.ct_eq(&0);
    is_good &= begins_with(offered) | is_agreed;
    for octet in random {
        is_good &= !octet.ct_eq(&0);
    }
    let mut chosen = Zeroizing::new(*substitute);
    for (octet, own) in chosen.iter_mut().zip(secret) {
        octet.conditional_assign(own, is_good);
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const SUBSTITUTE: [u8; OCTETS] = [9; OCTETS];

    fn power() -> Vec<u8> {
        [&[0, 2][..], &[5; 203], &[0, 3, 3], &[7; 46]].concat()
    }

    fn secret(power: &[u8], offered: u16, agreed: Option<u16>) -> [u8; OCTETS] {
        *premaster_secret(power, offered, agreed, &SUBSTITUTE).unwrap()
    }

    #[test]
    fn the_secret_is_what_was_encrypted() {
        assert_eq!(secret(&power(), 0x303, None)[..], power()[206..]);
        assert_eq!(secret(&power(), 0x304, Some(0x303))[..], power()[206..]);
        // Most clients are offered what they asked for.
        assert_eq!(secret(&power(), 0x303, Some(0x303))[..], power()[206..]);
    }

    #[test]
    fn what_is_malformed_gives_the_substitute() {
        for (place, octet) in
            [(0, 1), (1, 1), (2, 0), (100, 0), (204, 0), (205, 1), (206, 2), (206, 4), (207, 1)]
        {
            let mut wrong = power();
            wrong[place] = octet;
            assert_eq!(secret(&wrong, 0x303, None), SUBSTITUTE, "octet {place}");
        }
        assert_eq!(secret(&power(), 0x302, None), SUBSTITUTE);
        assert_eq!(secret(&power(), 0x302, Some(0x301)), SUBSTITUTE);
        assert_eq!(secret(&power(), 0x3, Some(0x300)), SUBSTITUTE);
    }

    #[test]
    fn the_shortest_power_has_eight_random_octets() {
        let shortest = [&[0, 2][..], &[5; 8], &[0, 3, 3], &[7; 46]].concat();
        assert_eq!(secret(&shortest, 0x303, None)[..], shortest[11..]);
        for octets in [0, 3, 47, 48, 50, 58] {
            let result = premaster_secret(&power()[..octets], 0x303, None, &SUBSTITUTE);
            assert_eq!(result.err(), Some(Error::Decryption), "{octets}");
        }
    }
}
