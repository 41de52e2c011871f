//! The figures for the terminal, at most 100 columns wide.

use crate::contender::Operation;
use crate::duration::duration;
use crate::record::{Figure, Results};

/// Ratios are to the fastest engine of this library.
const REFERENCE_LIBRARY: &str = "crypto-bigint";

/// Every operation's table.
pub fn render(results: &Results, operations: &[Operation], sizes: &[usize]) -> String {
    let tables = operations.iter().map(|&operation| render_operation(results, operation, sizes));
    tables.collect::<Vec<_>>().join("\n")
}

/// One line an engine: the time of a step at each size and its ratio to the fastest crypto-bigint there.
fn render_operation(results: &Results, operation: Operation, sizes: &[usize]) -> String {
    let figures: Vec<&Figure> =
        results.figures.iter().filter(|figure| figure.operation == operation.name).collect();
    let mut lines = vec![format!("{}: time, and ratio to the fastest {REFERENCE_LIBRARY}", operation.title)];
    let heads = sizes.iter().map(|bits| format!("{:>14}", format!("{bits} bits")));
    lines.push(format!("{:23}{}{:>7}", "", heads.collect::<String>(), "spread"));
    for (library, engine) in engines(&figures) {
        let own = |figure: &&&Figure| figure.library == library && figure.engine == engine;
        let cells = sizes.iter().map(|&bits| {
            let figure = figures.iter().filter(own).find(|figure| figure.bits == bits);
            figure.map_or(format!("{:>14}", "-"), |figure| cell(figure, &figures))
        });
        let cells = cells.collect::<String>();
        let spread = figures.iter().filter(own).map(|figure| figure.spread()).fold(0.0, f64::max);
        let name = format!("{library} {engine}");
        lines.push(format!("{name:23}{cells}{:>7}", format!("{:.1} %", 100.0 * spread)));
    }
    lines.join("\n") + "\n"
}

/// Library and engine of each figure, once, in order.
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

fn cell(figure: &Figure, figures: &[&Figure]) -> String {
    let of_reference = |other: &&&Figure| other.library == REFERENCE_LIBRARY && other.bits == figure.bits;
    let reference_ns =
        figures.iter().filter(of_reference).map(|other| other.median_ns).fold(f64::INFINITY, f64::min);
    format!("{:>9}{:>5.2}", duration(figure.median_ns), figure.median_ns / reference_ns)
}
