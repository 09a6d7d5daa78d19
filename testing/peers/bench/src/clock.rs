//! Measures the duration of work: elapsed time and processor time.

use std::time::{Duration, Instant};

/// The times of the same work, in nanoseconds. They have fractions, since the costs of single values are also printed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Time {
    pub wall: f64,
    /// The processor time of all threads of the process. Unlike elapsed time, it does not include the time of other
    /// programs.
    pub processor: f64,
}

impl Time {
    /// The time of work that is done in this process.
    ///
    /// # Errors
    /// The error of the work.
    pub fn of<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Time, E> {
        let (before, start) = (processor_time(), Instant::now());
        work()?;
        let wall = start.elapsed();
        let processor =
            before.zip(processor_time()).map_or(wall, |(before, after)| after.saturating_sub(before));
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9;
        Ok(Time { wall: nanoseconds(wall), processor: nanoseconds(processor) })
    }

    pub fn divided_by(self, n: u32) -> Time {
        Time { wall: self.wall / f64::from(n), processor: self.processor / f64::from(n) }
    }
}

/// The processor time of all running threads; `None` if the system does not report it.
fn processor_time() -> Option<Duration> {
    // Brings the number of this thread up to date.
    std::thread::yield_now();
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let of_thread = |folder: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(folder.ok()?.path().join("schedstat")).ok()?;
        Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
    };
    threads.map(of_thread).sum()
}
