//! The private operation on the rows of a column.

use crate::error::Error;
use crate::private_key::PrivateKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use monpro::columns::{Batch, Call, Computation, Cost, Operation, Sizes, Status};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// c ↦ c^d mod n for the numbers c below the modulus n of a key, without any padding. Each row is blinded by random numbers
/// of its own, and each result is checked before it is handed out. Time depends on the length of the primes, the widths of
/// rows, and which numbers are below n.
///
/// It has one operand. A row has the status [`Status::NotBelowModulus`], or [`Status::Fault`] where the result would have
/// been wrong or the random source gives nothing that can be used.
pub struct PrivateColumn<'a, F> {
    key: &'a PrivateKey,
    random: F,
}

impl<'a, F> PrivateColumn<'a, F> {
    /// The operation with this key. Each thread makes random sources by `random`; they must be fit for cryptography.
    pub fn new(key: &'a PrivateKey, random: F) -> PrivateColumn<'a, F> {
        PrivateColumn { key, random }
    }
}

impl<R: CryptoRng, F: Fn() -> R + Sync> Operation for PrivateColumn<'_, F> {
    fn operands(&self) -> usize {
        1
    }

    fn public_length(&self) -> Option<usize> {
        None
    }

    fn prepare<'a>(&'a self, _call: &'a Call) -> Box<dyn Computation + 'a> {
        Box::new(Prepared(self))
    }
}

struct Prepared<'a, 'k, F>(&'a PrivateColumn<'k, F>);

impl<R: CryptoRng, F: Fn() -> R + Sync> Computation for Prepared<'_, '_, F> {
    fn cost(&self, _sizes: &Sizes<'_>) -> Result<Cost, Status> {
        let octets = self.0.key.public_key().octets();
        let words = octets.div_ceil(8) as u64;
        Ok(Cost { products: 64 * words * words * words, result_bits: 8 * octets })
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let numbers: Vec<&[u64]> = (0..batch.len()).map(|i| batch.number(0, i)).collect();
        let powers = self.0.key.powers(&numbers, &mut (self.0.random)());
        powers.into_iter().map(|power| power.map_err(status)).collect()
    }
}

fn status(error: Error) -> Status {
    match error {
        Error::OutOfRange => Status::NotBelowModulus,
        _ => Status::Fault,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::testing::{Constant, random};
    use alloc::vec;
    use monpro::columns::{Column, Results, compute};
    use monpro::natural;
    use std::sync::Mutex;

    /// An operation, and the sizes of the rows as they are scheduled.
    struct Scheduled<'a>(&'a dyn Operation, Mutex<Vec<Vec<usize>>>);

    impl Operation for Scheduled<'_> {
        fn operands(&self) -> usize {
            self.0.operands()
        }

        fn public_length(&self) -> Option<usize> {
            self.0.public_length()
        }

        fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a> {
            Box::new(ScheduledRows(self.0.prepare(call), &self.1))
        }
    }

    struct ScheduledRows<'a>(Box<dyn Computation + 'a>, &'a Mutex<Vec<Vec<usize>>>);

    impl Computation for ScheduledRows<'_> {
        fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
            self.1.lock().unwrap().push(sizes.0.to_vec());
            self.0.cost(sizes)
        }

        fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
            self.0.compute(batch)
        }
    }

    /// The results and the statuses of the rows of so many octets.
    fn rows<R: CryptoRng>(
        key: &PrivateKey,
        random: impl Fn() -> R + Sync,
        octets: &[u8],
        width: usize,
    ) -> (Vec<u8>, Vec<u8>) {
        let rows = octets.len() / width;
        let (mut out, mut statuses) = (vec![0xee; key.public_key().octets() * rows], vec![0xee; rows]);
        let mut results = Results::fixed(&mut out, key.public_key().octets());
        let operands = [Column::fixed(&octets, width, rows).unwrap()];
        let operation = PrivateColumn::new(key, random);
        assert!(compute(&operation, &operands, &mut results, &mut statuses, Some(2), &mut ()).unwrap());
        (out, statuses)
    }

    #[test]
    fn rows_are_the_powers_of_single_operations() {
        for bits in [512, 768] {
            let key = PrivateKey::generate(bits, &mut random()).unwrap();
            let width = bits / 8;
            let n = natural::to_be_bytes(key.public_key().modulus().number(), width);
            let mut octets: Vec<u8> = (0..21 * width).map(|i| (i * i / 7) as u8).collect();
            octets.chunks_mut(width).for_each(|row| row[0] = 0);
            octets[3 * width..][..width].copy_from_slice(&n);
            octets[5 * width..][..width].fill(0xff);
            octets[7 * width..][..width].fill(0);
            let (out, statuses) = rows(&key, random, &octets, width);
            for (i, row) in octets.chunks(width).enumerate() {
                match key.raw(row, &mut random()) {
                    Ok(power) => assert_eq!((&out[i * width..][..width], statuses[i]), (&power[..], 0)),
                    Err(error) => {
                        assert_eq!((error, statuses[i]), (Error::OutOfRange, Status::NotBelowModulus as u8));
                        assert!(out[i * width..][..width].iter().all(|&octet| octet == 0));
                    }
                }
            }
            assert_eq!(statuses.iter().filter(|&&status| status != 0).count(), 2);
        }
    }

    #[test]
    fn results_that_went_wrong_are_withheld() {
        let key = PrivateKey::generate(512, &mut random()).unwrap().with_a_fault();
        let (out, statuses) = rows(&key, random, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1);
        assert!(out.iter().all(|&octet| octet == 0));
        // 1 is the power of 1 for every exponent, but not of the blinded number.
        assert_eq!(statuses, [Status::Fault as u8; 10]);
    }

    /// The bit length of a padded message would tell where it begins.
    #[test]
    fn rows_are_scheduled_by_their_widths_whatever_the_numbers() {
        let key = PrivateKey::generate(512, &mut random()).unwrap();
        let operation = PrivateColumn::new(&key, random);
        let mut octets = [0; 3 * 64];
        (octets[63], octets[2 * 64 + 1]) = (1, 0xff);
        let operands = [Column::fixed(&octets, 64, 3).unwrap()];
        let (mut out, mut statuses) = ([0; 3 * 64], [0xee; 3]);
        let mut results = Results::fixed(&mut out, 64);
        let scheduled = Scheduled(&operation, Mutex::default());
        assert!(compute(&scheduled, &operands, &mut results, &mut statuses, Some(1), &mut ()).unwrap());
        assert_eq!((scheduled.1.into_inner().unwrap(), statuses), (vec![vec![512]; 3], [0; 3]));
    }

    /// The exponents have the words of the primes, so that a key of twice the words takes eight times the products.
    #[test]
    fn the_cost_of_a_row_is_that_of_a_power() {
        let [short, long] = [512, 1024].map(|bits| {
            let key = PrivateKey::generate(bits, &mut random()).unwrap();
            Prepared(&PrivateColumn::new(&key, random)).cost(&Sizes(&[bits])).unwrap()
        });
        assert_eq!(long.products, 8 * short.products);
        assert_eq!([short.result_bits, long.result_bits], [512, 1024]);
    }

    #[test]
    fn a_source_that_gives_nothing_of_use_withholds_all() {
        let key = PrivateKey::generate(512, &mut random()).unwrap();
        let (out, statuses) = rows(&key, || Constant(0xff), &[2, 3], 1);
        assert!(out.iter().all(|&octet| octet == 0) && statuses == [Status::Fault as u8; 2]);
    }
}
