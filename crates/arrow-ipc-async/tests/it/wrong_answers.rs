//! Sources that return too few bytes, too many, or none. Readers return an error with the range and the cause, and no
//! data.

use std::{
    error::Error,
    fmt, io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_buffer::Buffer;
use arrow_ipc::{ErrorClass, FetchCost, FileReader, IpcErrorKind, ReadOptions, Result};
use arrow_ipc_async::{AsyncFileReader, AsyncSource, Tail};

use crate::support::{PendingPolls, apart, drive, file_of};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    TooFew,
    TooMany,
    Nothing,
    Failure,
}

/// An error of a client.
#[derive(Debug)]
struct Status(u16);

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.0)
    }
}

impl Error for Status {}

/// A source with a wrong answer to one request, or to all requests after some number.
#[derive(Clone)]
struct Faulty {
    bytes: Buffer,
    fault: Fault,
    is_lasting: bool,
    /// The number of correct answers before the first wrong one.
    n_good: Arc<AtomicUsize>,
}

impl Faulty {
    fn answer(&self, bytes: Buffer) -> io::Result<Buffer> {
        let n_good = self.n_good.fetch_sub(1, Ordering::Relaxed);
        if n_good != 0 && !(self.is_lasting && n_good > usize::MAX / 2) {
            return Ok(bytes);
        }
        match self.fault {
            Fault::TooFew => Ok(bytes.slice(1..)),
            Fault::TooMany => Ok(Buffer::from([&bytes[..], b"!"].concat())),
            Fault::Nothing => Ok(Buffer::new()),
            Fault::Failure => Err(io::Error::new(io::ErrorKind::ConnectionReset, Status(503))),
        }
    }
}

impl AsyncSource for Faulty {
    async fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        PendingPolls(1).await;
        self.answer(self.bytes.fetch(range).await?)
    }

    async fn fetch_tail(&self, max_bytes: u64) -> io::Result<Tail> {
        let tail = self.bytes.fetch_tail(max_bytes).await?;
        Ok(Tail { bytes: self.answer(tail.bytes)?, ..tail })
    }
}

/// Counts the rows, reads one row, then all batches. Returns the number of batches read, and the error.
fn read(source: Faulty) -> (usize, Result<()>) {
    let mut n_batches = 0;
    let options = apart(10);
    let read = drive(async {
        let file = AsyncFileReader::try_new_with(source, options).await?;
        file.n_rows().await?;
        file.batch_rows(1, 1..2).await?;
        let mut batches = file.batches();
        let mut result = Ok(());
        while let Some(batch) = batches.next_batch().await.transpose() {
            match batch {
                Ok(batch) => {
                    assert_eq!(batch.n_rows(), 30);
                    n_batches += 1;
                }
                Err(error) => result = Err(error),
            }
        }
        result
    });
    (n_batches, read)
}

#[test]
fn wrong_answers_are_errors_with_the_range() {
    let bytes = Buffer::from(file_of("a: int32\nb: dictionary<int32, utf8>", &[30; 6]));
    for fault in [Fault::TooFew, Fault::TooMany, Fault::Nothing, Fault::Failure] {
        let mut n_requests = 0;
        loop {
            let faulty = |is_lasting| {
                let n_good = Arc::new(n_requests.into());
                Faulty { bytes: bytes.clone(), fault, is_lasting, n_good }
            };
            // Ranges that were requested ahead or for several batches are requested again. So one wrong answer may
            // cause no error.
            if let (n_batches, Ok(())) = read(faulty(false)) {
                assert_eq!(n_batches, 6);
            }
            let source = faulty(true);
            let (n_batches, result) = read(source.clone());
            if source.n_good.load(Ordering::Relaxed) < usize::MAX / 2 {
                assert!(result.is_ok() && n_batches == 6, "it was never asked for that request");
                break;
            }
            let error = result.expect_err("a wrong answer became data");
            assert_eq!(error.class(), ErrorClass::Io, "{fault:?}: {error}");
            let cause = error.source().expect("a cause").to_string();
            match error.kind() {
                IpcErrorKind::Fetch { start, end, .. } => {
                    assert!(start < end && *end <= bytes.len() as u64);
                    assert!(
                        error
                            .to_string()
                            .contains(&format!("fetching the bytes {start}..{end} failed: {cause}"))
                    );
                }
                // The source fails before the length of the file is known.
                IpcErrorKind::Io(_) => assert!(fault == Fault::Failure && n_requests == 0),
                _ => panic!("{error}"),
            }
            let expected = if fault == Fault::Failure { "status 503" } else { " were requested" };
            assert!(cause.contains(expected), "{cause}");
            if let (Fault::Failure, IpcErrorKind::Fetch { error, .. } | IpcErrorKind::Io(error)) =
                (fault, error.kind())
            {
                assert!(error.get_ref().is_some_and(|cause| cause.is::<Status>()), "the client's own error");
            }
            assert!(n_batches < 6);
            n_requests += 1;
        }
        assert!(n_requests > 8, "{n_requests}");
    }
}

/// A source with wrong answers to all requests for a certain byte.
struct Hole {
    bytes: Buffer,
    at: u64,
}

impl AsyncSource for Hole {
    async fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let bytes = self.bytes.fetch(range.clone()).await?;
        Ok(if range.contains(&self.at) { bytes.slice(1..) } else { bytes })
    }
}

#[test]
fn a_request_for_several_batches_fails_only_for_those_that_need_the_failing_bytes() {
    let bytes = Buffer::from(file_of("a: int32", &[30; 6]));
    let blocks = FileReader::try_from_buffer(bytes.clone()).unwrap().footer().batches().to_vec();
    for (failing_idx, block) in blocks.iter().enumerate() {
        let source = Hole { bytes: bytes.clone(), at: block.position() + block.n_bytes() / 2 };
        // One request covers all batches.
        let options = ReadOptions::new().with_tail_bytes(0).with_fetch_cost(FetchCost::OBJECT_STORE);
        let file = drive(AsyncFileReader::try_new_with(source, options)).unwrap();
        let mut batches = file.batches();
        for batch_idx in 0..6 {
            match drive(batches.next_batch()) {
                Ok(batch) => assert!(batch_idx != failing_idx && batch.unwrap().n_rows() == 30),
                Err(error) => {
                    let IpcErrorKind::Fetch { start, end, .. } = error.kind() else { panic!("{error}") };
                    assert!(batch_idx == failing_idx && block.position() <= *start, "{error}");
                    assert!(*end <= block.position() + block.n_bytes(), "{error}");
                }
            }
        }
        assert!(drive(batches.next_batch()).unwrap().is_none());
    }
}
