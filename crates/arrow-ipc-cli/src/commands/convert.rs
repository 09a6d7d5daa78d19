//! `convert`: rewrites an input as a stream or file with the same metadata, or as text.

use std::{ffi::OsString, iter, slice};

use arrow_compute::Digits;
use arrow_ipc::{DictionaryMode, IpcErrorKind, IpcSchema, WrittenContainer};
use arrow_ipc_report::quoted;
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Input, Reshaping, RowQuery, ToolError, ToolErrorKind, import::TextFormat,
};
use arrow_schema::{DataType, Field, QuotedName};
use arrow_text::{InferRows, RowError, RowErrorKind};

use super::{
    outputs::Outputs,
    text_output::{TextFileFormat, write_text},
    write_options::options_of,
};
use crate::{
    args::{ChangedColumnsArgs, ConvertArgs, MetadataArgs, RenameArg, RowsArgs, TextOptions, TypeArg},
    context::Context,
    exit::{Failure, Status, encode_advice, note_losses, row_advice_by_schema},
    inputs::{
        import::{self, OpenedInput, TextInput},
        schema_of,
    },
    names::InputArg,
    output::{
        Output,
        destination::{Destination, OutputRule},
    },
    terminal::watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &ConvertArgs) -> Result<Status, Failure> {
    args.metadata.check()?;
    let mut text = if args.to.is_none() { TextFileFormat::from_output(&args.paths.output) } else { None };
    let refused = match &text {
        Some(_) if args.arrow_option().is_some() => {
            args.arrow_option().map(|option| (option, "Arrow data", "text"))
        }
        Some(TextFileFormat { csv: Some(_), .. }) => None,
        Some(_) => args.text.csv_output_option().map(|option| (option, "CSV", "JSON")),
        None => args.text.csv_output_option().map(|option| (option, "CSV", "Arrow data")),
    };
    if let Some((option, expected, found)) = refused {
        let name = InputArg::from(OsString::from(args.paths.output.to_string()));
        return Err(Failure::OptionOf { option, expected, found, name });
    }
    if let Some(csv) = text.as_mut().and_then(|text| text.csv.as_mut()) {
        *csv = args.text.written(*csv);
    }
    if args.to.is_some() && args.paths.output.is_packed() {
        return Err(Failure::UnknownContainer { name: args.paths.output.clone(), input: None });
    }
    // Text is written from the batches of a stream, so the container is a stream.
    let to = args.to.or(text.map(|_| WrittenContainer::Stream));
    let rule = OutputRule {
        inputs: &args.paths.inputs,
        schema: args.given.schema.as_deref().or(args.given.partial_schema.as_deref()),
        is_output_named: args.paths.is_output_named,
        replaces_input: true,
    };
    let outputs = Outputs::try_new(rule, &args.paths.output, to)?;
    let container = outputs.container();
    let options = ConvertOptions {
        writing: Some(options_of(context, &args.writing, container)?),
        unifies_dictionaries: unifies_dictionaries(args.writing.dictionaries, &args.columns, container),
        writes_statistics: args.writing.statistics,
        checks_values: !args.unchecked,
        rows: args.rows.window(),
        n_batch_rows: args.batch_rows,
        reshaping: with_metadata(changed_columns(context, &args.columns, &args.rows), &args.metadata),
        ..ConvertOptions::new(container)
    };
    let schema = args.given.schema.as_deref().map(|path| schema_of(context, path)).transpose()?;
    let partial = args.given.partial_schema.as_deref().map(|path| schema_of(context, path)).transpose()?;
    let columns = partial.map(|schema| schema.schema().fields().to_vec()).unwrap_or_default();
    let work = ConvertWork { context, args, options, schema, columns, text };
    outputs.each(context, |input, output| work.one(input, output))
}

/// The work of `convert`, for each of its inputs.
struct ConvertWork<'a> {
    context: &'a Context,
    args: &'a ConvertArgs,
    options: ConvertOptions,
    /// The schema of `--schema` for inputs that are text.
    schema: Option<IpcSchema>,
    /// The columns of `--partial-schema` for inputs that are text.
    columns: Vec<Field>,
    /// The format of text output; `None` if the output is Arrow data.
    text: Option<TextFileFormat>,
}

