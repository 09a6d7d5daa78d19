//! `concat` and `split`: several inputs to one output, and a part of each input to an output.

use std::slice;

use arrow_ipc::{DictionaryPolicy, WriteOptions};
use arrow_ipc_tools::{Assembly, AssemblyOptions, RowWindow, Target, ToolError, ToolErrorKind};

use crate::{
    advice::making_equal,
    args::{AssemblyArgs, CompressionArg, ConcatArgs, DictionariesArg, SplitArgs},
    convert::{changed_columns, of_output},
    exit::{Failure, Status, note},
    inputs::check_stdin,
    names::{InputArg, OutputName},
    output::Output,
    outputs::{Outputs, folder_of},
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
    let options = with_rows(options_of(target, &args.writing)?, args.rows.window());
    assemble(&args.paths.inputs, output, &options)
}

fn with_rows(options: AssemblyOptions, rows: RowWindow) -> AssemblyOptions {
    match rows.is_everything() {
        true => options,
        false => options.with_rows(rows.range()),
    }
}

pub(crate) fn split(args: &SplitArgs) -> Result<Status, Failure> {
    let outputs = Outputs::of(&args.paths.inputs, &args.paths.output, args.writing.to)?;
    let options = options_of(outputs.target(), &args.writing)?;
    let options = match &args.batches {
        Some(batches) => options.with_batches(batches.0.clone()),
        None => with_rows(options, args.rows.window()),
    };
    outputs.each(|input, output| assemble(slice::from_ref(input), output, &options))
}

fn options_of(target: Target, args: &AssemblyArgs) -> Result<AssemblyOptions, Failure> {
    let mut options = AssemblyOptions::new(target);
    if let Some(n_rows) = args.target_rows {
        options = options.with_target_rows(n_rows.get());
    }
    if let Some(CompressionArg(codec)) = args.compression {
        options = options.with_writing(WriteOptions::new().with_compression(codec));
    }
    options = match args.dictionaries {
        DictionariesArg::Replace => options,
        DictionariesArg::Delta => options.with_dictionaries(DictionaryPolicy::Delta),
        DictionariesArg::Unify => options.unifying_dictionaries(),
    };
    if let Some(reshaping) = changed_columns(&args.columns) {
        options = options.reshaping(reshaping);
    }
    Ok(options)
}

fn assemble(inputs: &[InputArg], output: &OutputName, options: &AssemblyOptions) -> Result<Status, Failure> {
    let inputs = inputs.iter().map(|name| name.open()).collect::<Result<Vec<_>, _>>()?;
    let failed = |error: ToolError| of_output(output, error);
    // The output is touched once the inputs are known to be readable.
    let assembly = Assembly::open(inputs, options, &mut Watcher::default());
    let assembly = assembly.map_err(|error| of_columns(failed(error)))?;
    let file = Output::create(output)?;
    let (file, losses) = assembly.write_to(file, &mut Watcher::default()).map_err(failed)?;
    file.keep(output)?;
    losses.iter().for_each(|(input, loss)| note(&format!("{input}: {loss}")));
    Ok(if losses.is_empty() { Status::Fine } else { Status::DataLost })
}

/// Columns of all inputs can be cast on the way. One of all inputs can be renamed only before.
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
