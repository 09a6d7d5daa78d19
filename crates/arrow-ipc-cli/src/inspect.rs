//! `inspect`: shows the messages and the footer with their positions.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use arrow_ipc::{Container, FormatErrorKind, IpcErrorKind};
use arrow_ipc_report::{FirstRows, HtmlReport, JsonLinesReport, NoteText};
use arrow_ipc_tools::{
    ForeignFormat, Input, InspectOptions, InspectReport, InspectSink as _, ToolError, ToolErrorKind,
    identity::FileIdentity, inspect, inspect::InspectItem,
};
use arrow_text::format::Escaped;

use crate::{
    args::InspectArgs,
    color::TextRole,
    context::Context,
    exit::{Failure, Status, TOO_MANY_FIELDS},
    inputs::{each, files_of},
    messages::TextReport,
    names::{InputArg, OutputName},
    output::{Output, buffered_stdout, not_written},
    watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &InspectArgs) -> Result<Status, Failure> {
    let options = InspectOptions::new();
    let files = files_of(&args.files);
    match (&args.html, &files[..]) {
        (Some(output), [input]) => return write_page(context, input, &options.with_unused_bytes(), output),
        (Some(_), _) => return Err(Failure::Needs { option: "--html", other: "a single FILE" }),
        (None, _) => {}
    }
    let options = match &args.columns {
        Some(columns) => options.with_buffers_of(columns.0.clone()),
        None if args.buffers => options.with_buffers(),
        None => options,
    };
    let mut separator = "";
    each(context, &files, |name| {
        let head = match files.len() {
            1 => None,
            _ => Some(format!(
                "{separator}{}:\n",
                context.on_stdout(TextRole::Head, Escaped(&name.to_string()))
            )),
        };
        let status = show(context, args, name, head, &options);
        separator = "\n";
        status
    })
}

/// Inspects an input. If there are several, first writes the name of this one.
fn show(
    context: &Context,
    args: &InspectArgs,
    name: &InputArg,
    head: Option<String>,
    options: &InspectOptions,
) -> Result<Status, Failure> {
    let input = name.open(context)?;
    let mut out = buffered_stdout();
    let (inspected, written) = if args.json {
        let report = JsonLinesReport::new(out);
        let mut report = if head.is_some() { report.with_input(input.name()) } else { report };
        let inspected = inspect(input, options, &mut report, &mut Watcher::of_output(context));
        (inspected, report.finish().map(drop))
    } else {
        let written = head.map_or(Ok(()), |head| out.write_all(head.as_bytes()));
        written.map_err(not_written)?;
        let mut report = TextReport::new(context, out);
        let inspected = inspect(input, options, &mut report, &mut Watcher::of_output(context));
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

/// Writes the inspection as an HTML page. For a damaged input, the page lists the damage.
fn write_page(
    context: &Context,
    name: &InputArg,
    options: &InspectOptions,
    output: &OutputName,
) -> Result<Status, Failure> {
    if let (InputArg::Path(input), OutputName::Path(path)) = (name, output)
        && FileIdentity::is_same_file(input, path)
    {
        return Err(Failure::SameFile { name: output.clone() });
    }
    if output.path().is_some_and(holds_data) {
        return Err(Failure::PageOverData { name: output.clone() });
    }
    let input = match name.open(context) {
        Ok(input) => input,
        Err(error)
            if matches!(error.kind(), ToolErrorKind::Empty | ToolErrorKind::NotArrow { found: None }) =>
        {
            // The length after decompression. `None` for a pipe, or if the input cannot be opened.
            let damaged = name.is_file().then(|| name.open_damaged(context)).and_then(Result::ok);
            let n_bytes = damaged.and_then(|(input, _)| input.n_bytes());
            let mut page = HtmlReport::new(error.input());
            let _ = page.item(InspectItem::Container(Container::Unknown, n_bytes));
            let inspected = InspectReport { damage: vec![error], n_damage: 1, ..InspectReport::default() };
            save(page, &inspected, output)?;
            // Reports damage with hints, as without a page.
            let statuses = inspected.damage.into_iter().map(|error| Failure::from(error).report(context));
            return Ok(statuses.max().unwrap_or(Status::No));
        }
        Err(error) => return Err(error.into()),
    };
    let mut page = HtmlReport::new(input.name());
    // A pipe can be read only once.
    let can_repeat = name.is_file() && input.n_bytes().is_some();
    let inspected = inspect(input, options, &mut page, &mut Watcher::new(context))?;
    if can_repeat {
        page = page.with_rows(name.open(context).and_then(FirstRows::read));
    }
    save(page, &inspected, output)?;
    Ok(report(context, inspected))
}

/// Whether there is a regular file at the path that is neither empty nor an HTML page.
fn holds_data(path: &Path) -> bool {
    let opened = path.is_file().then(|| Input::open(path));
    match opened.as_ref().map(|opened| opened.as_ref().map_err(ToolError::kind)) {
        None | Some(Err(ToolErrorKind::Empty)) => false,
        Some(Err(ToolErrorKind::NotArrow { found })) => *found != Some(ForeignFormat::Html),
        Some(Ok(_) | Err(_)) => true,
    }
}

fn save(page: HtmlReport, inspected: &InspectReport, output: &OutputName) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(64 << 10, Output::create(output)?);
    let written = page.write_to(inspected, &mut out).and_then(|()| out.flush());
    let out = written.and_then(|()| out.into_inner().map_err(io::Error::from));
    out.map_err(|error| Failure::Write { name: output.clone(), error })?.keep(output)
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
