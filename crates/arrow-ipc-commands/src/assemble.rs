//! `concat` and `split`: several inputs to one output, and a part of each input to an output.

use std::{io, num::NonZeroU64, slice};

use arrow_ipc::{DictionaryPolicy, Limits, WriteOptions};
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Input, PartsBy, Reshaping, RowQuery, RowWindow, Rows, Target, ToolError,
    ToolErrorKind, count_rows, cuts_by_bytes,
};
use arrow_schema::{Field, QuotedName, Schema};

use crate::{
    advice::making_equal,
    args::{AssemblyArgs, CompressionArg, ConcatArgs, DictionariesArg, Retyped, RowsArgs, SplitArgs},
    convert::{changed_columns, query_of, report, rewrite},
    exit::{Failure, Status, encode_advice, note},
    inputs::check_stdin,
    names::{InputArg, OutputName},
    outputs::{Outputs, folder_of},
    part_files::PartFiles,
    terminal::is_stdout_terminal,
    watcher::Watcher,
};

pub(crate) fn concat(args: &ConcatArgs) -> Result<Status, Failure> {
    check_stdin(&args.paths.inputs)?;
    let output = &args.paths.output;
    if let Some(folder) = folder_of(output) {
        return Err(Failure::FolderForOne { name: folder.display().to_string() });
    }
    let Some(target) = args.writing.to.map(Into::into).or_else(|| Target::of_name(output.path()?)) else {
        return Err(Failure::UnknownTarget { name: output.clone(), input: None });
    };
    if *output == OutputName::Stdout && is_stdout_terminal() {
        return Err(Failure::Terminal { name: output.clone() });
    }
    let options = options_of(target, &args.writing, &args.rows)?.with_rows(args.rows.window());
    assemble(&args.paths.inputs, output, &options, &query_of(&args.writing.columns, &args.rows))
}

pub(crate) fn split(args: &SplitArgs) -> Result<Status, Failure> {
    if args.parts.are_asked() {
        return split_into_parts(args);
    }
    let outputs = Outputs::of(&args.paths.inputs, &args.paths.output, args.writing.to)?;
    let options = options_of(outputs.target(), &args.writing, &args.rows)?;
    let options = match &args.batches {
        Some(batches) => options.with_batches(batches.0.clone()),
        None => options.with_rows(args.rows.window()),
    };
    let query = query_of(&args.writing.columns, &args.rows);
    outputs.each(|input, output| assemble(slice::from_ref(input), output, &options, &query))
}

/// Writes the rows of an input as several files.
fn split_into_parts(args: &SplitArgs) -> Result<Status, Failure> {
    let [input] = &args.paths.inputs[..] else {
        return Err(Failure::Needs { option: "splitting into several files", other: "one IN" });
    };
    let target = args.writing.to.map_or(Target::File, Target::from);
    let (parts, query) = (&args.parts, query_of(&args.writing.columns, &args.rows));
    let mut options = options_of(target, &args.writing, &args.rows)?;
    // A pipe is read once, and copied.
    let (name, source) = (arrow_ipc_tools::InputName::from(input), input.open_for(&query)?.into_source()?);
    let open = || Input::try_from_source(name.clone(), source.clone());
    let mut files = PartFiles::begin(&args.paths.output, target)?;
    let mut lost = Vec::new();
    if let Some(by) = &parts.by {
        if changed_columns(&args.writing.columns, &args.rows).is_none() {
            // Rows are decoded.
            options = options.reshaping(Reshaping::new());
        }
        options = options.with_rows(args.rows.window());
        let conversion = Conversion::open(vec![open()?], &options, &mut Watcher::default())?;
        let by = PartsBy { columns: by.0.clone(), max_parts: parts.max_files };
        let mut failure = None;
        let mut create = |folder: &str| {
            let file = files.create(folder, "part-0");
            file.map_err(|error| {
                failure = Some(error);
                io::Error::other("a part cannot be created")
            })
        };
        let written = conversion.write_parts(&by, &mut create, &mut Watcher::default());
        let (outputs, losses) = match (failure, written) {
            (Some(failure), Err(_)) => return Err(failure),
            (_, written) => {
                written.map_err(|error| Failure::of_output(&args.paths.output, error, encode_advice))?
            }
        };
        lost.extend(losses);
        if outputs.is_empty() {
            note(&format!("{name}: no rows, so nothing was written"));
        }
        files.outputs.extend(outputs);
        files.keep()?;
        if args.writing.columns.cast.is_empty() {
            tell_retyped(Rows::open_schema(open()?)?.ipc_schema().schema(), &args.paths.output);
        }
        return Ok(report(&lost));
    }
    let n_rows = count_rows(open()?, &Limits::default(), &mut Watcher::default())?.n_rows;
    let cuts = match (parts.into, parts.target_bytes) {
        (Some(n_parts), _) => {
            let n_parts = n_parts.get().min(n_rows.max(1));
            if usize::try_from(n_parts).is_ok_and(|n_parts| n_parts <= parts.max_files) {
                // Below the number of rows.
                let cut = |part: u64| (u128::from(n_rows) * u128::from(part) / u128::from(n_parts)) as u64;
                (0..=n_parts).map(cut).collect()
            } else {
                return Err(ToolError::new(name, ToolErrorKind::TooManyParts { max: parts.max_files }).into());
            }
        }
        (None, n_bytes) => {
            cuts_by_bytes(open()?, n_bytes.unwrap_or(NonZeroU64::MAX), n_rows, parts.max_files)?
        }
    };
    let n_digits = cuts.len().saturating_sub(2).to_string().len();
    for (part, rows) in cuts.windows(2).enumerate() {
        let options = options.clone().with_rows(RowWindow::of(rows[0]..rows[1]));
        let failed = |error| Failure::of_output(&args.paths.output, error, encode_advice);
        let conversion =
            Conversion::open(vec![open()?], &options, &mut Watcher::default()).map_err(failed)?;
        let file = files.create("", &format!("part-{part:0n_digits$}"))?;
        let (file, losses) = conversion.write_to(file, &mut Watcher::default()).map_err(failed)?;
        files.outputs.push(file);
        lost.extend(losses);
    }
    files.keep()?;
    Ok(report(&lost))
}

