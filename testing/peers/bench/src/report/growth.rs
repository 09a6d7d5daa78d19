//! The costs of one batch, column or value as their number grows.

use super::{Row, show};
use crate::case::Group;
use crate::rounds::CaseResult;

/// A row for each family, with the costs of each size.
pub(super) fn table(standings: &[CaseResult]) -> String {
    let mut families: Vec<(&str, Vec<(u32, Row<'_>)>)> = Vec::new();
    for standing in standings {
        let Group::Growth { family, size } = standing.case.group else { continue };
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, rows)) => rows.push((size, Row::new(standing))),
            None => families.push((family, vec![(size, Row::new(standing))])),
        }
    }
    if families.is_empty() {
        return String::new();
    }
    // A family is as good as its worst size.
    families.sort_by(|(_, a), (_, b)| worst(a).total_cmp(&worst(b)));
    let lines: String = families.iter().map(|(family, rows)| line(family, rows)).collect();
    format!(
        "\n### Growth\n\nThe cost of one, in a case with so many; ours, then the best peer ÷ ours.\n\n\
         | case | sizes | ours, each | largest ÷ smallest | peer ÷ ours | best peer of the largest |\n\
         |---|---|--:|--:|--:|---|\n{lines}"
    )
}

fn worst(rows: &[(u32, Row<'_>)]) -> f64 {
    let ratios = rows.iter().filter_map(|(_, row)| row.ratios());
    ratios.map(|(medians, _)| medians).fold(f64::INFINITY, f64::min)
}

fn line(family: &str, rows: &[(u32, Row<'_>)]) -> String {
    let join =
        |cell: &dyn Fn(&(u32, Row<'_>)) -> String| rows.iter().map(cell).collect::<Vec<_>>().join("; ");
    let cost = |row: &Row<'_>| row.ours.median.processor;
    let growth = match (rows.first(), rows.last()) {
        (Some((_, first)), Some((_, last))) => {
            format!("{:.2}", cost(last) / cost(first).max(f64::MIN_POSITIVE))
        }
        _ => String::new(),
    };
    let best = rows.last().and_then(|(_, row)| row.best).map_or("none", |(name, _)| name);
    format!(
        "| {family} | {} | {} | {growth} | {} | {best} |\n",
        join(&|(size, _)| size.to_string()),
        join(&|(_, row)| show(cost(row))),
        join(&|(_, row)| row.ratios().map_or("–".to_owned(), |(medians, _)| format!("{medians:.2}"))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::standing;

    #[test]
    fn sizes_are_in_one_row() {
        let of = |family, size, ours, theirs| {
            standing("", Group::Growth { family, size }, &[("ours", ours), ("arrow-rs", theirs)])
        };
        let standings = [of("a", 10, 100.0, 200.0), of("b", 5, 1.0, 1.0), of("a", 100, 150.0, 300.0)];
        let text = table(&standings);
        assert!(text.ends_with(
            "| b | 5 | 1.00 ns | 1.00 | 1.00 | arrow-rs |\n\
             | a | 10; 100 | 100 ns; 150 ns | 1.50 | 2.00; 2.00 | arrow-rs |\n"
        ));
    }
}
