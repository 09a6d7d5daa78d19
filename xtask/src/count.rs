//! Counts instructions and allocations of hot paths, which do not depend on the speed or load of the machine.
//! `testing/counts` has the paths, and its `counts.tsv` has their costs. A change that costs more must change this file,
//! so reviewers see it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{Done, announce, cargo, is_there};
use crate::failure::{Failure, Outcome};
use crate::{Mode, parse_check, root};

/// The costs of the paths, for one item each.
const SNAPSHOT: &str = "testing/counts/counts.tsv";
const HEAD: &str = "# Written by `cargo xtask count`: what one item of each path costs, on x86-64 Linux with AVX2.\n\
                    path\tinstructions\tallocations\tbytes\n";

/// The allowed difference of instructions and bytes from the snapshot, in percent. The C library, the processor and the
/// order of code change them a little.
const TOLERANCE_PERCENT: f64 = 3.0;
/// A difference of this number of instructions is always allowed.
const TOLERANCE: f64 = 30.0;

/// The cost of one item of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    instructions: f64,
    allocations: f64,
    bytes: f64,
}

/// `cargo xtask count [--check]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = parse_check(args)?;
    match count(&root(), mode)? {
        Done::Skipped(why) => Err(Failure::skipped(why)),
        Done::Passed | Done::Tested(_) => Ok(()),
    }
}

/// Counts, and writes the snapshot or compares the counts with it.
pub(crate) fn count(root: &Path, mode: Mode) -> Result<Done, Failure> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Done::Skipped("the counts are those of x86-64 Linux"));
    }
    if !is_there(Command::new("valgrind").arg("--version")) {
        return Ok(Done::Skipped("no valgrind"));
    }
    let found = measure(root)?;
    let path = root.join(SNAPSHOT);
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeMap<&str, Cost> = known.lines().filter_map(parse).collect();
    print!("{}", table(&found, &known));
    if mode == Mode::Write {
        std::fs::write(&path, snapshot(&found)).map_err(|error| Failure::io(SNAPSHOT, &error))?;
        return Ok(Done::Passed);
    }
    let lines = differences(&found, &known);
    if lines.is_empty() {
        return Ok(Done::Passed);
    }
    let mut failure = Failure::new(format!("{SNAPSHOT} has other costs: `cargo xtask count` writes them"));
    failure.lines.extend(lines);
    Err(failure)
}

/// Runs all paths under callgrind. The program prints their allocations, and callgrind counts their instructions.
fn measure(root: &Path) -> Result<Vec<(String, Cost)>, Failure> {
    cargo(root, "build --release --quiet -p counts")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let dump = target.join("callgrind.out.counts");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind", "--combine-dumps=yes", "--collect-atstart=no"]);
    command.args(["--toggle-collect=counts::counted", "--dump-after=counts::counted"]);
    command.arg(format!("--callgrind-out-file={}", dump.display()));
    command.arg(target.join("release/counts")).stderr(Stdio::inherit());
    let name = announce(&command);
    let output = command.output().map_err(|error| Failure::io(&name, &error))?;
    if !output.status.success() {
        return Err(Failure::new(format!("`{name}` ended with {}", output.status)));
    }
    let dump = std::fs::read_to_string(&dump).map_err(|error| Failure::io(dump.display(), &error))?;
    costs(&String::from_utf8_lossy(&output.stdout), &dump)
        .ok_or_else(|| Failure::new("valgrind counted other paths than the program ran"))
}

/// Joins the lines of the program with the totals of callgrind. The last total is that of the end of the program, and has
/// no line.
fn costs(lines: &str, dump: &str) -> Option<Vec<(String, Cost)>> {
    let totals: Vec<f64> =
        dump.lines().filter_map(|line| line.strip_prefix("totals: ")?.parse().ok()).collect();
    let totals = totals.split_last()?.1;
    let joined: Option<Vec<_>> = lines.lines().zip(totals).map(|(line, total)| cost(line, *total)).collect();
    joined.filter(|joined| joined.len() == totals.len() && joined.len() == lines.lines().count())
}

/// Parses one line of the program: path, items, allocations, bytes.
fn cost(line: &str, instructions: f64) -> Option<(String, Cost)> {
    let [name, n_items, allocations, bytes] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let n_items: f64 = n_items.parse().ok()?;
    let each = |total: &str| total.parse::<f64>().ok().map(|total| total / n_items);
    let (allocations, bytes) = (each(allocations)?, each(bytes)?);
    Some((name.to_owned(), Cost { instructions: instructions / n_items, allocations, bytes }))
}

fn parse(line: &str) -> Option<(&str, Cost)> {
    let [name, instructions, allocations, bytes] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let instructions = instructions.parse().ok()?;
    Some((name, Cost { instructions, allocations: allocations.parse().ok()?, bytes: bytes.parse().ok()? }))
}

