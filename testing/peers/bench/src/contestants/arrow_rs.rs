//! arrow-rs.

use super::ours::map;
use crate::case::{Case, Checks, From, Memory, Read, Take, To, What, Work, Write, parts};
use crate::contestant::{Contestant, Entry, Job, Local, LocalWork, Taken, Want, error_text, merged};
use crate::format::Format;
use rs_array::cast::AsArray;
use rs_array::types::Int32Type;
use rs_array::{Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch};
use rs_buffer::{Buffer, MutableBuffer};
use rs_ipc::convert::try_fb_to_schema;
use rs_ipc::reader::{
    FileDecoder, FileReader, FileReaderBuilder, StreamDecoder, StreamReader, read_footer_length,
};
use rs_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamEncoder, StreamWriter};
use rs_ipc::{Block, CompressionType, MessageHeader, root_as_footer, root_as_message};
use rs_schema::{ArrowError, Schema, SchemaRef};
use std::fs::File;
use std::hint::black_box;
use std::io::{Cursor, Seek};
use std::ptr::NonNull;
use std::sync::Arc;

pub struct ArrowRs;

impl Contestant for ArrowRs {
    fn name(&self) -> &'static str {
        "arrow-rs"
    }

    fn version(&self) -> String {
        crate::theirs::arrow_version().to_owned()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        if job.case.n_threads > 1 {
            return Err("has one thread".to_owned());
        }
        Ok(Local::entry(match job.case.work {
            Work::Read(read) => reading(job, read)?,
            Work::Write(write) => writing(job, write).map_err(error_text)?,
            Work::WriteGrowing(memory, container) => {
                writing_growing(job, memory, container).map_err(error_text)?
            }
            Work::Shuffle { n_outputs } => shuffling(job, n_outputs)?,
        }))
    }
}

fn reading<'a>(job: &'a Job<'a>, read: Read) -> Result<LocalWork<'a>, String> {
    let mut aligned = MutableBuffer::new(job.input.len());
    aligned.extend_from_slice(job.input);
    let memory: Buffer = aligned.into();
    Ok(Box::new(move |want| {
        let mut taken = Taken::new(job, want);
        let schema = match (read.container, read.from) {
            (Format::Stream, From::Memory) if read.take != Take::Schema => {
                read_memory(&memory, read, &mut taken)
            }
            (Format::Stream, From::Memory | From::Reader) => {
                read_stream(StreamReader::try_new(job.input, None).map_err(error_text)?, read, &mut taken)
            }
            (Format::Stream, From::Disk) => {
                let file = File::open(job.input_path).map_err(error_text)?;
                read_stream(StreamReader::try_new_buffered(file, None).map_err(error_text)?, read, &mut taken)
            }
            (Format::Stream, From::Map) => return Err("the stream is not mapped".to_owned()),
            (Format::File, From::Memory) if matches!(read.take, Take::All | Take::EachEighth) => {
                read_blocks(&memory, read, job, &mut taken)
            }
            (Format::File, From::Map) => read_blocks(&mapped(job)?, read, job, &mut taken),
            (Format::File, From::Memory | From::Reader) => {
                read_file(builder(job, read).build(Cursor::new(job.input)), read, &mut taken)
            }
            (Format::File, From::Disk) => {
                let file = File::open(job.input_path).map_err(error_text)?;
                read_file(builder(job, read).build(file), read, &mut taken)
            }
        };
        let schema = schema.map_err(error_text)?;
        if want == Want::Nothing {
            black_box(taken.batches);
            return Ok(Vec::new());
        }
        let options = IpcWriteOptions::default();
        let source =
            crate::theirs::Source { schema, batches: taken.batches, options, footer_metadata: Vec::new() };
        crate::theirs::write(&source, Format::Stream).map_err(error_text)
    }))
}

/// Reads from memory without a copy.
fn read_memory(memory: &Buffer, read: Read, taken: &mut Taken<RecordBatch>) -> Result<SchemaRef, ArrowError> {
    let take = |batch| {
        taken.take(batch);
        Ok(())
    };
    if read.checks == Checks::None { each_unchecked(memory, take) } else { each_checked(memory, take) }
}

fn each_checked(
    memory: &Buffer,
    mut take: impl FnMut(RecordBatch) -> Result<(), ArrowError>,
) -> Result<SchemaRef, ArrowError> {
    let mut decoder = StreamDecoder::new();
    let mut bytes = memory.clone();
    while let Some(batch) = decoder.decode(&mut bytes)? {
        take(batch)?;
    }
    Ok(decoder.schema().unwrap_or_else(|| Arc::new(Schema::empty())))
}

