//! One run: the contenders of a ring are checked, then timed against each other. A round goes through all operations and
//! sizes: a disturbance of some seconds then falls into a few rounds of each, and the medians leave those out.

use crate::arguments::Selection;
use crate::contender::{Contender, Operation};
use crate::operands::Operands;
use crate::record::{Figure, Floor, Limit, Multipliers, Results};
use crate::timing::{Heat, Plan};
use std::collections::BTreeMap;
use std::io::IsTerminal;

/// The race over one ring.
pub trait Race {
    /// The name of the file that records the figures.
    fn file_name(&self) -> &'static str;
    /// Every library that races, with its version.
    fn libraries(&self) -> BTreeMap<String, String>;
    fn operations(&self) -> Vec<Operation>;
    /// The operands of every size.
    fn operands(&self) -> Vec<Operands>;
    /// Every contender on these operands. An error is one line.
    fn contenders(&self, operands: &Operands) -> Result<Vec<Contender>, String>;
    /// Lower bounds on the times of operations, where any are known.
    fn floors(&self) -> Vec<Floor> {
        Vec::new()
    }
    /// Whether `limits` knows any, so that the multipliers of the CPU are of interest.
    fn uses_multipliers(&self) -> bool {
        false
    }
    /// Lower bounds on the cycles of operations, by what the CPU's multipliers do in a cycle.
    fn limits(&self, _multipliers: &Multipliers) -> Vec<Limit> {
        Vec::new()
    }
    /// The tables for the terminal, at most 120 columns wide.
    fn render(&self, results: &Results) -> String;
}

/// Measures what is selected. An error is one line.
pub fn run(race: &dyn Race, selection: &Selection, plan: Plan) -> Result<Vec<Figure>, String> {
    let sizes: Vec<Operands> =
        race.operands().into_iter().filter(|operands| selection.has_size(operands.bits)).collect();
    let mut heats = Vec::new();
    for operands in &sizes {
        heats
            .extend(heats_of_size(race, selection, plan, operands)?.into_iter().map(|heat| (operands, heat)));
    }
    run_rounds(plan.rounds, || heats.iter_mut().for_each(|(_, heat)| heat.run_round()));
    let figures_of = |(operands, heat): &(&Operands, Heat)| -> Vec<Figure> {
        heat.timings().map(|(contender, timing)| Figure::new(operands, contender, timing)).collect()
    };
    let figures: Vec<Figure> = heats.iter().flat_map(figures_of).collect();
    match figures.is_empty() {
        true => Err("nothing of this name or size is raced".to_owned()),
        false => Ok(figures),
    }
}

/// Runs so many rounds, and shows which.
pub fn run_rounds(rounds: usize, mut round: impl FnMut()) {
    for number in 1..=rounds {
        show_progress(&format!("round {number} of {rounds}"));
        round();
    }
    show_progress("");
}

/// The heat of each operation on these operands, after the answers of its contenders were checked. An error is one line.
fn heats_of_size(
    race: &dyn Race,
    selection: &Selection,
    plan: Plan,
    operands: &Operands,
) -> Result<Vec<Heat>, String> {
    let mut contenders = race.contenders(operands)?;
    let mut heats = Vec::new();
    for operation in race.operations().into_iter().filter(|operation| selection.has_operation(operation.name))
    {
        let shape = operands.shape.as_ref().map_or(String::new(), |shape| format!(", {shape}"));
        let place = format!("{}: {} bits{shape}", operation.title, operands.bits);
        show_progress(&place);
        let mut racing = of_operation(&mut contenders, operation);
        check(&mut racing, operation, operands).map_err(|liar| format!("{liar} at {place}"))?;
        heats.push(Heat::new(racing, plan.batch));
    }
    Ok(heats)
}

/// Takes those out that do this operation.
fn of_operation(contenders: &mut Vec<Contender>, operation: Operation) -> Vec<Contender> {
    contenders.extract_if(.., |contender| contender.operation == operation).collect()
}

/// Compares the answers of every contender on these operands, without a race. An error is one line.
pub fn check_all(race: &dyn Race, operands: &Operands) -> Result<(), String> {
    let mut contenders = race.contenders(operands)?;
    for operation in race.operations() {
        check(&mut of_operation(&mut contenders, operation), operation, operands)
            .map_err(|liar| format!("{liar} of {} modulo {:#x}", operation.name, operands.n))?;
    }
    Ok(())
}

/// Compares the answers of all contenders with those of plain arithmetic. An error is one line.
pub fn check(racing: &mut [Contender], operation: Operation, operands: &Operands) -> Result<(), String> {
    let answers = operation.answers(operands);
    match racing.iter_mut().find_map(|contender| (!contender.is_right(&answers)).then_some(contender)) {
        Some(liar) => Err(format!("{} {} gives a wrong answer", liar.library, liar.engine)),
        None => Ok(()),
    }
}

/// Overwrites the bottom line of the terminal.
fn show_progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{text:79}\r");
    }
}
