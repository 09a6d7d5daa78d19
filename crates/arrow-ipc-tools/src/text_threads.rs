//! Rows of text that other threads read, in their order.

use std::{
    io::BufRead,
    num::NonZeroUsize,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use arrow_data::RecordBatch;
use arrow_text::{CsvPart, CsvParts, RowError};

use crate::error::ToolError;

/// More threads only have more parts in memory.
const MAX_THREADS: usize = 8;

/// What a thread has read.
enum Read {
    Batch(Result<RecordBatch, RowError>),
    EndOfPart,
}

/// Gives the batches of all parts to `take`, in their order. Another thread cuts the text into parts; part k is read by thread k
/// modulo the number of threads. In memory are a part for each thread and the next one, and two batches for each thread.
///
/// # Errors
/// The first of `take`, after which no more is read. It has to refuse an error: what follows is not known to be rows.
pub(crate) fn read_parts<R: BufRead + Send>(
    parts: CsvParts<R>,
    n_threads: NonZeroUsize,
    mut take: impl FnMut(Result<RecordBatch, RowError>) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let n_threads = n_threads.get().min(MAX_THREADS);
    thread::scope(|scope| {
        let threads = (0..n_threads).map(|_| {
            let (give, parts) = sync_channel(0);
            let (send, read) = sync_channel(1);
            scope.spawn(move || read_each(&parts, &send));
            (give, read)
        });
        let (to_threads, from_threads): (Vec<_>, Vec<Receiver<Read>>) = threads.unzip();
        scope.spawn(move || {
            for (part, to_thread) in parts.zip(to_threads.iter().cycle()) {
                if to_thread.send(part).is_err() {
                    break;
                }
            }
        });
        for from_thread in from_threads.iter().cycle() {
            loop {
                match from_thread.recv() {
                    Ok(Read::Batch(batch)) => take(batch)?,
                    Ok(Read::EndOfPart) => break,
                    // There was no part for it, so there are no more. A panic is passed on by the end of the scope.
                    Err(_) => return Ok(()),
                }
            }
        }
        Ok(())
    })
}

/// Gives the batches to `take`, while another thread reads the next ones.
///
/// # Errors
/// The first of `take`, after which no more is read.
pub(crate) fn read_ahead(
    mut batches: impl Iterator<Item = Result<RecordBatch, RowError>> + Send,
    take: impl FnMut(Result<RecordBatch, RowError>) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let (send, read) = sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(move || batches.all(|batch| send.send(batch).is_ok()));
        read.into_iter().try_for_each(take)
    })
}

/// Reads parts until there are no more, or nobody takes their batches.
fn read_each(parts: &Receiver<Result<CsvPart, RowError>>, send: &SyncSender<Read>) {
    for part in parts {
        let is_taken = match part.and_then(CsvPart::reader) {
            Err(error) => send.send(Read::Batch(Err(error))).is_ok(),
            Ok(mut batches) => batches.all(|batch| send.send(Read::Batch(batch)).is_ok()),
        };
        if !is_taken || send.send(Read::EndOfPart).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::Schema;
    use arrow_text::{CsvOptions, CsvRows, JsonWriter};
    use testing_support::{Generator, schema_of_all_types};

    use super::*;
    use crate::error::ToolErrorKind;

    /// The rows of each batch as JSON, and the error.
    fn read(text: &str, schema: &Schema, n_threads: usize) -> (Vec<Vec<u8>>, Option<String>) {
        let parts = CsvParts::try_new(text.as_bytes(), schema.clone(), CsvOptions::new()).unwrap();
        let mut writer = JsonWriter::new();
        let mut batches = Vec::new();
        let n_threads = NonZeroUsize::new(n_threads).unwrap();
        let ended = read_parts(parts.with_part_records(7), n_threads, |batch| {
            let batch = batch.map_err(|error| ToolError::new("text".into(), ToolErrorKind::Row(error)))?;
            let mut rows = Vec::new();
            writer.rows(&batch).unwrap().write_to(&mut rows).unwrap();
            batches.push(rows);
            Ok(())
        });
        (batches, ended.err().map(|error| error.to_string()))
    }

    /// Of every type, batch by batch; with a wrong row, and with a quote that never ends, up to there.
    #[test]
    fn any_number_of_threads_reads_the_same() {
        let schema = schema_of_all_types();
        let batch = Generator::new(14).batches(&schema, &[40]).remove(0);
        let sound = CsvRows::try_new(&batch).unwrap().to_string();
        let two: Schema = "n: int64\ntext: utf8".parse().unwrap();
        let rows =
            |range: std::ops::Range<u64>| range.map(|n| format!("{n},\"a\n{n}\"\n")).collect::<String>();
        let wrong = ["n,text\n", &rows(0..50), "x,y\n", &rows(50..100)].concat();
        let open = ["n,text\n", &rows(0..50), "1,\"y\n", &rows(50..100)].concat();
        let in_first = ["n,text\n", "x,y\n", &rows(0..50)].concat();
        let cases = [
            (&sound, &schema, 6, None),
            (&wrong, &two, 8, Some("line 102: field `n`")),
            (&open, &two, 8, Some("closing quote")),
            (&in_first, &two, 0, Some("line 2: field `n`")),
        ];
        for (text, schema, n_batches, error) in cases {
            let expected = read(text, schema, 1);
            assert_eq!(expected.0.len(), n_batches, "{:?}", expected.1);
            let found = expected.1.as_deref().unwrap_or_default();
            assert!(error.map_or(found.is_empty(), |error| found.contains(error)), "{found}");
            for n_threads in [2, 3, 8, 100] {
                assert!(read(text, schema, n_threads) == expected, "{n_threads} threads");
            }
        }
        let whole = arrow_text::CsvReader::read_batch(&sound, schema.clone()).unwrap();
        let mut rows = Vec::new();
        JsonWriter::new().rows(&whole).unwrap().write_to(&mut rows).unwrap();
        assert!(read(&sound, &schema, 3).0.concat() == rows);
    }
}
