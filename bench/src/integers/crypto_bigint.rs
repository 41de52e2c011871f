//! crypto-bigint: numbers of a compile-time size ("fixed") and on the heap ("boxed").
//!
//! Products use its multipliers, which are made for loops and keep their buffer.

mod boxed;
mod fixed;

use crate::contender::Contender;
use crate::operands::Operands;

pub const LIBRARY: &str = "crypto-bigint";

pub fn contenders(operands: &Operands) -> Vec<Contender> {
    let mut contenders = match operands.bits {
        256 => fixed::contenders::<4>(operands),
        512 => fixed::contenders::<8>(operands),
        1024 => fixed::contenders::<16>(operands),
        1536 => fixed::contenders::<24>(operands),
        2048 => fixed::contenders::<32>(operands),
        3072 => fixed::contenders::<48>(operands),
        4096 => fixed::contenders::<64>(operands),
        _ => Vec::new(),
    };
    contenders.extend(boxed::contenders(operands));
    contenders
}
