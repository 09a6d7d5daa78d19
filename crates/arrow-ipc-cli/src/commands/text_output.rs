//! `convert` to CSV or lines of JSON, possibly compressed. Rows have the same form as in `cat`.

use std::io::BufWriter;

use arrow_ipc_tools::{
    Conversion, ConvertOptions, ForeignFormat, Input, compressed::Compressor, import::TextFormat,
};
use arrow_text::CsvOptions;

use crate::{
    commands::{cat, outputs::folder_of},
    context::Context,
    exit::{Failure, Status},
    names::OutputName,
    output::{Output, destination::Destination},
    terminal::watcher::Watcher,
};

/// The format and compression of text, from the name of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextFileFormat {
    /// The options for CSV; `None` for lines of JSON.
    pub(crate) csv: Option<CsvOptions>,
    codec: Option<ForeignFormat>,
}

impl TextFileFormat {
    /// The format and compression of text for an output. `None` if the extension is not one of text, if the codec
    /// cannot be written, or if the output is a folder.
    pub(crate) fn from_output(output: &OutputName) -> Option<TextFileFormat> {
        if folder_of(output).is_some() {
            return None;
        }
        let path = output.path()?;
        let name = path.to_str()?.to_ascii_lowercase();
        let form = TextFormat::name_of_extension(&name)?;
        let codecs = [
            (".gz", ForeignFormat::Gzip),
            (".zst", ForeignFormat::Zstd),
            (".lz4", ForeignFormat::Lz4),
            (".xz", ForeignFormat::Xz),
            (".bz2", ForeignFormat::Bzip2),
        ];
        let packed = codecs.into_iter().find_map(|(end, codec)| Some((name.strip_suffix(end)?, codec)));
        let (text_name, codec) = packed.map_or((&*name, None), |(name, codec)| (name, Some(codec)));
        let is_written = codec.is_none_or(|codec| matches!(codec, ForeignFormat::Gzip | ForeignFormat::Zstd));
        let delimiter = if text_name.ends_with(".tsv") { b'\t' } else { b',' };
        let csv = if form == "csv" { CsvOptions::new().with_delimiter(delimiter).ok() } else { None };
        is_written.then_some(TextFileFormat { csv, codec })
    }
}

/// Writes the rows of a conversion as text.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub(crate) fn write_text(
    context: &Context,
    input: Input,
    options: &ConvertOptions,
    target: TextFileFormat,
    output: &Destination,
) -> Result<Status, Failure> {
    // The output is created after the schema of the input has been read.
    let conversion = Conversion::open(vec![input], options, &mut Watcher::new(context))?;
    let failed = |error| Failure::Write { name: OutputName::clone(output), error };
    let file = BufWriter::with_capacity(64 << 10, Output::create(output)?);
    let out = Compressor::try_new(target.codec, file).map_err(failed)?;
    let format = (target.csv, options.rows.n_left());
    let (out, status) =
        cat::write_text(context, conversion, format, out).map_err(|failure| match failure {
            Failure::Write { name: OutputName::Stdout, error } => failed(error),
            failure => failure,
        })?;
    let file = out.finish().map_err(failed)?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.keep(output)?;
    Ok(status)
}