/// Reads the messages of a stream as the blocks of a file: what is unchecked by `StreamDecoder` are only dictionaries.
fn each_unchecked(
    memory: &Buffer,
    mut take: impl FnMut(RecordBatch) -> Result<(), ArrowError>,
) -> Result<SchemaRef, ArrowError> {
    const PREFIX_BYTES: usize = 8;
    let malformed = || ArrowError::IpcError("the stream is malformed".to_owned());
    let mut decoder: Option<(SchemaRef, FileDecoder)> = None;
    let mut position = 0;
    // Each message has a marker and the length of its metadata, which is 0 at the end.
    while let Some([_, _, _, _, length @ ..]) = memory[position..].first_chunk::<PREFIX_BYTES>() {
        let n_metadata_bytes = u32::from_le_bytes(*length) as usize;
        if n_metadata_bytes == 0 {
            break;
        }
        let body_start = position + PREFIX_BYTES + n_metadata_bytes;
        let metadata = memory.get(position + PREFIX_BYTES..body_start).ok_or_else(malformed)?;
        let message = root_as_message(metadata).map_err(|error| ArrowError::IpcError(error.to_string()))?;
        let n_bytes = body_start - position + message.bodyLength() as usize;
        let bytes = memory.slice_with_length(position, n_bytes);
        let n_prefix_and_metadata_bytes = (body_start - position) as i32;
        let block = Block::new(position as i64, n_prefix_and_metadata_bytes, message.bodyLength());
        match (message.header_type(), &mut decoder) {
            (MessageHeader::Schema, _) => {
                let schema = try_fb_to_schema(message.header_as_schema().ok_or_else(malformed)?)?;
                let schema = Arc::new(schema);
                let new = FileDecoder::new(schema.clone(), message.version());
                // SAFETY: the bytes were written by a writer of arrays that are valid.
                decoder = Some((schema, unsafe { new.with_skip_validation(true) }));
            }
            (MessageHeader::DictionaryBatch, Some((_, decoder))) => {
                decoder.read_dictionary(&block, &bytes)?
            }
            (_, Some((_, decoder))) => {
                decoder.read_record_batch(&block, &bytes)?.map_or(Ok(()), &mut take)?;
            }
            (_, None) => return Err(malformed()),
        }
        position += n_bytes;
    }
    decoder.map(|(schema, _)| schema).ok_or_else(malformed)
}

fn read_stream<R: std::io::Read>(
    reader: StreamReader<R>,
    read: Read,
    taken: &mut Taken<RecordBatch>,
) -> Result<SchemaRef, ArrowError> {
    // SAFETY: as above.
    let mut reader = unsafe { reader.with_skip_validation(read.checks == Checks::None) };
    let schema = reader.schema();
    if read.take != Take::Schema {
        reader.try_for_each(|batch| batch.map(|batch| taken.take(batch)))?;
    }
    Ok(schema)
}

fn builder(job: &Job<'_>, read: Read) -> FileReaderBuilder {
    // Its default refuses schemas of very many fields.
    let builder = FileReaderBuilder::new().with_max_footer_fb_tables(usize::MAX);
    match read.take {
        Take::Column(position) => builder.with_projection(vec![position]),
        Take::EachEighth => builder.with_projection(job.each_eighth()),
        Take::Schema | Take::Batch(_) | Take::All => builder,
    }
}

fn read_file<R: std::io::Read + Seek>(
    reader: Result<FileReader<R>, ArrowError>,
    read: Read,
    taken: &mut Taken<RecordBatch>,
) -> Result<SchemaRef, ArrowError> {
    // SAFETY: as above.
    let mut reader = unsafe { reader?.with_skip_validation(read.checks == Checks::None) };
    let schema = reader.schema();
    let n_batches = match read.take {
        Take::Schema => 0,
        Take::Batch(idx) => {
            reader.set_index(idx)?;
            1
        }
        Take::Column(_) => 1,
        Take::EachEighth | Take::All => usize::MAX,
    };
    reader.take(n_batches).try_for_each(|batch| batch.map(|batch| taken.take(batch)))?;
    Ok(schema)
}

/// Maps the input to memory.
fn mapped(job: &Job<'_>) -> Result<Buffer, String> {
    let map = map(job)?;
    let start = NonNull::from(&map[..]).cast();
    let n_bytes = map.len();
    // SAFETY: the owner keeps the bytes where they are.
    Ok(unsafe { Buffer::from_custom_allocation(start, n_bytes, Arc::new(map)) })
}

