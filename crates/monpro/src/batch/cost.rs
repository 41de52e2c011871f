//! The cost of powers, and the groups of tasks for which an engine is faster than one power after the other.

use alloc::vec::Vec;
use core::cmp::Reverse;

/// The products that make the constants of a modulus and end a power, in squares of an exponentiation.
const CONSTANTS: u128 = 16;
/// The products that convert as many words of an operand as the modulus has, likewise.
const CONVERSION: u128 = 2;
/// The squares that take as long as the doublings which bring a modulus of few words to the R of a long one.
const DOUBLINGS: u128 = 256;
/// A group may lack one part in so many of the cost from which it pays: the exponents of like tasks often differ in length
/// by a few bits, and an engine gains more than this where it begins to pay.
const SLACK: u128 = 32;

/// The public lengths of a task, or the extremes of the lengths in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    /// The words of the longest modulus.
    pub(super) words: usize,
    /// The words of the shortest modulus.
    pub(super) least_words: usize,
    /// The bits of the longest exponent.
    pub(super) exponent_bits: usize,
    /// The words of the longest number that is reduced.
    pub(super) operand_words: usize,
}

impl Lengths {
    /// The cost of one task, in products of words; of a group, the cost of each of its tasks in lanes.
    ///
    /// Each lane does the work of all: it squares modulo a number as long as the longest, once for each bit of the
    /// longest exponent, and reduces an operand as long as the longest.
    pub(super) fn cost(self) -> u128 {
        let [words, least_words, exponent_bits, operand_words] =
            [self.words, self.least_words, self.exponent_bits, self.operand_words]
                .map(|length| length as u128);
        let squares = words.saturating_mul(exponent_bits.saturating_add(CONSTANTS));
        let others = CONVERSION * operand_words + DOUBLINGS * (words - least_words);
        words.saturating_mul(squares.saturating_add(others))
    }

    /// The extremes of both.
    fn with(self, other: Lengths) -> Lengths {
        Lengths {
            words: self.words.max(other.words),
            least_words: self.least_words.min(other.least_words),
            exponent_bits: self.exponent_bits.max(other.exponent_bits),
            operand_words: self.operand_words.max(other.operand_words),
        }
    }
}

/// Splits tasks, given with their indices, into groups of at most `size` like ones. The tasks of a group cost apart, but for
/// the [`SLACK`], at least as much as `pays_from` tasks of the group's [`Lengths::cost`], where `pays_from` is asked for the
/// extremes of the group. Tasks that are in no such group are left out.
pub(super) fn groups_that_pay(
    mut tasks: Vec<(usize, Lengths)>,
    size: usize,
    pays_from: impl Fn(Lengths) -> usize,
) -> Vec<Vec<usize>> {
    // Like tasks become neighbours, and the first of a group has the longest modulus.
    tasks.sort_by_key(|&(i, task)| Reverse((task.words, task.exponent_bits, task.operand_words, i)));
    let lengths: Vec<Lengths> = tasks.iter().map(|&(_, task)| task).collect();
    let pays_from = |like| pays_from(like) as u128;
    let (mut groups, mut start) = (Vec::new(), 0);
    while start < tasks.len() {
        // No task costs more than its group, so a group of these few cannot pay. Most short batches end here.
        let most_tasks = size.min(tasks.len() - start) as u128;
        if pays_from(lengths[start]) > most_tasks + most_tasks / SLACK {
            start += 1;
            continue;
        }
        let end = start + length_of_run(&lengths[start..], size, pays_from(lengths[start]));
        match first_that_pays(&lengths[start..end], pays_from) {
            Some(0) => {
                groups.push(tasks[start..end].iter().map(|&(i, _)| i).collect());
                start = end;
            }
            // Without its first tasks the group has room for more.
            Some(left_out) => start += left_out,
            None => start = end,
        }
    }
    groups
}

/// The number of tasks from the first one on, at most `size`, each of which costs no less apart than it adds to the
/// cost of the group.
fn length_of_run(tasks: &[Lengths], size: usize, pays_from: u128) -> usize {
    let mut extremes = tasks[0];
    let mut joins = |task: &Lengths| {
        let joined = extremes.with(*task);
        let added = (joined.cost() - extremes.cost()).saturating_mul(pays_from);
        let joins = added <= task.cost();
        if joins {
            extremes = joined;
        }
        joins
    };
    1 + tasks[1..].iter().take(size.saturating_sub(1)).take_while(|task| joins(task)).count()
}

