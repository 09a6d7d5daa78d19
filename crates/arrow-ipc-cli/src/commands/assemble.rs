//! `concat` and `split`: write inputs to one output, or the rows of one input to several outputs.

use std::{
    collections::HashSet,
    num::NonZeroU64,
    path::{Path, PathBuf},
    slice,
};

use arrow_compute::wider_type;
use arrow_ipc::{DictionaryMode, DictionaryPolicy, WrittenContainer};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_report::{option_name, quoted};
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Input, InputContext, InputName, InputSet, RowQuery, ToolError, ToolErrorKind,
    convert::{FileSplit, RowDivision, SplitRule, split_files},
    import::{EmptyColumns, TextFormat},
};
use arrow_schema::{
    DataType, FieldPath, MergeErrorKind, PathStep, QuotedName, SchemaDifference, SchemaDifferenceKind,
};
use arrow_text::format::Counted;

use crate::{
    args::{AssemblyArgs, CompressionArg, ConcatArgs, RowsArgs, SplitArgs, TextOptions},
    commands::{
        convert::{
            changed_columns, query_of, rewrite, unifies_dictionaries, with_metadata, with_one_dictionary,
        },
        outputs::{Outputs, container_of_one, folder_of},
        part_outputs::{PartOutputs, folder_of_parts},
    },
    context::Context,
    exit::{Failure, Status, advice::taking_both, encode_advice, note_losses, other_columns_advice},
    inputs::{
        check_stdin,
        import::check_use,
        text_rows::{open_part, open_rows},
    },
    names::InputArg,
    output::destination::{Destination, OutputRule},
    terminal::watcher::Watcher,
};

pub(crate) fn concat(context: &Context, args: &ConcatArgs) -> Result<Status, Failure> {
    check_stdin(&args.paths.inputs)?;
    args.writing.metadata.check()?;
    let output = &args.paths.output;
    if let Some(folder) = folder_of(output) {
        return Err(Failure::FolderForOne { name: folder.display().to_string() });
    }
    let rule = OutputRule {
        inputs: &args.paths.inputs,
        schema: None,
        is_output_named: args.paths.is_output_named,
        replaces_input: false,
    };
    let output = &rule.allow(output)?;
    let to = if !output.is_packed() { args.writing.to } else { None };
    let container = container_of_one(&args.paths.inputs, output, to)?;
    let options = options_of(context, container, &args.writing, &args.rows);
    let options = ConvertOptions { rows: args.rows.window(), ..options };
    let query = query_of(&args.writing.columns, &args.rows);
    let names = with_texts_of_patterns(&args.paths.inputs)?;
    let text = args.text.options(names.len());
    check_use(context, &names, &text)?;
    note_folder_columns(context, &names);
    with_one_dictionary(context, &names, output, &options, |options| {
        let text = text.clone();
        if args.union {
            let inputs =
                united(context, &names, text, &query).map_err(|failure| union_failure(failure, &names))?;
            return rewrite(context, inputs, output, options)
                .map_err(|failure| union_failure(failure, &names));
        }
        let inputs = open_same_columns(context, &names, text, &query)?;
        rewrite(context, inputs, output, options).map_err(columns_failure)
    })
}

/// The inputs as they are, but a column without values in a text has the type that it has in the first text with values.
fn open_same_columns(
    context: &Context,
    names: &[InputArg],
    text: TextOptions,
    query: &RowQuery,
) -> Result<Vec<Input>, Failure> {
    let open = |name: &InputArg, text: &TextOptions| open_part(context, name, text, query);
    let first = text.clone().with_empty(EmptyColumns::Null);
    // Text from standard input cannot be opened once more.
    let first_of = |name: &InputArg| if name.is_file() { &first } else { &text };
    let parts = names.iter().map(|name| open(name, first_of(name))).collect::<Result<Vec<_>, Failure>>()?;
    let fields = parts.iter().filter_map(|part| part.text.as_ref()).flat_map(|schema| schema.fields());
    let mut names_of_known = HashSet::new();
    let known = fields.filter(|field| *field.data_type() != DataType::Null);
    let known = known.filter(|field| names_of_known.insert(field.name())).cloned().collect();
    let typed = text.with_empty(EmptyColumns::Typed(known));
    let opened = parts.into_iter().zip(names).map(|(part, name)| {
        let is_reopened = part.has_null_columns() && name.is_file();
        if is_reopened { Ok(open(name, &typed)?.input) } else { Ok(part.input) }
    });
    opened.collect()
}

