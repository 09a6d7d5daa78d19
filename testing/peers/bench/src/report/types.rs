//! Each type separately, with ratios only, since there are many types.

use super::Row;
use crate::case::{From, Group, To, Work};
use crate::rounds::CaseResult;

const HEAD: &str = "| type | read in memory | read a file on disk | write to reused memory | write a file in memory |\n\
                    |---|--:|--:|--:|--:|\n";

/// A row for each type.
pub(super) fn table(standings: &[CaseResult]) -> String {
    let mut types: Vec<(String, [Option<f64>; 4])> = Vec::new();
    for standing in standings.iter().filter(|standing| standing.case.group == Group::Types) {
        let name = standing.case.data.to_string();
        if types.last().is_none_or(|(last, _)| *last != name) {
            types.push((name, [None; 4]));
        }
        if let Some((_, cells)) = types.last_mut() {
            cells[column(standing.case.work)] = Row::new(standing).ratios().map(|(medians, _)| medians);
        }
    }
    if types.is_empty() {
        return String::new();
    }
    let worst = |cells: &[Option<f64>; 4]| cells.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    types.sort_by(|(_, a), (_, b)| worst(a).total_cmp(&worst(b)));
    let cell = |ratio: &Option<f64>| ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
    let line = |(name, cells): &(String, [Option<f64>; 4])| {
        format!("| {name} | {} |\n", cells.iter().map(cell).collect::<Vec<_>>().join(" | "))
    };
    format!(
        "\n### Types\n\nThe best peer's time ÷ ours for a batch of 20,000 rows with nulls; – where no peer knows the type.\n\n{HEAD}{}",
        types.iter().map(line).collect::<String>()
    )
}

fn column(work: Work) -> usize {
    match work {
        Work::Read(read) if read.from == From::Disk => 1,
        Work::Read(_) => 0,
        Work::Write(write) if write.to == To::New => 3,
        Work::Write(_) | Work::WriteGrowing(..) | Work::Shuffle { .. } => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use crate::report::tests::standing;

    #[test]
    fn works_of_a_type_are_in_one_row() {
        let all = cases::all().into_iter().filter(|case| case.group == Group::Types);
        let mut standings = Vec::new();
        for (case, ours) in all.take(4).zip([1.0, 2.0, 4.0, 8.0]) {
            let results = [("ours", ours), ("polars-arrow", 4.0)];
            standings.push(CaseResult { case, ..standing("", Group::Types, &results) });
        }
        let text = table(&standings);
        assert!(text.ends_with(" | 4.00 | 2.00 | 1.00 | 0.50 |\n"), "{text}");
    }
}
