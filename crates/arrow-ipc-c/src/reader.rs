//! Inputs that are read by position: files, and streams like files.

use std::{fs::File, mem::MaybeUninit, ops::Range, path::Path, sync::Arc};

use arrow_c_data::{ArrowArray, ArrowArrayStream, ArrowSchema};
use arrow_data::RecordBatch;
use arrow_ipc::{
    Container, FileReader, IpcError, IpcErrorKind, Projection, ReadOptions, Source,
    file::{FilePrefetcher, UnreferencedBytes, UnreferencedKind},
};

#[cfg(feature = "condition")]
use crate::condition::MatchingBatches;
use crate::{
    callbacks::SourceCallbacks,
    failure::{Failure, Result},
    options::{Options, Selection, reading},
    pointers::{ListPointer, Memory, NamedText, Out, SizedPointer, TextPointer},
};

type AnyReader = FileReader<Box<dyn Source>>;

/// `struct aipc_reader`: an input, and what is read of it. All threads may use it at once.
pub(crate) struct Reader {
    reader: AnyReader,
    selection: Selection,
}

/// `struct aipc_bytes`: bytes that a handle lends.
#[repr(C)]
pub(crate) struct LentBytes {
    data: *const u8,
    n_bytes: usize,
}

impl LentBytes {
    pub(crate) const NONE: LentBytes = LentBytes { data: std::ptr::null(), n_bytes: 0 };

    pub(crate) fn new(bytes: &[u8]) -> LentBytes {
        LentBytes { data: bytes.as_ptr(), n_bytes: bytes.len() }
    }
}

/// The memory for a result. Until a call succeeds, it holds `empty`. This is the first thing that a call does: the next is to take
/// what the caller passes on, also if there is no memory for the result.
pub(crate) fn result<'a, T>(out: Out<'a, T>, empty: T) -> Result<&'a mut T> {
    match out {
        Some(out) => Ok(MaybeUninit::write(out, empty)),
        None => Err(Failure::null("out")),
    }
}

pub(crate) fn handle<'a, T>(handle: Option<&'a T>, name: &str) -> Result<&'a T> {
    handle.ok_or_else(|| Failure::null(name))
}

impl Reader {
    fn open(source: Box<dyn Source>, options: ReadOptions, selection: Selection) -> Result<Box<Reader>> {
        let reader = FileReader::try_new_with(source, options)?;
        // As for paths: another file with a footer at its end is none of ours.
        reader.check_start()?;
        Reader::select(&reader, selection)
    }

    fn select(reader: &AnyReader, selection: Selection) -> Result<Box<Reader>> {
        let projection = if selection.columns.is_empty() {
            Projection::All
        } else {
            Projection::names_or_paths(&selection.columns, reader.ipc_schema().schema())
        };
        let selected = Reader { reader: reader.project(&projection)?, selection };
        if selected.selection.condition.is_some() {
            // Refuses a wrong condition at once.
            drop(selected.matching()?);
        }
        Ok(Box::new(selected))
    }

    fn batches(&self) -> Result<SelectedBatches> {
        if self.selection.condition.is_some() {
            return self.matching();
        }
        if let Some(wanted) = &self.selection.rows {
            // Not `n_rows`, which fails for a stream that is cut after the wanted rows.
            let counts = self.reader.n_rows_of_each(0..self.reader.n_batches())?;
            let n_rows = counts.into_iter().fold(0, u64::saturating_add);
            let rows = self.reader.rows(wanted.start.min(n_rows)..wanted.end.min(n_rows))?;
            let end = (wanted.end > n_rows).then(|| self.reader.clone());
            return Ok(with_end(rows.map(|batch| Ok(batch?)), end));
        }
        match self.batch_range() {
            Some(range) => {
                let reaches_end = self.selection.reaches_past(self.reader.n_batches());
                let end = reaches_end.then(|| self.reader.clone());
                Ok(with_end(BatchRange { prefetcher: self.reader.prefetcher(), range }, end))
            }
            None => Ok(Box::new(self.reader.batches().map(|batch| Ok(batch?)))),
        }
    }

