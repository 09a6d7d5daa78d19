//! `convert` to CSV or lines of JSON, also compressed. The rows are written as a stream, which is printed as `cat`
//! does.

use std::{
    io::BufWriter,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_ipc_tools::{
    Conversion, ConvertOptions, Foreign, Import, Input, InputName, Loss, ToolError, ToolErrorKind,
    compressed::Compressing, form_of_name, stream_of,
};
use arrow_text::CsvOptions;

use crate::{
    cat,
    exit::{Failure, Status, note_losses},
    names::{InputArg, OutputName},
    output::Output,
    outputs::folder_of,
    watcher::ThreadWatcher,
};

/// The form of text, from the name of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenText {
    /// The form of CSV; `None` for lines of JSON.
    pub(crate) csv: Option<CsvOptions>,
    codec: Option<Foreign>,
}

impl WrittenText {
    /// `None` if the name is not that of text, has a codec that is not written, or is that of a folder.
    pub(crate) fn of(output: &OutputName) -> Option<WrittenText> {
        let path = output.path().filter(|_| folder_of(output).is_none())?;
        let name = path.to_str()?.to_ascii_lowercase();
        let form = form_of_name(&name)?;
        let codecs =
            [(".gz", Foreign::Gzip), (".zst", Foreign::Zstd), (".xz", Foreign::Xz), (".bz2", Foreign::Bzip2)];
        let packed = codecs.into_iter().find_map(|(end, codec)| Some((name.strip_suffix(end)?, codec)));
        let (text_name, codec) = packed.map_or((&*name, None), |(name, codec)| (name, Some(codec)));
        let is_written = codec.is_none_or(|codec| matches!(codec, Foreign::Gzip | Foreign::Zstd));
        let delimiter = if text_name.ends_with(".tsv") { b'\t' } else { b',' };
        let csv = CsvOptions::new().with_delimiter(delimiter).ok().filter(|_| form == "csv");
        is_written.then_some(WrittenText { csv, codec })
    }
}

/// Where the rows come from.
pub(crate) enum ConvertedRows {
    Arrow(Box<Input>),
    Text(Box<Import>),
}

/// Writes the rows that a conversion to a stream would write.
///
/// # Errors
/// If the input or the output fails.
pub(crate) fn write_text(
    name: &InputArg,
    rows: ConvertedRows,
    options: ConvertOptions,
    target: WrittenText,
    output: &OutputName,
) -> Result<Status, Failure> {
    let losses: Arc<Mutex<Vec<(InputName, Loss)>>> = Arc::default();
    let lost = Arc::clone(&losses);
    let watcher = ThreadWatcher::new();
    let mut observer = watcher.observer();
    let made = stream_of(Box::new(move |sink| {
        let (_, losses) = match rows {
            ConvertedRows::Text(import) => import.write_to(sink, &options, &mut observer),
            ConvertedRows::Arrow(input) => {
                Conversion::open(vec![*input], &options, &mut observer)?.write_to(sink, &mut observer)
            }
        }?;
        // Text has no metadata.
        let of_text = losses.into_iter().filter(|(_, loss)| !matches!(loss, Loss::FileMetadata));
        lost.lock().unwrap_or_else(PoisonError::into_inner).extend(of_text);
        Ok(())
    }));
    let input_name = InputName::from(name);
    let spooling = |error| ToolError::new(input_name.clone(), ToolErrorKind::Spool(error));
    // The output is not created before the first rows have been read.
    let input = Input::try_from_reader(input_name.clone(), made.map_err(spooling)?)?;
    let failed = |error| Failure::Write { name: output.clone(), error };
    let file = BufWriter::with_capacity(64 << 10, Output::create(output)?);
    let out = Compressing::try_new(target.codec, file).map_err(failed)?;
    let (out, status) = cat::write_text(input, target.csv, out).map_err(|failure| match failure {
        Failure::Write { name: OutputName::Stdout, error } => failed(error),
        failure => failure,
    })?;
    drop(watcher);
    let file = out.finish().map_err(failed)?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.keep(output)?;
    let losses = losses.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(note_losses(&losses).max(status))
}
