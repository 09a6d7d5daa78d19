//! Simulates the cost of data sets as they grow, from measured costs. The results are the tables of `docs/SCALE.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::{Mode, parse_check, root};

/// The page, and the text around the tables in it.
const PAGE: &str = "docs/SCALE.md";
const START: &str = "<!-- written by `cargo xtask scale` -->\n";
const END: &str = "<!-- end -->\n";

/// The measured costs in `docs/SCALE.md`.
mod measured {
    /// The bytes of a file with twenty columns that are read in one request.
    pub(super) const FOOTER_BYTES: u64 = 8_000;
    /// Processor time to open a file and to read its footer, in nanoseconds.
    pub(super) const FOOTER_NS: u64 = 30_000;
    /// The bytes of the entry of a part in a manifest, with the bounds of twenty columns.
    pub(super) const PART_BYTES: u64 = 690;
    /// Processor time for a part of a manifest.
    pub(super) const PART_NS: u64 = 8_000;
    /// The memory for an open file of a set: 500 bytes, plus its bounds.
    pub(super) const FILE_BYTES: u64 = 1_200;
    /// Processor time to make a task.
    pub(super) const TASK_NS: u64 = 490;
    /// The bytes of a batch of twenty columns, without its values.
    pub(super) const BATCH_BYTES: u64 = 1_112;
}

/// The bytes of a row with twenty columns of eight bytes.
const ROW_BYTES: u64 = 160;
/// The number of bytes that a task reads.
const TASK_BYTES: u64 = 64 << 20;
/// The greatest number of files that are simulated. Each further file takes as long as one of these.
const N_SIMULATED: u64 = 100_000;
/// The number of processors that plan tasks.
const N_CORES: usize = 2;
/// The number of requests for a manifest, one after the other: one lists its folder, one reads its bytes.
const N_MANIFEST_READS: u64 = 2;

/// A kind of storage.
struct Place {
    name: &'static str,
    latency_ns: u64,
    /// The bytes per second of one request.
    bytes_per_s: u64,
}

const PLACES: [Place; 3] = [
    Place { name: "disk", latency_ns: 20_000, bytes_per_s: 1_000_000_000 },
    Place { name: "1 ms", latency_ns: 1_000_000, bytes_per_s: 200_000_000 },
    Place { name: "30 ms", latency_ns: 30_000_000, bytes_per_s: 100_000_000 },
];

impl Place {
    fn request_ns(&self, n_bytes: u64) -> u64 {
        self.latency_ns + n_bytes.saturating_mul(1_000_000_000) / self.bytes_per_s
    }

    /// The time to read the footers of `n_files` files with `n_threads` threads. Each thread waits for its request, then
    /// for a processor.
    fn footers_ns(&self, n_files: u64, n_threads: u64) -> u64 {
        if n_files > N_SIMULATED {
            let ns = u128::from(self.footers_ns(N_SIMULATED, n_threads)) * u128::from(n_files);
            return u64::try_from(ns / u128::from(N_SIMULATED)).unwrap_or(u64::MAX);
        }
        let mut threads: BinaryHeap<Reverse<u64>> = (0..n_threads.min(n_files)).map(|_| Reverse(0)).collect();
        let mut cores: BinaryHeap<Reverse<u64>> = (0..N_CORES).map(|_| Reverse(0)).collect();
        let request_ns = self.request_ns(measured::FOOTER_BYTES);
        let mut end = 0;
        for _ in 0..n_files {
            let (Some(Reverse(begun)), Some(Reverse(free))) = (threads.pop(), cores.pop()) else {
                return end;
            };
            let done = (begun + request_ns).max(free) + measured::FOOTER_NS;
            threads.push(Reverse(done));
            cores.push(Reverse(done));
            end = end.max(done);
        }
        end
    }

    /// The time to read a manifest with `n_parts` parts.
    fn manifest_ns(&self, n_parts: u64) -> u64 {
        let waits = self.latency_ns * (N_MANIFEST_READS - 1);
        waits + self.request_ns(n_parts * measured::PART_BYTES) + n_parts * measured::PART_NS
    }
}

/// `cargo xtask scale [--check]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = parse_check(args)?;
    let page = root().join(PAGE);
    let text = read(&page)?;
    let new =
        with_tables(&text).ok_or_else(|| Failure::new(format!("{PAGE} has no place for the tables")))?;
    match mode {
        Mode::Write => std::fs::write(&page, new).map_err(|error| Failure::io(PAGE, &error)),
        Mode::Check if new == text => Ok(()),
        Mode::Check => Err(Failure::new(format!("{PAGE} has other figures: cargo xtask scale writes them"))),
    }
}

fn read(page: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(page).map_err(|error| Failure::io(page.display(), &error))
}

fn with_tables(text: &str) -> Option<String> {
    let (before, rest) = text.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{START}{}{END}{after}", tables()))
}

