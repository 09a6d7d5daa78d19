//! Tests the tools of the program: they describe an input, join and split it, and convert it from text.

use std::{
    io::{Cursor, sink},
    num::NonZero,
    ops::Range,
};

use arrow_buffer::Buffer;
use arrow_compute::DistinctCount;
use arrow_data::{RecordBatch, Table};
use arrow_ipc::{FileReader, IpcError, ReadOptions, StreamReader, WrittenContainer};
use arrow_ipc_report::{ByteMap, explain};
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Import, ImportOptions, Input, InspectOptions, RowWindow, SummaryOptions,
    ToolError, ToolErrorKind, import::TextFormat, inspect, summarize,
};
use arrow_text::CsvOptions;

use super::{repairs::limits, texts};
use crate::{
    operations::{has_no_form, is_short, same_rows},
    share::Share,
    wire::MAGIC,
};

fn input(bytes: &[u8]) -> Result<Input, ToolError> {
    Ok(Input::try_from_buffer("input", Buffer::copy_from(bytes))?.with_limits(limits()))
}

/// Makes the map of bytes, the explanation or the statistics of an input.
pub(super) fn describe(bytes: &[u8]) {
    for description in Share::by(bytes).of(&[map, explanation, statistics]) {
        // Most inputs have errors.
        let _ = description(bytes);
    }
}

fn explanation(bytes: &[u8]) -> Result<(), ToolError> {
    let (explanation, inspected) = explain(input(bytes)?, None, &mut ())?;
    assert!(!format!("{:?} {:?}", explanation.findings, inspected.notes).is_empty());
    Ok(())
}