impl ConvertWork<'_> {
    fn one(&self, name: &InputArg, output: &Destination) -> Result<Status, Failure> {
        match self.write(name, output, &self.text_options()) {
            Err(Failure::Tool(error)) if self.may_retry_inference(name, output, &error) => {
                let note = format!("{error}: its schema was inferred again, from all rows");
                self.context.notes(iter::once(note));
                self.context.take_skipped_of(&name.to_string());
                let mut options = self.text_options();
                options.form.infer_rows = Some(InferRows::All);
                self.write(name, output, &options)
            }
            written => written,
        }
    }

    /// Whether a row has other types than the rows from which they were inferred, and the text and the output can both be
    /// started again.
    fn may_retry_inference(&self, name: &InputArg, output: &Destination, error: &ToolError) -> bool {
        let is_inferred = self.schema.is_none() && self.text_options().form.infer_rows.is_none();
        let is_other = |row: &RowError| match row.kind() {
            RowErrorKind::Value(_) | RowErrorKind::UnknownName { .. } => !self.context.is_given(row.path()),
            _ => false,
        };
        let is_other = matches!(error.kind(), ToolErrorKind::Row(row) if is_other(row));
        is_inferred && is_other && name.is_file() && output.is_pending()
    }

    fn write(&self, name: &InputArg, output: &Destination, text: &TextOptions) -> Result<Status, Failure> {
        let written =
            with_one_dictionary(self.context, slice::from_ref(name), output, &self.options, |options| {
                let input = self.open(name, text)?;
                match self.text {
                    Some(text) => write_text(self.context, input, options, text, output),
                    None => rewrite(self.context, vec![input], output, options),
                }
            });
        written.map_err(|failure| self.with_hint(failure))
    }

    fn open(&self, name: &InputArg, text_options: &TextOptions) -> Result<Input, Failure> {
        let ConvertWork { context, args, schema, .. } = self;
        if name.is_set() {
            let query = query_of(&args.columns, &args.rows);
            let opened = name.open_for(context, &query).map_err(|error| {
                if TextFormat::name_of_extension(&name.to_string()).is_none() {
                    return error.into();
                }
                let pattern = quoted(&name.to_string());
                let advice = format!("`arrow-ipc concat {pattern} OUT.arrow --union` joins texts");
                Failure::Advised { error, advice: advice.into() }
            });
            return self.arrow(name, opened?);
        }
        let text = match import::open(context, name, text_options) {
            Err(failure) if schema.is_some() && import::is_empty(&failure) => TextInput::without_rows(),
            Err(failure) => return Err(failure),
            Ok(OpenedInput::Arrow(input)) => return self.arrow(name, input),
            Ok(OpenedInput::Text(text)) => text,
        };
        if matches!(
            (&text.format, self.text),
            (TextFormat::Csv(_), Some(TextFileFormat { csv: Some(_), .. }))
        ) {
            args.text.check_sides()?;
        }
        let import = import::import(context, name, text, text_options, schema.as_ref());
        Ok(import
            .map_err(|failure| self.with_hint(failure))?
            .with_n_threads(args.threads.n())
            .into_input()
            .with_limits(context.limits()))
    }

    /// The options for reading text.
    fn text_options(&self) -> TextOptions {
        let writes_csv = self.text.is_some_and(|text| text.csv.is_some());
        let mut options = self.args.text.options(writes_csv);
        options.columns.clone_from(&self.columns);
        if self.schema.is_some() { options.with_schema() } else { options }
    }

    /// Returns an input of Arrow data. An option with a schema is an error for such an input.
    fn arrow(&self, name: &InputArg, input: Input) -> Result<Input, Failure> {
        let option = match (&self.schema, &self.columns[..]) {
            (None, []) => return Ok(input),
            (Some(_), _) => "--schema",
            (None, _) => "--partial-schema",
        };
        Err(Failure::OptionOf { option, expected: "text", found: "Arrow data", name: name.clone() })
    }

    /// Changes the hint of a failure. If an option sets the schema, inferring types from more rows does not help.
    fn with_hint(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Tool(error) if self.schema.is_some() => {
                let row =
                    if let ToolErrorKind::Row(row) = error.kind() { row_advice_by_schema(row) } else { None };
                match row {
                    Some(advice) => Failure::Advised { error, advice: advice.into() },
                    None => error.into(),
                }
            }
            failure => failure,
        }
    }
}

/// Writes an output. If it would need several dictionaries for one id, writes it again with one that has all values. Text, and
/// inputs that are compressed as a whole, show this only when they are read. Pipes are read and written once.
pub(crate) fn with_one_dictionary(
    context: &Context,
    inputs: &[InputArg],
    output: &Destination,
    options: &ConvertOptions,
    write: impl Fn(&ConvertOptions) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let is_other = |kind: &IpcErrorKind| {
        matches!(kind, IpcErrorKind::ReplacedDictionary { .. } | IpcErrorKind::SharedDictionaryValues { .. })
    };
    match write(options) {
        Err(Failure::Encode { error, .. })
            if is_other(error.kind())
                && options.may_unify_dictionaries()
                && inputs.iter().all(|input| input.is_file() || input.is_set())
                && output.is_pending() =>
        {
            inputs.iter().for_each(|input| context.take_skipped_of(&input.to_string()));
            write(&ConvertOptions { unifies_dictionaries: true, ..options.clone() })
        }
        written => written,
    }
}

