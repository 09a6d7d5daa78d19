//! Spilling: batches are written to a file and read back, as engines do when memory is short. Their shape is that of arrow-rs's own
//! benches, which `cargo xtask bench public` has.
//!
//! Our readers check all content. Beside arrow-rs with its checks stands arrow-rs without them, which is `unsafe` there and what engines use
//! for their own spills.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Seek};
use std::sync::Arc;

use crate::contest::Contest;
use crate::format::Format;
use crate::{ours, theirs};
use arrow_ipc::{StreamReader, StreamWriter};
use rs_array::builder::{Date32Builder, Decimal128Builder, Int32Builder, StringBuilder};
use rs_array::{ArrayRef, RecordBatch, StringViewArray};
use rs_ipc::reader::StreamReader as TheirStreamReader;
use rs_ipc::writer::{IpcWriteOptions, StreamWriter as TheirStreamWriter};

const N_ROWS: usize = 8192;
const N_BATCHES: usize = 10;

/// The same batches for both.
struct Batches {
    ours: Vec<arrow_data::RecordBatch>,
    theirs: Vec<RecordBatch>,
}

/// The data of all contests.
pub struct SpillData {
    mixed: Batches,
    views: Batches,
}

impl Default for SpillData {
    fn default() -> Self {
        Self { mixed: Batches::new(mixed()), views: Batches::new(views()) }
    }
}

impl Batches {
    fn new(batch: RecordBatch) -> Self {
        let (schema, batches) = (batch.schema(), vec![batch; N_BATCHES]);
        let options = IpcWriteOptions::default();
        let source =
            theirs::Source { schema, batches: batches.clone(), options, footer_metadata: Vec::new() };
        let stream = theirs::write(&source, Format::Stream).expect("memory takes all");
        let (_, ours) = ours::read(&stream, Format::Stream).expect("both understand it");
        Self { ours, theirs: batches }
    }
}

/// Numbers, text with a null in each tenth slot, dates and decimals.
fn mixed() -> RecordBatch {
    let (mut numbers, mut dates) = (Int32Builder::new(), Date32Builder::new());
    let mut texts = StringBuilder::new();
    let mut decimals = Decimal128Builder::new().with_precision_and_scale(11, 2).expect("a type");
    for row in 0..N_ROWS {
        numbers.append_value(row as i32);
        texts.append_option((!row.is_multiple_of(10)).then(|| format!("this is string number {row}")));
        dates.append_value(row as i32);
        decimals.append_value(row as i128 * 1_000_000);
    }
    let columns: [(&str, ArrayRef); 4] = [
        ("c0", Arc::new(numbers.finish())),
        ("c1", Arc::new(texts.finish())),
        ("c2", Arc::new(dates.finish())),
        ("c3", Arc::new(decimals.finish())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .expect("the columns have one length")
}

/// Views of text that is not in the views: what engines spill of text columns.
fn views() -> RecordBatch {
    let text = |row| format!("this is string number {row}");
    let column = StringViewArray::from_iter_values((0..N_ROWS).map(text));
    RecordBatch::try_from_iter([("v", Arc::new(column) as ArrayRef)]).expect("one column")
}

/// Whether arrow-rs checks what it reads.
#[derive(Clone, Copy, PartialEq)]
enum TheirChecks {
    All,
    None,
}

impl SpillData {
    pub fn contests(&self) -> Vec<Contest<'_>> {
        use TheirChecks::{All, None};
        vec![
            spill("spill 10 batches, checked by both", &self.mixed, All),
            spill("spill 10 batches, theirs unchecked", &self.mixed, None),
            spill("spill 10 batches of views, checked by both", &self.views, All),
            spill("spill 10 batches of views, theirs unchecked", &self.views, None),
        ]
    }
}

fn contest<'a>(name: &'static str, ours: impl FnMut() + 'a, theirs: impl FnMut() + 'a) -> Contest<'a> {
    Contest { name, n_times: 1, ours: Box::new(ours), theirs: Box::new(theirs), floor: None }
}

fn unchecked<R: std::io::Read>(reader: TheirStreamReader<R>, checks: TheirChecks) -> TheirStreamReader<R> {
    // SAFETY: arrow-rs has written the stream, of its own arrays.
    unsafe { reader.with_skip_validation(checks == TheirChecks::None) }
}

fn write_ours(data: &Batches, sink: impl std::io::Write) {
    let schema = data.ours[0].schema();
    let mut writer = StreamWriter::try_new(sink, schema).expect("the sink takes all");
    data.ours.iter().try_for_each(|batch| writer.write(batch)).expect("the sink takes all");
    writer.finish().expect("the sink takes all");
}

fn write_theirs(data: &Batches, sink: impl std::io::Write) {
    let schema = data.theirs[0].schema();
    let mut writer = TheirStreamWriter::try_new(sink, &schema).expect("the sink takes all");
    data.theirs.iter().try_for_each(|batch| writer.write(batch)).expect("the sink takes all");
    writer.finish().expect("the sink takes all");
}

/// Writes a temporary file and reads it back. Each uses its library as its documents say: arrow-rs with buffers around
/// the file, ours without.
fn spill<'a>(name: &'static str, data: &'a Batches, checks: TheirChecks) -> Contest<'a> {
    let mut file = temporary_file();
    let ours = move || {
        file.rewind().expect("a file");
        write_ours(data, &file);
        file.rewind().expect("a file");
        let reader = StreamReader::try_new(&file).expect("it can be read");
        reader.for_each(|batch| drop(black_box(batch.expect("it can be read"))));
    };
    let mut file = temporary_file();
    let theirs = move || {
        file.rewind().expect("a file");
        write_theirs(data, BufWriter::new(&file));
        file.rewind().expect("a file");
        let reader = TheirStreamReader::try_new(BufReader::new(&file), None).expect("they wrote it");
        unchecked(reader, checks).for_each(|batch| drop(black_box(batch.expect("they wrote it"))));
    };
    contest(name, ours, theirs)
}

fn temporary_file() -> File {
    tempfile::tempfile().expect("a temporary file")
}
