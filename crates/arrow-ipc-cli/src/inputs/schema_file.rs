//! Reads a schema from a file with text or JSON, or from an Arrow file or stream.

use std::{fs::File, io::Read, path::Path};

use arrow_ipc::IpcSchema;
use arrow_ipc_tools::{Input, InputContext, Rows, ToolErrorKind};
use arrow_schema::TextParser;
use arrow_text::schema_from_json;

use crate::{context::Context, exit::Failure};

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
