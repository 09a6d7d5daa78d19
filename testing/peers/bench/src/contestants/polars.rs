//! polars-arrow.

use crate::case::{Checks, From, Read, Take, To, What, Work, Write};
use crate::contestant::{Contestant, Entry, Job, Local, LocalWork, Taken, Want, error_text, refuse_codec};
use crate::format::Format;
use polars_arrow::array::Array;
use polars_arrow::datatypes::{ArrowSchema, ArrowSchemaRef};
use polars_arrow::io::ipc::read::{
    FileReader, StreamMetadata, StreamReader, StreamState, read_file_metadata, read_stream_metadata,
};
use polars_arrow::io::ipc::write::{FileWriter, StreamWriter, WriteOptions};
use polars_arrow::record_batch::RecordBatchT;
use std::cell::RefCell;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Cursor, Seek};
use std::rc::Rc;
use std::sync::Arc;

pub struct Polars;

type Batch = RecordBatchT<Box<dyn Array>>;

/// Without codecs, since their crates are not needed elsewhere here.
const OPTIONS: WriteOptions = WriteOptions { compression: None };

impl Contestant for Polars {
    fn name(&self) -> &'static str {
        "polars-arrow"
    }

    fn version(&self) -> String {
        "0.55.2".to_owned()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        refuse_codec(job.case.codec)?;
        Ok(Local::entry(match job.case.work {
            Work::Read(read) => reading(job, read),
            Work::Write(write) => writing(job, write)?,
            Work::WriteGrowing(..) => return Err("writes no deltas".to_owned()),
            Work::Shuffle { .. } => return Err("does not take part".to_owned()),
        }))
    }
}

fn reading<'a>(job: &'a Job<'a>, read: Read) -> LocalWork<'a> {
    Box::new(move |want| {
        let mut taken = Taken::new(job, want);
        if read.take == Take::EachEighth || read.from == From::Map {
            return Err("does not take part".to_owned());
        }
        let schema = match (read.container, read.from) {
            (Format::Stream, From::Memory | From::Reader | From::Map) => {
                read_stream(Cursor::new(job.input), read, &mut taken)?
            }
            (Format::Stream, From::Disk) => {
                let file = File::open(job.input_path).map_err(error_text)?;
                read_stream(BufReader::new(file), read, &mut taken)?
            }
            (Format::File, From::Memory | From::Reader | From::Map) => {
                read_file(Cursor::new(job.input), read, &mut taken)?
            }
            (Format::File, From::Disk) => {
                read_file(File::open(job.input_path).map_err(error_text)?, read, &mut taken)?
            }
        };
        if want == Want::Nothing {
            black_box(taken.batches);
            return Ok(Vec::new());
        }
        write_stream(Vec::new(), &schema, &taken.batches)
    })
}

fn read_stream(
    mut bytes: impl std::io::Read + Seek,
    read: Read,
    taken: &mut Taken<Batch>,
) -> Result<ArrowSchema, String> {
    if read.checks == Checks::None {
        return Err("cannot leave out checks of streams".to_owned());
    }
    let metadata: StreamMetadata = read_stream_metadata(&mut bytes).map_err(error_text)?;
    let schema = metadata.schema.clone();
    if read.take == Take::Schema {
        return Ok(schema);
    }
    for state in StreamReader::new(bytes, metadata, None) {
        match state.map_err(error_text)? {
            StreamState::Some(batch) => taken.take(batch),
            StreamState::Waiting => return Err("the stream is not complete".to_owned()),
        }
    }
    Ok(schema)
}

fn read_file(
    mut bytes: impl std::io::Read + Seek,
    read: Read,
    taken: &mut Taken<Batch>,
) -> Result<ArrowSchema, String> {
    let metadata = read_file_metadata(&mut bytes).map_err(error_text)?;
    if read.take == Take::Schema {
        return Ok(ArrowSchema::clone(&metadata.schema));
    }
    let projection = match read.take {
        Take::Column(position) => Some(vec![position]),
        _ => None,
    };
    let mut reader = FileReader::new(bytes, metadata, projection, None);
    if read.checks == Checks::None {
        // SAFETY: the bytes were written by a writer of arrays that are valid.
        reader = unsafe { reader.unchecked() };
    }
    let schema = reader.schema().clone();
    let n_batches = match read.take {
        Take::Batch(idx) => {
            reader.set_current_block(idx);
            1
        }
        Take::Column(_) => 1,
        Take::Schema | Take::EachEighth | Take::All => usize::MAX,
    };
    reader.take(n_batches).try_for_each(|batch| batch.map(|batch| taken.take(batch))).map_err(error_text)?;
    Ok(schema)
}

