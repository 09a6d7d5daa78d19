//! `append`: writes the rows of files and streams to the end of a file, in place or to a new file.

use std::{fs::File, path::Path};

use arrow_ipc::{FileWriter, IpcError};
use arrow_ipc_tools::{
    AppendReport, AppendTo, Loss, ToolError, ToolErrorKind, append_in_place, with_version_of,
};

use crate::{
    args::AppendArgs,
    exit::{Failure, Status, note},
    names::{InputName, OutputName},
    output::Output,
    progress::Watcher,
    write_options::options_of_appended,
};

pub(crate) fn run(args: &AppendArgs) -> Result<Status, Failure> {
    let n_times = args.inputs.iter().filter(|name| **name == InputName::Stdin).count();
    if n_times > 1 {
        return Err(Failure::RepeatedStdin { n_times });
    }
    match &args.to {
        None => in_place(args),
        Some(output) => to_new_file(args, output),
    }
}

/// The file is what it was if an input fails.
fn in_place(args: &AppendArgs) -> Result<Status, Failure> {
    append_in_place(&args.file, options_of_appended(args)?, |to| append_all(args, to))
}

fn to_new_file(args: &AppendArgs, output: &OutputName) -> Result<Status, Failure> {
    let failed = |error| of_file(&args.file, error);
    let file = File::open(&args.file).map_err(|error| failed(error.into()))?;
    let output_failed = |error| Failure::Append { name: output.clone(), error };
    let options = with_version_of(&args.file, options_of_appended(args)?);
    let writer = FileWriter::append_to(&file, Output::create(output)?, options);
    let mut writer = writer.map_err(failed)?;
    let status = append_all(args, &mut writer)?;
    writer.finish().map_err(output_failed)?.keep(output)?;
    Ok(status)
}

fn append_all(args: &AppendArgs, to: &mut dyn AppendTo) -> Result<Status, Failure> {
    let mut status = Status::Fine;
    for name in &args.inputs {
        let appended = arrow_ipc_tools::append(name.open()?, to, &mut Watcher::default());
        let report = appended.map_err(|error| of_output(args, error))?;
        status = status.max(tell(name, &report));
    }
    Ok(status)
}

/// Says what was not appended.
fn tell(name: &InputName, report: &AppendReport) -> Status {
    let mut status = Status::Fine;
    if let Some(rest) = &report.trailing_bytes {
        note(&format!("{name}: {rest}"));
        status = Status::DataLost;
    }
    if report.n_tensors > 0 {
        let lost = Loss::Tensors { n_tensors: report.n_tensors };
        note(&format!("{name}: {lost}"));
        status = Status::DataLost;
    }
    status
}

fn of_file(path: &Path, error: IpcError) -> Failure {
    ToolError::new(path.into(), ToolErrorKind::Input(error)).into()
}

/// What the file does not take is an error of the file, about an input.
fn of_output(args: &AppendArgs, error: ToolError) -> Failure {
    let input = error.input().clone();
    match error.into_kind() {
        ToolErrorKind::Output(error) => Failure::Append { name: OutputName::Path(args.file.clone()), error },
        kind => ToolError::new(input, kind).into(),
    }
}
