//! `schema`: names, types and metadata of the columns.

use std::{fmt, io::Write};

use arrow_ipc::{Container, IpcSchema, UnsupportedColumn};
use arrow_ipc_tools::{
    Escaped, Input, JsonLine, Rows, TensorDescription, ToolError, ToolErrorKind, columns_in_order,
    schema_as_json, tensor_as_json, tensor_descriptions, unsupported_note,
};
use arrow_schema::{Field, FieldPath, Metadata, Quoted, QuotedName, Schema};
use serde_json::Value;

use crate::{
    args::SchemaArgs,
    exit::{Failure, Status},
    inputs::each,
    names::{InputName, OutputName},
    output::buffered_stdout,
};

pub(crate) fn run(args: &SchemaArgs) -> Result<Status, Failure> {
    let is_one = args.files.len() == 1;
    let mut separator = "";
    each(&args.files, |name| {
        let shown = match args.json {
            true => Shown::Json { input: !is_one },
            // A comment, for those who read the text again.
            false if is_one => Shown::Text { head: String::new() },
            false => Shown::Text { head: format!("{separator}# {}\n", Escaped(&name.to_string())) },
        };
        separator = "\n";
        one(name, name.open()?, &shown)
    })
}

/// How an input is shown.
#[derive(Debug)]
enum Shown {
    /// With a line before it.
    Text { head: String },
    /// As objects, which have the name of the input as their first member if there are several.
    Json { input: bool },
}

fn one(name: &InputName, mut input: Input, shown: &Shown) -> Result<Status, Failure> {
    let container = input.container();
    let json_line = |value: Value| {
        let named = match (shown, value) {
            (Shown::Json { input: true }, Value::Object(members)) => {
                let first = ("input".to_owned(), Value::from(name.to_string()));
                Value::Object([first].into_iter().chain(members).collect())
            }
            (_, value) => value,
        };
        show(format_args!("{}\n", JsonLine(&named)))
    };
    if container != Container::File && input.holds_tensors_alone()? {
        let tensors = tensor_descriptions(input)?;
        if let Shown::Text { head } = shown {
            show(head)?;
        }
        for tensor in tensors {
            match shown {
                Shown::Json { .. } => json_line(tensor_as_json(&tensor))?,
                Shown::Text { .. } => show(TensorText(&tensor))?,
            }
        }
        return Ok(Status::Fine);
    }
    let rows = Rows::open_schema(input)?;
    let (schema, metadata) = (rows.ipc_schema(), rows.metadata());
    match shown {
        Shown::Json { .. } => json_line(schema_as_json(container, schema, metadata))?,
        Shown::Text { head } => show(format_args!("{head}{}", SchemaText { schema, metadata }))?,
    }
    let refused = schema.unsupported_columns().first().map_or(Ok(()), UnsupportedColumn::refuse);
    refused.map_err(|error| ToolError::new(name.into(), ToolErrorKind::Input(error)))?;
    Ok(Status::Fine)
}

fn show(text: impl fmt::Display) -> Result<(), Failure> {
    let mut out = buffered_stdout();
    let written = write!(out, "{text}").and_then(|()| out.flush());
    written.map_err(|error| Failure::Write { name: OutputName::Stdout, error })
}

/// The text form of the schema with its metadata, and then that of the whole. `Schema::from_str` reads it, unless there are
/// columns of unknown types.
struct SchemaText<'a> {
    schema: &'a IpcSchema,
    /// Of the file or stream as a whole.
    metadata: &'a Metadata,
}

impl fmt::Display for SchemaText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema: &Schema = self.schema.schema();
        let unsupported = |column: &UnsupportedColumn| {
            format!("{}: {}", QuotedName(column.name()), unsupported_note(column))
        };
        let columns =
            columns_in_order(self.schema, schema.fields().iter().map(Field::to_string), unsupported);
        let (text, with_metadata) = (schema.to_string(), format!("{schema:#}"));
        let metadata = with_metadata.strip_prefix(&text).unwrap_or_default();
        if !columns.is_empty() || !metadata.is_empty() {
            writeln!(f, "{}{metadata}", columns.join("\n"))?;
        }
        write_metadata(f, "metadata of the whole", self.metadata)
    }
}

/// The metadata of those fields that have some, whatever they are inside of.
pub(crate) fn metadata_of_fields(fields: &[Field]) -> Vec<(FieldPath, &Metadata)> {
    let mut found = Vec::new();
    collect_metadata(fields, &FieldPath::root(), &mut found);
    found
}

fn collect_metadata<'a>(fields: &'a [Field], path: &FieldPath, found: &mut Vec<(FieldPath, &'a Metadata)>) {
    for (position, field) in fields.iter().enumerate() {
        let path = path.clone().child(u32::try_from(position).unwrap_or(u32::MAX), field.name());
        if !field.metadata().is_empty() {
            found.push((path.clone(), field.metadata()));
        }
        let data_type = field.data_type();
        let path = if data_type.is_dictionary() { path.dictionary() } else { path };
        collect_metadata(data_type.value_children(), &path, found);
    }
}

fn write_metadata(f: &mut fmt::Formatter<'_>, head: impl fmt::Display, metadata: &Metadata) -> fmt::Result {
    if metadata.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{head}:")?;
    for (key, value) in metadata {
        writeln!(f, "  {}: {}", OptionalText(key), OptionalText(value))?;
    }
    Ok(())
}

/// The type and shape of a tensor, and its metadata.
struct TensorText<'a>(&'a TensorDescription);

impl fmt::Display for TensorText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(note) = self.0.note() {
            writeln!(f, "{}", Escaped(&note))?;
        }
        write_metadata(f, "metadata of the tensor", self.0.metadata())
    }
}

struct OptionalText<'a>(Option<&'a str>);

impl fmt::Display for OptionalText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => fmt::Display::fmt(&Quoted(text), f),
            None => f.write_str("null"),
        }
    }
}
