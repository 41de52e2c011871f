//! RSA's private operation with the primes: x^d mod p·q, in time independent of the values. It races without blinding,
//! where OpenSSL and AWS-LC also check their results by a power to 65537 and the others do not; and as keys are used,
//! with blinding and that check in all.

use crate::contender::{Contender, Operation};
use crate::integers::{self, IFMA_IN_LANES, LIBRARY, peers, table};
use crate::machine::locked_version;
use crate::operands::{Operands, from_words};
use crate::peers::Peer;
use crate::race::Race;
use crate::record::{Limit, Multipliers, Results};
use getrandom::SysRng;
use monpro::{CrtTask, pow_crt_batch};
use monpro_rsa::PrivateKey;
use num_bigint::BigUint;
use rand_core::UnwrapErr;
use std::collections::BTreeMap;

const SIZES_BITS: &[usize] = &[2048, 3072, 4096];

/// zᵉ with the primes, for e = d.
const ONE: Operation =
    Operation { name: "rsa-crt", title: "RSA private operation by the primes", ..integers::POWER };
const BATCH: Operation = Operation {
    name: "rsa-crt-batch",
    title: "RSA private operation by the primes, one of a batch of 8",
    ..integers::BATCH
};
const PRIVATE: Operation =
    Operation { name: "rsa-private", title: "RSA private operation, blinded and checked", ..integers::POWER };

/// The race over keys of RSA.
pub struct Rsa {
    peers: Vec<Peer>,
}

impl Rsa {
    /// Finds the installed libraries and reports the missing ones.
    pub fn prepare() -> Rsa {
        Rsa { peers: peers::find() }
    }
}

impl Race for Rsa {
    fn file_name(&self) -> &'static str {
        "rsa.json"
    }

    fn libraries(&self) -> BTreeMap<String, String> {
        let peers = self.peers.iter().map(|peer| (peer.library.to_owned(), peer.version.clone()));
        peers.chain([(LIBRARY.to_owned(), locked_version(LIBRARY))]).collect()
    }

    fn operations(&self) -> Vec<Operation> {
        vec![ONE, BATCH, PRIVATE]
    }

    fn operands(&self) -> Vec<Operands> {
        SIZES_BITS.iter().map(|&bits| Operands::of_rsa(bits)).collect()
    }

    fn contenders(&self, operands: &Operands) -> Result<Vec<Contender>, String> {
        let mut contenders =
            vec![of_monpro(ONE, operands), of_monpro(BATCH, operands), of_monpro_rsa(operands)];
        for peer in &self.peers {
            contenders.extend(peer.contenders(&[ONE, PRIVATE], operands)?);
        }
        Ok(contenders)
    }

    fn uses_multipliers(&self) -> bool {
        true
    }

    fn limits(&self, multipliers: &Multipliers) -> Vec<Limit> {
        let of_size = |&bits: &usize| {
            let cycles = 2.0 * multipliers.least_power_in_lanes(bits / 2)?;
            Some(Limit { operation: BATCH.name, bits, name: IFMA_IN_LANES, cycles })
        };
        SIZES_BITS.iter().filter_map(of_size).collect()
    }

    fn render(&self, results: &Results) -> String {
        table::render(results, &self.operations())
    }
}

/// The key is the same in all tasks, but no contender makes use of it.
fn of_monpro(operation: Operation, operands: &Operands) -> Contender {
    let one = BigUint::from(1u8);
    let (p, q, d) = (&operands.y, &operands.n / &operands.y, &operands.e);
    let q_inverse = q.modinv(p).expect("p and q are primes");
    let key = [p.clone(), q.clone(), d % (p - &one), d % (&q - &one), q_inverse];
    let [p, q, d_p, d_q, q_inverse] = key.map(|number| number.to_u64_digits());
    let step = move |z: &mut BigUint| {
        let bases: Vec<Vec<u64>> =
            (0..operation.count).map(|i| (&*z ^ BigUint::from(i)).to_u64_digits()).collect();
        let task = |base| CrtTask { base, p: &p, q: &q, d_p: &d_p, d_q: &d_q, q_inverse: &q_inverse };
        let tasks: Vec<CrtTask<'_>> = bases.iter().map(|base| task(base)).collect();
        let powers = pow_crt_batch(&tasks).into_iter().map(|power| power.expect("the key is right"));
        *z = powers.map(|power| from_words(&power)).fold(BigUint::ZERO, |sum, power| sum ^ power);
    };
    Contender::new((LIBRARY, "pow_crt_batch"), operation, operands.x.clone(), step, BigUint::clone)
}

/// The key as a document would give it, and the system's random source. Numbers go in and out as octets.
fn of_monpro_rsa(operands: &Operands) -> Contender {
    let (n, p) = (operands.n.to_bytes_be(), operands.y.to_bytes_be());
    let d = operands.e.to_bytes_be();
    let key = PrivateKey::from_numbers(&n, &[1, 0, 1], &d, &[&p]).expect("the key is right");
    let step = move |z: &mut BigUint| {
        let power = key.raw(&z.to_bytes_be(), &mut UnwrapErr(SysRng)).expect("the number is below n");
        *z = BigUint::from_bytes_be(&power);
    };
    Contender::new((LIBRARY, "monpro-rsa"), PRIVATE, operands.x.clone(), step, BigUint::clone)
}
