//! `inspect`: shows the messages and the footer with their positions.

use arrow_ipc_tools::{InspectOptions, Inspected, JsonLinesReport, ToolErrorKind, inspect};

use crate::{
    args::InspectArgs,
    exit::{Failure, Status, note},
    messages::TextReport,
    names::OutputName,
    output::buffered_stdout,
};

pub(crate) fn run(args: &InspectArgs) -> Result<Status, Failure> {
    let options = InspectOptions::new();
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
    let Inspected { damage, notes } = match inspected {
        // An output that fails stops the inspection.
        Err(error) if !matches!(error.kind(), ToolErrorKind::Stopped) => return Err(error.into()),
        inspected => {
            written.map_err(|error| Failure::Write { name: OutputName::Stdout, error })?;
            inspected?
        }
    };
    notes.iter().for_each(|text| note(&text.to_string()));
    let statuses = damage.into_iter().map(|error| Failure::from(error).report_line());
    Ok(statuses.max().unwrap_or(Status::Fine))
}
