//! Appends batches to a file in place, and finds the options for appending from the last batch of the file.

mod rows;
mod statistics;

use std::{fs::File, io, path::Path};

use arrow_ipc::{
    Codec, FileAppender, IpcError, IpcErrorKind, Limits, WriteOptions,
    file::{Footer, UnreferencedBytes, UnreferencedKind},
    message::{Header, Message},
};

pub use self::rows::{AppendOutput, AppendReport, AppendTarget};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind},
    identity::FileIdentity,
    observer::StatisticsLoss,
    source::{SharedSource, is_zero},
    walk::relay::batch_message,
};

/// Appends the batches that `fill` writes to a file in place. The batches get the metadata version of the file. If
/// the footer of the file has statistics, [updates them](AppendTarget::continue_statistics). After an error, the file is
/// unchanged.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
/// use arrow_ipc_tools::{Input, RowWindow, ToolError, append::append_in_place};
///
/// # let folder = std::env::temp_dir();
/// # let path = folder.join(format!("arrow-ipc-tools-in-place-{}.arrow", std::process::id()));
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let more = arrow_buffer::Buffer::from(writer.finish()?);
/// FileWriter::create(&path, batch.schema())?.finish()?;
///
/// append_in_place(&path, WriteOptions::new(), |to| {
///     for _ in 0..3 {
///         let input = Input::try_from_buffer("more", more.clone())?;
///         to.append_input(input, None, &mut { RowWindow::ALL }, &mut ())?;
///     }
///     Ok::<(), ToolError>(())
/// })?;
/// assert_eq!(FileReader::open(&path)?.n_rows()?, 6);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`AppendTarget::check_rest`], [`FileAppender::open`] and [`FileAppender::finish`], with the name of the file, and
/// the errors of `fill`. If another file was moved to `path` while this function ran. The rows are then in the replaced file, which no longer has a name.
pub fn append_in_place<T, E: From<ToolError>>(
    path: &Path,
    options: WriteOptions,
    fill: impl FnOnce(&mut AppendTarget<'_>) -> Result<T, E>,
) -> Result<(T, Option<StatisticsLoss>), E> {
    let options = AppendTarget::with_version_of_file(path, options);
    let mut appender = FileAppender::open_with(path, options).in_input(path)?;
    let identity = FileIdentity::from_path(path);
    let file = File::open(path).map_err(IpcError::from).in_input(path)?;
    AppendTarget::check_rest(&file).map_err(|kind| ToolError::new(path, kind))?;
    let file = SharedSource::new(file);
    match AppendTarget::continue_statistics(&file, &mut appender, fill) {
        Ok(filled) => {
            appender.finish().in_input(path)?;
            if FileIdentity::from_path(path) != identity {
                let what =
                    "the file was replaced meanwhile; the rows are in the replaced file, not in the new one";
                let error = IpcError::from(IpcErrorKind::Write(io::Error::other(what)));
                return Err(ToolError::new(path, error).into());
            }
            Ok(filled)
        }
        Err(error) => {
            // If `abandon` fails too, the file keeps its old footer, with unused bytes after it.
            let _ = appender.abandon();
            Err(error)
        }
    }
}

impl AppendTarget<'_> {
    /// Checks that nothing is lost by appending: that the last complete footer of a file is followed by no other bytes than
    /// those that a crash of an appender leaves, and that no other file begins between the blocks and this footer.
    ///
    /// # Errors
    /// If there are other bytes, which may hold batches. If the file has no complete footer, or cannot be read.
    pub fn check_rest(file: &File) -> Result<(), ToolErrorKind> {
        const MOST_TORN_BYTES: u64 = 9;
        let file = file.try_clone().map_err(|error| ToolErrorKind::Input(error.into()))?;
        let file = &SharedSource::new(file);
        let range = Footer::bytes_after_last(file, &limits()).map_err(ToolErrorKind::Input)?;
        let torn = range.end.saturating_sub(MOST_TORN_BYTES).max(range.start);
        if !is_zero(file, range.start..torn).map_err(ToolErrorKind::Input)? {
            let n_bytes = range.end.saturating_sub(range.start);
            return Err(ToolErrorKind::AfterFooter { position: range.start, n_bytes });
        }
        let footer = Footer::read_last(file, &limits()).map_err(ToolErrorKind::Input)?;
        match footer.unreferenced_bytes(file, &limits()).map_err(ToolErrorKind::Input)? {
            Some(UnreferencedBytes { kind: UnreferencedKind::SecondFile, range }) => {
                Err(ToolErrorKind::InnerFile { position: range.start })
            }
            Some(UnreferencedBytes { kind: UnreferencedKind::AfterLastBlock, .. }) | None => Ok(()),
        }
    }

    /// The compression codec of the last batch of a file, to compress appended batches in the same way. `None` if that batch is not compressed, or if the file cannot be read.
    pub fn last_batch_codec(path: &Path) -> Option<Codec> {
        match last_of(path)?.1?.header(&Limits::default()) {
            Ok(Header::RecordBatch(header)) => header.compression(),
            _ => None,
        }
    }

    /// Sets the metadata version to the version of the last batch in a file, so that all batches have the same version. Returns
    /// the options unchanged if the file cannot be read.
    pub fn with_version_of_file(path: &Path, options: WriteOptions) -> WriteOptions {
        match last_of(path) {
            // A file may have batches of V4 and a footer of V5.
            Some((_, Some(batch))) => options.with_version(batch.version()),
            Some((footer, None)) => options.with_version(footer.ipc_schema().version()),
            None => options,
        }
    }
}

/// The footer of a file, and its last batch without the body.
fn last_of(path: &Path) -> Option<(Footer, Option<Message>)> {
    let file = SharedSource::new(File::open(path).ok()?);
    let footer = Footer::read_last(&file, &limits()).ok()?;
    let batch = footer.batches().last().and_then(|block| batch_message(&file, *block).ok());
    Some((footer, batch))
}

/// The default limits, without that of fields: appending checks their number.
fn limits() -> Limits {
    Limits::default().with_max_fields(u64::MAX)
}
