//! This project, used as its documentation shows.

use crate::case::{Case, Checks, Codec, From, Memory, Read, Take, To, What, Work, Write, parts};
use crate::contestant::{
    Contestant, Entry, Job, Local, LocalWork, RECYCLING, Taken, Want, error_text, merged,
};
use crate::format::Format;
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::segment::{BodyPart, RawMessage};
use arrow_ipc::{
    Compression, DictionaryPolicy, FileReader, FileWriter, IpcError, MessageKind, MessageStep, Messages,
    Projection, ReadOptions, RecycledMemory, SeekSource, Source, Step, StreamDecoder, StreamEncoder,
    StreamReader, StreamWriter, Threads, Validation, WriteOptions,
};
use arrow_schema::Schema;
use std::fs::File;
use std::hint::black_box;
use std::io::Cursor;
use std::sync::Arc;

/// A reader of each run has memory of its own, or that of the readers before it.
#[derive(Default)]
pub struct Ours {
    recycled: Option<RecycledMemory>,
}

impl Ours {
    /// The most bytes that are kept from one run for the next.
    const MAX_RECYCLED_BYTES: usize = 512 << 20;

    pub fn recycling() -> Ours {
        Ours { recycled: Some(RecycledMemory::with_max_bytes(Ours::MAX_RECYCLED_BYTES)) }
    }
}

impl Contestant for Ours {
    fn name(&self) -> &'static str {
        if self.recycled.is_some() { RECYCLING } else { "ours" }
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        Ok(Local::entry(match job.case.work {
            Work::Read(read) => reading(job, read, self.recycled.clone()),
            _ if self.recycled.is_some() => return Err("only readers recycle memory".to_owned()),
            Work::Write(write) => writing(job, write).map_err(error_text)?,
            Work::WriteGrowing(memory, container) => {
                writing_growing(job, memory, container).map_err(error_text)?
            }
            Work::Shuffle { n_outputs } => shuffling(job, n_outputs),
        }))
    }
}

fn read_options(job: &Job<'_>, read: Read, recycled: Option<RecycledMemory>) -> ReadOptions {
    let validation = match read.checks {
        Checks::Default | Checks::Usual => Validation::default(),
        Checks::None => Validation::Structure,
    };
    let options = ReadOptions::default().with_validation(validation).with_threads(threads(job.case));
    let options = match recycled {
        Some(recycled) => options.with_recycled_memory(recycled),
        None => options,
    };
    match read.take {
        Take::Column(position) => options.with_projection(Projection::Positions(vec![position])),
        Take::EachEighth => options.with_projection(Projection::Positions(job.each_eighth())),
        Take::Schema | Take::Batch(_) | Take::All => options,
    }
}

fn write_options(case: &Case) -> WriteOptions {
    let compression = case.codec.map(|codec| match codec {
        Codec::Lz4 => Compression::lz4(),
        Codec::Zstd => Compression::zstd().with_level(1),
        Codec::Zstd3 => Compression::zstd().with_level(3),
    });
    WriteOptions::default().with_compression(compression).with_threads(threads(case))
}

/// The global pool has as many threads as the cases with several need.
fn threads(case: &Case) -> Threads {
    if case.n_threads == 1 { Threads::One } else { Threads::Pool }
}

fn reading<'a>(job: &'a Job<'a>, read: Read, recycled: Option<RecycledMemory>) -> LocalWork<'a> {
    let memory = Buffer::copy_from(job.input);
    Box::new(move |want| {
        let mut taken = Taken::new(job, want);
        let options = read_options(job, read, recycled.clone());
        let schema = match (read.container, read.from) {
            (Format::Stream, From::Memory) => read_memory(&memory, options, read, &mut taken),
            (Format::Stream, From::Reader) => {
                read_stream(StreamReader::try_new_with(job.input, options), read, &mut taken)
            }
            (Format::Stream, From::Disk) => {
                let file = File::open(job.input_path).map_err(error_text)?;
                read_stream(StreamReader::try_new_with(file, options), read, &mut taken)
            }
            (Format::Stream, From::Map) => read_memory(&map(job)?, options, read, &mut taken),
            (Format::File, From::Memory) => {
                read_file(FileReader::try_new_with(memory.clone(), options), read, &mut taken)
            }
            (Format::File, From::Reader) => {
                let source = SeekSource::new(Cursor::new(job.input));
                read_file(FileReader::try_new_with(source, options), read, &mut taken)
            }
            (Format::File, From::Map) => {
                read_file(FileReader::try_new_with(map(job)?, options), read, &mut taken)
            }
            (Format::File, From::Disk) => {
                read_file(FileReader::open_with(job.input_path, options), read, &mut taken)
            }
        };
        let schema = schema.map_err(error_text)?;
        if want == Want::Nothing {
            black_box(taken.batches);
            return Ok(Vec::new());
        }
        crate::ours::write(&schema, &taken.batches, Format::Stream).map_err(error_text)
    })
}

