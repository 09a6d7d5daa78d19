//! What runs of libFuzzer did, and `testing/fuzz/record.tsv`, which adds them up.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::failure::{Failure, Outcome};

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
    pub(super) fn from_output(target: &str, output: &str, seconds: u64) -> FuzzRun {
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
        // Slow inputs are written, too, and the run goes on.
        let is_finding = |line: &&str| {
            line.starts_with("artifact_prefix=")
                && line.contains("; Test unit written to ")
                && !line.contains("slow-unit-")
        };
        FuzzRun {
            target: target.to_owned(),
            seconds,
            // The last count of a run that a finding ended.
            n_inputs: last("stat::number_of_executed_units:").or_else(last_event).unwrap_or(0),
            n_edges: last(" cov: ").unwrap_or(0),
            n_all_edges: output.lines().find_map(|line| number_after(line, " modules   (")).unwrap_or(0),
            n_findings: output.lines().filter(is_finding).count() as u64,
        }
    }

    fn parse_line(line: &str) -> Option<FuzzRun> {
        let mut fields = line.split('\t');
        let target = fields.next()?.to_owned();
        let mut number = || fields.next()?.parse().ok();
        let run = FuzzRun {
            target,
            seconds: number()?,
            n_inputs: number()?,
            n_edges: number()?,
            n_all_edges: number()?,
            n_findings: number()?,
        };
        fields.next().is_none().then_some(run)
    }

    fn and(self, other: &FuzzRun) -> FuzzRun {
        FuzzRun {
            target: self.target,
            seconds: self.seconds + other.seconds,
            n_inputs: self.n_inputs + other.n_inputs,
            // Edges of another program are others.
            n_edges: if self.n_all_edges == other.n_all_edges {
                self.n_edges.max(other.n_edges)
            } else {
                other.n_edges
            },
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

/// The file of the record, and one that those hold who add to it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) path: PathBuf,
    pub(super) lock: PathBuf,
}

impl Record {
    /// Adds a run. Other runs may do so at the same time.
    pub(super) fn add(&self, run: &FuzzRun) -> Outcome {
        let failed = |error: &io::Error| Failure::io(self.path.display(), error);
        let lock = fs::File::create(&self.lock).map_err(|error| failed(&error))?;
        lock.lock().map_err(|error| failed(&error))?;
        let known = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            known => known.map_err(|error| failed(&error))?,
        };
        let sums = with(&known, run)
            .ok_or_else(|| Failure::new(format!("{}: a line that is no sum", self.path.display())))?;
        // Whole or not at all, should this program be ended now.
        let whole = self.path.with_extension("new");
        fs::write(&whole, sums).and_then(|()| fs::rename(&whole, &self.path)).map_err(|error| failed(&error))
    }
}

/// The record with one more run; `None` if a line of it cannot be read, whose sum would be lost.
fn with(known: &str, run: &FuzzRun) -> Option<String> {
    let lines = known.lines().filter(|line| !line.starts_with('#') && !line.starts_with("target\t"));
    let mut runs: Vec<FuzzRun> = lines.map(FuzzRun::parse_line).collect::<Option<_>>()?;
    match runs.iter_mut().find(|known| known.target == run.target) {
        Some(known) => *known = known.clone().and(run),
        None => runs.push(run.clone()),
    }
    runs.sort_by(|left, right| left.target.cmp(&right.target));
    Some(runs.iter().fold(HEAD.to_owned(), |text, run| format!("{text}{run}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "INFO: Loaded 1 modules   (1234 inline 8-bit counters): 1234 [0x1, 0x2), \n\
        #2\tINITED cov: 40 ft: 50 corp: 1/1b exec/s: 0 rss: 30Mb\n#900\tNEW    cov: 77 ft: 90 corp: 4/9b\nDone 901 runs in 2 second(s)\n\
        stat::number_of_executed_units: 901\nstat::peak_rss_mb: 30\n";

    const FINDING: &str = "artifact_prefix='/found/rows-'; Test unit written to /found/rows-crash-da39a3ee\n";

    #[test]
    fn runs_are_added_up() {
        let run = FuzzRun::from_output("rows", OUTPUT, 2);
        assert_eq!(run.to_string(), "rows\t2\t901\t77\t1234\t0");
        let once = with("", &run).expect("an empty record");
        let other = FuzzRun::from_output("file", &format!("{OUTPUT}{FINDING}"), 3);
        let more = with(&with(&once, &other).expect("a sum"), &run).expect("two sums");
        assert_eq!(more, format!("{HEAD}file\t3\t901\t77\t1234\t1\nrows\t4\t1802\t77\t1234\t0\n"));
        // Edges are no sum: a longer corpus has more, and a shorter one does not take any away. Those of another program are others.
        for (n_all_edges, sums) in [(1_234, "6\t2703\t77\t1234"), (1_300, "6\t2703\t5\t1300")] {
            let shorter = FuzzRun { target: run.target.clone(), n_edges: 5, n_all_edges, ..run };
            let found = with(&more, &shorter).expect("two sums");
            assert!(found.ends_with(&format!("rows\t{sums}\t0\n")), "{found}");
        }
    }

    /// A finding, an interruption or a kill end a run in three different places.
    #[test]
    fn a_run_that_did_not_end_in_time_has_its_counts() {
        let start = OUTPUT.split("Done").next().expect("a start");
        let found = format!("{start}    #0 0x7 in abort\n{FINDING}stat::number_of_executed_units: 950\n");
        assert_eq!(FuzzRun::from_output("rows", &found, 2).to_string(), "rows\t2\t950\t77\t1234\t1");
        let interrupted = format!(
            "{start}==1== libFuzzer: run interrupted; exiting\nstat::number_of_executed_units: 960\n"
        );
        assert_eq!(FuzzRun::from_output("rows", &interrupted, 2).to_string(), "rows\t2\t960\t77\t1234\t0");
        let killed = format!("{start}    #0 0x7 in abort\n");
        assert_eq!(FuzzRun::from_output("rows", &killed, 2).to_string(), "rows\t2\t900\t77\t1234\t0");
        assert_eq!(FuzzRun::from_output("rows", "", 0).to_string(), "rows\t0\t0\t0\t0\t0");
    }

    #[test]
    fn slow_inputs_are_no_findings() {
        let slow = FINDING.replace("crash", "slow-unit");
        assert_eq!(FuzzRun::from_output("rows", &format!("{OUTPUT}{slow}{slow}"), 2).n_findings, 0);
    }

    #[test]
    fn no_sum_is_lost() {
        let run = FuzzRun::from_output("rows", OUTPUT, 2);
        for wrong in
            ["<<<<<<< HEAD", "rows\t2\t901\t77", "rows\t2\t901\t77\t1234\t0\t1", "rows\t2\t-1\t77\t1234\t0"]
        {
            assert_eq!(with(&format!("{HEAD}{wrong}\n"), &run), None, "{wrong}");
        }
        let folder = std::env::temp_dir().join(format!("fuzz-record-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let record = Record { path: folder.join("record.tsv"), lock: folder.join("record.lock") };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..5).for_each(|_| record.add(&run).expect("a record")));
            }
        });
        let sums = fs::read_to_string(&record.path).expect("it was written");
        fs::remove_dir_all(&folder).expect("it is there");
        assert_eq!(sums, format!("{HEAD}rows\t80\t36040\t77\t1234\t0\n"));
    }
}
