//! `inspect`: shows the messages and the footer with their positions.

use std::io::Write;

use arrow_ipc::{FormatErrorKind, IpcErrorKind};
use arrow_ipc_report::{JsonLinesReport, NoteText};
use arrow_ipc_tools::{InspectOptions, InspectReport, ToolErrorKind, inspect};
use arrow_text::format::Escaped;

use crate::{
    args::InspectArgs,
    commands::messages::TextReport,
    context::Context,
    exit::{Failure, Status, TOO_MANY_FIELDS},
    inputs::{each, files_of},
    names::InputArg,
    output::{buffered_stdout, not_written},
    terminal::{color::TextRole, watcher::Watcher},
};

pub(crate) fn run(context: &Context, args: &InspectArgs) -> Result<Status, Failure> {
    let options = InspectOptions::new();
    let files = files_of(&args.files);
    let options = match &args.columns {
        Some(columns) => options.with_buffers_of(columns.0.clone()),
        None if args.buffers => options.with_buffers(),
        None => options,
    };
    let mut separator = "";
    each(context, &files, |name| {
        let title = match files.len() {
            1 => None,
            _ => Some(format!(
                "{separator}{}:\n",
                context.on_stdout(TextRole::Title, Escaped(&name.to_string()))
            )),
        };
        let status = show(context, args, name, title, &options);
        separator = "\n";
        status
    })
}

/// Inspects an input. If there are several, first writes the name of this one.
fn show(
    context: &Context,
    args: &InspectArgs,
    name: &InputArg,
    title: Option<String>,
    options: &InspectOptions,
) -> Result<Status, Failure> {
    let input = name.open(context)?;
    let mut out = buffered_stdout();
    let (inspected, written) = if args.json {
        let report = JsonLinesReport::new(out);
        let mut report = if title.is_some() { report.with_input(input.name()) } else { report };
        let inspected = inspect(input, options, &mut report, &mut Watcher::for_stdout(context));
        (inspected, report.finish().map(drop))
    } else {
        let written = title.map_or(Ok(()), |title| out.write_all(title.as_bytes()));
        written.map_err(not_written)?;
        let mut report = TextReport::new(context, out);
        let inspected = inspect(input, options, &mut report, &mut Watcher::for_stdout(context));
        (inspected, report.finish())
    };
    let inspected = match inspected {
        // A failure of the output stops the inspection, and is reported below.
        Err(error) if !matches!(error.kind(), ToolErrorKind::Stopped) => return Err(error.into()),
        inspected => {
            written.map_err(not_written)?;
            inspected?
        }
    };
    Ok(report(context, inspected))
}

/// Writes the notes and the damage of an inspection. Returns the resulting status.
pub(crate) fn report(context: &Context, inspected: InspectReport) -> Status {
    inspected.notes.iter().for_each(|note| context.note(&NoteText(note).to_string()));
    let n_more = inspected.n_damage.saturating_sub(inspected.damage.len() as u64);
    let is_over_fields = inspected.damage.iter().any(|error| {
        error.ipc_error().is_some_and(|error| {
            matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::TooManyFields { .. }))
        })
    });
    let statuses = inspected.damage.into_iter().map(|error| Failure::from(error).report_line(context));
    let status = statuses.max().unwrap_or(Status::Fine);
    if n_more > 0 {
        context.note(&format!("{n_more} more errors were found"));
    }
    if is_over_fields {
        context.hint(TOO_MANY_FIELDS);
    }
    status
}