/// The inputs with the columns of all. A text that has no value of a column does not say its type: the others do.
fn united(
    context: &Context,
    names: &[InputArg],
    text: TextOptions,
    query: &RowQuery,
) -> Result<Vec<Input>, Failure> {
    let text = text.for_part(EmptyColumns::Null);
    let mut inputs = Vec::with_capacity(names.len());
    // Text from standard input cannot be opened once more.
    let mut reopened = Vec::new();
    for (idx, name) in names.iter().enumerate() {
        let part = open_part(context, name, &text, query)?;
        if part.has_null_columns() && name.is_file() {
            reopened.push(idx);
        }
        inputs.push(part.input);
    }
    let (schema, mut inputs) = Input::union_with(inputs, query)?;
    for field in text.typed_columns() {
        if let Err(error) = schema.index_of(field.name()) {
            return Err(ToolError::new("the inputs", ToolErrorKind::Columns { error, schema }).into());
        }
    }
    if reopened.is_empty() {
        return Ok(inputs);
    }
    let typed = schema.fields().iter().filter(|field| *field.data_type() != DataType::Null);
    let text = text.for_part(EmptyColumns::Typed(typed.cloned().collect()));
    for idx in reopened {
        if let (Some(input), Some(name)) = (inputs.get_mut(idx), names.get(idx)) {
            *input = open_rows(context, name, &text, query)?;
        }
    }
    Ok(Input::union_with(inputs, query)?.1)
}

/// Says that files of a data set which are given one by one, as a shell does with a pattern, lose the columns in the names of their
/// folders.
fn note_folder_columns(context: &Context, names: &[InputArg]) {
    let columns_of = |name: &InputArg| -> Vec<String> {
        let folder = name.path().filter(|_| name.is_file()).and_then(Path::parent);
        let parts =
            folder.into_iter().flat_map(Path::components).filter_map(|part| part.as_os_str().to_str());
        let columns = parts.filter_map(|part| part.split_once('=')).filter(|(column, _)| !column.is_empty());
        columns.map(|(column, _)| QuotedName(column).to_string()).collect()
    };
    let Some(columns) = names.iter().map(columns_of).find(|columns| !columns.is_empty()) else { return };
    let columns = columns.join(", ");
    context.note(&format!(
        "the names of folders are no columns of the output: {columns}; a folder, or a pattern in quotes such as 'DATA/**/*.arrow', has them"
    ));
}

/// Replaces each pattern by the files that match it, if all of them are text by their names. Patterns of Arrow data are data
/// sets.
fn with_texts_of_patterns(names: &[InputArg]) -> Result<Vec<InputArg>, Failure> {
    let is_text = |file: &PathBuf| TextFormat::name_of_extension(&file.to_string_lossy()).is_some();
    let mut all = Vec::new();
    for name in names {
        let is_pattern = name.path().is_some_and(|path| !path.is_dir());
        match name.path().filter(|_| is_pattern).and_then(InputSet::files_of).transpose()? {
            Some(files) if files.iter().all(is_text) => {
                all.extend(files.into_iter().map(|file| InputArg::from(file.into_os_string())));
            }
            Some(_) | None => all.push(name.clone()),
        }
    }
    Ok(all)
}

pub(crate) fn split(context: &Context, args: &SplitArgs) -> Result<Status, Failure> {
    args.writing.metadata.check()?;
    if args.parts.are_given() {
        return split_into_parts(context, args);
    }
    let outputs = Outputs::try_new(rule_of_split(args), &args.paths.output, args.writing.to)?;
    let options = ConvertOptions {
        rows: args.rows.window(),
        batches: args.batches.as_ref().map(|batches| batches.0.clone()),
        ..options_of(context, outputs.container(), &args.writing, &args.rows)
    };
    let query = query_of(&args.writing.columns, &args.rows);
    outputs.each(context, |input, output| assemble(context, slice::from_ref(input), output, &options, &query))
}

