//! `append`: appends the rows of files and streams to a file, or to a copy of a file.

use std::{fs::File, slice};

use arrow_ipc::{ErrorClass, FileWriter, IpcError, IpcErrorKind};
use arrow_ipc_report::statistics_note;
use arrow_ipc_tools::{
    InputContext, RowQuery, StatisticsLoss, ToolError, ToolErrorKind,
    append::{AppendTarget, append_in_place},
};

use crate::{
    args::AppendArgs,
    commands::{
        convert::{changed_columns, types_of},
        write_options::options_of_appended,
    },
    context::Context,
    exit::{Failure, Status, append_advice, note_losses},
    inputs::check_stdin,
    interrupt::SignalFlag,
    names::{InputArg, OutputName},
    output::{
        Output,
        destination::{Destination, OutputRule},
    },
    terminal::watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &AppendArgs) -> Result<Status, Failure> {
    check_stdin(&args.inputs)?;
    if args.file.is_dir() {
        return Err(Failure::Needs { option: "append", other: "a file to append to, not a folder" });
    }
    match &args.to {
        None => {
            // The rows of an input are read while the file changes.
            let name = OutputName::Path(args.file.clone());
            rule(&args.inputs).allow(&name)?;
            let signal = SignalFlag::listen().map_err(|error| Failure::Write { name, error })?;
            let appended = append_to_file(context, args, &signal);
            if appended.is_err() {
                signal.end_program();
            }
            appended
        }
        Some(output) => {
            let file = InputArg::Path(args.file.clone());
            let inputs = [slice::from_ref(&file), &args.inputs].concat();
            to_new_file(context, args, &rule(&inputs).allow(output)?)
        }
    }
}

fn rule(inputs: &[InputArg]) -> OutputRule<'_> {
    OutputRule { inputs, schema: None, is_output_named: true, replaces_input: false }
}

/// Appends to the file itself. If an input cannot be read, or a signal stops the program, the file stays unchanged.
fn append_to_file(context: &Context, args: &AppendArgs, signal: &SignalFlag) -> Result<Status, Failure> {
    let name = OutputName::Path(args.file.clone());
    let appended = append_in_place(&args.file, options_of_appended(context, args)?, |to| {
        append_all(context, args, &name, signal, to)
    });
    let (status, lost) = appended?;
    note_lost_statistics(context, &name, lost);
    Ok(status)
}

/// Writes a note if the file has lost its statistics.
fn note_lost_statistics(context: &Context, name: &OutputName, lost: Option<StatisticsLoss>) {
    if let Some(lost) = lost {
        context.note(&format!("{name}: {}", statistics_note(lost)));
    }
}

fn to_new_file(context: &Context, args: &AppendArgs, output: &Destination) -> Result<Status, Failure> {
    let file = File::open(&args.file).map_err(IpcError::from).in_input(&*args.file)?;
    AppendTarget::check_rest(&file).map_err(|kind| ToolError::new(&*args.file, kind))?;
    let output_failed =
        |error| Failure::Encode { name: OutputName::clone(output), error, advice: append_advice };
    let options = AppendTarget::with_version_of_file(&args.file, options_of_appended(context, args)?);
    let writer = FileWriter::append_to(&file, Output::create(output)?, options);
    let mut writer = match writer {
        Err(error) if matches!(error.kind(), IpcErrorKind::Write(_)) => return Err(output_failed(error)),
        writer => writer.in_input(&*args.file)?,
    };
    let (status, lost) = AppendTarget::continue_statistics(&file, &mut writer, |to| {
        append_all(context, args, output, &SignalFlag::default(), to)
    })?;
    writer.finish().map_err(output_failed)?.keep(output)?;
    note_lost_statistics(context, output, lost);
    Ok(status)
}

/// Appends all inputs. `name` is the name of the output in messages.
fn append_all(
    context: &Context,
    args: &AppendArgs,
    name: &OutputName,
    signal: &SignalFlag,
    to: &mut AppendTarget<'_>,
) -> Result<Status, Failure> {
    let mut status = Status::Fine;
    let reshaping = changed_columns(context, &args.columns, &args.rows);
    let query = RowQuery::new().with_types(types_of(&args.columns));
    let mut window = args.rows.window();
    for input in &args.inputs {
        let input_rows = input.open_for(context, &query)?;
        let mut watcher = Watcher::stopping_when(context, signal);
        let appended = to.append_input(input_rows, reshaping.as_ref(), &mut window, &mut watcher);
        let report = appended.map_err(|error| output_failure(name, error))?;
        // The input may be incomplete, because the program that writes it may have received the same signal.
        if signal.is_received() {
            return Err(ToolError::new(input, ToolErrorKind::Stopped).into());
        }
        let losses: Vec<_> = report.losses.into_iter().map(|loss| (input.into(), loss)).collect();
        status = status.max(note_losses(context, &losses));
    }
    if let Some(last) = args.inputs.last() {
        window.check_start(&last.into())?;
    }
    Ok(status)
}

/// Converts an error. If the output cannot be written, the failure names the output. If the output does not support
/// something in an input, the failure names both.
fn output_failure(name: &OutputName, error: ToolError) -> Failure {
    let input = error.input().clone();
    match error.into_kind() {
        ToolErrorKind::Output(error) if error.class() != ErrorClass::Io => {
            Failure::AppendInput { input, name: name.clone(), error }
        }
        kind => Failure::from_output(name, ToolError::new(input, kind), append_advice),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: AppendArgs,
    }

    #[test]
    fn a_file_is_what_it_was_after_a_signal() {
        let folder = tempfile::tempdir().unwrap();
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/corpus/golden/pyarrow-26.0.1");
        let file = folder.path().join("log.arrow");
        fs::copy(format!("{golden}/rows-300.arrow"), &file).unwrap();
        let before = fs::read(&file).unwrap();
        let path = file.to_str().unwrap();
        let context = &Context::default();
        let args = Line::parse_from(["append", path, &format!("{golden}/rows-300.arrows")]).args;
        assert!(append_to_file(context, &args, &SignalFlag::already()).is_err());
        assert_eq!(fs::read(&file).unwrap(), before);
        append_to_file(context, &args, &SignalFlag::default()).unwrap();
        assert!(fs::read(&file).unwrap().len() > before.len());
    }
}
