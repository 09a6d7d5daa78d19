//! Compares our C data interface with that of arrow-rs in one run, and prints a table of medians.
//!
//! `bench-c-data ours|theirs NAME N` does the work `NAME` N times with one of the libraries, for tools that count
//! instructions.

use peers::c_data_contests::CData;
use peers::contest::HEAD;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let data = CData::default();
    if let [side, name, n_times] = &words[..] {
        let contest = data.contests().into_iter().find(|contest| contest.name == name);
        let contest = contest.unwrap_or_else(|| panic!("there is no work `{name}`"));
        let mut work = if side == "ours" { contest.ours } else { contest.theirs };
        let n_times: u32 = n_times.parse().unwrap_or_else(|_| panic!("{n_times} is no number"));
        (0..n_times).for_each(|_| work());
        return;
    }
    println!("{HEAD}");
    data.contests().into_iter().for_each(|contest| println!("{}", contest.run()));
}
