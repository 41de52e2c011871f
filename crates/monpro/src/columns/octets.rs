//! Buffers of octets that are read and written in place, and the numbers in them.

use alloc::vec;
use alloc::vec::Vec;
use bytemuck::{must_cast_slice, must_cast_slice_mut};
use core::ops::{Deref, DerefMut, Range};
use zeroize::Zeroizing;

/// Octets that are read in place.
///
/// The memory may belong to another language, where a slice cannot stand for it. Therefore this is a trait.
pub trait Octets {
    /// The number of octets.
    fn octet_count(&self) -> usize;

    /// Copies the octets from `start` on, as many as `copy` has.
    fn read(&self, start: usize, copy: &mut [u8]);
}

/// Octets that are written in place.
pub trait OctetsMut {
    /// The number of octets.
    fn octet_count(&self) -> usize;

    /// Writes these octets from `start` on.
    fn write(&mut self, start: usize, octets: &[u8]);
}

impl<T: AsRef<[u8]>> Octets for T {
    fn octet_count(&self) -> usize {
        self.as_ref().len()
    }

    fn read(&self, start: usize, copy: &mut [u8]) {
        copy.copy_from_slice(&self.as_ref()[start..start + copy.len()]);
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> OctetsMut for T {
    fn octet_count(&self) -> usize {
        self.as_ref().len()
    }

    fn write(&mut self, start: usize, octets: &[u8]) {
        self.as_mut()[start..start + octets.len()].copy_from_slice(octets);
    }
}

/// A copy of octets. It lies in words, because these are erased in an eighth of the time.
pub(super) struct Copied {
    words: Zeroizing<Vec<u64>>,
    count: usize,
}

impl Copied {
    /// As many zeros.
    fn zeros(count: usize) -> Copied {
        Copied { words: Zeroizing::new(vec![0; count.div_ceil(8)]), count }
    }
}

impl Deref for Copied {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &must_cast_slice(&self.words)[..self.count]
    }
}

impl DerefMut for Copied {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut must_cast_slice_mut(&mut self.words)[..self.count]
    }
}

/// The octets of these places, one after the other. Neighbours are read at once.
pub(super) fn gathered(octets: &dyn Octets, places: impl Iterator<Item = Range<usize>>) -> Copied {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for place in places.filter(|place| !place.is_empty()) {
        match runs.last_mut() {
            Some(run) if run.end == place.start => run.end = place.end,
            _ => runs.push(place),
        }
    }
    let mut copy = Copied::zeros(runs.iter().map(Range::len).sum());
    let mut rest = &mut copy[..];
    for run in runs {
        let (part, others) = rest.split_at_mut(run.len());
        octets.read(run.start, part);
        rest = others;
    }
    copy
}

/// The octets that are written at once, unless a row has more.
const WRITTEN_AT_ONCE: usize = 1 << 12;

/// Octets that are on their way to their places. Neighbours are written at once. They are erased when dropped.
#[derive(Default)]
pub(super) struct Scattered {
    start: usize,
    octets: Zeroizing<Vec<u8>>,
}

impl Scattered {
    /// Adds the number, given with its lowest word first: it goes to these places, big-endian with zeros before it. Words
    /// that do not fit are left out.
    pub(super) fn add(&mut self, to: &mut dyn OctetsMut, places: Range<usize>, number: &[u64]) {
        let has_room = self.octets.len() + places.len() <= self.octets.capacity();
        if self.start + self.octets.len() != places.start || !has_room {
            self.flush(to);
            self.start = places.start;
        }
        if self.octets.capacity() < places.len() {
            // Octets that grew would leave a copy behind.
            self.octets = Zeroizing::new(Vec::with_capacity(WRITTEN_AT_ONCE.max(places.len())));
        }
        let first = self.octets.len();
        self.octets.resize(first + places.len(), 0);
        for (chunk, word) in self.octets[first..].rchunks_mut(8).zip(number) {
            let octets = word.to_be_bytes();
            match chunk.first_chunk_mut() {
                Some(whole) => *whole = octets,
                None => chunk.copy_from_slice(&octets[8 - chunk.len()..]),
            }
        }
    }

    /// Writes what was added.
    pub(super) fn flush(&mut self, to: &mut dyn OctetsMut) {
        if !self.octets.is_empty() {
            to.write(self.start, &self.octets);
        }
        self.octets.clear();
    }
}

