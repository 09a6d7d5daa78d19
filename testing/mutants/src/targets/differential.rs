//! Reads the same bytes in two ways, which must return the same rows.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_compute::{ComparisonOperator, Matches, Predicate};
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, FileReader, FileWriter, IpcError, Limits, MessageKind, MessageScan, ReadOptions,
    StreamReader, WriteOptions, WrittenContainer,
    file::{Block, StreamIndex},
    message::Header,
};
use arrow_ipc_recover::{Recovery, RecoveryStep};
use arrow_ipc_statistics::{FileStatistics, StatisticsBuilder};
use testing_support::Rng;

use super::repairs::transcoded_into;
use crate::{
    check::seed_of,
    operations::{is_short, same_rows},
    wire::MAGIC,
};

/// The greatest number of batches that are compared. Footers of mutants may list very many.
pub(super) const MAX_BATCHES: usize = 20;

fn options() -> ReadOptions {
    // Each input is decompressed several times.
    ReadOptions::new().with_limits(Limits::new().with_max_decompressed_bytes(1 << 20))
}

fn open(bytes: &Buffer) -> Result<FileReader<Buffer>, IpcError> {
    FileReader::try_from_buffer_with(bytes.clone(), options())
}

/// The batches of a stream before its first error, and this error.
fn sequential(bytes: &[u8]) -> (Vec<RecordBatch>, Option<IpcError>) {
    let mut batches = Vec::new();
    let read = StreamReader::try_new_with(bytes, options()).and_then(|reader| {
        reader.into_iter().try_for_each(|batch| {
            batches.push(batch?);
            Ok(())
        })
    });
    (batches, read.err())
}

fn same_batches(found: &FileReader<Buffer>, expected: &[RecordBatch], what: &str) {
    assert_eq!(found.n_batches(), expected.len(), "{what}");
    // From the last to the first, so that no batch is read after the one before it.
    for (idx, expected) in expected.iter().enumerate().take(MAX_BATCHES).rev() {
        let batch = found.batch(idx).unwrap_or_else(|error| panic!("{what}: batch {idx}: {error}"));
        same_rows(&batch, expected, what);
    }
}

/// The batches of a stream must be those of a file that has its messages, and of a file that has its rows. If the input is a
/// file whose footer lists all messages, its stream must have the same batches.
pub(super) fn file_and_stream(bytes: &[u8]) {
    if bytes.starts_with(MAGIC) {
        file_and_its_stream(&Buffer::copy_from(bytes));
        return;
    }
    let (batches, None) = sequential(bytes) else { return };
    if let Ok(file) = transcoded_into(bytes, WrittenContainer::File) {
        let file = open(&Buffer::from(file)).expect("a file of the messages of a stream");
        same_batches(&file, &batches, "a file of the messages");
    }
    let Some(first) = batches.first() else { return };
    let delta = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let written = FileWriter::write_to_buffer_with(first.schema(), &batches, delta);
    // A file has no place for some dictionaries.
    if let Ok(file) = written {
        same_batches(&open(&file).expect("a file of the rows of a stream"), &batches, "a file of the rows");
    }
}

fn file_and_its_stream(bytes: &Buffer) {
    let Ok(file) = open(bytes) else { return };
    let Some(stream) = file_stream(bytes, &file) else { return };
    if let (batches, None) = sequential(&stream)
        && file.batches().take(MAX_BATCHES).all(|batch| batch.is_ok())
    {
        same_batches(&file, &batches, "the stream in a file");
    }
}