    /// The rows that match the condition, if there is one.
    #[cfg(feature = "condition")]
    fn matching(&self) -> Result<SelectedBatches> {
        let condition = self.selection.condition.as_deref().unwrap_or_default();
        let range = self.batch_range();
        let matching = MatchingBatches::try_new(&self.reader, condition, &self.selection, range)?;
        Ok(Box::new(matching))
    }

    #[cfg(not(feature = "condition"))]
    fn matching(&self) -> Result<SelectedBatches> {
        let text = "this library was built without the feature `condition`".to_owned();
        Err(Failure { code: crate::failure::Code::Unsupported, text })
    }

    /// The batches that were selected, of those that there are; `None` for all.
    fn batch_range(&self) -> Option<Range<usize>> {
        let batches = self.selection.batches.as_ref()?;
        let n_batches = self.reader.n_batches();
        let bounded = |index: u64| at(index).min(n_batches);
        Some(bounded(batches.start)..bounded(batches.end))
    }
}

type SelectedBatches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

/// The batches, and after them the error at which the stream of a reader ends, if more of it is wanted than there is.
fn with_end(
    batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'static,
    end: Option<AnyReader>,
) -> SelectedBatches {
    let end = end.into_iter().filter_map(|reader| Some(Err(reader.check_end().err()?.into())));
    Box::new(batches.chain(end))
}

/// Some batches of an input, in order.
struct BatchRange {
    prefetcher: FilePrefetcher<Box<dyn Source>>,
    range: Range<usize>,
}

impl Iterator for BatchRange {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        let end = self.range.end;
        let batch_idx = self.range.next()?;
        let read = self.prefetcher.next_of(batch_idx..end).read();
        Some(read.map(|read| read.batch).map_err(Failure::from))
    }
}

pub(crate) fn open(
    path: TextPointer,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Reader>>>,
) -> Result<()> {
    let out = result(out, None)?;
    let path = Path::new(path.as_str("path")?);
    let (options, selection) = reading(&Options::try_new(&options, n_options)?)?;
    let named = |error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error });
    refuse_pipe(path)?;
    let file = File::open(path).map_err(named)?;
    *out = Some(Reader::open(Box::new(file), options, selection)?);
    Ok(())
}