fn rule_of_split(args: &SplitArgs) -> OutputRule<'_> {
    OutputRule {
        inputs: &args.paths.inputs,
        schema: None,
        is_output_named: args.paths.is_output_named,
        replaces_input: true,
    }
}

/// Writes the rows of an input to several files.
fn split_into_parts(context: &Context, args: &SplitArgs) -> Result<Status, Failure> {
    let [input] = &args.paths.inputs[..] else {
        return Err(Failure::Needs { option: "splitting into several files", other: "one IN" });
    };
    let container = args.writing.to.unwrap_or(WrittenContainer::File);
    if args.parts.by.is_some() && container == WrittenContainer::Stream {
        return Err(Failure::Needs { option: "--by", other: "--to file, since data sets consist of files" });
    }
    let parts = &args.parts;
    let query = query_of(&args.writing.columns, &args.rows);
    let mut options = options_of(context, container, &args.writing, &args.rows);
    // The input is read several times, so a pipe is first copied to a temporary file.
    let name = arrow_ipc_tools::InputName::from(input);
    let mut opened = input.open_for(context, &query)?;
    let mut lost = Vec::new();
    if parts.by.is_none() && args.rows.condition().is_given() {
        // Selects the matching rows only once for all files.
        let (matching, part_options) = options.split_selection();
        let failed = |error| Failure::from_output(&args.paths.output, error, encode_advice);
        let conversion =
            Conversion::open(vec![opened], &matching, &mut Watcher::new(context)).map_err(failed)?;
        let file = tempfile::tempfile().map_err(ToolErrorKind::Spool).in_input(&name)?;
        let (file, losses) = conversion.write_to(file, &mut Watcher::new(context)).map_err(failed)?;
        (opened, options, lost) =
            (Input::try_new(name.clone(), file)?.with_limits(context.limits()), part_options, losses);
    }
    let repeated = opened.into_repeated()?;
    let open = || Ok(repeated());
    let root = folder_of_parts(rule_of_split(args), &args.paths.output)?;
    let by = match (&parts.by, parts.into, parts.file_rows) {
        (Some(by), ..) => {
            options.rows = args.rows.window();
            SplitRule::Values(by.0.clone())
        }
        (None, Some(n_parts), _) => SplitRule::Rows(RowDivision::Parts(n_parts)),
        (None, None, Some(n_rows)) => SplitRule::Rows(RowDivision::Rows(n_rows)),
        (None, None, None) => {
            SplitRule::Rows(RowDivision::Bytes(parts.target_bytes.unwrap_or(NonZeroU64::MAX)))
        }
    };
    let split = FileSplit { root, by, max_files: parts.max_files };
    let store = PartOutputs { folder: &args.paths.output };
    let (n_files, lost_by_parts) = split_files(&open, &split, &options, &store, &mut Watcher::new(context))?;
    lost.extend(lost_by_parts);
    if n_files == 0 {
        context.note(&format!("{name}: no rows, so nothing was written"));
    }
    if let Some(n_parts) = parts.into.filter(|n_parts| n_parts.get() > n_files as u64) {
        let n_parts = Counted(n_parts.get(), "file");
        let n_files = Counted(n_files as u64, "file");
        context.note(&format!("{name}: {n_files} instead of {n_parts}, since no file is without rows"));
    }
    Ok(note_losses(context, &lost))
}

fn options_of(
    context: &Context,
    container: WrittenContainer,
    args: &AssemblyArgs,
    rows: &RowsArgs,
) -> ConvertOptions {
    let writing = |codec: CompressionArg| context.write_options().with_compression(codec.0);
    ConvertOptions {
        writing: args.compression.map(writing),
        dictionaries: (args.dictionaries == DictionaryMode::Delta).then_some(DictionaryPolicy::Delta),
        unifies_dictionaries: unifies_dictionaries(args.dictionaries, &args.columns, container),
        n_batch_rows: args.batch_rows,
        reshaping: with_metadata(changed_columns(context, &args.columns, rows), &args.metadata),
        ..ConvertOptions::copying(container)
    }
}

