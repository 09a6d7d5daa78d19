//! This project, used as its documentation shows.

use crate::case::{Case, Checks, Codec, From, Memory, Read, Take, To, What, Work, Write};
use crate::contestant::{Contestant, Entry, Job, Local, LocalWork, Taken, Want, told};
use crate::format::Format;
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, FileReader, FileWriter, IpcError, Projection, ReadOptions, Source, Step,
    StreamDecoder, StreamEncoder, StreamReader, StreamWriter, Threads, Validation, WriteOptions,
};
use arrow_schema::Schema;
use std::fs::File;
use std::hint::black_box;
use std::sync::Arc;

pub struct Ours;

impl Contestant for Ours {
    fn name(&self) -> &'static str {
        "ours"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        Ok(Local::entry(match job.case.work {
            Work::Read(read) => reading(job, read),
            Work::Write(write) => writing(job, write).map_err(told)?,
            Work::WriteGrowing(memory) => writing_growing(job, memory).map_err(told)?,
        }))
    }
}

fn read_options(read: Read) -> ReadOptions {
    let validation = match read.checks {
        Checks::Default => Validation::default(),
        Checks::None => Validation::Structure,
    };
    let options = ReadOptions::default().with_validation(validation).with_threads(Threads::One);
    match read.take {
        Take::Column(position) => options.with_projection(Projection::Positions(vec![position])),
        _ => options,
    }
}

fn write_options(case: &Case) -> WriteOptions {
    let compression = case.codec.map(|codec| match codec {
        Codec::Lz4 => Compression::lz4(),
        Codec::Zstd => Compression::zstd().with_level(1),
    });
    WriteOptions::default().with_compression(compression).with_threads(Threads::One)
}

fn reading<'a>(job: &'a Job<'a>, read: Read) -> LocalWork<'a> {
    let memory = Buffer::copy_from(job.input);
    Box::new(move |want| {
        let mut taken = Taken::new(job, want);
        let options = read_options(read);
        let schema = match (read.container, read.from) {
            (Format::Stream, From::Memory) => read_memory(&memory, read, &mut taken),
            (Format::Stream, From::Reader) => {
                read_stream(StreamReader::try_new_with(job.input, options), read, &mut taken)
            }
            (Format::Stream, From::Disk) => {
                let file = File::open(job.input_path).map_err(told)?;
                read_stream(StreamReader::try_new_with(file, options), read, &mut taken)
            }
            (Format::File, From::Memory | From::Reader) => {
                read_file(FileReader::try_new_with(memory.clone(), options), read, &mut taken)
            }
            (Format::File, From::Disk) => {
                read_file(FileReader::open_with(job.input_path, options), read, &mut taken)
            }
        };
        let schema = schema.map_err(told)?;
        if want == Want::Nothing {
            black_box(taken.batches);
            return Ok(Vec::new());
        }
        crate::ours::write(&schema, &taken.batches, Format::Stream).map_err(told)
    })
}

/// Reads from memory without a copy.
fn read_memory(memory: &Buffer, read: Read, taken: &mut Taken<RecordBatch>) -> Result<Arc<Schema>, IpcError> {
    let mut decoder = StreamDecoder::new_with(read_options(read));
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
        Take::All => reader.batches().try_for_each(|batch| batch.map(|batch| taken.take(batch)))?,
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
                    encoder.encode(batch).map_err(told)?.write_to(&mut memory).map_err(told)?;
                }
                black_box(&memory);
                Ok(if want == Want::Outcome { [&start[..], &memory].concat() } else { Vec::new() })
            })
        }
        (To::New, container) => Box::new(move |want| {
            let options = options.clone();
            let written = match container {
                Format::Stream => StreamWriter::write_to_buffer_with(schema, &batches, options),
                Format::File => FileWriter::write_to_buffer_with(schema, &batches, options),
            };
            let written = black_box(written.map_err(told)?);
            Ok(if want == Want::Outcome { written.to_vec() } else { Vec::new() })
        }),
        (To::Disk, Format::Stream) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(told)?;
            let mut writer = StreamWriter::try_new_with(file, schema, options.clone()).map_err(told)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
            writer.finish().map_err(told)?;
            job.output(want)
        }),
        (To::Disk, Format::File) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(told)?;
            let mut writer = FileWriter::try_new_with(file, schema, options.clone()).map_err(told)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
            writer.finish().map_err(told)?;
            job.output(want)
        }),
    })
}

fn writing_growing<'a>(job: &'a Job<'a>, memory: Memory) -> Result<LocalWork<'a>, IpcError> {
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
        let mut writer = StreamWriter::try_new_with(&mut memory, schema, options.clone()).map_err(told)?;
        batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
        writer.finish().map_err(told)?;
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