fn map(bytes: &[u8]) -> Result<(), ToolError> {
    let input = input(bytes)?;
    let mut map = ByteMap::new(input.name());
    let options = InspectOptions::new().with_buffers();
    let inspected = inspect(input, &options, &mut map, &mut ())?;
    assert!(map.into_json(&inspected).contains(r#""messages":{"#), "a map without messages");
    Ok(())
}

fn statistics(bytes: &[u8]) -> Result<(), ToolError> {
    let summary = summarize(input(bytes)?, &SummaryOptions::new(), &mut ())?;
    for column in &summary.columns {
        let statistics = &column.statistics;
        let n_valid =
            statistics.n_rows().checked_sub(statistics.null_count()).expect("no more nulls than rows");
        if let DistinctCount::Exact(n_distinct) = statistics.distinct() {
            assert!(n_distinct <= n_valid, "{n_distinct} different values of {n_valid}");
        }
        assert!(statistics.min().is_some() == statistics.max().is_some());
    }
    Ok(())
}

/// All batches, if all of them are valid, and all dictionaries of a file: tools copy also those that no batch uses.
fn read(bytes: &[u8]) -> Result<Vec<RecordBatch>, IpcError> {
    let options = ReadOptions::new().with_limits(limits());
    if bytes.starts_with(MAGIC) {
        let reader = FileReader::try_new_with(Buffer::copy_from(bytes), options)?;
        reader.check_dictionaries()?;
        reader.batches().collect()
    } else {
        StreamReader::try_new_with(bytes, options)?.collect()
    }
}

/// Whether a tool may refuse an input whose batches can be read.
fn is_refusal(error: &ToolError, bytes: &[u8]) -> bool {
    match error.kind() {
        // A file may contradict itself in messages that only copies read.
        ToolErrorKind::Input(_) => bytes.starts_with(MAGIC),
        ToolErrorKind::Output(error) => has_no_form(error),
        // A reader ends with the first stream, and has no range of rows.
        ToolErrorKind::LaterStream { .. }
        | ToolErrorKind::OtherColumns { .. }
        | ToolErrorKind::PastEnd { .. } => true,
        _ => false,
    }
}

/// Joins an input with itself. If it can be read, the result must have its rows twice. Messages are copied without
/// checking values if possible, so invalid values may still be invalid afterwards.
pub(super) fn assemble(bytes: &[u8]) {
    let joined = |options: &ConvertOptions| -> Result<Vec<u8>, ToolError> {
        let inputs = vec![input(bytes)?, input(bytes)?];
        let (joined, _) = Conversion::open(inputs, options, &mut ())?.write_to(Vec::new(), &mut ())?;
        Ok(joined)
    };
    let plain = || ConvertOptions::copying(WrittenContainer::Stream);
    let some = ConvertOptions { rows: RowWindow::from_rows(1..40), n_batch_rows: NonZero::new(7), ..plain() };
    let unifying = ConvertOptions { unifies_dictionaries: true, ..plain() };
    let all = 0..usize::MAX;
    for (options, rows) in Share::by(bytes).of(&[(plain(), all.clone()), (unifying, all), (some, 1..40)]) {
        let (joined, before) = (joined(options), read(bytes));
        if let (Err(error), Ok(_)) = (&joined, &before) {
            assert!(is_refusal(error, bytes), "an input that can be read is not joined: {error}");
        }
        let (Ok(joined), Ok(before)) = (joined, before) else { continue };
        let after = read(&joined).unwrap_or_else(|error| panic!("a joined stream: {error}"));
        check_joined(&before, &after, rows.clone());
    }
}

/// Panics unless batches have these rows of the batches before, taken twice.
fn check_joined(before: &[RecordBatch], after: &[RecordBatch], rows: Range<usize>) {
    let Some(first) = before.first() else { return assert!(after.is_empty(), "batches of no batch") };
    let table = |batches| Table::try_from_batches(first.schema().clone(), batches);
    // Very many nulls have more rows than can be counted.
    let Ok(twice) = table([before, before].concat()) else { return };
    let found = table(after.to_vec()).expect("columns of the input");
    let n_rows = twice.n_rows().min(rows.end).saturating_sub(rows.start);
    assert_eq!(found.n_rows(), n_rows, "rows of a joined stream");
    if before.iter().all(is_short) {
        let expected = twice.slice(rows.start.min(twice.n_rows()), n_rows);
        assert_eq!(found.same_values(&expected), Ok(true), "other rows of a joined stream");
    }
}

/// Converts an input to a file and back to a stream, which must have the same rows.
pub(super) fn convert(bytes: &[u8]) {
    let (file, expected) = (converted(bytes, WrittenContainer::File), read(bytes));
    if let (Err(error), Ok(_)) = (&file, &expected) {
        assert!(is_refusal(error, bytes), "an input that can be read is not converted: {error}");
    }
    let Ok(file) = file else { return };
    let stream =
        converted(&file, WrittenContainer::Stream).unwrap_or_else(|error| panic!("a written file: {error}"));
    let Ok(expected) = expected else { return };
    let found = read(&stream).unwrap_or_else(|error| panic!("a converted stream: {error}"));
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        same_rows(found, expected, "a converted stream");
    }
}

fn converted(bytes: &[u8], container: WrittenContainer) -> Result<Vec<u8>, ToolError> {
    let conversion = Conversion::open(vec![input(bytes)?], &ConvertOptions::new(container), &mut ())?;
    let (written, _) = conversion.write_to(Vec::new(), &mut ())?;
    Ok(written)
}

/// Reads text with an inferred schema. The result is a batch or an error.
pub(super) fn import(bytes: &[u8]) {
    // The rows of seeds come after their schema, which is not used here.
    let text = texts::rows_of(bytes).to_vec();
    for format in [TextFormat::Csv(CsvOptions::new()), TextFormat::JsonLines] {
        let options = ImportOptions { infer_rows: 20.into(), ..ImportOptions::new(format) };
        let text = Box::new(Cursor::new(text.clone()));
        let Ok(import) = Import::open("text", text, &options) else { continue };
        let schema = import.schema().to_string();
        assert!(schema.parse::<arrow_schema::Schema>().is_ok(), "a schema that does not parse: {schema}");
        let options = ConvertOptions::new(WrittenContainer::Stream);
        let conversion = Conversion::open(vec![import.into_input()], &options, &mut ());
        let _ = conversion.and_then(|conversion| conversion.write_to(sink(), &mut ()));
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{DictionaryArray, Int8Array, Int64Array, Utf8Array};
    use arrow_ipc::{FileWriter, StreamWriter};

    use super::*;
    use crate::check::caught;

    fn batch(values: &[i64]) -> RecordBatch {
        let column = Int64Array::from_iter(values.iter().copied());
        RecordBatch::try_from_columns([("a", column.into())]).expect("a column")
    }

    #[test]
    fn joined_streams_have_the_rows_twice() {
        let before = [batch(&[1, 2]), batch(&[3])];
        let check = |after: &[RecordBatch], rows| caught(|| check_joined(&before, after, rows));
        assert_eq!(check(&[batch(&[1, 2, 3, 1]), batch(&[2, 3])], 0..usize::MAX), Ok(()));
        assert_eq!(check(&[batch(&[2, 3, 1])], 1..4), Ok(()));
        for wrong in [&[1, 2, 3, 1, 2][..], &[1, 2, 3, 1, 2, 4], &[]] {
            assert!(check(&[batch(wrong)], 0..usize::MAX).is_err(), "{wrong:?}");
        }
        assert!(check(&[batch(&[3, 1, 2])], 1..4).is_err());
        assert_eq!(caught(|| check_joined(&[], &[], 0..usize::MAX)), Ok(()));
    }

    /// A reader ends with the first stream, but tools read all, and refuse other columns.
    #[test]
    fn later_streams_may_have_other_columns() {
        let words = Utf8Array::from_iter(["one"]);
        let other = RecordBatch::try_from_columns([("b", words.into())]).expect("a column");
        let streams = [batch(&[1]), other].map(|batch| {
            StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).expect("a stream")
        });
        let bytes = streams.concat();
        assert_eq!(read(&bytes).map(|batches| batches.len()).ok(), Some(1));
        convert(&bytes);
        assemble(&bytes);
    }

    /// A dictionary that no batch uses may be invalid, and is copied like the others.
    #[test]
    fn dictionaries_without_batches_are_read_too() {
        let words = Utf8Array::from_iter(["one", "two"]);
        let column = DictionaryArray::try_new(Int8Array::from_iter([0, 1]), words).expect("two indices");
        let batch = RecordBatch::try_from_columns([("a", column.into())]).expect("a column");
        let mut bytes = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch))
            .expect("a file")
            .to_vec();
        let reader = FileReader::try_from_buffer(bytes.clone().into()).expect("a file");
        let position = reader.footer().batch(0).expect("a batch").position();
        let location = |bytes: &[u8], sought: &[u8]| {
            bytes.windows(sought.len()).rposition(|found| found == sought).expect("they are there")
        };
        // The footer has a list of one block.
        let blocks = location(&bytes, &position.to_le_bytes());
        bytes[blocks - 4..blocks].fill(0);
        assert_eq!(read(&bytes).map(|batches| batches.len()).ok(), Some(0));
        assemble(&bytes);
        // The last offset of the words.
        let offsets = location(&bytes, &[0_i32, 3, 6].map(i32::to_le_bytes).concat());
        bytes[offsets + 11] = 0x7f;
        assert!(read(&bytes).is_err());
        assemble(&bytes);
    }
}
