//! All readers with the same signature, and the results on which they must agree.

use std::{
    io::Cursor,
    ops::Range,
    pin::pin,
    task::{Context, Poll, Waker},
};

use arrow_buffer::Buffer;
use arrow_data::{RecordBatch, Validation};
use arrow_ipc::{
    FileDecoder, FileReader, ReadOptions, Result, SeekSource, Source, Step, StreamDecoder, StreamReader,
    file::{PlanStep, ReadPlan},
};
use arrow_ipc_async::{AsyncFileReader, AsyncStreamReader};
use testing_support::{ChunkedReader, Rng};

/// The greatest number of batches that are read. Footers of mutants may have very many batches.
const MAX_BATCHES: usize = 50;

/// The result of reading, up to the end or the first error.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The batches.
    pub batches: Vec<RecordBatch>,
    /// The text of the error.
    pub error: Option<String>,
}

impl Outcome {
    /// Whether there is a batch, or no error.
    pub fn is_readable(&self) -> bool {
        !self.batches.is_empty() || self.error.is_none()
    }

    fn of(result: Result<()>, batches: Vec<RecordBatch>) -> Outcome {
        Outcome { batches, error: result.err().map(|error| error.to_string()) }
    }
}

/// A way to read.
pub struct Reader {
    /// The name of the reader in findings.
    pub name: &'static str,
    /// Whether it reads streams or files.
    pub container: Kind,
    /// Reads everything.
    pub read: fn(&Buffer, Validation, &mut Rng) -> Outcome,
}

/// The container that a reader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Streams. All stream readers must return the same batches and the same error.
    Stream,
    /// Files. All file readers must return the same batches, unless a reader finds an error.
    File,
}

/// All readers. The first reader of each container reads from memory.
pub const READERS: [Reader; 9] = [
    Reader { name: "stream from memory", container: Kind::Stream, read: stream_from_memory },
    Reader { name: "stream in pieces", container: Kind::Stream, read: stream_in_pieces },
    Reader { name: "stream from `Read`", container: Kind::Stream, read: stream_from_read },
    Reader { name: "stream with large batches", container: Kind::Stream, read: stream_with_large_batches },
    Reader { name: "asynchronous stream", container: Kind::Stream, read: asynchronous_stream },
    Reader { name: "file from memory", container: Kind::File, read: file_from_memory },
    Reader { name: "file by ranges", container: Kind::File, read: file_by_ranges },
    Reader { name: "file by seeking", container: Kind::File, read: file_by_seeking },
    Reader { name: "asynchronous file", container: Kind::File, read: asynchronous_file },
];

fn options(validation: Validation) -> ReadOptions {
    ReadOptions::new().with_validation(validation)
}