/// Maps the input to memory.
pub(super) fn map(job: &Job<'_>) -> Result<Buffer, String> {
    let file = File::open(job.input_path).map_err(error_text)?;
    // SAFETY: nobody writes to the input while contestants read it, and the folder belongs to this process.
    unsafe { Buffer::map(&file) }.map_err(error_text)
}

/// Reads from memory without a copy.
fn read_memory(
    memory: &Buffer,
    options: ReadOptions,
    read: Read,
    taken: &mut Taken<RecordBatch>,
) -> Result<Arc<Schema>, IpcError> {
    let mut decoder = StreamDecoder::new_with(options);
    decoder.feed(memory.clone());
    decoder.finish_input();
    loop {
        match decoder.step()? {
            Step::Batch(next) => taken.take(next.batch),
            Step::Schema(schema) if read.take == Take::Schema => return Ok(schema.schema().clone()),
            Step::End => return Ok(decoder.schema().cloned().expect("a stream has a schema")),
            _ => {}
        }
    }
}

fn read_stream<R: std::io::Read>(
    reader: Result<StreamReader<R>, IpcError>,
    read: Read,
    taken: &mut Taken<RecordBatch>,
) -> Result<Arc<Schema>, IpcError> {
    let mut reader = reader?;
    let schema = reader.schema().clone();
    if read.take != Take::Schema {
        reader.try_for_each(|batch| batch.map(|batch| taken.take(batch)))?;
    }
    Ok(schema)
}

fn read_file<S: Source>(
    reader: Result<FileReader<S>, IpcError>,
    read: Read,
    taken: &mut Taken<RecordBatch>,
) -> Result<Arc<Schema>, IpcError> {
    let reader = reader?;
    match read.take {
        Take::Schema => {}
        Take::Batch(idx) => taken.take(reader.batch(idx)?),
        Take::Column(_) => taken.take(reader.batch(0)?),
        Take::EachEighth | Take::All => {
            reader.batches().try_for_each(|batch| batch.map(|batch| taken.take(batch)))?;
        }
    }
    Ok(reader.schema().clone())
}

fn writing<'a>(job: &'a Job<'a>, write: Write) -> Result<LocalWork<'a>, IpcError> {
    let schema = &job.data.schema;
    let batches: Vec<RecordBatch> = match write.what {
        What::Schema => Vec::new(),
        What::Batches => job.data.batches.clone(),
        What::Slices { n_skipped } => {
            job.data.batches.iter().map(|batch| batch.slice(n_skipped, batch.n_rows() - n_skipped)).collect()
        }
        What::Parts { n_parts } => {
            let divide = |batch: &RecordBatch| {
                let slice = |(start, n_rows)| batch.slice(start, n_rows);
                parts(batch.n_rows(), n_parts).map(slice).collect::<Vec<_>>()
            };
            job.data.batches.iter().flat_map(divide).collect()
        }
    };
    let options = write_options(job.case);
    Ok(match (write.to, write.container) {
        (To::Reused, _) => {
            let mut encoder = StreamEncoder::try_new_with(schema, options)?;
            let start = encoder.start()?.to_bytes();
            let mut memory = Vec::with_capacity(job.data.plain.len() * 2);
            Box::new(move |want| {
                memory.clear();
                for batch in &batches {
                    encoder.encode(batch).map_err(error_text)?.write_to(&mut memory).map_err(error_text)?;
                }
                black_box(&memory);
                Ok(if want == Want::Outcome { [&start[..], &memory].concat() } else { Vec::new() })
            })
        }
        (To::Cleared, container) => {
            let mut memory = Vec::with_capacity(job.data.plain.len() * 2);
            Box::new(move |want| {
                memory.clear();
                let (options, sink) = (options.clone(), &mut memory);
                match container {
                    Format::Stream => {
                        let writer = StreamWriter::try_new_with(sink, schema, options);
                        let mut writer = writer.map_err(error_text)?;
                        batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
                        writer.finish().map_err(error_text)?;
                    }
                    Format::File => {
                        let mut writer =
                            FileWriter::try_new_with(sink, schema, options).map_err(error_text)?;
                        batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
                        writer.finish().map_err(error_text)?;
                    }
                }
                black_box(&memory);
                Ok(if want == Want::Outcome { memory.clone() } else { Vec::new() })
            })
        }
        (To::Nowhere, _) => Box::new(move |want| {
            let mut encoder = StreamEncoder::try_new_with(schema, options.clone()).map_err(error_text)?;
            let mut memory = Vec::new();
            for batch in &batches {
                let encoded = black_box(encoder.encode(batch).map_err(error_text)?);
                if want == Want::Outcome {
                    memory.extend_from_slice(&encoded.to_bytes());
                }
            }
            let end = black_box(encoder.finish().map_err(error_text)?);
            if want == Want::Outcome {
                memory.extend_from_slice(&end.to_bytes());
            }
            Ok(memory)
        }),
        (To::New, container) => Box::new(move |want| {
            let options = options.clone();
            let written = match container {
                Format::Stream => StreamWriter::write_to_buffer_with(schema, &batches, options),
                Format::File => FileWriter::write_to_buffer_with(schema, &batches, options),
            };
            let written = black_box(written.map_err(error_text)?);
            Ok(if want == Want::Outcome { written.to_vec() } else { Vec::new() })
        }),
        (To::Disk, Format::Stream) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(error_text)?;
            let mut writer = StreamWriter::try_new_with(file, schema, options.clone()).map_err(error_text)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
            writer.finish().map_err(error_text)?;
            job.output(want)
        }),
        (To::Disk, Format::File) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(error_text)?;
            let mut writer = FileWriter::try_new_with(file, schema, options.clone()).map_err(error_text)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
            writer.finish().map_err(error_text)?;
            job.output(want)
        }),
    })
}

