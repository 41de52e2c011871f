//! The arguments of the command line.

use crate::timing::Plan;
use monpro::Kernel;
use monpro::ring::RingName;
use std::path::PathBuf;
use std::time::Duration;

pub const HELP: &str = "\
Times monpro and its competitors in one run, round by round, answers compared first.

usage: cargo run --release --manifest-path bench/Cargo.toml -- [options]
  --race integers      Montgomery products and modular exponentiation, beside OpenSSL, AWS-LC, GMP, Go's
                       math/big and Rust crates; the default. `make bench-libraries` builds this year's OpenSSL
                       and AWS-LC. Builds of GMP of your own race too where MONPRO_GMP_PREFIXES
                       names their folders, with colons between
  --race sweep         modular exponentiation at many sizes from 256 to 8192 bits
  --race modexp        from bytes to bytes in the shapes of Ethereum's MODEXP, beside GMP and aurora-engine-modexp
  --race rsa           private operations by the primes, one at a time, in batches and blinded, beside the same
  --race gf2           the fields GF(2^k), beside NTL and OpenSSL; MONPRO_NTL_PREFIXES likewise
  --race check         no race: compares the values of every kernel in GF(2^k), for all k from 2 to 200
  --race tune          every kernel of monpro over the integers; rewrites the rules by which one is selected
  --kernel NAME        race this kernel of monpro and not the usual ones; repeatable
  --operation NAME     only this operation, such as modexp; repeatable
  --bits NUMBER        only this size, such as 1024; repeatable
  --quick              fewer and shorter rounds: a glance, not figures to quote
  --json FILE          write the figures to FILE as well
  --record             write them to results/<CPU>-<date>/, by the name of the race
";

const PLAN: Plan = Plan { rounds: 25, batch: Duration::from_millis(4) };
const QUICK_PLAN: Plan = Plan { rounds: 5, batch: Duration::from_millis(1) };
/// For every kernel at every size.
pub const TUNING_PLAN: Plan = Plan { rounds: 25, batch: Duration::from_millis(1) };

/// What is raced, and how.
pub struct Arguments {
    pub race: RaceName,
    /// The kernels named on the command line.
    pub kernels: Vec<&'static Kernel>,
    pub selection: Selection,
    pub plan: Plan,
    pub output: Output,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RaceName {
    Integers,
    Sweep,
    Ethereum,
    Rsa,
    BinaryFields,
    /// No race: values are compared.
    Check,
    Tune,
}

/// The operations and sizes named; none named stands for all.
#[derive(Default)]
pub struct Selection {
    operations: Vec<String>,
    sizes_bits: Vec<usize>,
}

pub enum Output {
    Terminal,
    File(PathBuf),
    Record,
}

impl Selection {
    pub fn has_operation(&self, name: &str) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|operation| operation == name)
    }

    pub fn has_size(&self, bits: usize) -> bool {
        self.sizes_bits.is_empty() || self.sizes_bits.contains(&bits)
    }

    fn is_everything(&self) -> bool {
        self.operations.is_empty() && self.sizes_bits.is_empty()
    }
}

impl RaceName {
    fn ring(self) -> RingName {
        match self {
            RaceName::BinaryFields | RaceName::Check => RingName::BinaryPolynomials,
            _ => RingName::Integers,
        }
    }
}

/// The arguments; None if help is asked for. An error is one line.
pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut arguments = Arguments {
        race: RaceName::Integers,
        kernels: Vec::new(),
        selection: Selection::default(),
        plan: PLAN,
        output: Output::Terminal,
    };
    let mut names = Vec::new();
    while let Some(word) = words.next() {
        let mut value = |what: &str| words.next().ok_or(format!("{word} needs {what}"));
        match word.as_str() {
            "--race" => {
                arguments.race = match value("the name of a race")?.as_str() {
                    "integers" => RaceName::Integers,
                    "sweep" => RaceName::Sweep,
                    "modexp" => RaceName::Ethereum,
                    "rsa" => RaceName::Rsa,
                    "gf2" => RaceName::BinaryFields,
                    "check" => RaceName::Check,
                    "tune" => RaceName::Tune,
                    other => {
                        return Err(format!(
                            "there is no race {other:?}: integers, sweep, modexp, rsa, gf2, check or tune"
                        ));
                    }
                }
            }
            "--kernel" => names.push(value("the name of a kernel")?),
            "--operation" => arguments.selection.operations.push(value("the name of an operation")?),
            "--bits" => {
                let size = value("a number of bits")?;
                let bits = size.parse().map_err(|_| format!("{size:?} is not a number of bits"))?;
                arguments.selection.sizes_bits.push(bits);
            }
            "--quick" => arguments.plan = QUICK_PLAN,
            "--json" => arguments.output = Output::File(value("a file to write to")?.into()),
            "--record" => arguments.output = Output::Record,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("there is no option {word:?}")),
        }
    }
    if matches!(arguments.output, Output::Record) && !arguments.selection.is_everything() {
        return Err("a part of the figures is not recorded: --json writes it to a file".to_owned());
    }
    for name in names {
        arguments.kernels.push(find_kernel(&name, arguments.race.ring())?);
    }
    Ok(Some(arguments))
}

/// The kernel of this name, if it works over the ring and runs on this CPU.
fn find_kernel(name: &str, ring: RingName) -> Result<&'static Kernel, String> {
    let kernel = Kernel::by_name(name).ok().filter(|kernel| kernel.ring == ring);
    let kernel =
        kernel.ok_or(format!("there is no kernel {name:?} of this ring: `monpro kernels` lists them"))?;
    match kernel.is_available() {
        true => Ok(kernel),
        false => Err(format!("kernel {name} needs {}, which this CPU lacks", kernel.required_instructions())),
    }
}