fn decode(mut decoder: StreamDecoder, mut more: impl FnMut(&mut StreamDecoder)) -> Outcome {
    let mut batches = Vec::new();
    let result = loop {
        match decoder.step() {
            Ok(Step::NeedBytes(_)) => more(&mut decoder),
            Ok(Step::Batch(next)) => batches.push(next.batch),
            Ok(Step::End) => break Ok(()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    Outcome::of(result, batches)
}

fn stream_from_memory(bytes: &Buffer, validation: Validation, _: &mut Rng) -> Outcome {
    let mut decoder = StreamDecoder::new_with(options(validation));
    decoder.feed(bytes.clone());
    decoder.finish_input();
    decode(decoder, |_| panic!("bytes are missing after the end of the input"))
}

fn stream_in_pieces(bytes: &Buffer, validation: Validation, rng: &mut Rng) -> Outcome {
    let mut at = 0;
    decode(StreamDecoder::new_with(options(validation)), |decoder| {
        let max_bytes = *rng.pick(&[1, 9, 300, 5_000]);
        let n_bytes = (1 + rng.below(max_bytes)).min(bytes.len() - at);
        match n_bytes {
            0 => decoder.finish_input(),
            _ if rng.one_in(2) => decoder.feed(bytes.slice(at..at + n_bytes)),
            _ => decoder.feed(Buffer::copy_from(&bytes[at..at + n_bytes])),
        }
        at += n_bytes;
    })
}

fn stream_from_read(bytes: &Buffer, validation: Validation, rng: &mut Rng) -> Outcome {
    let source = ChunkedReader::new(Cursor::new(bytes.clone()), 1 + rng.below(3_000)).interrupted(5);
    let mut batches = Vec::new();
    let result = StreamReader::try_new_with(source, options(validation)).and_then(|mut reader| {
        loop {
            match reader.next_step()? {
                Step::Batch(next) => batches.push(next.batch),
                Step::End => return Ok(()),
                _ => {}
            }
        }
    });
    Outcome::of(result, batches)
}

/// Stores the bodies of some batches separately, and reads them by position while the stream continues.
fn stream_with_large_batches(bytes: &Buffer, validation: Validation, rng: &mut Rng) -> Outcome {
    let mut batches = Vec::new();
    let result =
        StreamReader::try_new_with(Cursor::new(bytes.clone()), options(validation)).and_then(|reader| {
            let mut reader = reader.with_large_batches_over(*rng.pick(&[0, 300]));
            loop {
                match reader.next_step()? {
                    Step::Batch(next) => batches.push(next.batch),
                    Step::LargeBatch(batch) => {
                        let mut body = Vec::new();
                        while let Some(bytes) = reader.next_body_bytes()? {
                            body.extend_from_slice(&bytes);
                        }
                        let body = SeekSource::new(Cursor::new(body));
                        batches.push(batch.try_into_reader(body)?.batch(0)?);
                    }
                    Step::End => return Ok(()),
                    _ => {}
                }
            }
        });
    Outcome::of(result, batches)
}

fn asynchronous_stream(bytes: &Buffer, validation: Validation, _: &mut Rng) -> Outcome {
    let mut batches = Vec::new();
    let result = drive(async {
        let mut reader = AsyncStreamReader::try_new_with(&**bytes, options(validation)).await?;
        loop {
            match reader.next_step().await? {
                Step::Batch(next) => batches.push(next.batch),
                Step::End => return Ok(()),
                _ => {}
            }
        }
    });
    Outcome::of(result, batches)
}

fn all_of(found: impl Iterator<Item = Result<RecordBatch>>) -> Outcome {
    let mut batches = Vec::new();
    let result = found.take(MAX_BATCHES).try_for_each(|batch| {
        batches.push(batch?);
        Ok(())
    });
    Outcome::of(result, batches)
}

fn read_file(source: impl Source, options: ReadOptions) -> Outcome {
    match FileReader::try_new_with(source, options) {
        Ok(reader) => all_of((0..reader.n_batches()).map(|batch_idx| reader.batch(batch_idx))),
        Err(error) => Outcome::of(Err(error), Vec::new()),
    }
}

fn file_from_memory(bytes: &Buffer, validation: Validation, _: &mut Rng) -> Outcome {
    read_file(bytes.clone(), options(validation))
}

fn file_by_seeking(bytes: &Buffer, validation: Validation, rng: &mut Rng) -> Outcome {
    let n_tail_bytes = *rng.pick(&[0, 64, 65_536]);
    let source = SeekSource::new(Cursor::new(bytes.clone()));
    read_file(source, options(validation).with_tail_bytes(n_tail_bytes))
}

/// Answers each range in several pieces, in any order.
fn file_by_ranges(bytes: &Buffer, validation: Validation, rng: &mut Rng) -> Outcome {
    let options = options(validation).with_tail_bytes(*rng.pick(&[0, 100]));
    let file = match run(bytes, FileDecoder::plan_open_with(bytes.len() as u64, options), rng) {
        Ok(file) => file,
        Err(error) => return Outcome::of(Err(error), Vec::new()),
    };
    all_of((0..file.n_batches()).map(|batch_idx| Ok(run(bytes, file.plan_batch(batch_idx)?, rng)?.batch)))
}

/// Passes the requested bytes to a plan: in pieces, the last piece first.
///
/// # Panics
/// If it requests bytes that do not exist.
pub fn run<T>(bytes: &Buffer, mut plan: ReadPlan<T>, rng: &mut Rng) -> Result<T> {
    loop {
        let needed = match plan.step()? {
            PlanStep::Ready(ready) => return Ok(ready),
            PlanStep::Need(needed) => needed,
        };
        let mut pieces: Vec<Range<u64>> = Vec::new();
        for range in needed.required() {
            let middle = range.start + rng.below((range.end - range.start) as usize) as u64;
            pieces.extend(
                [range.start..middle, middle..range.end].into_iter().filter(|piece| !piece.is_empty()),
            );
        }
        while !pieces.is_empty() {
            let piece = pieces.swap_remove(rng.below(pieces.len()));
            let found = bytes.slice(piece.start as usize..piece.end as usize);
            plan.provide(piece, found)?;
        }
    }
}

fn asynchronous_file(bytes: &Buffer, validation: Validation, _: &mut Rng) -> Outcome {
    let mut batches = Vec::new();
    let result = drive(async {
        let reader = AsyncFileReader::try_new_with(bytes.clone(), options(validation)).await?;
        for batch_idx in 0..reader.n_batches().min(MAX_BATCHES) {
            batches.push(reader.batch(batch_idx).await?);
        }
        Ok(())
    });
    Outcome::of(result, batches)
}

/// Polls a future until it is ready.
///
/// # Panics
/// If it does not become ready.
pub fn drive<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..10_000_000 {
        if let Poll::Ready(ready) = future.as_mut().poll(&mut context) {
            return ready;
        }
    }
    panic!("a future that is never ready");
}
