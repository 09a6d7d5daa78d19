//! Opens inputs for commands that read rows; text is read like a stream. Other threads parse text, as in `convert`.
//! With `--threads 1`, the thread that uses the rows parses it.

use std::num::NonZeroUsize;

use arrow_ipc::Threads;
use arrow_ipc_tools::{Input, RowQuery, ToolErrorKind};
use arrow_schema::DataType;

use crate::{
    args::TextOptions,
    context::Context,
    exit::Failure,
    import::{self, OpenedInput},
    names::InputArg,
};

/// Opens Arrow data, CSV or lines of JSON. The schema of text is inferred. In a data set, opens only the files and
/// columns that the query needs.
///
/// # Errors
/// If the input cannot be read, or has none of these formats. If an option does not fit the format.
pub(crate) fn open_rows(
    context: &Context,
    name: &InputArg,
    options: &TextOptions,
    query: &RowQuery,
) -> Result<Input, Failure> {
    Ok(open_part(context, name, options, query)?.input)
}

/// One of several inputs.
pub(crate) struct PartInput {
    pub(crate) input: Input,
    /// Whether it is text with columns of the null type.
    pub(crate) has_null_columns: bool,
}

/// Like [`open_rows`], and says what the text does not know about its columns.
///
/// # Errors
/// The errors of [`open_rows`].
pub(crate) fn open_part(
    context: &Context,
    name: &InputArg,
    options: &TextOptions,
    query: &RowQuery,
) -> Result<PartInput, Failure> {
    let arrow = |input| Ok(PartInput { input, has_null_columns: false });
    if name.is_set() {
        return arrow(name.open_for(context, query)?);
    }
    match opened(context, name, options)? {
        OpenedInput::Arrow(input) => arrow(input),
        OpenedInput::Text(text) => {
            let n_threads = NonZeroUsize::new(Threads::n_available()).unwrap_or(NonZeroUsize::MIN);
            let import = import::import(context, name, text, options, None)?.with_n_threads(n_threads);
            let mut fields = import.schema().fields().iter();
            let has_null_columns = fields.any(|field| *field.data_type() == DataType::Null);
            Ok(PartInput { input: import.into_input().with_limits(context.limits()), has_null_columns })
        }
    }
}

/// Opens an input. Detects its format, unless options say that it is text.
///
/// # Errors
/// If the input cannot be read, or is neither Arrow data nor text. If an option does not fit the format.
pub(crate) fn opened(
    context: &Context,
    name: &InputArg,
    options: &TextOptions,
) -> Result<OpenedInput, Failure> {
    match import::open(context, name, options) {
        // A compressed file is neither Arrow data nor text. The error for the compressed bytes says more than the
        // error for the decompressed bytes, unless the compressed data is damaged.
        Err(failure @ (Failure::Tool(_) | Failure::Advised { .. }))
            if name.is_file() && options.form.from.is_none() && !is_of_bytes(&failure) =>
        {
            Err(name.open(context).err().map_or(failure, Failure::from))
        }
        found => found,
    }
}

/// Whether a failure is an error of reading, for example of damaged compressed data or malformed text.
fn is_of_bytes(failure: &Failure) -> bool {
    let is_read = |kind: &ToolErrorKind| matches!(kind, ToolErrorKind::Read(_) | ToolErrorKind::Text(_));
    matches!(failure, Failure::Tool(error) if is_read(error.kind()))
}
