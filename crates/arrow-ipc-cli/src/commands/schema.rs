//! `schema`: shows the names, types and metadata of the columns.

use std::{cell::Cell, fmt};

use arrow_ipc::{Container, IpcSchema, UnsupportedColumn};
use arrow_ipc_report::{
    Explanation, JsonLine, JsonMembers, JsonObject, SchemaJson, WithInput, container_name, shell_argument,
    tensor_note, unsupported_note,
};
use arrow_ipc_tools::{
    ColumnNames, ForeignFormat, Input, InputContext, RowQuery, Rows, ToolError, ToolErrorKind,
    columns::merge_unsupported_columns, count::RowCount, tensors::TensorDescription,
};
use arrow_schema::{Field, FieldPath, Metadata, QuotedName, QuotedOrNull, Schema};
use arrow_text::format::{Counted, Escaped};

use crate::{
    args::SchemaArgs,
    context::Context,
    exit::{Failure, Status, note_remarks},
    inputs::{
        each,
        import::{self, OpenedInput},
        text_rows,
    },
    names::InputArg,
    output::print,
    terminal::{color::TextRole, fitting, watcher::Watcher},
};

pub(crate) fn run(context: &Context, args: &SchemaArgs) -> Result<Status, Failure> {
    let text_options = args.text.options();
    let columns = args.columns.as_ref().map(|columns| &columns.0);
    let query = columns.cloned().into_iter().fold(RowQuery::new(), RowQuery::with_columns);
    let query = args.cast.add_to(query, &args.files)?;
    let is_one = args.files.len() == 1;
    let infers = args.infer || text_options.text_option().is_some();
    // Empty before the first schema that is shown, even if earlier inputs have failed.
    let separator = Cell::new("");
    each(context, &args.files, |name| {
        let input_name = (!is_one).then_some(name);
        let is_read_as_text = infers && (!name.is_set() || text_options.text_option().is_some());
        let opened = if is_read_as_text || name.is_file() {
            text_rows::opened(context, name, &text_options)?
        } else {
            OpenedInput::Arrow(open(context, name, &query)?)
        };
        let input = match opened {
            OpenedInput::Arrow(input) => input,
            OpenedInput::Text(text) => {
                let inferred = import::import(context, name, text, &text_options, None)?;
                let title = if is_one { String::new() } else { name.to_string() };
                let shown = SchemaForm::Text { separator: &separator, title };
                let mut schema = IpcSchema::from(inferred.schema());
                if let Some(columns) = columns {
                    schema = selected(name, columns, &schema)?;
                }
                let schema = &schema;
                let metadata = &Metadata::new();
                if args.json {
                    show(json_line(input_name, SchemaJson { container: "text", schema, metadata }))?
                } else {
                    let schema = SchemaText { context, schema, metadata };
                    show(format_args!("{}{schema}", shown.title(None)))?
                }
                return Ok(Status::Fine);
            }
        };
        if args.json {
            return one(context, (name, input), columns, &SchemaForm::Json { name: input_name });
        }
        let shown = SchemaForm::Text {
            separator: &separator,
            title: stats_headline(context, name, (&input, !is_one)),
        };
        one(context, (name, input), columns, &shown)
    })
}

/// Opens an input that has a schema. For text, the hint says how to infer a schema.
fn open(context: &Context, name: &InputArg, query: &RowQuery) -> Result<Input, Failure> {
    name.open_for(context, query).map_err(|error| {
        let form = match error.kind() {
            ToolErrorKind::NotArrow { found: Some(ForeignFormat::Csv) } => "csv",
            ToolErrorKind::NotArrow { found: Some(ForeignFormat::Json) } => "jsonl",
            _ => return error.into(),
        };
        let argument = shell_argument(error.input());
        let advice = match name {
            InputArg::Url(_) => return error.into(),
            _ => format!("`arrow-ipc schema --infer --from {form} {argument}` infers the schema"),
        };
        Failure::Advised { error, advice: advice.into() }
    })
}

/// The comment above a schema. It has the name of the input if there are several inputs. It has the numbers of rows
/// and batches, except for pipes and URLs.
fn stats_headline(context: &Context, name: &InputArg, (input, is_named): (&Input, bool)) -> String {
    let named = is_named.then(|| name.to_string());
    let input = (name.is_file() && input.n_bytes().is_some()).then_some(input);
    let counts = input.and_then(|input| {
        let reopened = name.open(context).ok()?;
        let (rows, codec) = RowCount::with_codec(reopened, &mut Watcher::new(context)).ok()?;
        let n_rows = Counted(rows.n_rows, "row");
        let n_batches = Counted(rows.n_batches, "batch");
        let compressed = codec.map(|codec| format!(", compressed with {}", codec.to_string().to_lowercase()));
        let compressed = compressed.unwrap_or_default();
        let container = container_name(input.container());
        let n_bytes = Counted(input.n_bytes()?, "byte");
        Some(format!("{container} of {n_rows} in {n_batches}{compressed}, {n_bytes}"))
    });
    named.into_iter().chain(counts).collect::<Vec<String>>().join(": ")
}

/// How a schema is shown.
#[derive(Debug)]
enum SchemaForm<'a> {
    /// As text, below a comment. No comment if `title` is empty.
    Text { separator: &'a Cell<&'static str>, title: String },
    /// As a JSON object, with the name of the input if there are several.
    Json { name: Option<&'a InputArg> },
}

