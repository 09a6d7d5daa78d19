//! `diff`: compares the schema, metadata and rows of two inputs.

use std::{
    fmt::Write as _,
    io::{self, Seek, Write},
    ops::ControlFlow,
};

use arrow_compute::CastErrorKind;
use arrow_ipc_report::{DiffSummaryText, DifferenceText, JsonLine, JsonObject, quoted};
use arrow_ipc_tools::{
    DiffOptions, DiffSink, Difference, Note, Observer, Progress, RowQuery, RowWindow, ToolError,
    ToolErrorKind,
    diff::{Comparison, DiffSummary},
};
use arrow_schema::{Field, QuotedName, Schema};
use arrow_text::format::Escaped;
use tempfile::SpooledTempFile;

use crate::{
    args::{DiffArgs, NumberRange},
    context::Context,
    exit::{Failure, Status, is_closed_pipe},
    inputs::{check_stdin, import::check_use, text_rows::open_rows},
    output::{buffered_stdout, not_written},
    terminal::{color::TextRole, watcher::Watcher},
};

/// Runs `diff`. The exit status tells whether the inputs are equal; failures have other statuses.
pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<Status, Failure> {
    check_stdin([&args.a, &args.b])?;
    Ok(match compare(context, args) {
        Ok(Some(true)) => Status::Fine,
        Ok(Some(false)) => Status::No,
        Ok(None) => Status::NoAnswer,
        Err(failure) => match failure.report(context) {
            Status::No => Status::NoAnswer,
            status => status,
        },
    })
}

/// Whether the inputs are equal; `None` if that is not known.
fn compare(context: &Context, args: &DiffArgs) -> Result<Option<bool>, Failure> {
    let text = args.text.options(2);
    check_use(context, [&args.a, &args.b], &text)?;
    let options = DiffOptions {
        query: args.condition.query(args.names()),
        rows: args.rows.as_ref().map_or(RowWindow::ALL, NumberRange::window),
        key: args.key.as_ref().map(|key| key.0.clone()),
        ignores_metadata: args.ignore_metadata,
        tolerance: args.tolerance,
        max_rows: args.limit,
        counts_all: args.count,
    };
    let read = args.cast.add_to(RowQuery::new(), &[args.a.clone(), args.b.clone()])?;
    let comparison = Comparison::open(open_rows(context, &args.a, &text, &read)?, &options)?;
    let mut lines = DiffLines::new(
        context,
        if args.quiet {
            LineForm::Nothing
        } else if args.json {
            LineForm::Json
        } else {
            LineForm::Text
        },
    );
    lines.has_condition = args.condition.is_given();
    lines.key = likely_key(comparison.schema());
    let compared = comparison.against(open_rows(context, &args.b, &text, &read)?, &mut lines);
    let written = lines.finish(compared.as_ref().ok());
    match compared {
        // A failure of the output stops the comparison, and is reported below.
        Err(error) if !matches!(error.kind(), ToolErrorKind::Stopped) => Err(failure_of_values(error)),
        compared => {
            match written {
                // If the reader has closed the output, the exit status still has the result.
                Err(error) if !is_closed_pipe(&error) => Err(not_written(error)),
                _ => Ok(compared?.is_same),
            }
        }
    }
}

/// Changes the hint for a value that the other side cannot have. No option rounds it.
fn failure_of_values(error: ToolError) -> Failure {
    let ToolErrorKind::Cast { column, error: cast, .. } = error.kind() else { return error.into() };
    let CastErrorKind::LostDigits { .. } = cast.kind() else { return error.into() };
    let column = quoted(&QuotedName(column).to_string());
    let advice =
        format!("no value of the other input is equal to it; --exclude {column} compares the other columns");
    Failure::Advised { error, advice: advice.into() }
}

/// Guesses by the names of columns which one identifies rows.
fn likely_key(schema: &Schema) -> String {
    // Other names need quotes, so they are not suggested.
    let is_plain = |name: &&str| name.chars().all(|char| char.is_alphanumeric() || char == '_');
    let names = || schema.fields().iter().map(Field::name).filter(is_plain);
    let is_id = |name: &&str| ["id", "key", "uuid"].iter().any(|id| name.eq_ignore_ascii_case(id));
    let ends_so = |name: &&str| ["_id", "Id", "ID", "_key", "Key"].iter().any(|end| name.ends_with(end));
    let name = names().find(is_id).or_else(|| names().find(ends_so));
    name.unwrap_or("COLUMN").to_owned()
}

/// Writes a summary to standard output, and then each difference as a line. Stores the differences first, because
/// the comparison returns its summary last.
struct DiffLines {
    form: LineForm,
    spooled: SpooledTempFile,
    /// The first error of storing a difference. It ends the comparison.
    written: io::Result<()>,
    /// Whether a condition selects rows.
    has_condition: bool,
    /// The column that a hint suggests as `--key`.
    key: String,
    watcher: Watcher,
    context: Context,
}

