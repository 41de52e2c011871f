//! Statistics of times, as in dudect: runs with a fixed secret and runs with random secrets, in random order,
//! must take the same time; Welch's t tells two means apart. This measures the real processor and covers all
//! instruction sets, but it finds only differences that stand out of the noise, and nothing about caches that
//! another process may watch.

use crate::findings::{Check, Findings};
use crate::secrets::{RANDOM_SEEDS, Random, Secrets};
use crate::subject::Subject;
use crate::subjects;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The runs of both classes in a round: as many as fit the time, within the limits.
const ROUND_TIME: Duration = Duration::from_millis(300);
const FULL_ROUND_TIME: Duration = Duration::from_secs(20);
const RUNS: RangeInclusive<u32> = 200..=100_000;
const WARM_UP_RUNS: u32 = 20;
/// A t above this in every round is a difference.
const MAX_T: f64 = 10.0;
const ROUNDS: u64 = 4;
const EXPONENT_BITS: usize = 128;
const MIN_BITS: usize = 500;
const POOL: u64 = 64;
/// The shares of the runs that are kept. The slowest are left out, because disturbances make runs slower.
const KEPT_SHARES: [f64; 4] = [0.5, 0.75, 0.9, 0.98];

/// Times each subject that should take constant time, at one moderate size, and the controls.
pub fn check(findings: &mut Findings, part: &str, is_full: bool) {
    let round_time = if is_full { FULL_ROUND_TIME } else { ROUND_TIME };
    let mut subjects = subjects::named(part);
    subjects.retain(|subject| subject.bits >= MIN_BITS && (!subject.is_vartime || subject.is_control));
    subjects.dedup_by(|subject, earlier| subject.name == earlier.name);
    for subject in &subjects {
        let mut least_t = f64::INFINITY;
        for round in 0..ROUNDS {
            least_t = least_t.min(t_of_round(subject, round, round_time));
            if least_t <= MAX_T {
                break;
            }
        }
        let leak = (least_t > MAX_T)
            .then(|| format!("{} bits: the time tells secrets apart in {ROUNDS} rounds", subject.bits));
        findings.add(Check::Timing, &subject.name, subject.is_vartime, leak);
        findings.note(Check::Timing, &subject.name, format!("t {least_t:.1}"));
    }
}

/// The greatest |t| between the runs with secrets without a bit and those with random ones.
fn t_of_round(subject: &Subject, round: u64, round_time: Duration) -> f64 {
    let of_seed = |seed| subject.secrets(EXPONENT_BITS, seed);
    // The fixed secrets lie in as many places as the random ones, so that both come from as far away.
    let pools: [Vec<Secrets>; 2] = [
        (0..POOL).map(|_| of_seed(0)).collect(),
        (0..POOL).map(|i| of_seed(RANDOM_SEEDS + POOL * round + i)).collect(),
    ];
    let mut order = Random::new(round);
    let mut secrets = of_seed(0);
    subject.load_key(&mut secrets);
    let warm_up = Instant::now();
    (0..WARM_UP_RUNS).for_each(|_| (subject.run)(&secrets));
    let runs = round_time.div_duration_f64(warm_up.elapsed() / WARM_UP_RUNS) as u32;
    let mut times_ns = [Vec::new(), Vec::new()];
    for _ in 0..runs.clamp(*RUNS.start(), *RUNS.end()) {
        let choice = order.next();
        let class = (choice & 1) as usize;
        // Both kinds are copied to the same place before the clock starts.
        secrets.copy_inputs(&pools[class][(choice >> 1) as usize % POOL as usize]);
        let start = Instant::now();
        (subject.run)(&secrets);
        times_ns[class].push(start.elapsed().as_nanos() as f64);
    }
    let mut all_ns = times_ns.concat();
    all_ns.sort_by(f64::total_cmp);
    let t_below = |share: f64| {
        let limit_ns = all_ns[((all_ns.len() - 1) as f64 * share) as usize];
        let [fixed, random] = times_ns.each_ref().map(|times_ns| Sample::of(times_ns, limit_ns));
        (fixed.mean - random.mean).abs() / (fixed.variance_of_mean + random.variance_of_mean).sqrt()
    };
    KEPT_SHARES.into_iter().map(t_below).fold(0.0, f64::max)
}

/// The times of one class up to a limit.
struct Sample {
    mean: f64,
    variance_of_mean: f64,
}

impl Sample {
    fn of(times_ns: &[f64], limit_ns: f64) -> Sample {
        let kept: Vec<f64> = times_ns.iter().copied().filter(|&time_ns| time_ns <= limit_ns).collect();
        let count = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / count;
        let variance = kept.iter().map(|time_ns| (time_ns - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Sample { mean, variance_of_mean: variance / count }
    }
}