/// Reads a file from memory without a copy, as the documentation of `FileDecoder` shows.
fn read_blocks(
    memory: &Buffer,
    read: Read,
    job: &Job<'_>,
    taken: &mut Taken<RecordBatch>,
) -> Result<SchemaRef, ArrowError> {
    let end = memory.len() - 10;
    let trailer = memory[end..].try_into().map_err(|_| ArrowError::IpcError("no trailer".to_owned()))?;
    let n_footer_bytes = read_footer_length(trailer)?;
    let footer = root_as_footer(&memory[end - n_footer_bytes..end])
        .map_err(|error| ArrowError::IpcError(error.to_string()))?;
    let no_schema = || ArrowError::IpcError("no schema".to_owned());
    let mut schema = Arc::new(try_fb_to_schema(footer.schema().ok_or_else(no_schema)?)?);
    let decoder = FileDecoder::new(schema.clone(), footer.version());
    // SAFETY: as above.
    let mut decoder = unsafe { decoder.with_skip_validation(read.checks == Checks::None) };
    if read.take == Take::EachEighth {
        let positions = job.each_eighth();
        schema = Arc::new(schema.project(&positions)?);
        decoder = decoder.with_projection(positions);
    }
    let bytes = |block: &rs_ipc::Block| {
        let n_bytes = block.bodyLength() as usize + block.metaDataLength() as usize;
        memory.slice_with_length(block.offset() as usize, n_bytes)
    };
    for block in footer.dictionaries().iter().flatten() {
        decoder.read_dictionary(block, &bytes(block))?;
    }
    for block in footer.recordBatches().iter().flatten() {
        if let Some(batch) = decoder.read_record_batch(block, &bytes(block))? {
            taken.take(batch);
        }
    }
    Ok(schema)
}

fn write_options(case: &Case) -> Result<IpcWriteOptions, ArrowError> {
    let options = IpcWriteOptions::default();
    let Some(codec) = case.codec else { return Ok(options) };
    match codec.level() {
        None => options.try_with_compression(Some(CompressionType::LZ4_FRAME)),
        level => options.try_with_compression(Some(CompressionType::ZSTD))?.try_with_compression_level(level),
    }
}

/// The batches of the job as arrow-rs batches.
fn load(job: &Job<'_>) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    crate::theirs::read(&job.data.plain, Format::Stream)
}

fn writing<'a>(job: &'a Job<'a>, write: Write) -> Result<LocalWork<'a>, ArrowError> {
    let (schema, batches) = load(job)?;
    let batches: Vec<RecordBatch> = match write.what {
        What::Schema => Vec::new(),
        What::Batches => batches,
        What::Slices { n_skipped } => {
            batches.iter().map(|batch| batch.slice(n_skipped, batch.num_rows() - n_skipped)).collect()
        }
        What::Parts { n_parts } => {
            let divide = |batch: &RecordBatch| {
                let slice = |(start, n_rows)| batch.slice(start, n_rows);
                parts(batch.num_rows(), n_parts).map(slice).collect::<Vec<_>>()
            };
            batches.iter().flat_map(divide).collect()
        }
    };
    let options = write_options(job.case)?;
    Ok(match (write.to, write.container) {
        (To::Reused, _) => {
            let memory = Vec::with_capacity(job.data.plain.len() * 2);
            let mut writer = StreamWriter::try_new_with_options(memory, &schema, options)?;
            let start = writer.get_ref().clone();
            Box::new(move |want| {
                writer.get_mut().clear();
                batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
                black_box(writer.get_ref());
                Ok(if want == Want::Outcome { [&start[..], writer.get_ref()].concat() } else { Vec::new() })
            })
        }
        (To::Cleared, container) => {
            let mut memory = Vec::with_capacity(job.data.plain.len() * 2);
            Box::new(move |want| {
                memory.clear();
                write_all(&mut memory, &schema, &batches, (container, options.clone()))
                    .map_err(error_text)?;
                black_box(&memory);
                Ok(if want == Want::Outcome { memory.clone() } else { Vec::new() })
            })
        }
        (To::Nowhere, _) => Box::new(move |want| {
            let encoder = StreamEncoder::try_new_with_options(&schema, options.clone());
            let mut encoder = encoder.map_err(error_text)?;
            let mut memory = Vec::new();
            let mut take = |buffers: Vec<Buffer>| {
                if want == Want::Outcome {
                    buffers.iter().for_each(|buffer| memory.extend_from_slice(buffer));
                }
                black_box(buffers);
            };
            for batch in &batches {
                take(encoder.encode(batch).map_err(error_text)?);
            }
            take(encoder.finish().map_err(error_text)?);
            Ok(memory)
        }),
        (To::New, format) => {
            let source = crate::theirs::Source { schema, batches, options, footer_metadata: Vec::new() };
            Box::new(move |_| crate::theirs::write(&source, format).map_err(error_text))
        }
        (To::Disk, Format::Stream) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(error_text)?;
            let writer = StreamWriter::try_new_with_options(file, &schema, options.clone());
            let mut writer = writer.map_err(error_text)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
            writer.finish().map_err(error_text)?;
            job.output(want)
        }),
        (To::Disk, Format::File) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(error_text)?;
            let writer = FileWriter::try_new_with_options(file, &schema, options.clone());
            let mut writer = writer.map_err(error_text)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(error_text)?;
            writer.finish().map_err(error_text)?;
            job.output(want)
        }),
    })
}