fn write_stream(sink: Vec<u8>, schema: &ArrowSchema, batches: &[Batch]) -> Result<Vec<u8>, String> {
    let mut writer = StreamWriter::new(sink, OPTIONS);
    writer.start(schema, None).map_err(error_text)?;
    batches.iter().try_for_each(|batch| writer.write(batch, None)).map_err(error_text)?;
    writer.finish().map_err(error_text)?;
    Ok(writer.into_inner())
}

fn write_file<W: std::io::Write>(sink: W, schema: &ArrowSchemaRef, batches: &[Batch]) -> Result<W, String> {
    let mut writer = FileWriter::try_new(sink, schema.clone(), None, OPTIONS).map_err(error_text)?;
    batches.iter().try_for_each(|batch| writer.write(batch, None)).map_err(error_text)?;
    writer.finish().map_err(error_text)?;
    Ok(writer.into_inner())
}

/// Memory that can be cleared while a writer uses it.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn writing<'a>(job: &'a Job<'a>, write: Write) -> Result<LocalWork<'a>, String> {
    let mut taken = Taken::all();
    let all = Read {
        from: From::Memory,
        container: Format::Stream,
        take: Take::All,
        batches: crate::case::Batches::Retained,
        checks: Checks::Default,
    };
    let schema = Arc::new(read_stream(Cursor::new(&job.data.plain), all, &mut taken)?);
    let batches: Vec<Batch> = match write.what {
        What::Schema => Vec::new(),
        What::Batches => taken.batches,
        What::Slices { n_skipped } => {
            taken.batches.into_iter().map(|batch| slice(batch, &schema, n_skipped)).collect()
        }
        What::Parts { .. } => return Err("does not take part".to_owned()),
    };
    Ok(match (write.to, write.container) {
        (To::Reused, _) => {
            let sink = Sink::default();
            sink.0.borrow_mut().reserve(job.data.plain.len() * 2);
            let mut writer = StreamWriter::new(sink.clone(), OPTIONS);
            writer.start(&schema, None).map_err(error_text)?;
            let start = sink.0.borrow().clone();
            Box::new(move |want| {
                sink.0.borrow_mut().clear();
                batches.iter().try_for_each(|batch| writer.write(batch, None)).map_err(error_text)?;
                let memory = sink.0.borrow();
                black_box(&*memory);
                Ok(if want == Want::Outcome { [&start[..], &memory].concat() } else { Vec::new() })
            })
        }
        (To::Cleared | To::Nowhere, _) => return Err("does not take part".to_owned()),
        (To::New, Format::Stream) => Box::new(move |_| write_stream(Vec::new(), &schema, &batches)),
        (To::New, Format::File) => Box::new(move |_| write_file(Vec::new(), &schema, &batches)),
        (To::Disk, Format::Stream) => Box::new(move |want| {
            let file = File::create(job.output_path).map_err(error_text)?;
            let mut writer = StreamWriter::new(file, OPTIONS);
            writer.start(&schema, None).map_err(error_text)?;
            batches.iter().try_for_each(|batch| writer.write(batch, None)).map_err(error_text)?;
            writer.finish().map_err(error_text)?;
            job.output(want)
        }),
        (To::Disk, Format::File) => Box::new(move |want| {
            write_file(File::create(job.output_path).map_err(error_text)?, &schema, &batches)?;
            job.output(want)
        }),
    })
}

fn slice(batch: Batch, schema: &ArrowSchemaRef, n_skipped: usize) -> Batch {
    let n_rows = batch.height() - n_skipped;
    let columns = batch.into_arrays().into_iter().map(|column| column.sliced(n_skipped, n_rows)).collect();
    RecordBatchT::new(n_rows, schema.clone(), columns)
}
