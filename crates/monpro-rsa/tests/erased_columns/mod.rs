//! The rows of columns and their results, in the threads that compute, too, also where a call is stopped.

use super::{WATCH, Watch, assert_erased, count, new_key, watched};
use getrandom::SysRng;
use monpro::columns::{
    Batch, Call, Column, Computation, Cost, Host, INVERSE, Operation, POW, PRODUCT, Results, Sizes, Status,
    compute,
};
use monpro_rsa::PrivateColumn;
use rand_core::{TryRng, UnwrapErr};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

const ROWS: usize = 80;
/// The parts that one thread computes before the first is taken.
const PARTS_AHEAD: usize = 2;
const WIDTH: usize = 32;

/// An operation whose thread joins the watch of the calling one, and which counts the parts that were computed.
struct Joined<'a> {
    operation: &'a dyn Operation,
    computed: AtomicUsize,
}

impl Operation for Joined<'_> {
    fn operands(&self) -> usize {
        self.operation.operands()
    }

    fn public_length(&self) -> Option<usize> {
        self.operation.public_length()
    }

    fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a> {
        let computation = self.operation.prepare(call);
        Box::new(Joining { computation, watch: WATCH.get(), computed: &self.computed })
    }
}

struct Joining<'a> {
    computation: Box<dyn Computation + 'a>,
    watch: Option<Watch>,
    computed: &'a AtomicUsize,
}

impl Computation for Joining<'_> {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        self.computation.cost(sizes)
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        WATCH.set(self.watch);
        let results = self.computation.compute(batch);
        self.computed.fetch_add(1, SeqCst);
        results
    }
}

/// Stops the call when the first part was written and the second lies ready.
struct Stopping<'a>(&'a AtomicUsize);

impl Host for Stopping<'_> {
    fn pause(&mut self, wait: &mut (dyn FnMut() + Send)) {
        let start = Instant::now();
        while self.0.load(SeqCst) < PARTS_AHEAD {
            assert!(start.elapsed() < Duration::from_secs(60), "no part was computed");
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(100)); // until the host is asked again
        wait();
    }

    fn is_to_go_on(&mut self, _done: usize, _total: usize) -> bool {
        false
    }
}

fn drawn(octets: usize) -> Vec<u8> {
    let mut drawn = vec![0; octets];
    SysRng.try_fill_bytes(&mut drawn).unwrap();
    drawn
}

/// The offsets of rows, the first of this width and each `more` wider than the one before.
fn offsets(width: usize, more: usize) -> Vec<usize> {
    (0..=ROWS).map(|row| width * row + more * row * row.saturating_sub(1) / 2).collect()
}