/// The stream in a file. `None` if the footer has another schema, or lists other messages or in another order.
fn file_stream(bytes: &Buffer, file: &FileReader<Buffer>) -> Option<Buffer> {
    let mut scan = MessageScan::try_from_file(bytes.clone(), Limits::default()).ok()?;
    let (mut dictionaries, mut batches) = (Vec::new(), Vec::new());
    let mut end = 8;
    while let Some(message) = scan.next_message().ok()? {
        // Zeros between messages are padding in a file, and the legacy end marker in a stream.
        if message.position() != end {
            return None;
        }
        end = message.body_position() + message.n_body_bytes();
        match message.kind() {
            MessageKind::RecordBatch => batches.push(message.position()),
            MessageKind::DictionaryBatch => dictionaries.push(message.position()),
            MessageKind::Schema => match message.header(&Limits::default()).ok()? {
                Header::Schema(schema) if schema == *file.ipc_schema() => {}
                _ => return None,
            },
            _ => return None,
        }
    }
    let footer = file.footer();
    let positions = |blocks: &[Block]| -> Vec<u64> { blocks.iter().map(|block| block.position()).collect() };
    if positions(footer.batches()) != batches || positions(footer.dictionaries()) != dictionaries {
        return None;
    }
    let end = usize::try_from(footer.position()).ok()?;
    Some(bytes.slice(8..end))
}

/// A stream that is read at random must return the batches that it returns from the start to the end; also with an index that
/// was written and read again.
pub(super) fn random_stream(bytes: &[u8]) {
    if bytes.starts_with(MAGIC) {
        return;
    }
    let (batches, error) = sequential(bytes);
    let bytes = Buffer::copy_from(bytes);
    let reader = match open(&bytes) {
        Ok(reader) => reader,
        Err(opening) => {
            assert!(error.is_some(), "a stream that is read from its start is not opened: {opening}");
            return;
        }
    };
    assert!(reader.n_batches() >= batches.len(), "{} of {} batches", reader.n_batches(), batches.len());
    if error.is_none() {
        assert_eq!(reader.n_batches(), batches.len());
        assert!(reader.check_end().is_ok(), "a stream without a fault ends with one");
    }
    let mut rng = Rng::new(seed_of(&bytes));
    for _ in 0..batches.len().min(MAX_BATCHES) {
        let idx = rng.below(batches.len());
        let batch = reader.batch(idx).unwrap_or_else(|error| panic!("batch {idx} at random: {error}"));
        same_rows(&batch, &batches[idx], "a batch at random");
    }
    let Ok(index) = reader.index().and_then(|index| index.to_buffer()) else { return };
    let index = StreamIndex::try_from_buffer(index).expect("an index that was written");
    let indexed =
        FileReader::try_new_indexed_with(bytes, &index, options()).expect("the stream of the index");
    assert_eq!(indexed.n_batches(), reader.n_batches());
    if let Some(last) = batches.len().checked_sub(1) {
        let batch = indexed.batch(last).unwrap_or_else(|error| panic!("batch {last} by the index: {error}"));
        same_rows(&batch, &batches[last], "a batch by the index");
    }
}

/// Rows of a batch must be those of the whole batch.
pub(super) fn rows(bytes: &[u8]) {
    let bytes = Buffer::copy_from(bytes);
    let Ok(reader) = open(&bytes) else { return };
    let mut rng = Rng::new(seed_of(&bytes));
    for idx in 0..reader.n_batches().min(MAX_BATCHES) {
        let Ok(batch) = reader.batch(idx) else { continue };
        for _ in 0..3 {
            let range = random_range(batch.n_rows(), &mut rng);
            let rows = reader.batch_rows(idx, range.start as u64..range.end as u64);
            let rows = rows.unwrap_or_else(|error| panic!("rows {range:?} of batch {idx}: {error}"));
            same_rows(&rows, &batch.slice(range.start, range.len()), "rows of a batch");
        }
    }
}

fn random_range(n_rows: usize, rng: &mut Rng) -> Range<usize> {
    let start = rng.below(n_rows + 1);
    start..start + rng.below(n_rows - start + 1)
}

