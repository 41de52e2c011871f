//! Times RSA signatures and full handshakes of rustls, by aws-lc-rs and by ring, each without monpro and with it. All take
//! turns in each round; the figures are medians.

mod handshake;

use nix::time::{ClockId, clock_gettime};
use rustls::SignatureScheme;
use rustls::crypto::{CryptoProvider, aws_lc_rs, ring};
use rustls::pki_types::PrivateKeyDer;
use std::time::Duration;

const ROUNDS: usize = 25;
/// How long each contender computes in a round.
const TURN: Duration = Duration::from_millis(20);

/// What is timed: it runs once, and returns the processor time that counts.
type Action = Box<dyn FnMut() -> Duration>;

fn main() {
    println!("operations a second of processor time");
    println!(
        "{:32}{:>10}{:>12}{:>8}{:>8}{:>12}{:>8}",
        "", "aws-lc-rs", "and monpro", "", "ring", "and monpro", ""
    );
    for bits in [2048, 3072, 4096] {
        let mut random = rand_core::UnwrapErr(getrandom::SysRng);
        let key = monpro_rsa::PrivateKey::generate(bits, &mut random).expect("the length is supported");
        let key = PrivateKeyDer::Pkcs8(key.to_der().to_vec().into());
        for (name, scheme) in [
            ("PSS, SHA-256", SignatureScheme::RSA_PSS_SHA256),
            ("PKCS#1, SHA-256", SignatureScheme::RSA_PKCS1_SHA256),
        ] {
            race(&format!("{bits} bits, {name}"), |provider| signature(provider, &key, scheme));
        }
        let chain = vec![handshake::certify(&key)];
        for version in [&rustls::version::TLS13, &rustls::version::TLS12] {
            let title = format!("{bits} bits, a server's {:?}", version.version);
            race(&title, |provider| handshake::server(provider, &chain, &key, version));
        }
    }
}

/// Prints a line: the rates of the providers without monpro and with it, and how many times as many with it.
fn race(title: &str, action: impl Fn(CryptoProvider) -> Action) {
    let providers = [aws_lc_rs::default_provider, ring::default_provider];
    let mut actions: Vec<Action> =
        providers.iter().flat_map(|make| [action(make()), action(monpro_rustls::with_rsa(make()))]).collect();
    let mut rates = vec![Vec::new(); actions.len()];
    for _ in 0..ROUNDS {
        for (rates, action) in rates.iter_mut().zip(&mut actions) {
            rates.push(rate(action));
        }
    }
    let medians: Vec<f64> = rates.into_iter().map(median).collect();
    print!("{title:32}");
    for (width, pair) in [10, 8].into_iter().zip(medians.chunks(2)) {
        print!("{:>width$.0}{:>12.0}{:>8.2}", pair[0], pair[1], pair[1] / pair[0]);
    }
    println!();
}

/// A signature of a short message.
fn signature(provider: CryptoProvider, key: &PrivateKeyDer<'static>, scheme: SignatureScheme) -> Action {
    let key = provider.key_provider.load_private_key(key.clone_key()).expect("the key is right");
    let signer = key.choose_scheme(&[scheme]).expect("RSA has the scheme");
    Box::new(move || {
        let start = processor_time();
        signer.sign(b"a message of thirty-two octets..").expect("the key signs");
        processor_time() - start
    })
}

/// Actions a second, in a turn.
fn rate(action: &mut Action) -> f64 {
    let (mut count, mut spent) = (0.0, Duration::ZERO);
    while spent < TURN {
        spent += action();
        count += 1.0;
    }
    count / spent.as_secs_f64()
}

/// The processor time of this thread.
pub(crate) fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the system has this clock").into()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