/// The tables for sets of 10⁸ to 10¹² rows, and for several file sizes of the largest set.
fn tables() -> String {
    let mut text = String::from("\n| | 100 files | 10,000 | 1,000,000 |\n|---|---|---|---|\n");
    let counts = [100, 10_000, 1_000_000];
    let mut row = |name: String, cell: &dyn Fn(u64) -> String| {
        let cells: Vec<String> = counts.iter().map(|n_files| cell(*n_files)).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    row("rows, of 160 bytes".to_owned(), &|n| format!("10^{}", (n * 1_000_000).ilog10()));
    row("bytes".to_owned(), &|n| bytes(n * 1_000_000 * ROW_BYTES));
    row("bytes of footers that are read".to_owned(), &|n| bytes(n * measured::FOOTER_BYTES));
    for (place, n_threads) in [(&PLACES[0], 8), (&PLACES[1], 8), (&PLACES[2], 8), (&PLACES[2], 256)] {
        let name = format!("opening by footers, {}, {n_threads} threads", place.name);
        row(name, &|n| time(place.footers_ns(n, n_threads)));
    }
    row("bytes of the manifest".to_owned(), &|n| bytes(n * measured::PART_BYTES));
    for place in &PLACES {
        row(format!("opening by manifest, {}", place.name), &|n| time(place.manifest_ns(n)));
    }
    row("memory of the set that is open".to_owned(), &|n| bytes(n * measured::FILE_BYTES));
    row("tasks of 64 MiB".to_owned(), &|n| count(n_tasks(n * 1_000_000)));
    row("making them".to_owned(), &|n| time(n_tasks(n * 1_000_000) * measured::TASK_NS));

    text.push_str("\n| 10^12 rows in files of | files | manifest | opening by it, 30 ms | by footers, 30 ms, 256 threads | bytes that a killed writer repeats |\n|---|---|---|---|---|---|\n");
    for file_bytes in [16u64 << 20, 160_000_000, 1 << 30, 8 << 30] {
        let n_files = (1_000_000_000_000 * ROW_BYTES).div_ceil(file_bytes);
        let [_, _, store] = &PLACES;
        let (manifest, footers) = (store.manifest_ns(n_files), store.footers_ns(n_files, 256));
        let cells = [
            bytes(file_bytes),
            count(n_files),
            bytes(n_files * measured::PART_BYTES),
            time(manifest),
            time(footers),
            bytes(file_bytes),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }

    text.push_str("\n| rows of a batch | its bytes | its metadata |\n|---|---|---|\n");
    for n_rows in [100u64, 1_000, 10_000, 100_000, 1_000_000] {
        let n_bytes = n_rows * ROW_BYTES;
        let share = measured::BATCH_BYTES as f64 / n_bytes as f64 * 100.0;
        let _ = writeln!(text, "| {} | {} | {share:.3} % |", count(n_rows), bytes(n_bytes));
    }
    text.push('\n');
    text
}

fn n_tasks(n_rows: u64) -> u64 {
    (n_rows * ROW_BYTES).div_ceil(TASK_BYTES)
}

/// A number of bytes with two digits and a unit.
fn bytes(n: u64) -> String {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    shown(n as f64, &units).unwrap_or_else(|| format!("{n} bytes"))
}

fn time(ns: u64) -> String {
    let units = [("h", 3.6e12), ("min", 6e10), ("s", 1e9), ("ms", 1e6)];
    shown(ns as f64, &units).unwrap_or_else(|| format!("{} µs", ns / 1000))
}

fn shown(n: f64, units: &[(&str, f64)]) -> Option<String> {
    let (unit, size) = units.iter().find(|(_, size)| n >= *size)?;
    let n = n / size;
    Some(if n < 9.95 { format!("{n:.1} {unit}") } else { format!("{n:.0} {unit}") })
}

fn count(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_figures() {
        let text = read(&root().join(PAGE)).expect("the page is there");
        assert_eq!(with_tables(&text).as_ref(), Some(&text), "`cargo xtask scale` writes them");
    }

    #[test]
    fn footers_wait_for_threads_or_processors() {
        let [disk, _, store] = &PLACES;
        let n_files = 10_000;
        // Two processors do all of it where little is waited for.
        let busy = n_files * measured::FOOTER_NS / N_CORES as u64;
        assert!(
            (busy..busy * 11 / 10).contains(&disk.footers_ns(n_files, 64)),
            "{}",
            disk.footers_ns(n_files, 64)
        );
        // Else a thread waits for one after the other.
        let waits = n_files / 8 * store.request_ns(measured::FOOTER_BYTES);
        assert!((waits..waits * 11 / 10).contains(&store.footers_ns(n_files, 8)));
        assert_eq!(store.footers_ns(0, 8), 0);
        assert_eq!(store.footers_ns(1, 8), store.request_ns(measured::FOOTER_BYTES) + measured::FOOTER_NS);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            (bytes(999), bytes(64 << 10), bytes(160_000_000_000_000)),
            ("999 bytes".into(), "66 kB".into(), "160 TB".into())
        );
        assert_eq!(
            (time(500_000), time(90_000_000_000), count(1_234_567)),
            ("500 µs".into(), "1.5 min".into(), "1,234,567".into())
        );
    }
}
