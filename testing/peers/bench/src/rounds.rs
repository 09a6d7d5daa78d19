//! Contestants do the same work in turns, so that other load of the machine affects all of them. Each contestant begins
//! equally often.

use crate::case::{Case, Work};
use crate::clock::Time;
use crate::contestant::{Contestant, Entry, Job};
use crate::equality;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The length and the number of rounds.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub n_rounds: usize,
    /// The approximate length of a round of each contestant. If one call takes longer, a round is one call.
    pub round: Duration,
}

/// The results of a case.
#[derive(Debug, Clone)]
pub struct CaseResult {
    pub case: Case,
    /// The results of the contestants, in the order in which they did the work first.
    pub results: Vec<(&'static str, Summary)>,
    /// The contestants that cannot do the work, with the reasons.
    pub absent: Vec<(&'static str, String)>,
    /// The variation of the time of copying the same memory: (slowest − fastest) ÷ median.
    pub noise: f64,
    /// The number of bytes of the batches as an uncompressed stream.
    pub n_bytes: usize,
    /// The number of bytes that each contestant writes; empty for works that read.
    pub n_written: Vec<(&'static str, usize)>,
    /// What contestants call that have several ways to do the work.
    pub ways: Vec<(&'static str, String)>,
}

/// The times of one contestant, divided by the number of items of the case.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    pub median: Time,
    pub least: Time,
}

/// Measures a case.
///
/// # Errors
/// If our own outcome is wrong.
pub fn run(job: &Job<'_>, contestants: &mut [Box<dyn Contestant>], pace: Pace) -> Result<CaseResult, String> {
    let mut absent = Vec::new();
    let mut ready = Vec::new();
    let mut n_written = Vec::new();
    let mut ways = Vec::new();
    for contestant in contestants {
        let name = contestant.name();
        match enter(contestant, job) {
            Ok((entry, n_bytes)) => {
                ways.extend(entry.way().map(|way| (name, way.to_owned())));
                ready.push((name, entry));
                n_written.extend(n_bytes.map(|n_bytes| (name, n_bytes)));
            }
            Err(why) if name == "ours" => return Err(format!("{}: {why}", job.case.name)),
            Err(why) => absent.push((name, why)),
        }
    }
    let mut turns = Vec::new();
    for (name, mut entry) in ready {
        match calibrate(&mut *entry, pace.round) {
            Ok(n_calls) => turns.push((name, entry, n_calls, Vec::new())),
            Err(why) => absent.push((name, why)),
        }
    }
    let mut probe = Probe::new();
    let mut copies = Vec::new();
    for round in 0..pace.n_rounds {
        // Another one begins each round: the one that comes after the others have freed memory gets it warm.
        let n_before = round.checked_rem(turns.len()).unwrap_or(0);
        turns.rotate_left(n_before);
        for (name, entry, n_calls, times) in &mut turns {
            let time = entry.run(*n_calls).map_err(|why| format!("{}: {name}: {why}", job.case.name))?;
            times.push(time.divided_by(*n_calls));
        }
        turns.rotate_right(n_before);
        copies.push(probe.copy());
    }
    let n_parts = job.case.per.0;
    let results = turns.into_iter().map(|(name, _, _, times)| (name, Summary::of(&times, n_parts))).collect();
    Ok(CaseResult {
        case: job.case.clone(),
        results,
        absent,
        noise: spread(&mut copies),
        n_bytes: job.data.plain.len(),
        n_written,
        ways,
    })
}

/// A contestant that has done the work once, and the number of bytes that it has written.
type Ready<'a> = (Box<dyn Entry + 'a>, Option<usize>);

/// Does the work once. Some contestants panic if they cannot do it.
fn enter<'a>(contestant: &'a mut Box<dyn Contestant>, job: &'a Job<'a>) -> Result<Ready<'a>, String> {
    if contestant.name() == "ours" {
        return first(contestant, job);
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let entry = catch_unwind(AssertUnwindSafe(move || {
        // Moved, since the entry keeps it.
        let contestant = contestant;
        first(contestant, job)
    }));
    std::panic::set_hook(hook);
    entry.unwrap_or_else(|_| Err("it panics".to_owned()))
}

/// Does the work once, and checks the outcome.
fn first<'a>(contestant: &'a mut Box<dyn Contestant>, job: &'a Job<'a>) -> Result<Ready<'a>, String> {
    let is_floor = contestant.name() == "floor";
    let mut entry = contestant.enter(job)?;
    let outcome = entry.outcome()?;
    if !is_floor {
        equality::check(job.case, job.data, &outcome)?;
    }
    let is_written = matches!(job.case.work, Work::Write(_) | Work::WriteGrowing(..));
    let n_written = is_written.then(|| entry.n_written().unwrap_or(outcome.len()));
    Ok((entry, n_written))
}

/// The number of calls that make a round.
fn calibrate(entry: &mut dyn Entry, round: Duration) -> Result<u32, String> {
    entry.run(1)?;
    let one = entry.run(1)?.wall.max(100.0);
    Ok((round.as_secs_f64() * 1e9 / one).clamp(1.0, 1e6) as u32)
}

impl Summary {
    /// The summary of at least one round.
    fn of(times: &[Time], n_parts: u32) -> Summary {
        let sorted = |of: fn(&Time) -> f64| {
            let mut all: Vec<f64> = times.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let (walls, processors) = (sorted(|time| time.wall), sorted(|time| time.processor));
        let at = |idx: usize| {
            let nth = |all: &[f64]| all.get(idx).copied().unwrap_or_default();
            Time { wall: nth(&walls), processor: nth(&processors) }.divided_by(n_parts)
        };
        Summary { median: at(times.len() / 2), least: at(0) }
    }
}

/// Memory that is copied in each round. Differences of its times come from the machine.
struct Probe {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Probe {
    fn new() -> Probe {
        Probe { from: vec![1; 4 << 20], to: vec![2; 4 << 20] }
    }

    fn copy(&mut self) -> f64 {
        let copy = || {
            for _ in 0..4 {
                self.to.copy_from_slice(&self.from);
                black_box(&self.to);
            }
            Ok::<(), String>(())
        };
        Time::of(copy).map(|time| time.processor).unwrap_or_default()
    }
}

fn spread(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = |idx: usize| times.get(idx).copied().unwrap_or_default();
    (at(times.len().saturating_sub(1)) - at(0)) / at(times.len() / 2).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_least_are_of_one_part() {
        let time = |wall, processor| Time { wall, processor };
        let summary = Summary::of(&[time(90.0, 20.0), time(30.0, 40.0), time(60.0, 80.0)], 10);
        assert_eq!(summary, Summary { median: time(6.0, 4.0), least: time(3.0, 2.0) });
    }

    #[test]
    fn spread_is_of_all_rounds() {
        assert!((spread(&mut [10.0, 14.0, 8.0]) - 0.6).abs() < 1e-9);
    }
}