/// The least number of tasks to leave out at the beginning of the run, so that the others pay.
fn first_that_pays(run: &[Lengths], pays_from: impl Fn(Lengths) -> u128) -> Option<usize> {
    let (mut extremes, mut apart, mut first) = (*run.last()?, 0_u128, None);
    for (i, &task) in run.iter().enumerate().rev() {
        extremes = extremes.with(task);
        apart = apart.saturating_add(task.cost());
        if apart.saturating_add(apart / SLACK) >= extremes.cost().saturating_mul(pays_from(extremes)) {
            first = Some(i);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn lengths(words: usize, exponent_bits: usize, operand_words: usize) -> Lengths {
        Lengths { words, least_words: words, exponent_bits, operand_words }
    }

    #[test]
    fn the_cost_counts_squares_constants_conversions_and_doublings() {
        assert_eq!(lengths(3, 100, 0).cost(), 3 * 3 * 116);
        assert_eq!(lengths(3, 100, 7).cost(), 3 * 3 * 116 + 3 * 2 * 7);
        let unlike = Lengths { least_words: 1, ..lengths(3, 100, 7) };
        assert_eq!(unlike.cost(), 3 * 3 * 116 + 3 * (2 * 7 + 256 * 2));
        assert_eq!(lengths(0, 100, 7).cost(), 0);
        // Bounds of any size do not wrap.
        assert!(lengths(usize::MAX, usize::MAX, usize::MAX).cost() > lengths(1 << 30, 1 << 30, 0).cost());
    }

    #[test]
    fn extremes_are_those_of_all_tasks() {
        let joined = lengths(5, 10, 3).with(lengths(2, 30, 9));
        assert_eq!(joined, Lengths { words: 5, least_words: 2, exponent_bits: 30, operand_words: 9 });
        assert_eq!(lengths(2, 30, 9).with(lengths(5, 10, 3)), joined);
    }

    /// The groups of tasks of these lengths.
    fn groups(tasks: &[Lengths], size: usize, pays_from: usize) -> Vec<Vec<usize>> {
        groups_that_pay(tasks.iter().copied().enumerate().collect(), size, |_| pays_from)
    }

    #[test]
    fn every_group_of_every_small_mix_pays_and_has_each_task_once() {
        let kinds = [
            lengths(1, 1, 1),
            lengths(1, 4096, 1),
            lengths(1, 2, 4096),
            lengths(32, 1, 32),
            lengths(32, 2048, 32),
            lengths(31, 2048, 32),
        ];
        for mix in 0..kinds.len().pow(5) {
            let tasks: Vec<Lengths> = (0..5).map(|i| kinds[mix / kinds.len().pow(i) % kinds.len()]).collect();
            for (size, pays_from) in [(8, 3), (3, 2), (2, 1), (1, 1), (8, 0)] {
                let mut seen = [false; 5];
                for group in groups(&tasks, size, pays_from) {
                    assert!((1..=size).contains(&group.len()));
                    let apart: u128 = group.iter().map(|&i| tasks[i].cost()).sum();
                    let together = group.iter().map(|&i| tasks[i]).reduce(Lengths::with).unwrap().cost();
                    assert!(pays_from as u128 * together <= apart + apart / SLACK, "{tasks:?} {group:?}");
                    group.iter().for_each(|&i| assert!(!core::mem::replace(&mut seen[i], true)));
                }
                // Alone, every task pays for itself.
                assert!(pays_from > 1 || seen.iter().all(|&is_seen| is_seen), "{tasks:?}");
            }
        }
    }

    #[test]
    fn exponents_that_differ_by_a_few_bits_share_a_group_of_the_least_size() {
        let task = |exponent_bits| lengths(16, exponent_bits, 16);
        assert_eq!(groups(&[task(1024), task(1021)], 2, 2), [[0, 1]]);
        assert_eq!(groups(&[task(1024), task(1024), task(1020), task(1018)], 8, 4), [[1, 0, 2, 3]]);
        assert_eq!(groups(&[task(1024), task(940)], 2, 2), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn groups_begin_with_the_longest_modulus_and_leave_out_what_does_not_pay() {
        let (long, short) = (lengths(32, 100, 1), lengths(4, 100, 1));
        assert_eq!(groups(&[short, long, short, short, long], 8, 3), [[3, 2, 0]]);
        assert_eq!(groups(&[short, long, short, short, long], 8, 2), [vec![4, 1], vec![3, 2, 0]]);
        assert_eq!(groups(&[short; 7], 3, 2), [vec![6, 5, 4], vec![3, 2, 1]]);
        assert_eq!(groups(&[short; 2], 3, 3), Vec::<Vec<usize>>::new());
        assert_eq!(groups(&[], 8, 3), Vec::<Vec<usize>>::new());
        // From how many tasks a group pays is asked for the words of its own first task.
        let tasks = vec![(0, lengths(32, 100, 1)), (1, short), (2, short)];
        assert_eq!(groups_that_pay(tasks, 8, |like| if like.words > 4 { 9 } else { 2 }), [[2, 1]]);
    }

    #[test]
    fn a_task_of_equal_words_and_a_long_exponent_is_left_out_and_room_is_made() {
        let (longest, like) = (lengths(4, 60_000, 1), lengths(4, 100, 1));
        let tasks = [vec![longest], vec![like; 8]].concat();
        assert_eq!(groups(&tasks, 8, 3), [[8, 7, 6, 5, 4, 3, 2, 1]]);
    }
}
