//! `inspect`: shows the messages and the footer with their positions.

use std::io::{self, BufWriter, Write};

use arrow_ipc_tools::{
    HtmlReport, InspectOptions, Inspected, JsonLinesReport, ToolErrorKind, inspect, is_same_file,
};

use crate::{
    args::InspectArgs,
    exit::{Failure, Status, note},
    messages::TextReport,
    names::{InputName, OutputName},
    output::{Output, buffered_stdout},
};

pub(crate) fn run(args: &InspectArgs) -> Result<Status, Failure> {
    let options = InspectOptions::new();
    if let Some(output) = &args.html {
        return write_page(&args.file, &options.with_buffers(), output);
    }
    let options = if args.buffers { options.with_buffers() } else { options };
    let input = args.file.open()?;
    let (inspected, written) = if args.json {
        let mut report = JsonLinesReport::new(buffered_stdout());
        let inspected = inspect(input, &options, &mut report);
        (inspected, report.finish().map(drop))
    } else {
        let mut report = TextReport::new(buffered_stdout());
        let inspected = inspect(input, &options, &mut report);
        (inspected, report.finish())
    };
    let inspected = match inspected {
        // An output that fails stops the inspection.
        Err(error) if !matches!(error.kind(), ToolErrorKind::Stopped) => return Err(error.into()),
        inspected => {
            written.map_err(|error| Failure::Write { name: OutputName::Stdout, error })?;
            inspected?
        }
    };
    Ok(report(inspected))
}

/// Writes the page; of a damaged input too, with the damage.
fn write_page(input: &InputName, options: &InspectOptions, output: &OutputName) -> Result<Status, Failure> {
    if let (InputName::Path(input), OutputName::Path(path)) = (input, output)
        && is_same_file(input, path)
    {
        return Err(Failure::SameFile { name: output.clone() });
    }
    let input = input.open()?;
    let mut page = HtmlReport::new(input.name());
    let inspected = inspect(input, options, &mut page)?;
    let mut out = BufWriter::with_capacity(64 << 10, Output::create(output)?);
    let written = page.write_to(&inspected, &mut out).and_then(|()| out.flush());
    let out = written.and_then(|()| out.into_inner().map_err(io::Error::from));
    out.map_err(|error| Failure::Write { name: output.clone(), error })?.keep(output)?;
    Ok(report(inspected))
}

/// Reports notes and damage, which the status tells of.
pub(crate) fn report(inspected: Inspected) -> Status {
    inspected.notes.iter().for_each(|text| note(&text.to_string()));
    let statuses = inspected.damage.into_iter().map(|error| Failure::from(error).report_line());
    statuses.max().unwrap_or(Status::Fine)
}
