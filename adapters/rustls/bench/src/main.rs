//! Times RSA signatures of rustls by monpro, by aws-lc-rs and by ring. All take turns in each round; the figures are
//! medians.

use nix::time::{ClockId, clock_gettime};
use rustls::SignatureScheme;
use rustls::crypto::{CryptoProvider, aws_lc_rs, ring};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::Signer;
use std::time::Duration;

const ROUNDS: usize = 25;
/// How long each contender signs in a round.
const TURN: Duration = Duration::from_millis(20);

fn main() {
    let providers: [(&str, CryptoProvider); 3] = [
        ("monpro", monpro_rustls::with_rsa(ring::default_provider())),
        ("aws-lc-rs", aws_lc_rs::default_provider()),
        ("ring", ring::default_provider()),
    ];
    println!("signatures a second; how many times as many by monpro");
    println!("{:24}{:>10}{:>22}{:>22}", "", providers[0].0, providers[1].0, providers[2].0);
    for bits in [2048, 3072, 4096] {
        for (name, scheme) in [
            ("PSS, SHA-256", SignatureScheme::RSA_PSS_SHA256),
            ("PKCS#1, SHA-256", SignatureScheme::RSA_PKCS1_SHA256),
        ] {
            race(&format!("{bits} bits, {name}"), bits, scheme, &providers);
        }
    }
}

/// Prints a line: the rates of all providers for a new key of this length.
fn race(title: &str, bits: usize, scheme: SignatureScheme, providers: &[(&str, CryptoProvider)]) {
    let mut random = rand_core::UnwrapErr(getrandom::SysRng);
    let key = monpro_rsa::PrivateKey::generate(bits, &mut random).expect("the length is supported");
    let document = key.to_der();
    let load = |(_, provider): &(&str, CryptoProvider)| {
        let key = provider.key_provider.load_private_key(PrivateKeyDer::Pkcs8(document.to_vec().into()));
        key.expect("the key is right").choose_scheme(&[scheme]).expect("RSA has the scheme")
    };
    let signers: Vec<Box<dyn Signer>> = providers.iter().map(load).collect();
    let mut rates = vec![Vec::new(); signers.len()];
    for _ in 0..ROUNDS {
        for (rates, signer) in rates.iter_mut().zip(&signers) {
            rates.push(rate(signer.as_ref()));
        }
    }
    let medians: Vec<f64> = rates.into_iter().map(median).collect();
    let others: String =
        medians[1..].iter().map(|rate| format!("{rate:>14.0}{:>8.2}", medians[0] / rate)).collect();
    println!("{title:24}{:>10.0}{others}", medians[0]);
}

/// Signatures a second of processor time, in a turn.
fn rate(signer: &dyn Signer) -> f64 {
    let (start, mut count) = (processor_time(), 0.0);
    while processor_time() - start < TURN {
        signer.sign(b"a message of thirty-two octets..").expect("the key signs");
        count += 1.0;
    }
    count / (processor_time() - start).as_secs_f64()
}

/// The processor time of this thread.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the system has this clock").into()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