/// Sets the words to the number with these big-endian octets, the lowest word first.
pub(super) fn set_words(words: &mut [u64], octets: &[u8]) {
    for (word, chunk) in words.iter_mut().zip(octets.rchunks(8)) {
        *word = match chunk.first_chunk() {
            Some(whole) => u64::from_be_bytes(*whole),
            None => chunk.iter().fold(0, |word, &octet| word << 8 | u64::from(octet)),
        };
    }
}

/// The bit length of the number with these big-endian octets. Time depends on it.
pub(super) fn bit_length(octets: &[u8]) -> usize {
    let top = octets.iter().position(|&octet| octet != 0);
    top.map_or(0, |zeros| 8 * (octets.len() - zeros) - octets[zeros].leading_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natural;
    use core::cell::RefCell;

    #[test]
    fn numbers_of_every_length_are_read() {
        let octets: Vec<u8> = (0..40).map(|i| if i < 20 { 0 } else { 6 * i }).collect();
        for start in 0..40 {
            for end in start..=40 {
                let expected = natural::from_be_bytes(&octets[start..end]);
                let mut words = vec![u64::MAX; (end - start).div_ceil(8)];
                set_words(&mut words, &octets[start..end]);
                assert_eq!(words, expected);
                assert_eq!(bit_length(&octets[start..end]), natural::bit_length(&expected));
            }
        }
    }

    /// Octets that write down what is read of them.
    struct Watched(Vec<u8>, RefCell<Vec<Range<usize>>>);

    impl Octets for Watched {
        fn octet_count(&self) -> usize {
            self.0.len()
        }

        fn read(&self, start: usize, copy: &mut [u8]) {
            self.0.read(start, copy);
            self.1.borrow_mut().push(start..start + copy.len());
        }
    }

    #[test]
    fn places_are_gathered_in_their_order_and_neighbours_at_once() {
        let octets = Watched((0..20).collect(), RefCell::default());
        let places = [3..5, 5..7, 7..7, 0..2, 9..9, 2..3, 19..20];
        assert_eq!(*gathered(&octets, places.into_iter()), [3, 4, 5, 6, 0, 1, 2, 19]);
        assert_eq!(octets.1.take(), [3..7, 0..3, 19..20]);
        assert!(gathered(&octets, core::iter::empty()).is_empty());
        assert!(octets.1.take().is_empty());
    }

    /// Octets that count how often they are written.
    struct Counted<const N: usize>([u8; N], usize);

    impl<const N: usize> OctetsMut for Counted<N> {
        fn octet_count(&self) -> usize {
            N
        }

        fn write(&mut self, start: usize, octets: &[u8]) {
            self.0.write(start, octets);
            self.1 += 1;
        }
    }

    #[test]
    fn numbers_are_scattered_with_zeros_before_them_and_neighbours_at_once() {
        let mut target = Counted([0xee; 24], 0);
        let mut scattered = Scattered::default();
        scattered.add(&mut target, 0..3, &[0x0102]);
        scattered.add(&mut target, 3..13, &[0x0908_0706_0504_0302, 1]);
        scattered.add(&mut target, 20..22, &[0xff_aabb]);
        scattered.add(&mut target, 22..24, &[]);
        scattered.flush(&mut target);
        scattered.flush(&mut target);
        let mut expected = [0xee; 24];
        expected[..13].copy_from_slice(&[0, 1, 2, 0, 1, 9, 8, 7, 6, 5, 4, 3, 2]);
        expected[20..].copy_from_slice(&[0xaa, 0xbb, 0, 0]);
        assert_eq!((target.0, target.1), (expected, 2));
    }

    #[test]
    fn as_many_neighbours_are_written_at_once_as_there_is_room_for() {
        const COUNT: usize = WRITTEN_AT_ONCE + 64;
        for width in [1, 2, 64] {
            let mut target = Counted([0xee; COUNT], 0);
            let mut scattered = Scattered::default();
            for start in (0..COUNT).step_by(width) {
                scattered.add(&mut target, start..start + width, &[7]);
                // Octets that grew would have left a copy behind.
                assert_eq!(scattered.octets.capacity(), WRITTEN_AT_ONCE);
            }
            scattered.flush(&mut target);
            assert_eq!(target.1, 2, "rows of {width} octets");
            assert!(target.0.chunks(width).all(|row| row[..width - 1].iter().all(|&octet| octet == 0)));
            assert!(target.0.chunks(width).all(|row| row[width - 1] == 7));
        }
    }
}
