//! What became of a row.

/// What became of a row, as the byte that stands in the column of statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// The result is right.
    Ok = 0,
    /// An operand is null.
    NullOperand = 1,
    /// The modulus is 0.
    ZeroModulus = 2,
    /// An operand has more than [`MOST_OCTETS`](super::MOST_OCTETS), or the results of this modulus do not fit into the
    /// row of the results.
    TooWide = 3,
    /// The number shares a factor with the modulus.
    NotInvertible = 4,
    /// The number is not below the modulus of the key.
    NotBelowModulus = 5,
    /// The result was wrong when it was checked, and is withheld: the machine may be faulty, or the key is damaged.
    Fault = 6,
}

impl Status {
    /// All of them, in the order of their numbers.
    pub const ALL: [Status; 7] = [
        Status::Ok,
        Status::NullOperand,
        Status::ZeroModulus,
        Status::TooWide,
        Status::NotInvertible,
        Status::NotBelowModulus,
        Status::Fault,
    ];

    /// What it says, in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Status::Ok => "the result is right",
            Status::NullOperand => "an operand is null",
            Status::ZeroModulus => "the modulus is 0",
            Status::TooWide => "an operand or the modulus is too wide",
            Status::NotInvertible => "the number shares a factor with the modulus",
            Status::NotBelowModulus => "the number is not below the modulus of the key",
            Status::Fault => "the result was wrong when it was checked, and is withheld",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_counted_from_0_and_each_has_a_meaning_of_its_own() {
        for (number, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status as usize, number);
            assert!(!status.meaning().is_empty() && !status.meaning().contains('\n'));
            for other in &Status::ALL[..number] {
                assert_ne!(status.meaning(), other.meaning());
            }
        }
    }
}