/// Writes inputs as one output, which is created after the schemas of all inputs have been read.
pub(crate) fn rewrite(
    context: &Context,
    inputs: Vec<Input>,
    output: &Destination,
    options: &ConvertOptions,
) -> Result<Status, Failure> {
    let failed = |error: ToolError| Failure::from_output(output, error, encode_advice);
    let conversion = Conversion::open(inputs, options, &mut Watcher::new(context)).map_err(failed)?;
    let file = Output::create(output)?;
    let (file, losses) = conversion.write_to(file, &mut Watcher::new(context)).map_err(failed)?;
    file.keep(output)?;
    Ok(note_losses(context, &losses))
}

/// Whether dictionaries are unified, because an option asks for it, or because a cast creates dictionaries in a
/// file. A file needs one dictionary for all batches.
pub(crate) fn unifies_dictionaries(
    dictionaries: DictionaryMode,
    columns: &ChangedColumnsArgs,
    container: WrittenContainer,
) -> bool {
    let makes_dictionary = |cast: &TypeArg| cast.1.data_type().as_dictionary().is_some();
    let is_needed = container == WrittenContainer::File && columns.cast.iter().any(makes_dictionary);
    dictionaries == DictionaryMode::Unify || is_needed && dictionaries == DictionaryMode::Replace
}

/// The query of the columns before they are changed, with the condition on rows.
pub(crate) fn query_of(args: &ChangedColumnsArgs, rows: &RowsArgs) -> RowQuery {
    rows.condition().query(args.names()).with_types(types_of(args))
}

/// The types to which columns are cast, by their old names. Dictionaries of values whose type is that of the column are left out.
pub(crate) fn types_of(args: &ChangedColumnsArgs) -> impl Iterator<Item = (String, DataType)> {
    let old_name = |column: &String| {
        let is_old = args.renames().any(|RenameArg(old, _)| old == column);
        let renamed = args.renames().find(|RenameArg(_, new)| new == column).filter(|_| !is_old);
        renamed.map_or(column, |RenameArg(old, _)| old).clone()
    };
    let is_whole =
        |data_type: &DataType| data_type.as_dictionary().is_none_or(|it| *it.value() != DataType::Null);
    let casts = args.cast.iter().filter(move |TypeArg(_, field)| is_whole(field.data_type()));
    casts.map(move |TypeArg(column, field)| (old_name(column), field.data_type().clone()))
}

/// The changes of columns, with the condition on rows; `None` if there are neither.
pub(crate) fn changed_columns(
    context: &Context,
    args: &ChangedColumnsArgs,
    rows: &RowsArgs,
) -> Option<Reshaping> {
    let ChangedColumnsArgs { cast, max_cast_bytes, lossy, .. } = args;
    let rename: Vec<&RenameArg> = args.renames().collect();
    let query = query_of(args, rows);
    if query == RowQuery::new() && rename.is_empty() && cast.is_empty() {
        return None;
    }
    let digits = if *lossy { Digits::Drop } else { Digits::Keep };
    let mut reshaping = Reshaping::new().with_query(query).with_digits(digits);
    if let Some(n_bytes) = max_cast_bytes {
        reshaping = reshaping.with_max_cast_bytes(n_bytes.get());
    }
    for RenameArg(old, new) in &rename {
        reshaping = reshaping.with_rename(old, new);
    }
    for TypeArg(column, field) in cast {
        // Reports which column is meant, if the name is both the old name of one column and the new name of another.
        let is_either = rename.iter().any(|renamed| renamed.0 == *column)
            && rename.iter().any(|renamed| renamed.1 == *column);
        let name = QuotedName(column);
        context.notes(
            is_either
                .then(|| {
                    format!(
                        "--cast {name} casts the column with the old name {name}, not the one that --rename gives this name"
                    )
                })
                .into_iter(),
        );
        reshaping = reshaping.with_cast_as(column, field.clone());
    }
    Some(reshaping)
}

/// Adds the changes of metadata to those of columns.
pub(crate) fn with_metadata(reshaping: Option<Reshaping>, args: &MetadataArgs) -> Option<Reshaping> {
    args.changes()
        .fold(reshaping, |reshaping, change| Some(reshaping.unwrap_or_default().with_metadata(change)))
}
