//! `recover`: copies every complete batch of a damaged file or stream to an undamaged file or stream, and lists the
//! losses.

use arrow_ipc::ErrorClass;
use arrow_ipc_tools::{
    RecoverOptions, RecoverReport, ToolError, ToolErrorKind,
    recover::{DamagedInput, RecoverAdvice},
};
use arrow_text::format::Counted;

use super::outputs::Outputs;
use crate::{
    args::RecoverArgs,
    context::Context,
    exit::{Failure, Status, recover_advice},
    inputs::schema_of,
    names::{InputArg, second_file_at},
    output::{
        Output,
        destination::{Destination, OutputRule},
    },
    terminal::watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &RecoverArgs) -> Result<Status, Failure> {
    let rule = OutputRule {
        inputs: &args.paths.inputs,
        schema: args.schema.as_deref(),
        is_output_named: args.paths.is_output_named,
        // Other tools may find more in a damaged input.
        replaces_input: false,
    };
    let outputs = Outputs::try_new(rule, &args.paths.output, args.to)?;
    let options = RecoverOptions {
        keeps_dictionaries: args.keep_dictionaries,
        schema: args.schema.as_deref().map(|path| schema_of(context, path)).transpose()?,
        ..RecoverOptions::new(outputs.container())
    };
    outputs.each(context, |input, output| one(context, args, input, output, &options))
}

fn one(
    context: &Context,
    args: &RecoverArgs,
    input: &InputArg,
    output: &Destination,
    options: &RecoverOptions,
) -> Result<Status, Failure> {
    // The output is created after a schema has been found.
    let (bytes, damage) = input.open_damaged(context)?;
    let damaged = DamagedInput::open(bytes, options).map_err(|error| match damage.found() {
        Some(damage) => ToolError::new(input, ToolErrorKind::Read(damage)).into(),
        None => input_failure(args, error),
    })?;
    let file = Output::create(output)?;
    let written = damaged.write_to(file, &mut Watcher::new(context));
    let (file, report) = written.map_err(|error| Failure::from_output(output, error, recover_advice))?;
    file.keep(output)?;
    let damage = damage.found();
    if let Some(damage) = &damage {
        context.note(&format!("{input}: {damage}: what follows is lost"));
    }
    if let Some(position) = input.path().and_then(second_file_at) {
        context.note(&format!("{input}: a second file begins at byte {position}"));
    }
    report.losses.iter().for_each(|loss| context.note(&format!("{input}: {loss}")));
    let batches = Counted(report.n_batches, "batch");
    let rows = Counted(report.n_rows, "row");
    context.note(&format!("{input}: recovered {batches} with {rows}{}", listed(&report)));
    match report.advice {
        Some(RecoverAdvice::KeepDictionaries) => context.hint(
            "--keep-dictionaries also copies the batches whose dictionary may have been in the damaged bytes: they are right if no \
             dictionary was replaced there",
        ),
        Some(RecoverAdvice::Schema) => context.hint(SCHEMA_ADVICE),
        Some(_) | None => {}
    }
    Ok(if report.losses.is_empty() && damage.is_none() { Status::Fine } else { Status::DataLost })
}

/// A note about the numbers of batches and rows in the footer. Empty if all batches were recovered.
fn listed(report: &RecoverReport) -> String {
    let Some(n_batches) = report.n_listed_batches.filter(|n_batches| *n_batches != report.n_batches) else {
        return String::new();
    };
    let batches = Counted(n_batches, "batch");
    let rows = report.n_listed_rows.map(|n_rows| format!(" with {}", Counted(n_rows, "row")));
    format!("; the footer lists {batches}{}", rows.unwrap_or_default())
}

/// The failure for an input. If it has no readable schema, or one that fits no batch, the hint is `--schema`.
fn input_failure(args: &RecoverArgs, error: ToolError) -> Failure {
    match error.kind() {
        ToolErrorKind::Input(cause)
            if args.schema.is_none()
                && matches!(cause.class(), ErrorClass::Malformed | ErrorClass::Truncated) =>
        {
            Failure::Advised { error, advice: SCHEMA_ADVICE.into() }
        }
        _ => error.into(),
    }
}

const SCHEMA_ADVICE: &str =
    "--schema FILE takes the schema from a file or stream of the same columns, or from what `schema` prints";
