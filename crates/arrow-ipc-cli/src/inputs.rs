//! Reads inputs. Runs a command for several of them, and continues if one fails.

pub(crate) mod import;
pub(crate) mod text_rows;

use std::{fs::File, io::Read, ops::ControlFlow, path::Path};

use arrow_ipc::IpcSchema;
use arrow_ipc_tools::{Input, InputContext, Rows, ToolErrorKind};
use arrow_schema::TextParser;
use arrow_text::schema_from_json;

use crate::{
    context::Context,
    exit::{Failure, Status},
    names::{InputArg, OutputName},
};

/// Checks that standard input is read only once.
///
/// # Errors
/// If standard input is given more than once.
pub(crate) fn check_stdin<'a>(names: impl IntoIterator<Item = &'a InputArg>) -> Result<(), Failure> {
    match names.into_iter().filter(|name| **name == InputArg::Stdin).count() {
        0 | 1 => Ok(()),
        n_times => Err(Failure::RepeatedStdin { n_times }),
    }
}

/// Replaces each data set by its files, for commands that read the bytes of each file.
pub(crate) fn files_of(names: &[InputArg]) -> Vec<InputArg> {
    names.iter().flat_map(InputArg::files).collect()
}

/// Runs `run` for each input, reports failures, and returns the worst status. Stops after a failure of standard output.
///
/// # Errors
/// If standard input is given more than once.
pub(crate) fn each(
    context: &Context,
    names: &[InputArg],
    mut run: impl FnMut(&InputArg) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    check_stdin(names)?;
    let mut worst = Status::Fine;
    for name in names {
        if attempt(context, run(name), &mut worst).is_break() {
            break;
        }
    }
    Ok(worst)
}

/// Reports a failure, and updates the worst status. Breaks after a failure of standard output.
pub(crate) fn attempt(
    context: &Context,
    done: Result<Status, Failure>,
    worst: &mut Status,
) -> ControlFlow<()> {
    let status = match &done {
        Ok(status) => *status,
        Err(failure) => failure.report(context),
    };
    *worst = status.max(*worst);
    match done {
        Err(Failure::Write { name: OutputName::Stdout, .. }) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// The maximal length of text that is read as a schema, in bytes.
const MAX_TEXT_BYTES: u64 = 16 << 20;

/// Reads the schema in a file.
///
/// # Errors
/// If the file cannot be read, has no schema, or is text of more than 16 MiB.
pub(crate) fn schema_of(context: &Context, path: &Path) -> Result<IpcSchema, Failure> {
    let mut bytes = Vec::new();
    let limit = MAX_TEXT_BYTES.saturating_add(1);
    File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)).in_input(path)?;
    let is_too_long = bytes.len() as u64 > MAX_TEXT_BYTES;
    let text = std::str::from_utf8(&bytes).ok().filter(|text| !is_too_long && !text.trim().is_empty());
    if let Some(text) = text.filter(|text| text.trim_start().starts_with('{')) {
        let schema = schema_from_json(text);
        return schema.map(Into::into).map_err(|error| Failure::SchemaJson { name: path.into(), error });
    }
    let parsed = text.map(|text| TextParser::new().with_familiar_names().schema(text));
    if let Some(Ok(schema)) = parsed {
        return Ok(schema.into());
    }
    match (
        Input::open(path).map(|input| input.with_limits(context.limits())).and_then(Rows::open_schema),
        parsed,
    ) {
        (Ok(rows), _) => Ok(rows.ipc_schema().clone()),
        (Err(_), Some(Err(error))) => Err(Failure::SchemaText { name: path.into(), error }),
        (Err(error), _) if is_too_long && matches!(error.kind(), ToolErrorKind::NotArrow { .. }) => {
            Err(Failure::SchemaLength { name: path.into() })
        }
        (Err(error), _) => Err(error.into()),
    }
}
