//! Two parties agree on a secret by Diffie–Hellman in a named group; prints whether their secrets are equal.
//!
//! `cargo run --release --example key_exchange -- ffdhe3072`

use monpro::diffie_hellman::{Group, PrivateKey};
use std::fs::File;
use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| String::from("ffdhe2048"));
    let Ok(group) = Group::named(&name) else {
        let names: Vec<_> = Group::names().collect();
        eprintln!("key_exchange: there is no group {name}; there are: {}", names.join(" "));
        std::process::exit(2);
    };
    let (alice, bob) = (generate(&group)?, generate(&group)?);
    // Only these public values travel. `agree` refuses a value that could reveal bits of the key.
    let of_alice = alice.agree(bob.public_value())?;
    let of_bob = bob.agree(alice.public_value())?;
    let are_equal = of_alice.octets() == of_bob.octets();
    println!("{name}: a secret of {} bytes, equal on both sides: {are_equal}", of_alice.octets().len());
    println!("derive keys from it with a key derivation function, such as HKDF");
    Ok(())
}

/// Draws a private key from the system's random source.
fn generate(group: &Group) -> Result<PrivateKey, Box<dyn std::error::Error>> {
    let mut octets = vec![0; group.private_octets()];
    File::open("/dev/urandom")?.read_exact(&mut octets)?;
    Ok(group.private_key(&octets)?)
}
