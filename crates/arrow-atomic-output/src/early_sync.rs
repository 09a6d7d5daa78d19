//! Syncs a file while it is being written, so that less is left to sync at the end.

use std::{
    fs::File,
    io,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The number of bytes after which the file is synced. For a shorter output, no thread is started.
const SYNC_BYTES: u64 = 32 << 20;

/// If writing `SYNC_BYTES` bytes takes less time, the bytes are probably only copied. The disk then limits the speed,
/// and syncing more often would slow it down.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// Syncs a file from time to time, in another thread. Dropping this value ends the thread after its current sync.
#[derive(Debug)]
pub(crate) struct EarlySync {
    n_unsynced_bytes: u64,
    since: Instant,
    min_interval: Duration,
    worker: Option<SyncWorker>,
}

#[derive(Debug)]
struct SyncWorker {
    wake: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl EarlySync {
    pub(crate) fn new() -> EarlySync {
        EarlySync::with_interval(MIN_INTERVAL)
    }

    /// A sync whose thread has an error.
    #[cfg(all(test, unix))]
    pub(crate) fn failing() -> EarlySync {
        let mut sync = EarlySync::with_interval(Duration::ZERO);
        // Syncing a pipe is an error.
        let handle = || Ok(File::from(std::os::fd::OwnedFd::from(io::pipe()?.1)));
        sync.note_written(usize::MAX, handle);
        sync
    }

    fn with_interval(min_interval: Duration) -> EarlySync {
        EarlySync { n_unsynced_bytes: 0, since: Instant::now(), min_interval, worker: None }
    }

    /// Call this after writing bytes to a file. `handle` returns another handle of the file. If the operating system
    /// refuses a handle or a thread, all bytes are synced at the end.
    pub(crate) fn note_written(&mut self, n_bytes: usize, handle: impl FnOnce() -> io::Result<File>) {
        self.n_unsynced_bytes = self.n_unsynced_bytes.saturating_add(n_bytes as u64);
        if self.n_unsynced_bytes < SYNC_BYTES {
            return;
        }
        self.n_unsynced_bytes = 0;
        let interval = std::mem::replace(&mut self.since, Instant::now()).elapsed();
        if interval < self.min_interval {
            return;
        }
        if self.worker.is_none() {
            self.worker = handle().and_then(SyncWorker::start).ok();
        }
        if let Some(worker) = &self.worker {
            // Sending fails if the thread is busy and a wake-up is already waiting. It also fails if the thread has
            // failed; `finish` then returns the error.
            let _ = worker.wake.try_send(());
        }
    }

    /// Ends the thread, and returns its error. The operating system reports an error of syncing only once, so it must
    /// not be lost.
    ///
    /// # Errors
    /// If bytes could not be stored.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some(SyncWorker { wake, thread }) = self.worker else { return Ok(()) };
        drop(wake);
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that syncs the output has ended")))
    }
}

impl SyncWorker {
    fn start(file: File) -> io::Result<SyncWorker> {
        // One wake-up can wait while the thread is syncing.
        let (wake, woken) = sync_channel(1);
        let sync = move || woken.iter().try_for_each(|()| file.sync_data());
        Ok(SyncWorker { wake, thread: thread::Builder::new().name("sync".to_owned()).spawn(sync)? })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_thread_starts_with_the_first_bytes_that_are_many() {
        let mut file = tempfile::tempfile().unwrap();
        let mut sync = EarlySync::with_interval(Duration::ZERO);
        let piece = vec![7; 1 << 20];
        for n_written in 1..=SYNC_BYTES * 3 / (1 << 20) {
            file.write_all(&piece).unwrap();
            sync.note_written(piece.len(), || file.try_clone());
            assert_eq!(sync.worker.is_some(), n_written << 20 >= SYNC_BYTES);
        }
        sync.finish().unwrap();
        assert_eq!(file.metadata().unwrap().len(), SYNC_BYTES * 3);
    }

    #[test]
    fn bytes_that_come_fast_are_left_to_the_end() {
        let mut sync = EarlySync::with_interval(Duration::MAX);
        sync.note_written(usize::MAX, || panic!("no handle is needed"));
        assert!(sync.worker.is_none());
        sync.finish().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn an_error_of_the_thread_is_returned_at_the_end() {
        assert!(EarlySync::failing().finish().is_err());
    }
}
