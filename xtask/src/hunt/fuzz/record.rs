//! What runs of libFuzzer did, and `testing/fuzz/record.tsv`, which adds them up.

use std::fmt;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome};

const RECORD: &str = "testing/fuzz/record.tsv";

const HEAD: &str = "# Written by `cargo xtask hunt fuzz … --record`: all runs of each target under AddressSanitizer. Edges are those of the longest \
corpus so far, of those of the program.\ntarget\tprocessor seconds\tinputs\tedges\tedges of the program\tfindings\n";

/// What a run of one target did.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct FuzzRun {
    target: String,
    seconds: u64,
    n_inputs: u64,
    n_edges: u64,
    n_all_edges: u64,
    pub(super) n_findings: u64,
}

impl FuzzRun {
    /// Reads what libFuzzer printed.
    pub(super) fn of_output(target: &str, output: &str, seconds: u64, n_findings: u64) -> FuzzRun {
        let number_after = |line: &str, word: &str| -> Option<u64> {
            let rest = line.split_once(word)?.1.trim_start();
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        let last = |word: &str| output.lines().rev().find_map(|line| number_after(line, word));
        // Lines of a stack begin with `#`, too, after spaces.
        let last_event = || {
            let events = output.lines().rev().filter_map(|line| line.strip_prefix('#'));
            events.filter_map(|event| event.split('\t').next()?.parse().ok()).next()
        };
        FuzzRun {
            target: target.to_owned(),
            seconds,
            // The last count of a run that a finding ended.
            n_inputs: last("stat::number_of_executed_units:").or_else(last_event).unwrap_or(0),
            n_edges: last(" cov: ").unwrap_or(0),
            n_all_edges: output.lines().find_map(|line| number_after(line, " modules   (")).unwrap_or(0),
            n_findings,
        }
    }

    fn of_line(line: &str) -> Option<FuzzRun> {
        let mut fields = line.split('\t');
        let target = fields.next()?.to_owned();
        let mut number = || fields.next()?.parse().ok();
        Some(FuzzRun {
            target,
            seconds: number()?,
            n_inputs: number()?,
            n_edges: number()?,
            n_all_edges: number()?,
            n_findings: number()?,
        })
    }

    fn and(self, other: &FuzzRun) -> FuzzRun {
        FuzzRun {
            target: self.target,
            seconds: self.seconds + other.seconds,
            n_inputs: self.n_inputs + other.n_inputs,
            n_edges: self.n_edges.max(other.n_edges),
            n_all_edges: other.n_all_edges,
            n_findings: self.n_findings + other.n_findings,
        }
    }
}

impl fmt::Display for FuzzRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FuzzRun { target, seconds, n_inputs, n_edges, n_all_edges, n_findings } = self;
        write!(f, "{target}\t{seconds}\t{n_inputs}\t{n_edges}\t{n_all_edges}\t{n_findings}")
    }
}

/// Adds a run to the record.
pub(super) fn add(root: &Path, run: &FuzzRun) -> Outcome {
    let path = root.join(RECORD);
    let known = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, with(&known, run)).map_err(|error| Failure::io(path.display(), &error))
}

fn with(known: &str, run: &FuzzRun) -> String {
    let mut runs: Vec<FuzzRun> = known.lines().filter_map(FuzzRun::of_line).collect();
    match runs.iter_mut().find(|known| known.target == run.target) {
        Some(known) => *known = known.clone().and(run),
        None => runs.push(run.clone()),
    }
    runs.sort_by(|left, right| left.target.cmp(&right.target));
    runs.iter().fold(HEAD.to_owned(), |text, run| format!("{text}{run}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "INFO: Loaded 1 modules   (1234 inline 8-bit counters): 1234 [0x1, 0x2), \n\
        #2\tINITED cov: 40 ft: 50 corp: 1/1b exec/s: 0 rss: 30Mb\n#900\tNEW    cov: 77 ft: 90 corp: 4/9b\nDone 901 runs in 2 second(s)\n\
        stat::number_of_executed_units: 901\nstat::peak_rss_mb: 30\n";

    #[test]
    fn runs_are_added_up() {
        let run = FuzzRun::of_output("rows", OUTPUT, 2, 0);
        assert_eq!(run.to_string(), "rows\t2\t901\t77\t1234\t0");
        let once = with("", &run);
        let other = FuzzRun::of_output("file", OUTPUT, 3, 1);
        let more = with(&with(&once, &other), &run);
        assert_eq!(more, format!("{HEAD}file\t3\t901\t77\t1234\t1\nrows\t4\t1802\t77\t1234\t0\n"));
    }

    #[test]
    fn a_run_that_a_finding_ended_has_a_count() {
        let cut = OUTPUT.split("Done").next().expect("a start").to_owned() + "    #0 0x7 in abort\n";
        assert_eq!(FuzzRun::of_output("rows", &cut, 2, 1).n_inputs, 900);
    }
}
