//! What the checks found, by subject.

use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    Memcheck,
    Trace,
    Timing,
    Erasure,
}

impl Check {
    pub const ALL: [Check; 4] = [Check::Memcheck, Check::Trace, Check::Timing, Check::Erasure];

    pub fn name(self) -> &'static str {
        match self {
            Check::Memcheck => "memcheck",
            Check::Trace => "trace",
            Check::Timing => "timing",
            Check::Erasure => "erasure",
        }
    }
}

#[derive(Default)]
pub struct Findings {
    /// In the order in which the checks met the subjects.
    names: Vec<String>,
    cells: BTreeMap<(String, Check), Cell>,
}

#[derive(Default)]
struct Cell {
    is_bad: bool,
    runs: usize,
    leaks: Vec<String>,
    /// A measure, to stand in the table.
    note: String,
}

impl Findings {
    /// Adds a run of a subject with the leak found, if any. A bad subject must leak.
    pub fn add(&mut self, check: Check, name: &str, is_bad: bool, leak: Option<String>) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
        let cell = self.cells.entry((name.to_owned(), check)).or_default();
        cell.is_bad = is_bad;
        cell.runs += 1;
        cell.leaks.extend(leak);
    }

    /// Adds what was found elsewhere.
    pub fn append(&mut self, other: Findings) {
        for name in other.names {
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
        self.cells.extend(other.cells);
    }

    /// Notes a measure of a subject that was added.
    pub fn note(&mut self, check: Check, name: &str, note: String) {
        if let Some(cell) = self.cells.get_mut(&(name.to_owned(), check)) {
            cell.note = note;
        }
    }

    /// Whether every bad subject leaked and no other did.
    pub fn are_good(&self) -> bool {
        self.cells.values().all(Cell::is_as_named)
    }

    /// One line for each subject, one column for each check, and then what failed.
    pub fn render(&self) -> String {
        let checks: Vec<Check> =
            Check::ALL.into_iter().filter(|check| self.cells.keys().any(|(_, of)| of == check)).collect();
        let heads: String = checks.iter().map(|check| format!("{:>20}", check.name())).collect();
        let mut lines = vec![format!("{:44}{heads}", "")];
        for name in &self.names {
            let cells = checks.iter().map(|&check| {
                let cell = self.cells.get(&(name.clone(), check));
                format!("{:>20}", cell.map_or("-".to_owned(), Cell::summary))
            });
            lines.push(format!("{name:44}{}", cells.collect::<String>()));
        }
        for ((name, check), cell) in self.cells.iter().filter(|(_, cell)| !cell.is_as_named()) {
            let found = match cell.is_bad {
                true => "a control, and was not found out".to_owned(),
                false => cell.leaks.join("; "),
            };
            lines.push(format!("FAILED: {name}, {}: {found}", check.name()));
        }
        lines.join("\n") + "\n"
    }
}

impl Cell {
    fn is_as_named(&self) -> bool {
        self.is_bad != self.leaks.is_empty()
    }

    fn summary(&self) -> String {
        let found = match (self.leaks.len(), self.is_bad) {
            (0, false) => format!("{} clean", self.runs),
            (count, true) if count > 0 => "found out".to_owned(),
            (0, true) => "NOT FOUND OUT".to_owned(),
            (count, _) => format!("{count} of {} LEAK", self.runs),
        };
        if self.note.is_empty() { found } else { format!("{found}, {}", self.note) }
    }
}
