//! `concat` and `split`: several inputs to one output, and a part of each input to an output.

use std::slice;

use arrow_ipc::{DictionaryPolicy, WriteOptions};
use arrow_ipc_tools::{ConvertOptions, RowQuery, Target, ToolErrorKind};

use crate::{
    advice::making_equal,
    args::{AssemblyArgs, CompressionArg, ConcatArgs, DictionariesArg, RowsArgs, SplitArgs},
    convert::{changed_columns, query_of, rewrite},
    exit::{Failure, Status},
    inputs::check_stdin,
    names::{InputArg, OutputName},
    outputs::{Outputs, folder_of},
    terminal::is_stdout_terminal,
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
    let outputs = Outputs::of(&args.paths.inputs, &args.paths.output, args.writing.to)?;
    let options = options_of(outputs.target(), &args.writing, &args.rows)?;
    let options = match &args.batches {
        Some(batches) => options.with_batches(batches.0.clone()),
        None => options.with_rows(args.rows.window()),
    };
    let query = query_of(&args.writing.columns, &args.rows);
    outputs.each(|input, output| assemble(slice::from_ref(input), output, &options, &query))
}

fn options_of(target: Target, args: &AssemblyArgs, rows: &RowsArgs) -> Result<ConvertOptions, Failure> {
    let mut options = ConvertOptions::copying(target);
    if let Some(n_rows) = args.target_rows {
        options = options.with_batch_rows(n_rows);
    }
    if let Some(CompressionArg(codec)) = args.compression {
        options = options.with_writing(WriteOptions::new().with_compression(codec));
    }
    options = match args.dictionaries {
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
