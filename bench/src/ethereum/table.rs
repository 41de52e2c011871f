//! The figures for the terminal.

use super::vectors::gas;
use super::{MONPRO, POWER_OF_BYTES};
use crate::duration::duration;
use crate::record::{Figure, Results};

/// One line for each vector: monpro's time, the gas that it earns in this time, and the times of the others as multiples of
/// it; then the geometric means.
pub fn render(results: &Results) -> String {
    let (ours, others): (Vec<&Figure>, Vec<&Figure>) =
        results.figures.iter().partition(|figure| figure.library == MONPRO);
    let mut rivals: Vec<(&str, &str)> = Vec::new();
    for figure in &others {
        let rival = (figure.library.as_str(), figure.engine.as_str());
        if !rivals.contains(&rival) {
            rivals.push(rival);
        }
    }
    let ratios = |figure: &Figure| {
        let of_rival = |(library, engine)| {
            let same = |other: &&&Figure| {
                other.shape == figure.shape && other.library == library && other.engine == engine
            };
            others.iter().find(same).map_or(f64::NAN, |other| other.median_ns / figure.median_ns)
        };
        rivals.iter().copied().map(of_rival).collect::<Vec<f64>>()
    };
    let heads: String = rivals.iter().map(|(library, _)| format!("{library:>22}")).collect();
    let mut lines = vec![
        format!("{}: time, and how many times that others take", POWER_OF_BYTES.title),
        format!("{:30}{:>12}{:>9}{heads}", "", MONPRO, "Mgas/s"),
    ];
    let line = |name: &str, time: &str, rate: &str, values: &[f64]| {
        let cells: String = values.iter().map(|value| format!("{value:>22.2}")).collect();
        format!("{name:30}{time:>12}{rate:>9}{cells}")
    };
    for figure in &ours {
        let name = figure.shape.as_deref().unwrap_or_default();
        let rate =
            gas(name).map(|gas| format!("{:.0}", 1e3 * gas as f64 / figure.median_ns)).unwrap_or_default();
        lines.push(line(name, &duration(figure.median_ns), &rate, &ratios(figure)));
    }
    let all: Vec<Vec<f64>> = ours.iter().map(|figure| ratios(figure)).collect();
    let mean = |rival| (all.iter().map(|row| f64::ln(row[rival])).sum::<f64>() / all.len() as f64).exp();
    let least = |rival| all.iter().map(|row| row[rival]).fold(f64::INFINITY, f64::min);
    lines.push(line("geometric mean", "", "", &(0..rivals.len()).map(mean).collect::<Vec<_>>()));
    lines.push(line("least", "", "", &(0..rivals.len()).map(least).collect::<Vec<_>>()));
    lines.join("\n") + "\n"
}
