//! Compares our reader, writer, builders and arrays with those of arrow-rs in one run, and prints a table of medians.
//!
//! The arguments select the rows that contain one of them. Only ratios can be compared between runs.

use peers::compression_contests::CompressionData;
use peers::contest::HEAD;
use peers::contests::AllData;
use peers::spill_contests::SpillData;
use peers::value_contests::Values;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let data = AllData::default();
    let values = Values::default();
    let compression = CompressionData::default();
    let spills = SpillData::default();
    println!("{HEAD}");
    let contests = data.contests().into_iter().chain(values.contests()).chain(compression.contests());
    for contest in contests.chain(spills.contests()) {
        if words.is_empty() || words.iter().any(|word| contest.name.contains(word)) {
            println!("{}", contest.run());
        }
    }
}
