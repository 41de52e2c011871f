//! The libraries, a file each. To add one, write its file and add a line to [`all`].

mod crypto_bigint;
mod monpro;
mod num_bigint;

use crate::contender::Contender;
use crate::operands::Operands;

/// Every contender on these operands.
pub fn all(operands: &Operands) -> Vec<Contender> {
    let mut contenders = monpro::contenders(operands);
    contenders.extend(crypto_bigint::contenders(operands));
    contenders.extend(num_bigint::contenders(operands));
    contenders
}