fn assemble(
    context: &Context,
    inputs: &[InputArg],
    output: &Destination,
    options: &ConvertOptions,
    query: &RowQuery,
) -> Result<Status, Failure> {
    with_one_dictionary(context, inputs, output, options, |options| {
        let opened =
            inputs.iter().map(|name| name.open_for(context, query)).collect::<Result<Vec<_>, _>>()?;
        rewrite(context, opened, output, options).map_err(columns_failure)
    })
}

/// Changes the hint for inputs with different columns. A renaming would apply to all inputs, so the hint suggests a
/// cast. `concat` can also write the columns of all inputs.
fn columns_failure(failure: Failure) -> Failure {
    const UNION: &str = "--union writes the columns of all inputs";
    let Failure::Tool(error) = failure else { return failure };
    let ToolErrorKind::OtherInput { error: difference, first } = error.kind() else { return error.into() };
    let other = || other_columns_advice(error.input(), first, difference);
    let advice = match taking_both(difference) {
        // A cast would change texts that were read as numbers.
        _ if are_texts(first, error.input()) && is_of_type(difference) => {
            // In text from standard input, a column without values is text.
            let may_lack_values =
                [first, error.input()].iter().any(|name| matches!(name, InputName::Other(_)));
            if may_lack_values || has_wider_type(difference) {
                "--union gives each column a type that has the values of all inputs".to_owned()
            } else {
                as_text(difference.path())
            }
        }
        Some(cast) => format!("--cast {cast} makes both equal"),
        None => other().map_or(UNION.to_owned(), |advice| format!("{advice}; {UNION}")),
    };
    Failure::Advised { error, advice: advice.into() }
}

/// Whether both inputs are text by their names. What comes from standard input has none, so the other one counts.
fn are_texts(first: &InputName, second: &InputName) -> bool {
    let may_be = |name: &InputName| is_text(name) || matches!(name, InputName::Other(_));
    (is_text(first) || is_text(second)) && may_be(first) && may_be(second)
}

fn is_text(name: &InputName) -> bool {
    TextFormat::name_of_extension(&name.to_string()).is_some()
}

/// Texts keep what they have as text.
fn as_text(column: &FieldPath) -> String {
    let name = match column.steps() {
        [PathStep::Child { name, .. }] => option_name(name),
        _ => column.to_string(),
    };
    let typed = quoted(&format!("{name}=utf8"));
    format!("--type {typed} reads the column of all texts as text")
}

fn is_of_type(difference: &SchemaDifference) -> bool {
    matches!(difference.kind(), SchemaDifferenceKind::Type { .. }) && difference.path().steps().len() == 1
}

/// Whether there is a type that has the values of both columns.
fn has_wider_type(difference: &SchemaDifference) -> bool {
    let SchemaDifferenceKind::Type { expected, found } = difference.kind() else { return false };
    wider_type(expected, found).is_some()
}

/// Changes the hint for columns of texts that have no common type. Options for columns apply to the common columns, so each hint
/// changes how texts are read.
fn union_failure(failure: Failure, names: &[InputArg]) -> Failure {
    let Failure::Tool(error) = failure else { return failure };
    let ToolErrorKind::Set(DatasetErrorKind::Merge(merge)) = error.kind() else { return error.into() };
    let advice = match (merge.path().steps(), merge.kind()) {
        ([PathStep::Child { name, .. }, _, ..], MergeErrorKind::Type { .. })
            if names.iter().all(|name| is_text(&name.into())) =>
        {
            let typed = quoted(&format!("{}=json", option_name(name)));
            format!("--type {typed} keeps the values of the column as JSON text")
        }
        ([_], MergeErrorKind::Type { .. })
            if is_text(error.input()) || matches!(error.input(), InputName::Other(_)) =>
        {
            as_text(merge.path())
        }
        _ => return error.into(),
    };
    Failure::Advised { error, advice: advice.into() }
}
