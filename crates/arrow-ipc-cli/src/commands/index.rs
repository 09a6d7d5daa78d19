//! `index`: writes the positions of the messages of streams, by which other commands find rows.

use std::slice;

use arrow_ipc::{Container, FileReader, IpcError, IpcErrorKind, file::StreamIndex};
use arrow_ipc_tools::{InputContext, ToolError, index_stream};

use crate::{
    args::IndexArgs,
    context::Context,
    exit::{Failure, Status},
    names::OutputName,
    output::{Output, destination::OutputRule},
};

pub(crate) fn run(context: &Context, args: &IndexArgs) -> Result<Status, Failure> {
    let rule = OutputRule {
        inputs: slice::from_ref(&args.input),
        schema: None,
        is_output_named: true,
        replaces_input: false,
    };
    let output = rule.allow(&args.output)?;
    if output.has_data() && !is_index(&output) {
        return Err(Failure::NoIndex { name: args.output.clone() });
    }
    let index = index_stream(args.input.open(context)?).map_err(file_failure)?;
    let bytes = index.to_buffer().in_input(&args.input)?;
    Output::write_whole(&output, &bytes)?;
    Ok(Status::Fine)
}

/// Whether a file is an index, which an index may replace.
fn is_index(output: &OutputName) -> bool {
    let found = output.path().and_then(|path| FileReader::open(path).ok());
    found.is_some_and(|file| StreamIndex::has_schema(file.schema()))
}

/// Changes the hint for a file.
fn file_failure(error: ToolError) -> Failure {
    let kind = error.ipc_error().map(IpcError::kind);
    if matches!(kind, Some(IpcErrorKind::WrongContainer { found: Container::File, .. })) {
        let advice = "a file needs no index: its footer has the positions of its batches".into();
        return Failure::Advised { error, advice };
    }
    error.into()
}