fn write_all(
    sink: &mut Vec<u8>,
    schema: &Schema,
    batches: &[RecordBatch],
    (container, options): (Format, IpcWriteOptions),
) -> Result<(), ArrowError> {
    match container {
        Format::Stream => {
            let mut writer = StreamWriter::try_new_with_options(sink, schema, options)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()
        }
        Format::File => {
            let mut writer = FileWriter::try_new_with_options(sink, schema, options)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()
        }
    }
}

/// Decodes and encodes the batches, without checks.
fn shuffling<'a>(job: &'a Job<'a>, n_outputs: usize) -> Result<LocalWork<'a>, String> {
    let mut aligned = MutableBuffer::new(job.input.len());
    aligned.extend_from_slice(job.input);
    let memory: Buffer = aligned.into();
    let schema = StreamReader::try_new(Cursor::new(job.input), None).map_err(error_text)?.schema();
    let options = write_options(job.case).map_err(error_text)?;
    let mut outputs = vec![Vec::with_capacity(job.input.len()); n_outputs];
    Ok(Box::new(move |want| {
        outputs.iter_mut().for_each(Vec::clear);
        shuffle(&memory, &schema, &options, &mut outputs).map_err(error_text)?;
        black_box(&outputs);
        if want == Want::Outcome { merged(&outputs) } else { Ok(Vec::new()) }
    }))
}

fn shuffle(
    memory: &Buffer,
    schema: &Schema,
    options: &IpcWriteOptions,
    outputs: &mut [Vec<u8>],
) -> Result<(), ArrowError> {
    let writer = |sink| StreamWriter::try_new_with_options(sink, schema, options.clone());
    let mut writers: Vec<StreamWriter<&mut Vec<u8>>> =
        outputs.iter_mut().map(writer).collect::<Result<_, _>>()?;
    let mut next = 0;
    each_unchecked(memory, |batch| {
        writers[next].write(&batch)?;
        next = (next + 1) % writers.len();
        Ok(())
    })?;
    writers.iter_mut().try_for_each(StreamWriter::finish)
}

fn writing_growing<'a>(
    job: &'a Job<'a>,
    memory: Memory,
    container: Format,
) -> Result<LocalWork<'a>, ArrowError> {
    let (schema, columns, all) = load_growing(job)?;
    let (_, _, copy) = load_growing(job)?;
    let all = [all, copy];
    let n_copies = if memory == Memory::Same { 1 } else { 2 };
    let mut batches = Vec::with_capacity(columns.len());
    for (idx, (keys, n_values)) in columns.into_iter().enumerate() {
        let column: ArrayRef =
            Arc::new(DictionaryArray::try_new(keys, all[idx % n_copies].slice(0, n_values))?);
        batches.push(RecordBatch::try_new(schema.clone(), vec![column])?);
    }
    let options = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    let mut memory = Vec::with_capacity(job.data.plain.len() * 2);
    Ok(Box::new(move |want| {
        memory.clear();
        write_all(&mut memory, &schema, &batches, (container, options.clone())).map_err(error_text)?;
        Ok(if want == Want::Outcome { memory.clone() } else { Vec::new() })
    }))
}

/// The schema; the keys of each batch and the number of its values; and the values of the last batch. Each batch gets a
/// copy of its values.
type GrowingDictionary = (SchemaRef, Vec<(Int32Array, usize)>, ArrayRef);

fn load_growing(job: &Job<'_>) -> Result<GrowingDictionary, ArrowError> {
    let reader = StreamReader::try_new(Cursor::new(&job.data.plain), None)?;
    let schema = reader.schema();
    let (mut columns, mut values) = (Vec::new(), None);
    for batch in reader {
        let batch = batch?;
        let column = batch.column(0).as_dictionary::<Int32Type>();
        columns.push((column.keys().clone(), column.values().len()));
        values = Some(column.values().clone());
    }
    let none = || ArrowError::InvalidArgumentError("there are no batches".to_owned());
    Ok((schema, columns, values.ok_or_else(none)?))
}
