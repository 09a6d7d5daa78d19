//! The instructions of some hot paths, from commit to commit. `cargo xtask count` adds rows to this table, and draws it
//! as a picture.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Outcome};

pub(crate) const HISTORY: &str = "testing/counts/history.tsv";
pub(crate) const PICTURE: &str = "docs/counts.svg";
const HEAD: &str =
    "# Written by `cargo xtask count`: instructions of one item, as they were counted after this commit.\n";

/// The most frequent operations.
const PATHS: [&str; 10] = [
    "read a batch of 10 rows × 4 columns",
    "read a column of a schema of 10,000",
    "read ASCII text",
    "read integers, LZ4",
    "open a file of 1,000 batches",
    "write a batch of 10 rows × 4 columns",
    "write ASCII text, LZ4",
    "rows to CSV",
    "CSV to rows",
    "statistics of texts",
];

/// A commit, and the instructions of each path.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    commit: String,
    instructions: Vec<f64>,
}

/// Adds the current counts to the table, and draws it.
pub(crate) fn note(root: &Path, instructions: impl Fn(&str) -> Option<f64>) -> Outcome {
    let (mut rows, new) = (rows(&read(root, HISTORY)?)?, counted(instructions)?);
    let head = Command::new("git").args(["rev-parse", "--short=8", "HEAD"]).current_dir(root).output();
    let head = head.map_err(|error| Failure::io("git", &error))?;
    add(
        &mut rows,
        Row { commit: String::from_utf8_lossy(&head.stdout).trim().to_owned(), instructions: new },
    );
    write(root, HISTORY, &table(&rows))?;
    write(root, PICTURE, &picture(&rows))
}

/// Draws the picture of a table.
pub(crate) fn drawn(history: &str) -> Result<String, Failure> {
    Ok(picture(&rows(history)?))
}

/// Adds a row, unless it equals the last row. If the last row is of the same commit, it is replaced.
fn add(rows: &mut Vec<Row>, new: Row) {
    if rows.last().is_some_and(|last| last.instructions == new.instructions) {
        return;
    }
    rows.pop_if(|last| last.commit == new.commit);
    rows.push(new);
}

fn counted(instructions: impl Fn(&str) -> Option<f64>) -> Result<Vec<f64>, Failure> {
    let of = |path: &&str| {
        let missing = || Failure::new(format!("`{path}` is not counted: change the paths of the history"));
        instructions(path).map(f64::round).ok_or_else(missing)
    };
    PATHS.iter().map(of).collect()
}

fn head() -> String {
    format!("{HEAD}commit\t{}\n", PATHS.join("\t"))
}

fn rows(history: &str) -> Result<Vec<Row>, Failure> {
    let rows =
        history.strip_prefix(&head()).ok_or_else(|| Failure::new(format!("{HISTORY} has other columns")))?;
    let row = |line: &str| {
        let (commit, numbers) = line.split_once('\t')?;
        let numbers: Option<Vec<f64>> = numbers.split('\t').map(|number| number.parse().ok()).collect();
        let instructions = numbers.filter(|numbers| numbers.len() == PATHS.len())?;
        Some(Row { commit: commit.to_owned(), instructions })
    };
    let wrong = |line| Failure::new(format!("{HISTORY} has the line `{line}`"));
    rows.lines().map(|line| row(line).ok_or_else(|| wrong(line))).collect()
}

fn table(rows: &[Row]) -> String {
    let mut text = head();
    for Row { commit, instructions } in rows {
        let numbers: Vec<String> = instructions.iter().map(|number| format!("{number:.0}")).collect();
        let _ = writeln!(text, "{commit}\t{}", numbers.join("\t"));
    }
    text
}

/// Draws a line for each path, from the first commit to the last.
fn picture(rows: &[Row]) -> String {
    /// Where lines begin, how long they are, and how high.
    const LEFT: f64 = 330.0;
    const WIDTH: f64 = 280.0;
    const HEIGHT: f64 = 22.0;
    const ROW: usize = 32;
    let height = ROW * (PATHS.len() + 1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"900\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"17\" font-weight=\"bold\">Instructions of hot paths, from commit to commit: lower is better</text>\n"
    );
    for (idx, path) in PATHS.iter().enumerate() {
        let numbers = || rows.iter().filter_map(|row| row.instructions.get(idx).copied());
        let (Some(first), Some(last)) = (numbers().next(), numbers().next_back()) else { continue };
        let (top, most) = ((ROW * (idx + 1)) as f64, numbers().fold(1.0, f64::max));
        let step = WIDTH / (rows.len().max(2) - 1) as f64;
        let place = |(idx, number): (usize, f64)| {
            format!("{:.0},{:.0}", LEFT + step * idx as f64, top + HEIGHT * (1.0 - number / most))
        };
        let places: Vec<String> = numbers().enumerate().map(place).collect();
        let (base, middle) = (top + HEIGHT, top + HEIGHT - 6.0);
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{middle:.0}\" text-anchor=\"end\">{path}</text>\n\
             <line x1=\"{LEFT:.0}\" x2=\"{:.0}\" y1=\"{base:.0}\" y2=\"{base:.0}\" stroke=\"#cccccc\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"#1d6fb8\" stroke-width=\"2\"/>\n\
             <text x=\"{:.0}\" y=\"{middle:.0}\">{first:.0} → {last:.0} ({:+.0} %)</text>",
            LEFT - 8.0,
            LEFT + WIDTH,
            places.join(" "),
            LEFT + WIDTH + 8.0,
            (last / first - 1.0) * 100.0,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn read(root: &Path, path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(root.join(path)).map_err(|error| Failure::io(path, &error))
}

fn write(root: &Path, path: &str, text: &str) -> Outcome {
    std::fs::write(root.join(path), text).map_err(|error| Failure::io(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(commit: &str, number: f64) -> Row {
        Row { commit: commit.to_owned(), instructions: vec![number; PATHS.len()] }
    }

    #[test]
    fn the_history_ends_with_the_snapshot() {
        let root = crate::root();
        let rows = rows(&read(&root, HISTORY).expect("it is there")).expect("it is a table");
        let snapshot = read(&root, "testing/counts/counts.tsv").expect("it is there");
        let known = |path: &str| {
            snapshot.lines().find_map(|line| {
                line.strip_prefix(path)?.strip_prefix('\t')?.split('\t').next()?.parse().ok()
            })
        };
        assert_eq!(rows.last().map(|last| &last.instructions), counted(known).ok().as_ref());
    }

    #[test]
    fn a_commit_has_one_row() {
        let mut rows = vec![row("a", 3.0)];
        for new in [row("b", 3.0), row("b", 2.0), row("b", 1.0), row("c", 1.0)] {
            add(&mut rows, new);
        }
        assert_eq!(rows, [row("a", 3.0), row("b", 1.0)]);
        assert_eq!(super::rows(&table(&rows)).expect("it is a table"), rows);
        assert!(super::rows("commit\n").is_err());
    }
}
