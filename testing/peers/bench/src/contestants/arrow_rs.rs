//! arrow-rs.

use crate::case::{Case, Checks, Codec, From, Memory, Read, Take, To, What, Work, Write};
use crate::contestant::{Contestant, Entry, Job, Local, LocalWork, Taken, Want, told};
use crate::format::Format;
use rs_array::cast::AsArray;
use rs_array::types::Int32Type;
use rs_array::{Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch};
use rs_buffer::{Buffer, MutableBuffer};
use rs_ipc::convert::try_fb_to_schema;
use rs_ipc::reader::{
    FileDecoder, FileReader, FileReaderBuilder, StreamDecoder, StreamReader, read_footer_length,
};
use rs_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use rs_ipc::{CompressionType, root_as_footer};
use rs_schema::{ArrowError, Schema, SchemaRef};
use std::fs::File;
use std::hint::black_box;
use std::io::{Cursor, Seek};
use std::sync::Arc;

pub struct ArrowRs;

impl Contestant for ArrowRs {
    fn name(&self) -> &'static str {
        "arrow-rs"
    }

    fn version(&self) -> String {
        "60.1.0".to_owned()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        Ok(Local::entry(match job.case.work {
            Work::Read(read) => reading(job, read)?,
            Work::Write(write) => writing(job, write).map_err(told)?,
            Work::WriteGrowing(memory) => writing_growing(job, memory).map_err(told)?,
        }))
    }
}

fn reading<'a>(job: &'a Job<'a>, read: Read) -> Result<LocalWork<'a>, String> {
    let mut aligned = MutableBuffer::new(job.input.len());
    aligned.extend_from_slice(job.input);
    let memory: Buffer = aligned.into();
    let skip = read.checks == Checks::None;
    Ok(Box::new(move |want| {
        let mut taken = Taken::new(job, want);
        let schema = match (read.container, read.from) {
            (Format::Stream, From::Memory) if read.take != Take::Schema => {
                read_memory(&memory, read, &mut taken)
            }
            (Format::Stream, From::Memory | From::Reader) => {
                let reader = StreamReader::try_new(Cursor::new(job.input), None).map_err(told)?;
                read_stream(reader, read, &mut taken)
            }
            (Format::Stream, From::Disk) => {
                let file = File::open(job.input_path).map_err(told)?;
                read_stream(StreamReader::try_new_buffered(file, None).map_err(told)?, read, &mut taken)
            }
            (Format::File, From::Memory) if read.take == Take::All => read_blocks(&memory, skip, &mut taken),
            (Format::File, From::Memory | From::Reader) => {
                read_file(builder(read).build(Cursor::new(job.input)), read, &mut taken)
            }
            (Format::File, From::Disk) => {
                let file = File::open(job.input_path).map_err(told)?;
                read_file(builder(read).build(file), read, &mut taken)
            }
        };
        let schema = schema.map_err(told)?;
        if want == Want::Nothing {
            black_box(taken.batches);
            return Ok(Vec::new());
        }
        let options = IpcWriteOptions::default();
        let source =
            crate::theirs::Source { schema, batches: taken.batches, options, footer_metadata: Vec::new() };
        crate::theirs::write(&source, Format::Stream).map_err(told)
    }))
}

/// Reads from memory without a copy.
fn read_memory(memory: &Buffer, read: Read, taken: &mut Taken<RecordBatch>) -> Result<SchemaRef, ArrowError> {
    // SAFETY: the bytes were written by a writer of arrays that are valid.
    let mut decoder = unsafe { StreamDecoder::new().with_skip_validation(read.checks == Checks::None) };
    let mut bytes = memory.clone();
    while let Some(batch) = decoder.decode(&mut bytes)? {
        taken.take(batch);
    }
    Ok(decoder.schema().unwrap_or_else(|| Arc::new(Schema::empty())))
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

fn builder(read: Read) -> FileReaderBuilder {
    // Its default refuses schemas of very many fields.
    let builder = FileReaderBuilder::new().with_max_footer_fb_tables(usize::MAX);
    match read.take {
        Take::Column(position) => builder.with_projection(vec![position]),
        _ => builder,
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
        Take::All => usize::MAX,
    };
    reader.take(n_batches).try_for_each(|batch| batch.map(|batch| taken.take(batch)))?;
    Ok(schema)
}

/// Reads a file from memory without a copy, as the documentation of `FileDecoder` shows.
fn read_blocks(
    memory: &Buffer,
    skip_validation: bool,
    taken: &mut Taken<RecordBatch>,
) -> Result<SchemaRef, ArrowError> {
    let end = memory.len() - 10;
    let trailer = memory[end..].try_into().map_err(|_| ArrowError::IpcError("no trailer".to_owned()))?;
    let n_footer_bytes = read_footer_length(trailer)?;
    let footer = root_as_footer(&memory[end - n_footer_bytes..end])
        .map_err(|error| ArrowError::IpcError(error.to_string()))?;
    let no_schema = || ArrowError::IpcError("no schema".to_owned());
    let schema = Arc::new(try_fb_to_schema(footer.schema().ok_or_else(no_schema)?)?);
    // SAFETY: as above.
    let mut decoder =
        unsafe { FileDecoder::new(schema.clone(), footer.version()).with_skip_validation(skip_validation) };
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
    match case.codec {
        None => Ok(options),
        Some(Codec::Lz4) => options.try_with_compression(Some(CompressionType::LZ4_FRAME)),
        Some(Codec::Zstd) => {
            let options = options.try_with_compression(Some(CompressionType::ZSTD))?;
            options.try_with_compression_level(Some(1))
        }
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
    };
    let options = write_options(job.case)?;
    Ok(match (write.to, write.container) {
        (To::Reused, _) => {
            let memory = Vec::with_capacity(job.data.plain.len() * 2);
            let mut writer = StreamWriter::try_new_with_options(memory, &schema, options)?;
            let start = writer.get_ref().clone();
            Box::new(move |want| {
                writer.get_mut().clear();
                batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
                black_box(writer.get_ref());
                Ok(if want == Want::Outcome { [&start[..], writer.get_ref()].concat() } else { Vec::new() })
            })
        }
        (To::New, format) => {
            let source = crate::theirs::Source { schema, batches, options, footer_metadata: Vec::new() };
            Box::new(move |_| crate::theirs::write(&source, format).map_err(told))
        }
        (To::Disk, Format::Stream) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(told)?;
            let writer = StreamWriter::try_new_with_options(file, &schema, options.clone());
            let mut writer = writer.map_err(told)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
            writer.finish().map_err(told)?;
            job.output(want)
        }),
        (To::Disk, Format::File) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(told)?;
            let writer = FileWriter::try_new_with_options(file, &schema, options.clone());
            let mut writer = writer.map_err(told)?;
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
            writer.finish().map_err(told)?;
            job.output(want)
        }),
    })
}

fn writing_growing<'a>(job: &'a Job<'a>, memory: Memory) -> Result<LocalWork<'a>, ArrowError> {
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
        let writer = StreamWriter::try_new_with_options(&mut memory, &schema, options.clone());
        let mut writer = writer.map_err(told)?;
        batches.iter().try_for_each(|batch| writer.write(batch)).map_err(told)?;
        writer.finish().map_err(told)?;
        drop(writer);
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
