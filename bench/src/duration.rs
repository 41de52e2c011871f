//! Times for the terminal.

/// Three digits and a suitable unit.
pub fn duration(time_ns: f64) -> String {
    let (value, unit) = match time_ns {
        ..1e3 => (time_ns, "ns"),
        ..1e6 => (time_ns / 1e3, "µs"),
        _ => (time_ns / 1e6, "ms"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}