impl SchemaForm<'_> {
    /// The lines above a schema: an empty line after the previous schema, and the comment. If the program that wrote
    /// the input is known, the comment names it.
    fn title(&self, writer: Option<&str>) -> String {
        match self {
            SchemaForm::Text { separator, title } if !title.is_empty() => {
                let names = writer.map(|writer| format!(", metadata names {writer}")).unwrap_or_default();
                format!("{}# {}{names}\n", separator.replace("\n"), Escaped(title))
            }
            SchemaForm::Text { .. } | SchemaForm::Json { .. } => String::new(),
        }
    }
}

fn one(
    context: &Context,
    (name, mut input): (&InputArg, Input),
    columns: Option<&ColumnNames>,
    shown: &SchemaForm<'_>,
) -> Result<Status, Failure> {
    let container = input.container();
    if container != Container::File && input.holds_tensors_alone()? {
        if columns.is_some() {
            return Err(Failure::ColumnsOfTensors { name: input.name().clone() });
        }
        let tensors = TensorDescription::read_all(input)?;
        show(shown.title(None))?;
        for tensor in tensors {
            match shown {
                SchemaForm::Json { name } => show(json_line(*name, &tensor))?,
                SchemaForm::Text { .. } => show(TensorText(&tensor))?,
            }
        }
        return Ok(Status::Fine);
    }
    let rows = Rows::open_schema(input)?;
    let selected = columns.map(|columns| selected(name, columns, rows.ipc_schema())).transpose()?;
    let schema = selected.as_ref().unwrap_or(rows.ipc_schema());
    let metadata = rows.metadata();
    match shown {
        SchemaForm::Json { name } => {
            show(json_line(*name, SchemaJson { container: container_name(container), schema, metadata }))?
        }
        SchemaForm::Text { .. } => {
            let title = shown.title(Explanation::writer_of(schema.schema()));
            show(format_args!("{title}{}", SchemaText { context, schema, metadata }))?;
        }
    }
    let remarks = rows.remarks().in_input(name)?;
    let status = note_remarks(context, &name.into(), "shown", &remarks);
    schema.unsupported_columns().first().map_or(Ok(()), UnsupportedColumn::refuse).in_input(name)?;
    Ok(status)
}

/// The schema of the selected columns.
fn selected(name: &InputArg, columns: &ColumnNames, schema: &IpcSchema) -> Result<IpcSchema, ToolError> {
    columns.schema_of(schema).in_input(name)
}

/// The result for an input as an object on one line. The first member is the name of the input, if it is given.
pub(crate) fn json_line(name: Option<&InputArg>, result: impl JsonMembers) -> String {
    let name = name.map(InputArg::to_string);
    format!("{}\n", JsonLine(JsonObject(WithInput { input: name.as_deref(), result })))
}

fn show(text: impl fmt::Display) -> Result<(), Failure> {
    print(fitting(&text.to_string()))
}

/// Formats a schema as text, with its metadata, and then the metadata of the file or stream. `Schema::from_str`
/// parses this text if no column has an unknown type, and there are no colours.
struct SchemaText<'a> {
    /// The colours of standard output.
    context: &'a Context,
    schema: &'a IpcSchema,
    /// The metadata of the footer of a file, or of the first schema message.
    metadata: &'a Metadata,
}

impl fmt::Display for SchemaText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema: &Schema = self.schema.schema();
        let unsupported = |column: &UnsupportedColumn| {
            let name = self.context.on_stdout(TextRole::Title, QuotedName(column.name()));
            format!("{name}: {}", self.context.on_stdout(TextRole::Problem, unsupported_note(column)))
        };
        let fields = schema.fields().iter().map(|field| painted_field(self.context, field));
        let columns = merge_unsupported_columns(self.schema, fields, unsupported);
        let text = schema.to_string();
        let with_metadata = format!("{schema:#}");
        let metadata = with_metadata.strip_prefix(&text).unwrap_or_default();
        if !columns.is_empty() || !metadata.is_empty() {
            writeln!(f, "{}{metadata}", columns.join("\n"))?;
        }
        write_metadata(f, "metadata of the whole", self.metadata)
    }
}

/// A field as text, with colours for its name and its type if standard output has colours.
fn painted_field(context: &Context, field: &Field) -> String {
    let text = field.to_string();
    match text.strip_prefix(&QuotedName(field.name()).to_string()).and_then(|rest| rest.strip_prefix(": ")) {
        Some(data_type) if context.is_stdout_painted() => {
            let name = context.on_stdout(TextRole::Title, QuotedName(field.name()));
            format!("{name}: {}", context.on_stdout(TextRole::Type, data_type))
        }
        _ => text,
    }
}

/// All fields that have metadata, at any depth, by their paths.
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

fn write_metadata(f: &mut fmt::Formatter<'_>, title: impl fmt::Display, metadata: &Metadata) -> fmt::Result {
    if metadata.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{title}:")?;
    for (key, value) in metadata {
        writeln!(f, "  {}: {}", QuotedOrNull(key), QuotedOrNull(value))?;
    }
    Ok(())
}

/// Formats the type and shape of a tensor, and its metadata.
struct TensorText<'a>(&'a TensorDescription);

impl fmt::Display for TensorText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", Escaped(&tensor_note(self.0.header())))?;
        write_metadata(f, "metadata of the tensor", self.0.metadata())
    }
}
