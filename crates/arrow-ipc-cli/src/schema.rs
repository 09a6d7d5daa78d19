//! `schema`: names, types and metadata of the columns.

use std::{
    fmt,
    io::{self, Write},
};

use arrow_ipc::{Container, IpcSchema, UnsupportedColumn};
use arrow_ipc_tools::{
    Escaped, JsonLine, Rows, TensorDescription, ToolError, ToolErrorKind, columns_in_order, schema_as_json,
    tensor_as_json, tensor_descriptions, unsupported_note,
};
use arrow_schema::{Field, FieldPath, Metadata, Quoted, QuotedName, Schema};

use crate::{
    args::SchemaArgs,
    exit::{Failure, Status},
    names::OutputName,
    output::buffered_stdout,
};

pub(crate) fn run(args: &SchemaArgs) -> Result<Status, Failure> {
    let mut input = args.file.open()?;
    let container = input.container();
    let mut unsupported = None;
    let shown = if container != Container::File && input.holds_tensors_alone()? {
        let tensors = tensor_descriptions(input)?;
        if args.json {
            tensors
                .iter()
                .try_for_each(|tensor| show(format_args!("{}\n", JsonLine(&tensor_as_json(tensor)))))
        } else {
            tensors.iter().try_for_each(|tensor| show(TensorText(tensor)))
        }
    } else {
        let rows = Rows::open_schema(input)?;
        let (schema, metadata) = (rows.ipc_schema(), rows.metadata());
        unsupported = schema.unsupported_columns().first().cloned();
        if args.json {
            show(format_args!("{}\n", JsonLine(&schema_as_json(container, schema, metadata))))
        } else {
            show(SchemaText { schema, metadata })
        }
    };
    shown.map_err(|error| Failure::Write { name: OutputName::Stdout, error })?;
    let refused = unsupported.map_or(Ok(()), |column| column.refuse());
    refused.map_err(|error| ToolError::new((&args.file).into(), ToolErrorKind::Input(error)))?;
    Ok(Status::Fine)
}

fn show(text: impl fmt::Display) -> io::Result<()> {
    let mut out = buffered_stdout();
    write!(out, "{text}")?;
    out.flush()
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
