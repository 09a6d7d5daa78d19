//! Two implementations do the same work in turns, so that other load of the machine affects both.

use std::fmt;
use std::time::{Duration, Instant};

const N_ROUNDS: usize = 15;
/// The least length of a round of each implementation.
const ROUND: Duration = Duration::from_millis(20);

/// The same work with both implementations and, if possible, the least work that any implementation must do.
pub struct Contest<'a> {
    pub name: &'static str,
    /// The number of times that one call does the work.
    pub n_times: u32,
    pub ours: Box<dyn FnMut() + 'a>,
    pub theirs: Box<dyn FnMut() + 'a>,
    pub floor: Option<Box<dyn FnMut() + 'a>>,
}

/// The median times for doing the work once.
pub struct Outcome {
    name: &'static str,
    ours: Duration,
    theirs: Duration,
    floor: Option<Duration>,
}

impl Contest<'_> {
    pub fn run(mut self) -> Outcome {
        let mut works = vec![&mut self.ours, &mut self.theirs];
        works.extend(self.floor.as_mut());
        let n_calls: Vec<u32> = works.iter_mut().map(n_calls).collect();
        let mut times = vec![Vec::new(); works.len()];
        for _ in 0..N_ROUNDS {
            for ((work, n_calls), times) in works.iter_mut().zip(&n_calls).zip(&mut times) {
                times.push(time(work, *n_calls) / self.n_times);
            }
        }
        let medians: Vec<Duration> = times.into_iter().map(median).collect();
        Outcome { name: self.name, ours: medians[0], theirs: medians[1], floor: medians.get(2).copied() }
    }
}

/// The number of calls that make a round, after a first call to warm up.
fn n_calls(work: &mut &mut Box<dyn FnMut() + '_>) -> u32 {
    time(work, 1);
    let start = Instant::now();
    work();
    let one = start.elapsed().max(Duration::from_nanos(100));
    (ROUND.as_nanos() / one.as_nanos()).clamp(1, 1_000_000) as u32
}

/// The time of one call, from `n_calls` calls.
fn time(work: &mut Box<dyn FnMut() + '_>, n_calls: u32) -> Duration {
    let (start, cpu_start) = (Instant::now(), cpu_time());
    (0..n_calls).for_each(|_| work());
    let elapsed = start.elapsed();
    cpu_time().zip(cpu_start).map_or(elapsed, |(end, start)| end.saturating_sub(start)) / n_calls
}

/// The processor time of this thread, which does not include other programs; `None` if the system does not report it.
fn cpu_time() -> Option<Duration> {
    // Brings the number up to date.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The head of the table whose rows are [`Outcome`]s.
pub const HEAD: &str =
    "| work | ours | arrow-rs | arrow-rs / ours | floor | ours / floor |\n|---|--:|--:|--:|--:|--:|";

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = |a: Duration, b: Duration| format!("{:.2}", a.as_secs_f64() / b.as_secs_f64());
        let floor = self.floor.map_or(String::new(), |floor| format!("{floor:.1?}"));
        let above = self.floor.map_or(String::new(), |floor| ratio(self.ours, floor));
        let speedup = ratio(self.theirs, self.ours);
        let Outcome { name, ours, theirs, .. } = self;
        write!(f, "| {name} | {ours:.1?} | {theirs:.1?} | {speedup} | {floor} | {above} |")
    }
}