/// Computes a column twice, of which the second time is stopped, and looks for the operands and the results in what was
/// freed. Results are as long as the first row is wide.
fn check(
    name: &str,
    operation: &dyn Operation,
    operands: &[Column<'_>],
    offsets: &[usize],
    secrets: &[&[u8]],
) {
    let joined = Joined { operation, computed: AtomicUsize::new(0) };
    let run = |host: &mut dyn Host| {
        let (mut out, mut statuses) = (vec![0; offsets[ROWS]], vec![0xee; ROWS]);
        joined.computed.store(0, SeqCst);
        let (is_done, freed) = watched(|| {
            let mut results = Results::variable(&mut out, offsets.to_vec()).unwrap();
            compute(&joined, operands, &mut results, &mut statuses, Some(1), host).unwrap()
        });
        let numbers: Vec<u8> =
            offsets[1..].iter().flat_map(|&end| &out[end - offsets[1]..end]).copied().collect();
        (is_done, numbers, statuses, freed)
    };
    let (is_done, numbers, statuses, freed) = run(&mut ());
    assert!(is_done && statuses == [0; ROWS], "{name}");
    let results = ("the results", &numbers[..]);
    let secrets = || [results].into_iter().chain(secrets.iter().map(|&rows| ("the rows", rows)));
    assert_erased(name, &freed, secrets());
    let (is_done, some, _, freed) = run(&mut Stopping(&joined.computed));
    let rows_written = some.chunks(offsets[1]).filter(|row| row.iter().any(|&octet| octet != 0)).count();
    assert!(!is_done && (1..ROWS).contains(&rows_written), "{name}: {rows_written}");
    assert_erased(&format!("{name}, stopped,"), &freed, secrets());
}

#[test]
fn columns_erase() {
    let (bases, exponents) = (drawn(WIDTH * ROWS), drawn(WIDTH * ROWS));
    // 2^255 − 19, and twice that.
    let prime = [&[0x7f][..], &[0xff; WIDTH - 2], &[0xed]].concat();
    let even = [&[0xff; WIDTH - 1][..], &[0xda]].concat().repeat(ROWS);
    let mut odd = bases.clone();
    odd.chunks_mut(WIDTH).for_each(|row| row[WIDTH - 1] |= 1);
    let column = |octets| Column::fixed(octets, WIDTH, ROWS).unwrap();
    let places = &offsets(WIDTH, 0);
    let one_modulus = || Column::constant(&prime);
    let secrets = [&bases[..], &exponents];
    let operands = [column(&bases), column(&exponents), one_modulus()];
    check("pow", &POW, &operands, places, &secrets);
    check("product", &PRODUCT, &operands, places, &secrets);
    check("product in ever wider rows", &PRODUCT, &operands, &offsets(WIDTH, 200), &secrets);
    let operands = [column(&bases), column(&exponents), column(&even)];
    check("pow modulo even numbers", &POW, &operands, places, &secrets);
    check("product modulo even numbers", &PRODUCT, &operands, places, &secrets);
    let base = &bases[..WIDTH];
    let operands = [Column::constant(&base), column(&exponents), one_modulus()];
    check("pow by a table", &POW, &operands, places, &[base, &exponents]);
    check("inverse", &INVERSE, &[column(&odd), one_modulus()], places, &[&odd]);
    check("inverse modulo even numbers", &INVERSE, &[column(&odd), column(&even)], places, &[&odd]);
}

#[test]
fn columns_of_private_operations_erase() {
    let key = new_key();
    let width = key.public_key().octets();
    let numbers = drawn((width - 8) * ROWS);
    let operation = PrivateColumn::new(&key, || UnwrapErr(SysRng));
    let operands = [Column::fixed(&numbers, width - 8, ROWS).unwrap()];
    check("rsa-private", &operation, &operands, &offsets(width, 0), &[&numbers]);
}

/// What the thread that computes frees unerased is found.
#[test]
fn a_copy_in_another_thread_is_found() {
    struct Copying(Vec<u8>);

    impl Operation for Copying {
        fn operands(&self) -> usize {
            1
        }

        fn public_length(&self) -> Option<usize> {
            None
        }

        fn prepare<'a>(&'a self, _call: &'a Call) -> Box<dyn Computation + 'a> {
            Box::new(self)
        }
    }

    impl Computation for &Copying {
        fn cost(&self, _sizes: &Sizes<'_>) -> Result<Cost, Status> {
            Ok(Cost { products: 1, result_bits: 1 })
        }

        fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
            drop(std::hint::black_box(self.0.clone()));
            (0..batch.len()).map(|_| Ok(Zeroizing::new(vec![1]))).collect()
        }
    }

    let operation = Copying(drawn(WIDTH));
    let joined = Joined { operation: &operation, computed: AtomicUsize::new(0) };
    let (mut out, mut statuses) = ([0], [0]);
    let ((), freed) = watched(|| {
        let operands = [Column::fixed(&[7], 1, 1).unwrap()];
        let mut results = Results::fixed(&mut out, 1);
        assert!(compute(&joined, &operands, &mut results, &mut statuses, Some(1), &mut ()).unwrap());
    });
    assert_eq!((count(&freed, &operation.0), out), (1, [1]));
}