/// How differences are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineForm {
    /// Writes nothing. The comparison ends at the first difference.
    Nothing,
    Text,
    Json,
}

/// The maximal number of bytes of differences in memory. More differences are stored in a temporary file.
const MAX_MEMORY_BYTES: usize = 4 << 20;

impl DiffLines {
    fn new(context: &Context, form: LineForm) -> DiffLines {
        let spooled = SpooledTempFile::new(MAX_MEMORY_BYTES);
        DiffLines {
            form,
            spooled,
            written: Ok(()),
            has_condition: false,
            key: String::new(),
            watcher: Watcher::new(context),
            context: context.clone(),
        }
    }

    /// Writes the summary, if the comparison has a result, and the differences.
    ///
    /// # Errors
    /// If a line could not be written.
    fn finish(self, summary: Option<&DiffSummary>) -> io::Result<()> {
        let DiffLines { form, mut spooled, written, has_condition, key, watcher, context } = self;
        drop(watcher);
        written?;
        let mut out = buffered_stdout();
        if form != LineForm::Nothing
            && let Some(summary) = summary.filter(|summary| summary.is_same.is_some())
        {
            let all_differ = summary.n_rows >= 100 && summary.n_different == summary.n_rows;
            if summary.n_different > 0 && (summary.more_rows.is_some() || all_differ) && !summary.is_by_key {
                context.note(&format!(
                    "rows were compared in their order; --key {key} pairs rows by their values"
                ));
            }
            if has_condition && summary.n_rows == 0 && summary.n_only == [0; 2] && summary.more_rows.is_none()
            {
                context.note("no row of either input satisfies --where");
            }
            match form {
                LineForm::Nothing => {}
                LineForm::Text => writeln!(out, "{}", colored_summary(&context, summary))?,
                LineForm::Json => writeln!(out, "{}", JsonLine(JsonObject(summary)))?,
            }
        }
        spooled.rewind()?;
        io::copy(&mut spooled, &mut out)?;
        out.flush()
    }
}

impl Observer for DiffLines {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.watcher.progress(progress)
    }

    fn note(&mut self, note: &Note) {
        self.watcher.note(note);
    }
}

impl DiffSink for DiffLines {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        let hint = match difference {
            _ if self.form == LineForm::Nothing => return ControlFlow::Break(()),
            // The summary has the same numbers.
            Difference::Rows { .. } | Difference::MoreRows { .. } | Difference::OnlyRows { .. } => {
                return ControlFlow::Continue(());
            }
            _ if self.form == LineForm::Json => {
                self.written = writeln!(self.spooled, "{}", JsonLine(JsonObject(&difference)));
                return if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            }
            Difference::OneMoreRow { .. } => "; --limit shows more, --count counts them",
            _ => "",
        };
        // Names and values are already escaped. This escapes control characters elsewhere in the line.
        let line = Escaped(&DifferenceText(&difference).to_string()).to_string();
        self.written = writeln!(self.spooled, "{}{hint}", colored_difference(&self.context, &line));
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The summary on one line. Its first word has a colour.
fn colored_summary(context: &Context, summary: &DiffSummary) -> String {
    let line = Escaped(&DiffSummaryText(summary).to_string()).to_string();
    let look = if summary.is_same != Some(false) { TextRole::OnlyB } else { TextRole::OnlyA };
    match line.split_once(':') {
        Some((word, rest)) => format!("{}:{rest}", context.on_stdout(look, word)),
        None => line,
    }
}

/// Colours a line like `PLACE: … in A, … in B`, or `PLACE: …, only in A`. Other lines are unchanged. Names and values
/// that contain these words get wrong colours.
fn colored_difference(context: &Context, line: &str) -> String {
    let Some((location, rest)) = line.split_once(": ") else { return line.to_owned() };
    let mut painted = format!("{}: ", context.on_stdout(TextRole::Title, location));
    let pieces = rest.split_once(" in A, ").and_then(|(a, rest)| Some((a, rest.rsplit_once(" in B")?)));
    // Writing to a `String` cannot fail.
    let _ = match pieces {
        Some((a, (b, rest))) => {
            write!(
                painted,
                "{} in A, {} in B{rest}",
                context.on_stdout(TextRole::OnlyA, a),
                context.on_stdout(TextRole::OnlyB, b)
            )
        }
        None if rest.ends_with(", only in A") => {
            write!(painted, "{}", context.on_stdout(TextRole::OnlyA, rest))
        }
        None if rest.ends_with(", only in B") => {
            write!(painted, "{}", context.on_stdout(TextRole::OnlyB, rest))
        }
        None => write!(painted, "{rest}"),
    };
    painted
}
