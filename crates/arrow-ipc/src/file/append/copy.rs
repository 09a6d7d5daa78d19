//! Appends batches to a copy of a file.

use std::{io::Write, path::Path};

use crate::{
    error::{IpcErrorKind, Result},
    file::{
        read::open_complete,
        write::{AtomicFile, FileWriter},
    },
    options::WriteOptions,
    source::Source,
};

impl FileWriter<AtomicFile> {
    /// Copies the batches and dictionaries of a file byte by byte to a new file, which may replace the old file, and
    /// appends after them. If the end of the file is incomplete, copies only the blocks of its last complete footer. See
    /// [`FileDecoder::plan_continue_writing`](crate::FileDecoder::plan_continue_writing). [`FileAppender`](crate::FileAppender)
    /// appends in place.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
    /// use arrow_schema::DataType;
    ///
    /// # let path = std::env::temp_dir().join(format!("arrow-ipc-longer-{}.arrow", std::process::id()));
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// FileWriter::create(&path, batch.schema())?.finish()?;
    ///
    /// let file = std::fs::File::open(&path)?;
    /// let mut writer = FileWriter::append_atomic(&file, &path, WriteOptions::new())?;
    /// writer.write(&batch)?;
    /// writer.finish()?;
    /// assert_eq!(FileReader::open(&path)?.n_batches(), 1);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the source fails, or is not a file to which batches can be appended. If the new file cannot be written.
    pub fn append_atomic(
        source: &impl Source,
        path: impl AsRef<Path>,
        options: WriteOptions,
    ) -> Result<FileWriter<AtomicFile>> {
        let encoder = open_complete(source, options.to_read_options())?.continue_writing(options)?;
        let path = path.as_ref();
        let mut file =
            AtomicFile::create(path).map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        copy(source, encoder.position(), &mut file)?;
        Ok(FileWriter::from_encoder(encoder, file).with_commit(AtomicFile::commit))
    }
}

fn copy(source: &impl Source, n_bytes: u64, to: &mut impl Write) -> Result<()> {
    const PIECE_BYTES: u64 = 1 << 20;
    let mut position = 0;
    while position < n_bytes {
        let end = position + PIECE_BYTES.min(n_bytes - position);
        to.write_all(&source.fetch(position..end)?).map_err(IpcErrorKind::Write)?;
        position = end;
    }
    Ok(())
}

impl<W: Write> FileWriter<W> {
    /// Like [`append_atomic`](FileWriter::append_atomic), but writes to a sink.
    ///
    /// # Errors
    /// If the source or the sink fails. If the source is not a file to which batches can be appended.
    pub fn append_to(source: &impl Source, mut sink: W, options: WriteOptions) -> Result<FileWriter<W>> {
        let encoder = open_complete(source, options.to_read_options())?.continue_writing(options)?;
        copy(source, encoder.position(), &mut sink)?;
        Ok(FileWriter::from_encoder(encoder, sink))
    }
}
