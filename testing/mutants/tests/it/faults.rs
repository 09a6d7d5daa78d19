//! Faults of input and output at every byte, with every reader and writer: a table of them, and a loop over the table.
//!
//! If reading or writing is interrupted or transfers few bytes at a time, the result must be the same. If it fails, the
//! result must be an error, after the start of the correct result. `cargo xtask hunt random` tests every byte, the short form
//! some.

mod reading;
mod writing;

use std::{
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    pin::Pin,
    task::{Context, Poll},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::Source;
use arrow_ipc_async::AsyncSource;
use testing_support::{Hunt, corpus_dir};
use tokio::io::{AsyncRead, ReadBuf};

/// The fault at a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// From this byte on, each transfer has one byte.
    Short,
    /// [`Interrupted`](io::ErrorKind::Interrupted), once.
    Interrupted,
    /// An error. For writing, it is the error of a full disk.
    Failure,
    /// Nothing is read or written, and no error is returned.
    Nothing,
}

const FAULTS: [Fault; 4] = [Fault::Short, Fault::Interrupted, Fault::Failure, Fault::Nothing];

impl Fault {
    /// Whether the fault must have no effect.
    fn is_harmless(self) -> bool {
        matches!(self, Fault::Short | Fault::Interrupted)
    }

    /// The number of bytes of a transfer of `n_bytes` bytes at `position`, with the fault at byte `at`; or its error.
    fn apply(self, at: usize, position: usize, n_bytes: usize, n_met: &mut usize) -> io::Result<usize> {
        if position < at {
            return Ok(n_bytes.min(at - position));
        }
        *n_met += 1;
        match self {
            Fault::Short => Ok(n_bytes.min(1)),
            Fault::Interrupted if *n_met == 1 => Err(io::ErrorKind::Interrupted.into()),
            Fault::Interrupted => Ok(n_bytes),
            Fault::Failure => Err(io::ErrorKind::StorageFull.into()),
            Fault::Nothing => Ok(0),
        }
    }
}

/// Bytes that cannot be read completely.
#[derive(Debug, Clone)]
struct Faulty {
    bytes: Buffer,
    fault: Fault,
    at: usize,
    position: usize,
    n_met: usize,
}

impl Faulty {
    fn new(bytes: &Buffer, fault: Fault, at: usize) -> Faulty {
        Faulty { bytes: bytes.clone(), fault, at, position: 0, n_met: 0 }
    }

    /// A range, if the fault is not inside it. Sources return a range completely or not at all.
    fn range(&self, range: Range<u64>) -> io::Result<Buffer> {
        let bytes = self.bytes.slice(range.start as usize..range.end as usize);
        if !(range.start..range.end).contains(&(self.at as u64)) {
            return Ok(bytes);
        }
        match self.fault {
            Fault::Short => Ok(bytes.slice(..bytes.len() - 1)),
            Fault::Nothing => Ok(Buffer::new()),
            Fault::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            Fault::Failure => Err(io::ErrorKind::ConnectionReset.into()),
        }
    }
}

impl Read for Faulty {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let left = &self.bytes[self.position.min(self.bytes.len())..];
        let n_bytes = self.fault.apply(self.at, self.position, to.len().min(left.len()), &mut self.n_met)?;
        to[..n_bytes].copy_from_slice(&left[..n_bytes]);
        self.position += n_bytes;
        Ok(n_bytes)
    }
}

impl Seek for Faulty {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => position as i64,
            SeekFrom::End(offset) => self.bytes.len() as i64 + offset,
            SeekFrom::Current(offset) => self.position as i64 + offset,
        };
        self.position = position as usize;
        Ok(self.position as u64)
    }
}

impl AsyncRead for Faulty {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let n_bytes = self.read(to.initialize_unfilled())?;
        to.advance(n_bytes);
        Poll::Ready(Ok(()))
    }
}

#[derive(Debug, Clone)]
struct FaultyRanges(Faulty);

impl Source for FaultyRanges {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.0.bytes.len() as u64)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.range(range)
    }
}

impl AsyncSource for FaultyRanges {
    async fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.0.bytes.len() as u64)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.range(range)
    }
}

/// Ten small files of other libraries, which together have all layouts. Each is a stream and a file.
const CASES: [&str; 10] = [
    "null-bool-sliced",
    "binary-text-full",
    "views-nulls",
    "structs-full",
    "list-views-nulls",
    "unions-full",
    "run-ends-nulls",
    "dictionary-nested",
    "metadata",
    "maps-nulls",
];

fn golden(case: &str, extension: &str) -> Buffer {
    let path = corpus_dir().join("golden/pyarrow-26.0.1").join(case).with_extension(extension);
    Buffer::from(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The positions to test: all in a hunt; otherwise `n_tried` positions, which differ from case to case.
fn positions(n_bytes: usize, n_tried: usize, case: usize) -> impl Iterator<Item = usize> {
    let step = if Hunt::from_env().is_on() { 1 } else { (n_bytes / n_tried).max(1) };
    (case * 7 % step..=n_bytes).step_by(step)
}

pub(crate) fn same(left: &[RecordBatch], right: &[RecordBatch]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| left.same_values(right) == Ok(true))
}
