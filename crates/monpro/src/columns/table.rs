//! The operations by name.

use super::operation::Operation;
use super::{INVERSE, MODEXP, MODEXP_VARTIME, POW, POW_VARTIME, PRODUCT};

/// An operation with its name and those of its operands.
pub struct NamedOperation {
    /// In lower case, with hyphens.
    pub name: &'static str,
    /// In the order of the columns.
    pub operands: &'static [&'static str],
    /// None for `prime`: [`Primes`](super::Primes) is made with a random source.
    pub operation: Option<&'static dyn Operation>,
}

const OF_A_POWER: &[&str] = &["base", "exponent", "modulus"];

/// The operations of this crate. Their order is that of the C enumeration `monpro_columns_operation`.
pub static OPERATIONS: [NamedOperation; 7] = [
    NamedOperation { name: "pow", operands: OF_A_POWER, operation: Some(&POW) },
    NamedOperation { name: "pow-vartime", operands: OF_A_POWER, operation: Some(&POW_VARTIME) },
    NamedOperation { name: "modexp", operands: OF_A_POWER, operation: Some(&MODEXP) },
    NamedOperation { name: "modexp-vartime", operands: OF_A_POWER, operation: Some(&MODEXP_VARTIME) },
    NamedOperation { name: "product", operands: &["base", "factor", "modulus"], operation: Some(&PRODUCT) },
    NamedOperation { name: "inverse", operands: &["number", "modulus"], operation: Some(&INVERSE) },
    NamedOperation { name: "prime", operands: &["number"], operation: None },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_as_many_operands_as_names_of_them() {
        for named in &OPERATIONS {
            let count = named.operation.map_or(1, Operation::operands);
            assert_eq!(count, named.operands.len(), "{}", named.name);
        }
    }
}
