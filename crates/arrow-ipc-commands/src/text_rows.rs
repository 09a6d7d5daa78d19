//! Reads text as a stream of its rows, for the commands that read rows. Other threads make the stream, like in
//! `convert`; with `--threads 1`, one other thread makes it.

use std::num::NonZeroUsize;

use arrow_ipc::Threads;
use arrow_ipc_tools::{Input, RowQuery, ToolErrorKind};

use crate::{
    args::TextOptions,
    exit::Failure,
    import::{self, OpenedInput},
    names::InputArg,
};

/// Opens Arrow data, CSV or lines of JSON. The schema of text is inferred. Only the files and columns of a data set are read that
/// the query needs.
///
/// # Errors
/// If the input cannot be read, or has none of these formats. If a given option belongs to another format.
pub(crate) fn open_rows(name: &InputArg, options: &TextOptions, query: &RowQuery) -> Result<Input, Failure> {
    if name.is_set() {
        return Ok(name.open_for(query)?);
    }
    match opened(name, options)? {
        OpenedInput::Arrow(input) => Ok(input),
        OpenedInput::Text(text) => {
            let n_threads = NonZeroUsize::new(Threads::n_available()).unwrap_or(NonZeroUsize::MIN);
            Ok(import::import(name, text, options, None)?.with_threads(n_threads).into_input())
        }
    }
}

/// Opens an input by its content, or as the text format that the options name.
///
/// # Errors
/// If the input cannot be read, or is neither Arrow data nor text. If a given option belongs to another format.
pub(crate) fn opened(name: &InputArg, options: &TextOptions) -> Result<OpenedInput, Failure> {
    match import::open(name, options) {
        // The compressed bytes may be neither Arrow data nor text. The first bytes of the file say more than the decompressed ones, unless
        // the data is damaged.
        Err(failure @ (Failure::Tool(_) | Failure::Advised { .. }))
            if name.is_file() && options.form.from.is_none() && !is_of_codec(&failure) =>
        {
            Err(name.open().err().map_or(failure, Failure::from))
        }
        found => found,
    }
}

/// Whether the cause of a failure is an error of reading, such as truncated compressed data.
fn is_of_codec(failure: &Failure) -> bool {
    matches!(failure, Failure::Tool(error) if matches!(error.kind(), ToolErrorKind::Read(_)))
}