/// Tells which columns of text have other types in the data set, whose types are found in the names of folders.
fn tell_retyped(before: &Schema, folder: &OutputName) {
    let is_text = |field: &Field| {
        let data_type = field.data_type();
        data_type.as_dictionary().map_or(data_type, |dictionary| dictionary.value()).is_text()
    };
    let input = folder.path().map(|path| InputArg::Path(path.to_owned()));
    let Some(Ok(set)) = input.map(|input| Rows::open_schema(input.open()?)) else { return };
    let retyped = set.ipc_schema().schema().fields().iter().filter(|field| !is_text(field));
    for field in retyped {
        if before.fields().iter().any(|text| text.name() == field.name() && is_text(text)) {
            let (name, data_type) = (QuotedName(field.name()), field.data_type());
            note(&format!(
                "column {name} is text, and {data_type} where the folders are read as a data set: all its values look so"
            ));
        }
    }
}

fn options_of(target: Target, args: &AssemblyArgs, rows: &RowsArgs) -> Result<ConvertOptions, Failure> {
    let mut options = ConvertOptions::copying(target);
    if let Some(n_rows) = args.target_rows {
        options = options.with_batch_rows(n_rows);
    }
    if let Some(CompressionArg(codec)) = args.compression {
        options = options.with_writing(WriteOptions::new().with_compression(codec));
    }
    let makes_dictionary = |cast: &Retyped| cast.1.as_dictionary().is_some();
    options = match args.dictionaries {
        // A file has one dictionary for all batches.
        DictionariesArg::Replace
            if target == Target::File && args.columns.cast.iter().any(makes_dictionary) =>
        {
            options.unifying_dictionaries()
        }
        DictionariesArg::Replace => options,
        DictionariesArg::Delta => options.with_dictionaries(DictionaryPolicy::Delta),
        DictionariesArg::Unify => options.unifying_dictionaries(),
    };
    if let Some(reshaping) = changed_columns(&args.columns, rows) {
        options = options.reshaping(reshaping);
    }
    Ok(options)
}

fn assemble(
    inputs: &[InputArg],
    output: &OutputName,
    options: &ConvertOptions,
    query: &RowQuery,
) -> Result<Status, Failure> {
    let inputs = inputs.iter().map(|name| name.open_for(query)).collect::<Result<Vec<_>, _>>()?;
    rewrite(inputs, output, options).map_err(of_columns)
}

/// Adapts the hint for inputs with other columns. Casting a column of all inputs helps; renaming one of all inputs does
/// not.
fn of_columns(failure: Failure) -> Failure {
    let Failure::Tool(error) = failure else { return failure };
    let option = match error.kind() {
        ToolErrorKind::OtherInput { error, .. } => {
            making_equal(error).filter(|option| option.starts_with("--cast "))
        }
        _ => None,
    };
    match option {
        Some(option) => Failure::Advised { error, advice: format!("{option} makes it so").into() },
        None => error.into(),
    }
}