fn snapshot(found: &[(String, Cost)]) -> String {
    let mut text = HEAD.to_owned();
    for (name, cost) in found {
        let _ =
            writeln!(text, "{name}\t{:.0}\t{:.2}\t{:.0}", cost.instructions, cost.allocations, cost.bytes);
    }
    text
}

/// A table for people: the cost of each path, and the difference from the snapshot.
fn table(found: &[(String, Cost)], known: &BTreeMap<&str, Cost>) -> String {
    let mut text =
        format!("{:<62} {:>14} {:>8} {:>12} {:>12}\n", "path", "instructions", "", "allocations", "bytes");
    for (name, cost) in found {
        let before = known.get(name.as_str());
        let change = before.map_or_else(
            || "new".to_owned(),
            |before| format!("{:+.1} %", (cost.instructions / before.instructions - 1.0) * 100.0),
        );
        let _ = writeln!(
            text,
            "{name:<62} {:>14.0} {change:>8} {:>12.2} {:>12.0}",
            cost.instructions, cost.allocations, cost.bytes
        );
    }
    text
}

/// A line for each path whose cost differs from the snapshot, and for each path that only the snapshot or only the
/// program has.
fn differences(found: &[(String, Cost)], known: &BTreeMap<&str, Cost>) -> Vec<String> {
    // A file has two digits of allocations.
    let is_near = |found: f64, known: f64, tolerance: f64| (found - known).abs() <= tolerance;
    let percents = |known: f64, least: f64| (known * TOLERANCE_PERCENT / 100.0).max(least);
    let judge = |(name, cost): &(String, Cost)| {
        let Some(before) = known.get(name.as_str()) else {
            return Some(format!("{name}: not in the snapshot"));
        };
        let numbers = [
            (
                "instructions",
                cost.instructions,
                before.instructions,
                percents(before.instructions, TOLERANCE),
            ),
            ("allocations", cost.allocations, before.allocations, 0.01),
            ("bytes", cost.bytes, before.bytes, percents(before.bytes, 64.0)),
        ];
        let far: Vec<String> = numbers
            .into_iter()
            .filter(|(_, found, known, tolerance)| !is_near(*found, *known, *tolerance))
            .map(|(what, found, known, _)| format!("{found:.2} {what} instead of {known:.2}"))
            .collect();
        (!far.is_empty()).then(|| format!("{name}: {}", far.join(", ")))
    };
    let gone = known.keys().filter(|name| !found.iter().any(|(found, _)| found == *name));
    let gone: Vec<String> = gone.map(|name| format!("{name}: no path has this name")).collect();
    found.iter().filter_map(judge).chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "read\t10\t40\t1000\nwrite\t1\t2\t64\n";
    const DUMP: &str = "part: 1\ntotals: 5000\n\npart: 2\ntotals: 77\ntotals: 0\n";

    #[test]
    fn costs_are_those_of_one_item() {
        let found = costs(LINES, DUMP).expect("as many of both");
        let read = Cost { instructions: 500.0, allocations: 4.0, bytes: 100.0 };
        assert_eq!(found[0], ("read".to_owned(), read));
        assert_eq!(found.len(), 2);
        for (lines, dump) in [
            ("read\t10\t40\t1000\n", DUMP),
            (LINES, "totals: 1\ntotals: 0\n"),
            ("read\t1\n", "totals: 1\ntotals: 0\n"),
        ] {
            assert_eq!(costs(lines, dump), None);
        }
    }

    #[test]
    fn snapshots_are_read_back() {
        let found = costs(LINES, DUMP).expect("as many of both");
        let text = snapshot(&found);
        let known: BTreeMap<&str, Cost> = text.lines().filter_map(parse).collect();
        assert_eq!(known.len(), 2);
        assert_eq!(differences(&found, &known), [""; 0]);
    }

    #[test]
    fn more_and_less_are_found() {
        let known = [("read", Cost { instructions: 5000.0, allocations: 4.0, bytes: 1000.0 })];
        let judge = |instructions, allocations, bytes| {
            differences(
                &[("read".to_owned(), Cost { instructions, allocations, bytes })],
                &BTreeMap::from(known),
            )
        };
        assert_eq!(judge(5149.0, 4.0, 1030.0), [""; 0]);
        assert_eq!(judge(5151.0, 4.0, 1000.0), ["read: 5151.00 instructions instead of 5000.00"]);
        assert_eq!(judge(4800.0, 3.0, 1000.0).len(), 1);
        assert_eq!(
            judge(5000.0, 4.1, 1065.0),
            ["read: 4.10 allocations instead of 4.00, 1065.00 bytes instead of 1000.00"]
        );
        assert_eq!(differences(&[], &BTreeMap::from(known)), ["read: no path has this name"]);
    }
}
