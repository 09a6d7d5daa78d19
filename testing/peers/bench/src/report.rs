//! The results as tables, the lowest ratio first.

mod growth;
mod ratios;
mod types;

pub use self::ratios::table as ratio_table;

use crate::case::Group;
use crate::clock::Time;
use crate::contestant::RECYCLING;
use crate::rounds::{CaseResult, Summary};
use std::cmp::Ordering;

/// The machine and the contestants of a measurement.
pub struct Circumstances {
    pub date: String,
    pub machine: String,
    /// The name and version of each contestant.
    pub versions: Vec<(&'static str, String)>,
    pub is_held_out: bool,
    pub n_rounds: usize,
    /// What the tables have if a column does not say otherwise.
    pub time: &'static str,
}

/// The row of a case.
pub struct Row<'a> {
    standing: &'a CaseResult,
    ours: Summary,
    best: Option<(&'static str, Summary)>,
    floor: Option<Summary>,
}

impl<'a> Row<'a> {
    pub fn new(standing: &'a CaseResult) -> Row<'a> {
        let of =
            |name| standing.results.iter().find(|(found, _)| *found == name).map(|(_, summary)| *summary);
        let peers =
            standing.results.iter().filter(|(name, _)| !matches!(*name, "ours" | "floor" | RECYCLING));
        let time = |summary: &Summary| standing.case.measure(summary.median);
        let best = peers.min_by(|(_, a), (_, b)| time(a).total_cmp(&time(b))).copied();
        Row { standing, ours: of("ours").unwrap_or_default(), best, floor: of("floor") }
    }

    /// The time of the fastest peer divided by our time: from the medians, and from the fastest rounds. We are faster if
    /// it is above 1.
    pub fn ratios(&self) -> Option<(f64, f64)> {
        let (_, best) = self.best?;
        let ratio = |a: Time, b: Time| {
            let case = &self.standing.case;
            case.measure(a) / case.measure(b).max(f64::MIN_POSITIVE)
        };
        Some((ratio(best.median, self.ours.median), ratio(best.least, self.ours.least)))
    }

    /// The order of rows: lowest ratio first, rows without a peer last.
    fn order(&self, other: &Row<'_>) -> Ordering {
        let key = |row: &Row<'_>| row.ratios().map_or(f64::INFINITY, |(medians, _)| medians);
        key(self).total_cmp(&key(other))
    }

    /// The cells of the row.
    fn cells(&self) -> String {
        let case = &self.standing.case;
        let (medians, least) =
            self.ratios().map_or(Default::default(), |(a, b)| (format!("{a:.2}"), format!("{b:.2}")));
        let (name, best) =
            self.best.map_or(("no peer", String::new()), |(name, best)| (name, show(best.median.processor)));
        let floor = self.floor.map_or(String::new(), |floor| {
            format!("{:.1}", self.ours.median.processor / floor.median.processor.max(1.0))
        });
        let per = if case.per.0 == 1 { String::new() } else { format!(", each {}", case.per.1) };
        format!(
            "| {}{per} | {}{} | {} | {name} {best} | {medians} | {least} | {floor} |",
            case.name,
            show(self.ours.median.processor),
            self.speed(),
            show(self.ours.median.wall),
        )
    }

    /// The speed, for work on more than a megabyte; otherwise empty.
    fn speed(&self) -> String {
        let n_bytes = self.standing.n_bytes as f64;
        let whole = self.ours.median.processor * f64::from(self.standing.case.per.0);
        if n_bytes < 1e6 || self.best.is_none() && self.floor.is_none() {
            return String::new();
        }
        format!(" ({:.2} GB/s)", n_bytes / whole.max(1.0))
    }
}

const HEAD: &str = "| case | ours | by the clock | best peer | peer ÷ ours | fastest rounds | ours ÷ floor |\n\
                    |---|--:|--:|--:|--:|--:|--:|\n";

/// The tables of all groups that have cases.
pub fn tables(standings: &[CaseResult]) -> String {
    let rows = sorted_rows(standings);
    let is_slower = |row: &&Row<'_>| row.ratios().is_some_and(|(medians, _)| medians < 1.0);
    let (slower, faster): (Vec<&Row<'_>>, Vec<&Row<'_>>) = rows.iter().partition(is_slower);
    let text = table("Slower than the best peer", &slower) + &table("As fast or faster", &faster);
    text + &growth::table(standings) + &types::table(standings)
}

/// The table of the page: the cases in which we are slower by more than 5 %.
pub fn page_table(standings: &[CaseResult]) -> String {
    let rows = sorted_rows(standings);
    let is_slower = |row: &&Row<'_>| row.ratios().is_some_and(|(medians, _)| medians < 0.95);
    let slower: Vec<&Row<'_>> = rows.iter().filter(is_slower).collect();
    table("Slower than the best peer by more than 5 %", &slower)
}

/// The rows of the main group, the worst first.
fn sorted_rows(standings: &[CaseResult]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> =
        standings.iter().filter(|standing| standing.case.group == Group::Main).map(Row::new).collect();
    rows.sort_by(Row::order);
    rows
}

fn table(headline: &str, rows: &[&Row<'_>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let lines: String = rows.iter().map(|row| row.cells() + "\n").collect();
    format!("\n### {headline}: {} cases\n\n{HEAD}{lines}", rows.len())
}

/// A section: the circumstances, then tables.
pub fn section(circumstances: &Circumstances, standings: &[CaseResult], tables: &str) -> String {
    let versions: Vec<String> =
        circumstances.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let data = if circumstances.is_held_out { "The data is not used for tuning. " } else { "" };
    let (typical, most) = noise(standings);
    format!(
        "Measured {} on {}: {}.\n{data}{} rounds; medians of {} unless a column says otherwise, and per unit where a \
         row names one.\nNoise: in the same rounds, copying 16 MiB varied by {typical:.0} % in a typical case, and by {most:.0} % in the worst: \
         smaller differences have no meaning.\n{tables}",
        circumstances.date,
        circumstances.machine,
        versions.join(", "),
        circumstances.n_rounds,
        circumstances.time,
    )
}

/// The variation of the time of copying the same memory, in percent: the median of all cases, and the maximum.
fn noise(standings: &[CaseResult]) -> (f64, f64) {
    let mut all: Vec<f64> = standings.iter().map(|standing| standing.noise * 100.0).collect();
    all.sort_by(f64::total_cmp);
    let at = |idx: usize| all.get(idx).copied().unwrap_or_default();
    (at(all.len() / 2), at(all.len().saturating_sub(1)))
}

/// A number of nanoseconds as text with a unit.
pub fn show(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    let (size, unit) = units.into_iter().find(|(size, _)| nanoseconds >= *size).unwrap_or((1.0, "ns"));
    let number = nanoseconds / size;
    let digits = if number < 9.995 {
        2
    } else if number < 99.95 {
        1
    } else {
        0
    };
    format!("{number:.digits$} {unit}")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::cases;

    /// A result of the first case of a group, with these processor times.
    pub(crate) fn standing(name: &str, group: Group, results: &[(&'static str, f64)]) -> CaseResult {
        let mut case = cases::all().into_iter().next().expect("there are cases");
        (case.name, case.group, case.per) = (name.to_owned(), group, (1, "run"));
        let summary = |time: f64| {
            let time = Time { wall: time * 2.0, processor: time };
            Summary { median: time, least: time }
        };
        let results = results.iter().map(|(name, time)| (*name, summary(*time))).collect();
        CaseResult {
            case,
            results,
            absent: Vec::new(),
            ways: Vec::new(),
            noise: 0.1,
            n_bytes: 4_000_000,
            n_written: Vec::new(),
        }
    }

    #[test]
    fn worst_is_first_and_beside_its_best_peer() {
        let standings = [
            standing(
                "ahead",
                Group::Main,
                &[("ours", 1e6), ("arrow-rs", 3e6), ("pyarrow", 2e6), ("floor", 5e5)],
            ),
            standing("slower", Group::Main, &[("ours", 4e6), ("pyarrow", 1e6)]),
            standing("alone", Group::Main, &[("ours", 700.0)]),
        ];
        assert_eq!(
            tables(&standings),
            "\n### Slower than the best peer: 1 cases\n\n".to_owned()
                + HEAD
                + "| slower | 4.00 ms (1.00 GB/s) | 8.00 ms | pyarrow 1.00 ms | 0.25 | 0.25 |  |\n"
                + "\n### As fast or faster: 2 cases\n\n"
                + HEAD
                + "| ahead | 1.00 ms (4.00 GB/s) | 2.00 ms | pyarrow 2.00 ms | 2.00 | 2.00 | 2.0 |\n"
                + "| alone | 700 ns | 1.40 µs | no peer  |  |  |  |\n"
        );
    }

    #[test]
    fn the_page_has_the_cases_that_are_slower_by_more_than_noise() {
        let standings = [0.9, 0.96, 1.1].map(|ratio| {
            let name = format!("case {ratio}");
            standing(&name, Group::Main, &[("ours", 1e6), ("pyarrow", ratio * 1e6)])
        });
        let page = page_table(&standings);
        assert!(page.contains("by more than 5 %: 1 cases"), "{page}");
        assert!(page.contains("case 0.9 ") && !page.contains("case 0.96"), "{page}");
    }

    #[test]
    fn section_says_where_and_how_noisy() {
        let circumstances = Circumstances {
            date: "2026-01-02".to_owned(),
            machine: "a processor, 2 cores".to_owned(),
            versions: vec![("ours", "0.1.0".to_owned()), ("arrow-rs", "60.1.0".to_owned())],
            is_held_out: true,
            n_rounds: 15,
            time: "processor time",
        };
        let standings = [standing("a", Group::Main, &[("ours", 1e3)])];
        let text = section(&circumstances, &standings, &tables(&standings));
        for part in [
            "Measured 2026-01-02 on a processor, 2 cores: ours 0.1.0, arrow-rs 60.1.0.",
            "The data is not used for tuning. 15 rounds",
            "varied by 10 % in a typical case",
            "| a | 1.00 µs",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn times_have_units() {
        let shown = [0.5, 9.99, 12.34, 999.0, 1_500.0, 12_345_678.0, 2.5e9].map(show);
        assert_eq!(shown, ["0.50 ns", "9.99 ns", "12.3 ns", "999 ns", "1.50 µs", "12.3 ms", "2.50 s"]);
    }
}