/// Copies the messages without decoding them. Their metadata is checked, their bodies are not looked at.
fn shuffling<'a>(job: &'a Job<'a>, n_outputs: usize) -> LocalWork<'a> {
    let input = Buffer::copy_from(job.input);
    let mut outputs = vec![Vec::with_capacity(job.input.len()); n_outputs];
    Box::new(move |want| {
        outputs.iter_mut().for_each(Vec::clear);
        shuffle(&input, &job.data.schema, &mut outputs).map_err(error_text)?;
        black_box(&outputs);
        if want == Want::Outcome { merged(&outputs) } else { Ok(Vec::new()) }
    })
}

fn shuffle(input: &Buffer, schema: &Arc<Schema>, outputs: &mut [Vec<u8>]) -> Result<(), IpcError> {
    let mut encoders = Vec::with_capacity(outputs.len());
    for output in &mut *outputs {
        let mut encoder = StreamEncoder::try_new(schema)?;
        encoder.start()?.write_to(output)?;
        encoders.push(encoder);
    }
    let mut messages = Messages::new_with(ReadOptions::default());
    messages.feed(input.clone());
    messages.finish_input();
    let mut next = 0;
    loop {
        let message = match messages.step()? {
            MessageStep::Message(message) => message,
            MessageStep::End => break,
            _ => continue,
        };
        if message.kind() == MessageKind::RecordBatch {
            let body = [BodyPart { offset: 0, bytes: message.body().clone() }];
            let raw = RawMessage::from_envelope(message.envelope(), 0).with_body(&body);
            encoders[next].encode_message(raw)?.write_to(&mut outputs[next])?;
            next = (next + 1) % outputs.len();
        }
    }
    for (encoder, output) in encoders.iter_mut().zip(outputs) {
        encoder.finish()?.write_to(output)?;
    }
    Ok(())
}

fn writing_growing<'a>(
    job: &'a Job<'a>,
    memory: Memory,
    container: Format,
) -> Result<LocalWork<'a>, IpcError> {
    let schema = &job.data.schema;
    let batches = match memory {
        Memory::Same => job.data.batches.clone(),
        // The values of every other batch are in another copy.
        Memory::Other => {
            let (_, copies) = crate::ours::read(&job.data.plain, Format::Stream)?;
            let last = |batches: &[RecordBatch]| values(batches.last()).cloned();
            let all = [last(&job.data.batches), last(&copies)];
            let renewed = job.data.batches.iter().zip(all.iter().cycle());
            renewed.map(|(batch, all)| with_values(batch, all.as_ref())).collect()
        }
    };
    let options = WriteOptions::default().with_dictionaries(DictionaryPolicy::Delta);
    let mut memory = Vec::with_capacity(job.data.plain.len() * 2);
    Ok(Box::new(move |want| {
        memory.clear();
        let (sink, options) = (&mut memory, options.clone());
        match container {
            Format::Stream => {
                let mut writer = StreamWriter::try_new_with(sink, schema, options).map_err(error_text)?;
                batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
                writer.finish().map_err(error_text)?;
            }
            Format::File => {
                let mut writer = FileWriter::try_new_with(sink, schema, options).map_err(error_text)?;
                batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
                writer.finish().map_err(error_text)?;
            }
        }
        Ok(if want == Want::Outcome { memory.clone() } else { Vec::new() })
    }))
}

fn values(batch: Option<&RecordBatch>) -> Option<&Arc<ArrayData>> {
    batch?.columns().first()?.dictionary()
}

/// The same batch, with a dictionary that is the beginning of `all`.
fn with_values(batch: &RecordBatch, all: Option<&Arc<ArrayData>>) -> RecordBatch {
    let renewed = || {
        let n_values = values(Some(batch))?.len();
        let mut parts = batch.columns().first()?.clone().into_parts();
        parts.dictionary = Some(Arc::new(all?.slice(0, n_values)));
        RecordBatch::try_new(batch.schema().clone(), vec![ArrayData::try_new(parts).ok()?]).ok()
    };
    renewed().expect("it has one column with a dictionary")
}