/// Refuses a named pipe, which has no positions, and whose opening would wait for a writer.
#[cfg(unix)]
fn refuse_pipe(path: &Path) -> Result<()> {
    use std::os::unix::fs::FileTypeExt;
    if std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo()) {
        let path = path.display();
        return Err(Failure::misuse(format!("`{path}` is a pipe, which a decoder reads")));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_pipe(_: &Path) -> Result<()> {
    Ok(())
}

pub(crate) fn open_memory(
    memory: SizedPointer<Memory>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Reader>>>,
) -> Result<()> {
    let out = result(out, None);
    let bytes = memory.read("memory")?.to_buffer()?;
    let out = out?;
    let (options, selection) = reading(&Options::try_new(&options, n_options)?)?;
    *out = Some(Reader::open(Box::new(bytes), options, selection)?);
    Ok(())
}

pub(crate) fn open_source(
    source: SizedPointer<SourceCallbacks>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Reader>>>,
) -> Result<()> {
    let out = result(out, None);
    let source = source.read("source")?.to_source()?;
    let out = out?;
    let (options, selection) = reading(&Options::try_new(&options, n_options)?)?;
    *out = Some(Reader::open(Box::new(source), options, selection)?);
    Ok(())
}

pub(crate) fn select(
    reader: Option<&Reader>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Reader>>>,
) -> Result<()> {
    let out = result(out, None)?;
    let selection = Selection::parse(&Options::try_new(&options, n_options)?)?;
    *out = Some(Reader::select(&handle(reader, "reader")?.reader, selection)?);
    Ok(())
}

pub(crate) fn schema(reader: Option<&Reader>, out: Out<'_, ArrowSchema>) -> Result<()> {
    let out = result(out, ArrowSchema::empty())?;
    *out = ArrowSchema::try_from_schema(handle(reader, "reader")?.reader.schema())?;
    Ok(())
}

pub(crate) fn stream(reader: Option<&Reader>, out: Out<'_, ArrowArrayStream>) -> Result<()> {
    let out = result(out, ArrowArrayStream::empty())?;
    let reader = handle(reader, "reader")?;
    *out = ArrowArrayStream::new(Arc::clone(reader.reader.schema()), reader.batches()?);
    Ok(())
}

pub(crate) fn batch(reader: Option<&Reader>, index: u64, out: Out<'_, ArrowArray>) -> Result<()> {
    let out = result(out, ArrowArray::empty())?;
    let batch = handle(reader, "reader")?.reader.batch(at(index))?;
    *out = ArrowArray::try_from_batch(&batch).map_err(|error| Failure::from(error).in_batch(index))?;
    Ok(())
}

/// The index in memory; one that is too large is past the end.
fn at(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

pub(crate) fn n_batches(reader: Option<&Reader>, out: Out<'_, u64>) -> Result<()> {
    let out = result(out, 0)?;
    *out = handle(reader, "reader")?.reader.n_batches() as u64;
    Ok(())
}

pub(crate) fn n_rows(reader: Option<&Reader>, out: Out<'_, u64>) -> Result<()> {
    let out = result(out, 0)?;
    *out = handle(reader, "reader")?.reader.n_rows()?;
    Ok(())
}

pub(crate) fn batch_n_rows(reader: Option<&Reader>, index: u64, out: Out<'_, u64>) -> Result<()> {
    let out = result(out, 0)?;
    *out = handle(reader, "reader")?.reader.n_rows_of(at(index))?;
    Ok(())
}

pub(crate) fn is_file(reader: Option<&Reader>, out: Out<'_, i32>) -> Result<()> {
    let out = result(out, 0)?;
    *out = i32::from(handle(reader, "reader")?.reader.container() == Container::File);
    Ok(())
}

pub(crate) fn unreferenced_bytes(
    reader: Option<&Reader>,
    start: Out<'_, u64>,
    n_bytes: Out<'_, u64>,
    has_second_file: Out<'_, i32>,
) -> Result<()> {
    let null = |name: &'static str| move || Failure::null(name);
    let start = start.map(|start| start.write(0)).ok_or_else(null("start"))?;
    let n_bytes = n_bytes.map(|n_bytes| n_bytes.write(0)).ok_or_else(null("n_bytes"))?;
    let has_second_file = has_second_file.map(|found| found.write(0)).ok_or_else(null("has_second_file"))?;
    if let Some(UnreferencedBytes { kind, range }) = handle(reader, "reader")?.reader.unreferenced_bytes()? {
        *start = range.start;
        *n_bytes = range.end.saturating_sub(range.start);
        *has_second_file = i32::from(kind == UnreferencedKind::SecondFile);
    }
    Ok(())
}

pub(crate) fn n_metadata(reader: Option<&Reader>, out: Out<'_, u64>) -> Result<()> {
    let out = result(out, 0)?;
    *out = handle(reader, "reader")?.reader.footer_metadata().iter().count() as u64;
    Ok(())
}

pub(crate) fn metadata(
    reader: Option<&Reader>,
    index: u64,
    key: Out<'_, LentBytes>,
    value: Out<'_, LentBytes>,
) -> Result<()> {
    let key = key.map(|key| key.write(LentBytes::NONE));
    let value = value.map(|value| value.write(LentBytes::NONE));
    let mut pairs = handle(reader, "reader")?.reader.footer_metadata().iter();
    let Some((found_key, found_value)) = pairs.nth(at(index)) else {
        return Err(Failure::misuse(format!("there is no metadata at {index}")));
    };
    let lent = |text: Option<&str>| text.map_or(LentBytes::NONE, |text| LentBytes::new(text.as_bytes()));
    for (out, found) in [(key, found_key), (value, found_value)] {
        if let Some(out) = out {
            *out = lent(found);
        }
    }
    Ok(())
}

pub(crate) fn find_metadata(
    reader: Option<&Reader>,
    key: TextPointer,
    value: Out<'_, LentBytes>,
) -> Result<()> {
    let value = result(value, LentBytes::NONE)?;
    let key = key.as_str("key")?;
    if let Some(found) = handle(reader, "reader")?.reader.footer_metadata().get(key) {
        *value = LentBytes::new(found.as_bytes());
    }
    Ok(())
}
