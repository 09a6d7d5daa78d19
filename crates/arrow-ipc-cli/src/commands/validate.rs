//! `validate`: checks whole files and streams.

use std::{convert::Infallible, num::NonZeroUsize, ops::ControlFlow};

use arrow_ipc::Validation;
use arrow_ipc_report::{JsonLine, NoteText, portability_note};
use arrow_ipc_tools::{
    InputSet, Note, Observer, Progress, RowQuery, ToolError, ValidateOptions, ValidateReport,
};
use arrow_text::format::{Counted, Escaped};
use arrow_threads::{ResultSink, in_order};
use serde_json::{Value, json};

use crate::{
    args::ValidateArgs,
    context::Context,
    exit::{Failure, Status},
    inputs::check_stdin,
    names::InputArg,
    output::print,
    terminal::{progress::ProgressDisplay, watcher::Watcher},
};

/// Runs `validate`. If an input is invalid, continues with the next one. Returns the worst status.
pub(crate) fn run(context: &Context, args: &ValidateArgs) -> Result<Status, Failure> {
    check_stdin(&args.files)?;
    let columns = args.columns.iter().map(|columns| columns.0.clone());
    let together = args.cast.add_to(columns.fold(RowQuery::new(), RowQuery::with_columns), &args.files)?;
    // If there are more threads than files, several threads check each file.
    let n_threads = args.threads.n();
    let files: Vec<_> = args.files.iter().flat_map(InputArg::files).collect();
    let n_of_files = files.len().clamp(1, n_threads.get());
    let n_of_batches = NonZeroUsize::new(n_threads.get() / n_of_files).unwrap_or(NonZeroUsize::MIN);
    let options = ValidateOptions {
        columns: args.columns.as_ref().map(|columns| columns.0.clone()),
        validation: if args.strict { Validation::Strict } else { Validation::Content },
        requires_end: args.require_end,
        n_threads: n_of_batches,
    };
    let mut report = ValidationReport { context, args, together, worst: Status::Fine, unread: None };
    if n_of_files == 1 {
        for name in files {
            let checked = check(context, &name, &options, Some(Watcher::new(context)));
            report.take(&name, checked);
        }
        report.take_sets();
        return Ok(report.ended());
    }
    let bar = ProgressDisplay::new(context, None, Some(files.len() as u64));
    let mut n_done = 0;
    let Ok(()) = in_order(
        n_of_files,
        0,
        files.into_iter(),
        |name, give: ResultSink<'_, _>| {
            let checked = check(context, &name, &options, None);
            _ = give((name, checked));
        },
        |(name, checked)| {
            n_done += 1;
            bar.set(n_done);
            bar.aside(|| report.take(&name, checked));
            Ok::<(), Infallible>(())
        },
    );
    report.take_sets();
    Ok(report.ended())
}

/// The result of checking an input.
struct CheckedInput {
    result: Result<ValidateReport, ToolError>,
    notes: Vec<String>,
}

fn check(
    context: &Context,
    name: &InputArg,
    options: &ValidateOptions,
    watcher: Option<Watcher>,
) -> CheckedInput {
    let mut listener = Listener { watcher, notes: Vec::new() };
    let result =
        name.open(context).and_then(|input| arrow_ipc_tools::validate(input, options, &mut listener));
    CheckedInput { result, notes: listener.notes }
}

/// Collects the notes of an input until the previous inputs have been reported.
struct Listener {
    watcher: Option<Watcher>,
    notes: Vec<String>,
}

impl Observer for Listener {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.watcher.as_mut().map_or(ControlFlow::Continue(()), |watcher| watcher.progress(progress))
    }

    fn note(&mut self, note: &Note) {
        self.notes.push(NoteText(note).to_string());
    }
}

/// Reports the results, in the order of the inputs.
struct ValidationReport<'a> {
    context: &'a Context,
    args: &'a ValidateArgs,
    /// The columns that are read together from the files of each data set.
    together: RowQuery,
    worst: Status,
    /// The failure of standard output. After it, no results are written, but all inputs are still checked for the
    /// exit status.
    unread: Option<Failure>,
}

impl ValidationReport<'_> {
    fn ended(self) -> Status {
        self.unread.map_or(Status::Fine, |failure| failure.report(self.context)).max(self.worst)
    }

    /// Checks that the files of each data set can be read together, if all of them are valid. A pass over their footers
    /// shows that.
    fn take_sets(&mut self) {
        if self.worst != Status::Fine {
            return;
        }
        let args = self.args;
        let limits = self.context.limits();
        for name in &args.files {
            if let Some(Err(error)) =
                name.path().and_then(|path| InputSet::check(path, &self.together, &limits))
            {
                self.take(name, CheckedInput { result: Err(error), notes: Vec::new() });
            }
        }
    }

    fn take(&mut self, name: &InputArg, checked: CheckedInput) {
        let CheckedInput { result, notes } = checked;
        notes.iter().for_each(|text| self.context.note(text));
        let (status, line) = match result {
            Ok(found) => (Status::Fine, self.line_of_valid(name, &found, &notes)),
            Err(error) => {
                let position = error.position();
                let failure = Failure::from(error);
                let status = failure.report(self.context);
                let line = self.args.json.then(|| {
                    // If an input cannot be read or is unsupported, it may be valid or not.
                    let valid = if status == Status::No { Value::Bool(false) } else { Value::Null };
                    let error = json!({ "message": failure.to_string(), "position": position });
                    let input = name.to_string();
                    let value = json!({ "input": input, "valid": valid, "error": error, "notes": notes });
                    JsonLine(&value).to_string()
                });
                (status, line)
            }
        };
        self.worst = self.worst.max(status);
        if let (Some(line), None) = (line, &self.unread) {
            self.unread = print(format_args!("{line}\n")).err();
        }
    }

    fn line_of_valid(&self, name: &InputArg, found: &ValidateReport, notes: &[String]) -> Option<String> {
        let ValidateReport { n_rows, n_batches, n_tensors, portability, .. } = found;
        let n_rows = *n_rows;
        let n_batches = *n_batches;
        let n_tensors = *n_tensors;
        let portability: Vec<String> = portability.iter().map(portability_note).collect();
        if self.args.json {
            let value = json!({
                "input": name.to_string(), "valid": true, "n_rows": n_rows, "n_batches": n_batches,
                "n_tensors": n_tensors, "portability": portability, "notes": notes
            });
            return Some(JsonLine(&value).to_string());
        }
        if !self.args.verbose {
            return None;
        }
        let rows = (n_batches > 0 || n_tensors == 0)
            .then(|| format!("{} in {}", Counted(n_rows, "row"), Counted(n_batches, "batch")));
        let tensors = (n_tensors > 0).then(|| Counted(n_tensors, "tensor").to_string());
        let parts: Vec<String> = rows.into_iter().chain(tensors).collect();
        let line = Escaped(&format!("{name}: ok: {}", parts.join(", "))).to_string();
        Some(portability.iter().fold(line, |lines, note| format!("{lines}\n  {}", Escaped(note))))
    }
}
