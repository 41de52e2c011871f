//! The figures for the terminal, at most 100 columns wide: the fastest way of each library at each degree.

use super::moduli::{DEGREES, DENSE, SPARSE};
use super::monpro::LIBRARY;
use crate::contender::Operation;
use crate::duration::duration;
use crate::record::{Figure, Results};

/// Every table, one for each operation and form of the modulus.
pub fn render(results: &Results, operations: &[Operation]) -> String {
    let tables = operations.iter().flat_map(|operation| {
        [DENSE, SPARSE]
            .map(|shape| Heats { results, operation: operation.name, shape }.render(operation.title))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The figures of one operation and form of the modulus, at all degrees.
struct Heats<'a> {
    results: &'a Results,
    operation: &'static str,
    shape: &'static str,
}

impl Heats<'_> {
    fn render(&self, title: &str) -> String {
        let mut lines = vec![line(&format!("{title}, {} modulus", self.shape), |k| k.to_string())];
        let mut libraries: Vec<&str> = Vec::new();
        for figure in self.figures() {
            if !libraries.contains(&figure.library.as_str()) {
                libraries.push(&figure.library);
            }
        }
        lines.extend(libraries.into_iter().map(|library| {
            line(library, |k| self.fastest_ns(k, |of| of == library).map_or("-".to_owned(), duration))
        }));
        let others_to_monpro = |k| Some(self.fastest_ns(k, is_other)? / self.fastest_ns(k, is_monpro)?);
        lines.push(line("fastest other / monpro", |k| ratio(others_to_monpro(k))));
        let floors = DEGREES.into_iter().filter_map(|k| self.floor_ns(k));
        if floors.count() > 0 {
            lines.push(line("floor", |k| self.floor_ns(k).map_or("-".to_owned(), duration)));
            let to_floor = |k| Some(self.fastest_ns(k, is_monpro)? / self.floor_ns(k)?);
            lines.push(line("monpro / floor", |k| ratio(to_floor(k))));
        }
        lines.join("\n") + "\n"
    }

    fn figures(&self) -> impl Iterator<Item = &Figure> {
        let own = |figure: &&Figure| {
            figure.operation == self.operation && figure.shape.as_deref() == Some(self.shape)
        };
        self.results.figures.iter().filter(own)
    }

    /// The time of the fastest way among these libraries.
    fn fastest_ns(&self, k: usize, among: impl Fn(&str) -> bool) -> Option<f64> {
        let figures = self.figures().filter(|figure| figure.bits == k && among(&figure.library));
        figures.map(|figure| figure.median_ns).min_by(f64::total_cmp)
    }

    fn floor_ns(&self, k: usize) -> Option<f64> {
        let mut floors = self.results.floors.iter();
        let own = floors.find(|floor| {
            floor.operation == self.operation && floor.shape.as_deref() == Some(self.shape) && floor.bits == k
        });
        own.map(|floor| floor.floor_ns)
    }
}

fn is_monpro(library: &str) -> bool {
    library == LIBRARY
}

fn is_other(library: &str) -> bool {
    !library.starts_with(LIBRARY)
}

fn line(name: &str, cell: impl Fn(usize) -> String) -> String {
    let cells = DEGREES.into_iter().map(|k| format!("{:>9}", cell(k)));
    format!("{name:37}{}", cells.collect::<String>())
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"))
}
