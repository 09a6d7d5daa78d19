//! A file in memory that remembers what was done to it.

use std::{
    io::{self, Seek, SeekFrom, Write},
    ops::Range,
    sync::{Arc, Mutex, MutexGuard},
};

use arrow_buffer::Buffer;
use arrow_ipc::{Source, file::AppendFile};

/// An operation on a file.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Write {
        position: u64,
        bytes: Vec<u8>,
    },
    SetLen(u64),
    Sync,
    /// This number of batches was reported to the caller.
    Reported(usize),
}

/// A file in memory; clones are the same file.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    inner: Arc<Mutex<DiskState>>,
    position: u64,
}

#[derive(Debug, Default)]
struct DiskState {
    bytes: Vec<u8>,
    steps: Vec<Step>,
    /// Writes fail once the file would be longer.
    capacity: Option<u64>,
}

impl Disk {
    pub(super) fn new(bytes: Vec<u8>) -> Disk {
        Disk { inner: Arc::new(Mutex::new(DiskState { bytes, ..DiskState::default() })), position: 0 }
    }

    fn inner(&self) -> MutexGuard<'_, DiskState> {
        self.inner.lock().unwrap()
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.inner().bytes.clone()
    }

    pub(super) fn steps(&self) -> Vec<Step> {
        self.inner().steps.clone()
    }

    pub(super) fn report(&self, n_batches: usize) {
        self.inner().steps.push(Step::Reported(n_batches));
    }

    pub(super) fn limit(&self, n_bytes: u64) {
        self.inner().capacity = Some(n_bytes);
    }
}

/// Does one step to the bytes of a file.
pub(super) fn apply(bytes: &mut Vec<u8>, step: &Step) {
    match step {
        Step::Write { position, bytes: new } => {
            let position = *position as usize;
            let end = position + new.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[position..end].copy_from_slice(new);
        }
        Step::SetLen(n_bytes) => bytes.resize(*n_bytes as usize, 0),
        Step::Sync | Step::Reported(_) => {}
    }
}

impl Source for Disk {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.inner().bytes.len() as u64)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let inner = self.inner();
        let bytes = inner.bytes.get(range.start as usize..range.end as usize);
        bytes.map(Buffer::copy_from).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let step = Step::Write { position: self.position, bytes: bytes.to_vec() };
        let end = self.position + bytes.len() as u64;
        let mut inner = self.inner();
        if inner.capacity.is_some_and(|capacity| capacity < end) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        apply(&mut inner.bytes, &step);
        inner.steps.push(step);
        drop(inner);
        self.position = end;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(position) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.position = position;
        Ok(position)
    }
}

impl AppendFile for Disk {
    fn set_len(&mut self, n_bytes: u64) -> io::Result<()> {
        let mut inner = self.inner();
        inner.bytes.resize(n_bytes as usize, 0);
        inner.steps.push(Step::SetLen(n_bytes));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.inner().steps.push(Step::Sync);
        Ok(())
    }
}
