//! How long work takes: by the clock, and of the processors.

use std::time::{Duration, Instant};

/// Of the same work, in nanoseconds: parts of one, since costs of single values are told too.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Time {
    pub wall: f64,
    /// What the threads of the process had of processors. Other programs take from the clock's time, not from this.
    pub processor: f64,
}

impl Time {
    /// Of work that is done in this process.
    ///
    /// # Errors
    /// That of the work.
    pub fn of<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Time, E> {
        let (start, before) = (Instant::now(), processor_time());
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

/// Of all threads that live, where the system tells.
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