/// What statistics exclude must have no matching row, and what they include whole, no other row. The constants of the
/// conditions are the bounds of the batches.
pub(super) fn bounds(bytes: &[u8]) {
    let Ok(reader) = open(&Buffer::copy_from(bytes)) else { return };
    let batches: Vec<RecordBatch> = reader
        .batches()
        .take(3)
        .map_while(Result::ok)
        .filter(is_short)
        .flat_map(|batch| parts(&batch))
        .collect();
    let Some(first) = batches.first() else { return };
    let mut statistics = StatisticsBuilder::new(first.schema());
    if batches.iter().any(|batch| statistics.add(batch).is_err()) {
        return;
    }
    let mut writer =
        FileWriter::try_new(Vec::new(), first.schema()).expect("names and types that a file has");
    if batches.iter().any(|batch| writer.write(batch).is_err()) {
        return;
    }
    if !statistics.put_into(&mut writer).expect("statistics of few batches") {
        return;
    }
    let Ok(file) = writer.finish() else { return };
    let file = open(&Buffer::from(file)).expect("a file with statistics");
    let known = FileStatistics::from_footer(file.footer()).expect("statistics that were written");
    for (idx, batch) in batches.iter().enumerate() {
        assert!(known.check(idx, batch).is_ok(), "statistics of batch {idx} are wrong");
    }
    for condition in conditions(&known, first) {
        // Some types have no order.
        let Ok(bound) = condition.bind(file.schema()) else { continue };
        for (idx, batch) in batches.iter().enumerate() {
            let n_matching = bound.matches(batch).expect("a condition that fits").count_set();
            let is_right = match known.matches(idx, &bound) {
                Matches::None => n_matching == 0,
                Matches::All => n_matching == batch.n_rows(),
                Matches::Some => true,
            };
            assert!(is_right, "{condition}: {n_matching} of {} rows of batch {idx}", batch.n_rows());
        }
    }
}

/// Two halves of a batch, with names that conditions have.
fn parts(batch: &RecordBatch) -> Vec<RecordBatch> {
    let columns = batch.columns().iter().enumerate().map(|(idx, column)| (format!("c{idx}"), column.clone()));
    let Ok(batch) = RecordBatch::try_from_columns(columns) else { return Vec::new() };
    let middle = batch.n_rows() / 2;
    vec![batch.slice(0, middle), batch.slice(middle, batch.n_rows() - middle)]
}

/// Conditions whose constants are bounds of columns.
fn conditions(known: &FileStatistics, batch: &RecordBatch) -> Vec<Predicate> {
    use ComparisonOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let mut conditions = Vec::new();
    for (idx, _) in batch.columns().iter().enumerate().take(8) {
        let name = format!("c{idx}");
        conditions.extend([Predicate::is_null(&name), Predicate::is_null(&name).not()]);
        let Ok(path) = batch.schema().path(&name) else { continue };
        for batch_idx in 0..known.n_batches().min(4) {
            let bounds = known.bounds(batch_idx, &path);
            for constant in [bounds.min, bounds.max].into_iter().flatten() {
                for comparison in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
                    let condition = Predicate::compare(&name, comparison, constant.clone());
                    conditions.extend([condition.clone().not(), condition]);
                }
            }
        }
    }
    conditions
}

/// What a recovery does not report as lost must be all that a reader returns.
pub(super) fn recovered(bytes: &[u8]) {
    let expected = if bytes.starts_with(MAGIC) {
        let Ok(file) = open(&Buffer::copy_from(bytes)) else { return };
        // A recovery returns messages in the order of the file, each once.
        if file.n_batches() > MAX_BATCHES || !file.footer().irregularities().is_empty() {
            return;
        }
        match file.batches().collect::<Result<Vec<_>, _>>() {
            Ok(batches) => batches,
            Err(_) => return,
        }
    } else {
        let (batches, None) = sequential(bytes) else { return };
        batches
    };
    let Some(found) = recover_all(bytes) else { return };
    assert_eq!(found.len(), expected.len(), "batches of a recovery that reports no loss");
    for (found, expected) in found.iter().zip(&expected) {
        same_rows(found, expected, "a batch of a recovery that reports no loss");
    }
}

/// All batches; `None` if something is reported as lost.
fn recover_all(bytes: &[u8]) -> Option<Vec<RecordBatch>> {
    let mut recovery = Recovery::new_with(bytes.len() as u64, options());
    let mut batches = Vec::new();
    loop {
        match recovery.step().ok()? {
            RecoveryStep::Need(range) => {
                let found = Buffer::copy_from(&bytes[range.start as usize..range.end as usize]);
                recovery.provide(range, found).expect("what it asked for");
            }
            RecoveryStep::Message { batch, .. } => batches.extend(batch),
            RecoveryStep::Lost(_) => return None,
            RecoveryStep::End => return Some(batches),
            _ => {}
        }
    }
}
