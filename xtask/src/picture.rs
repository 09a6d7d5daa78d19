//! Draws the pictures of `docs/PERFORMANCE.md`: some rows of the tables of `docs/MEASUREMENTS.md` as bars, and the
//! history of counts.

use std::fmt::Write as _;

use crate::failure::{Failure, Outcome};
use crate::{Mode, history, parse_check, root};

const TABLES: &str = "docs/MEASUREMENTS.md";
const PICTURE: &str = "docs/performance.svg";

/// The most frequent operations, including some that are slower than in other implementations.
const CASES: [&str; 14] = [
    "read mixed types, stream in memory",
    "read mixed types, file on disk",
    "read mixed types, stream in memory, LZ4",
    "read mixed types, stream in memory, ZSTD",
    "read ascii text, file on disk",
    "read views, stream in memory",
    "read 400 MB of integers, stream on disk, all kept",
    "read 1000 batches of 10 rows × 4 columns, stream in memory, each batch",
    "read 10000 columns, file in memory, one column",
    "write mixed types, to reused memory",
    "write mixed types, file on disk",
    "write mixed types, to reused memory, LZ4",
    "write mixed types, to reused memory, ZSTD",
    "write 1000 batches of 10 rows × 4 columns, to reused memory, each batch",
];

/// The position at which bars begin, and the length of a bar for the ratio 1.
const BARS: f64 = 450.0;
const UNIT: f64 = 60.0;
const ROW: usize = 24;

/// `cargo xtask picture [--check]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = parse_check(args)?;
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).map_err(|error| Failure::io(path, &error));
    let pictures =
        [(PICTURE, picture(&read(TABLES)?)?), (history::PICTURE, history::drawn(&read(history::HISTORY)?)?)];
    for (path, new) in pictures {
        match mode {
            Mode::Write => {
                std::fs::write(root().join(path), new).map_err(|error| Failure::io(path, &error))?;
            }
            Mode::Check if read(path)? == new => {}
            Mode::Check => {
                return Err(Failure::new(format!("{path} is old: `cargo xtask picture` draws it")));
            }
        }
    }
    Ok(())
}

/// Draws a bar for each case: the time of the fastest peer, divided by our time.
fn picture(tables: &str) -> Result<String, Failure> {
    let height = ROW * (CASES.len() + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"900\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"17\" font-weight=\"bold\">Processor time of the best other implementation ÷ ours: longer is better for \
         us</text>\n"
    );
    for (row, case) in CASES.iter().enumerate() {
        let (ratio, peer) = ratio(tables, case).ok_or_else(|| {
            Failure::new(format!("{TABLES} has no row `{case}`: change the list of the picture"))
        })?;
        let (top, width) = (ROW * (row + 1), ratio * UNIT);
        let colour = if ratio < 1.0 { "#b45309" } else { "#1d6fb8" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{}\" text-anchor=\"end\">{case}</text>\n\
             <rect x=\"{BARS:.0}\" y=\"{}\" width=\"{width:.0}\" height=\"14\" fill=\"{colour}\"/>\n\
             <text x=\"{:.0}\" y=\"{}\">{ratio:.2} ({peer})</text>",
            BARS - 8.0,
            top + 17,
            top + 6,
            BARS + width + 6.0,
            top + 17,
        );
    }
    let one = BARS + UNIT;
    let bottom = ROW * (CASES.len() + 1);
    let _ = write!(
        svg,
        "<line x1=\"{one:.0}\" x2=\"{one:.0}\" y1=\"{ROW}\" y2=\"{bottom}\" stroke=\"#444444\" stroke-dasharray=\"3 3\"/>\n\
         <text x=\"{one:.0}\" y=\"{}\" text-anchor=\"middle\">as fast</text>\n</svg>\n",
        bottom + 16,
    );
    Ok(svg)
}

/// The ratio of a case, and the name of the fastest peer.
fn ratio<'a>(tables: &'a str, case: &str) -> Option<(f64, &'a str)> {
    let cells = |line: &'a str| line.split('|').map(str::trim).collect::<Vec<&str>>();
    let row = tables.lines().map(cells).find(|cells| cells.get(1) == Some(&case))?;
    let peer = row.get(4)?.split(' ').next()?;
    Some((row.get(5)?.parse().ok()?, peer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_those_of_the_tables() {
        run(&["--check".to_owned()]).expect("`cargo xtask picture` draws it");
    }

    #[test]
    fn rows_are_found_by_their_whole_name() {
        let tables = "| read a, LZ4 | 1 ms | 1 ms | pyarrow 2 ms | 2.00 | 2.0 | |\n| read a | 2 ms | 2 ms | arrow-rs 1 ms | 0.50 | 0.5 | |\n";
        assert_eq!(ratio(tables, "read a"), Some((0.5, "arrow-rs")));
        assert_eq!(ratio(tables, "read"), None);
        assert!(picture(tables).is_err());
    }
}
