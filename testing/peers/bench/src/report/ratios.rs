//! The cases of a group: the time of each contestant ÷ ours, the lowest ratio of the best one first.

use super::{Row, show};
use crate::case::Group;
use crate::contestant::RECYCLING;
use crate::rounds::{CaseResult, Summary};

/// The contestants with a column of their own, if they have done any of the work.
const COLUMNS: [&str; 4] = ["arrow-rs", "pyarrow", "polars", RECYCLING];

/// The number of contestants that are named where the numbers of written bytes differ by this factor or more.
const LARGER: f64 = 1.05;

/// A table with a row for each case of the group.
pub fn table(standings: &[CaseResult], group: Group) -> String {
    let mut rows: Vec<Row<'_>> =
        standings.iter().filter(|standing| standing.case.group == group).map(Row::new).collect();
    let is_there = |peer: &&&str| {
        let names = rows.iter().flat_map(|row| &row.standing.results);
        names.into_iter().any(|(name, _)| name == *peer)
    };
    let columns: Vec<&str> = COLUMNS.iter().filter(is_there).copied().collect();
    let time = if group == Group::Threads { "time by the clock" } else { "time" };
    rows.sort_by(Row::order);
    let is_slower = |row: &&Row<'_>| row.ratios().is_some_and(|(medians, _)| medians < 0.95);
    let n_slower = rows.iter().filter(is_slower).count();
    let lines: String = rows.iter().map(|row| line(row, &columns)).collect();
    format!(
        "\nEach ratio is the {time} of another library divided by ours: below 1, the other one is faster. In {n_slower} of {} cases the best \
         is more than 5 % faster; these cases come first. *MB* is what ours writes, and what others write if it differs by more than 5 %.\n\n\
         | case | best | {} | ours | MB |\n|---|--:|{}--:|---|\n{lines}",
        rows.len(),
        columns.join(" | "),
        "--:|".repeat(columns.len()),
    )
}

fn line(row: &Row<'_>, columns: &[&str]) -> String {
    let standing = row.standing;
    let ours = standing.case.measure(row.ours.median);
    let ratio = |summary: Summary| {
        let ratio = standing.case.measure(summary.median) / ours.max(1.0);
        if ratio < 9.995 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
    };
    let of = |peer: &&str| {
        let found = standing.results.iter().find(|(name, _)| name == peer);
        found.map_or(String::new(), |(_, summary)| ratio(*summary))
    };
    let best = row.best.map_or(String::new(), |(_, best)| ratio(best));
    let cells: Vec<String> = columns.iter().map(of).collect();
    format!(
        "| {} | {best} | {} | {} | {} |\n",
        standing.case.name,
        cells.join(" | "),
        show(ours),
        written(standing)
    )
}

/// The megabytes that ours writes, and those of others that differ.
fn written(standing: &CaseResult) -> String {
    let megabytes = |n_bytes: usize| format!("{:.2}", n_bytes as f64 / 1e6);
    let Some((_, ours)) = standing.n_written.iter().find(|(name, _)| *name == "ours") else {
        return String::new();
    };
    let differs = |n_bytes: usize| {
        let ratio = n_bytes as f64 / *ours as f64;
        !(1.0 / LARGER..LARGER).contains(&ratio)
    };
    let others =
        standing.n_written.iter().filter(|(name, n_bytes)| COLUMNS.contains(name) && differs(*n_bytes));
    let others = others.map(|(name, n_bytes)| format!("; {name} {}", megabytes(*n_bytes)));
    megabytes(*ours) + &others.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::standing;

    #[test]
    fn each_peer_has_a_ratio_and_the_worst_row_is_first() {
        let leading = standing("ahead", Group::Public, &[("ours", 1e3), ("arrow-rs", 2e3), ("polars", 2e4)]);
        let mut behind =
            standing("behind", Group::Public, &[("ours", 4e3), ("pyarrow", 1e3), ("floor", 1e2)]);
        behind.n_written = vec![("ours", 1_000_000), ("pyarrow", 2_500_000), ("arrow-rs", 1_010_000)];
        let text = table(&[leading, standing("other", Group::Main, &[("ours", 1.0)]), behind], Group::Public);
        assert!(text.contains("In 1 of 2 cases"), "{text}");
        assert!(
            text.ends_with(
                "| behind | 0.25 |  | 0.25 |  | 4.00 µs | 1.00; pyarrow 2.50 |\n\
                 | ahead | 2.00 | 2.00 |  | 20 | 1.00 µs |  |\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn threads_are_measured_by_the_clock_and_idle_peers_have_no_column() {
        let case = standing("two", Group::Threads, &[("ours", 1e3), ("pyarrow", 2e3)]);
        let text = table(&[case], Group::Threads);
        let expected = "| case | best | pyarrow | ours | MB |\n|---|--:|--:|--:|---|\n| two | 2.00 | 2.00 | 2.00 µs |  |\n";
        assert!(text.ends_with(expected) && text.contains("the time by the clock"), "{text}");
    }
}
