//! The figures for the terminal, at most 120 columns wide.

use super::monpro::LIBRARY;
use super::peers::OPENSSL;
use crate::contender::Operation;
use crate::record::{Figure, Limit, Results};

/// The number of sizes side by side in one table.
const COLUMNS: usize = 7;

/// The tables of every operation.
pub fn render(results: &Results, operations: &[Operation]) -> String {
    let tables = operations.iter().flat_map(|&operation| {
        let of_operation = results.figures.iter().filter(|figure| figure.operation == operation.name);
        let mut sizes: Vec<usize> = of_operation.map(|figure| figure.bits).collect();
        sizes.dedup();
        let tables = sizes.chunks(COLUMNS).map(|sizes| render_operation(results, operation, sizes));
        tables.collect::<Vec<_>>()
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// One line for each engine: at each size the cycles of the operation, and its speed relative to the
/// reference.
fn render_operation(results: &Results, operation: Operation, sizes: &[usize]) -> String {
    let is_shown = |figure: &&Figure| figure.operation == operation.name && sizes.contains(&figure.bits);
    let figures: Vec<&Figure> = results.figures.iter().filter(is_shown).collect();
    let mut libraries = figures.iter().map(|figure| figure.library.as_str());
    let openssl = OPENSSL.into_iter().find(|&name| libraries.clone().any(|library| library == name));
    let reference = openssl.or_else(|| libraries.find(|&library| library != LIBRARY));
    let ratio =
        reference.map_or(String::new(), |reference| format!(", and how many times as fast as {reference}"));
    let mut lines = vec![format!("{}: cycles{ratio}", operation.title)];
    let heads = sizes.iter().map(|bits| format!("{:>12}", format!("{bits} bits")));
    lines.push(format!("{:28}{}{:>8}", "", heads.collect::<String>(), "spread"));
    for (library, engine) in engines(&figures) {
        let own = |figure: &&&Figure| figure.library == library && figure.engine == engine;
        let cells = sizes.iter().map(|&bits| {
            let figure = figures.iter().filter(own).find(|figure| figure.bits == bits);
            figure.map_or(format!("{:>12}", "-"), |figure| cell(figure, &figures, reference))
        });
        let cells = cells.collect::<String>();
        let spread = figures.iter().filter(own).map(|figure| figure.spread()).fold(0.0, f64::max);
        lines.push(format!(
            "{:28}{cells}{:>8}",
            format!("{library} {engine}"),
            format!("{:.1} %", 100.0 * spread)
        ));
    }
    lines.extend(limits(results, operation, sizes));
    lines.join("\n") + "\n"
}

/// One line for each limit: its cycles at each size.
fn limits(results: &Results, operation: Operation, sizes: &[usize]) -> Vec<String> {
    let limits: Vec<&Limit> =
        results.limits.iter().filter(|limit| limit.operation == operation.name).collect();
    let mut names: Vec<&str> = limits.iter().map(|limit| limit.name).collect();
    names.sort_unstable();
    names.dedup();
    let line = |name: &str| {
        let cycles = |bits| {
            limits.iter().find(|limit| limit.name == name && limit.bits == bits).map(|limit| limit.cycles)
        };
        let cells =
            sizes.iter().map(|&bits| format!("{:>7}     ", cycles(bits).map_or("-".to_owned(), count)));
        format!("{:28}{}", format!("limit: {name}"), cells.collect::<String>()).trim_end().to_owned()
    };
    names.into_iter().map(line).collect()
}

/// The library and engine of each figure, without repetitions, in order.
fn engines<'a>(figures: &[&'a Figure]) -> Vec<(&'a str, &'a str)> {
    let mut engines = Vec::new();
    for figure in figures {
        let engine = (figure.library.as_str(), figure.engine.as_str());
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    engines
}

fn cell(figure: &Figure, figures: &[&Figure], reference: Option<&str>) -> String {
    let of_reference =
        |other: &&&Figure| Some(other.library.as_str()) == reference && other.bits == figure.bits;
    let reference_cycles = figures.iter().filter(of_reference).map(|other| other.median_cycles);
    let speed = reference_cycles.reduce(f64::min).map(|cycles| cycles / figure.median_cycles);
    format!(
        "{:>7}{:>5}",
        count(figure.median_cycles),
        speed.map_or("-".to_owned(), |speed| format!("{speed:.2}"))
    )
}

/// Three or four digits and a suitable unit.
fn count(cycles: f64) -> String {
    let (value, unit) = match cycles {
        ..1e4 => (cycles, ""),
        ..1e7 => (cycles / 1e3, "k"),
        _ => (cycles / 1e6, "M"),
    };
    let decimals = if unit.is_empty() { 0 } else { usize::from(value < 1e3) + usize::from(value < 1e2) };
    format!("{value:.decimals$}{unit}")
}
