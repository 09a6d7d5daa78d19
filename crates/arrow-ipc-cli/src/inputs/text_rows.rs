//! Opens inputs for commands that read rows; text is read like a stream. Other threads parse text, as in `convert`.
//! With `--threads 1`, the thread that uses the rows parses it.

use std::{num::NonZeroUsize, sync::Arc};

use arrow_ipc::Threads;
use arrow_ipc_tools::{Input, RowQuery, ToolErrorKind};
use arrow_schema::{DataType, Schema};

use crate::{
    args::TextOptions,
    context::Context,
    exit::Failure,
    inputs::import::{self, OpenedInput},
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
    /// The schema, if it is text.
    pub(crate) text: Option<Arc<Schema>>,
}

impl PartInput {
    /// Whether it is text with columns of the null type.
    pub(crate) fn has_null_columns(&self) -> bool {
        let mut fields = self.text.iter().flat_map(|schema| schema.fields());
        fields.any(|field| *field.data_type() == DataType::Null)
    }
}

/// Like [`open_rows`], and has the schema of text.
///
/// # Errors
/// The errors of [`open_rows`].
pub(crate) fn open_part(
    context: &Context,
    name: &InputArg,
    options: &TextOptions,
    query: &RowQuery,
) -> Result<PartInput, Failure> {
    let arrow = |input| Ok(PartInput { input, text: None });
    if name.is_set() {
        return arrow(name.open_for(context, query)?);
    }
    match opened(context, name, options)? {
        OpenedInput::Arrow(input) => arrow(input),
        OpenedInput::Text(text) => {
            let n_threads = NonZeroUsize::new(Threads::n_available()).unwrap_or(NonZeroUsize::MIN);
            let import = import::import(context, name, text, options, None)?.with_n_threads(n_threads);
            let text = Some(Arc::clone(import.schema()));
            Ok(PartInput { input: import.into_input().with_limits(context.limits()), text })
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
