//! `count`: counts the rows of each input, and adds them up.

use arrow_ipc::{ErrorClass, IpcError};
use arrow_ipc_report::{JsonLine, explain, incomplete};
use arrow_ipc_tools::{ColumnNames, RowQuery, ToolError, count::RowCount, count_rows};
use arrow_text::format::{Counted, Escaped};
use serde_json::{Number, Value, json};

use crate::{
    args::CountArgs,
    context::Context,
    exit::{Failure, Status, note_remarks},
    inputs::{each, import::check_use, text_rows::open_rows},
    names::InputArg,
    output::print,
    terminal::watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &CountArgs) -> Result<Status, Failure> {
    let text = args.text.options(args.files.len());
    check_use(context, &args.files, &text)?;
    let text = if args.condition.is_given() { text } else { text.for_counting() };
    // Counting reads only the columns of the condition.
    let set_query = args.cast.add_to(args.condition.query(Some(ColumnNames::default())), &args.files)?;
    let mut lines = CountLines { is_json: args.json, is_one: args.files.len() == 1, n_rows: 0, n_batches: 0 };
    let status = each(context, &args.files, |name| {
        if let Some(set) = name.open_set(context, &set_query) {
            let count = set?.count(&mut Watcher::new(context))?;
            lines.input(&name.to_string(), count.n_rows, count.n_batches)?;
            return Ok(note_remarks(context, &name.into(), "counted", &count.remarks));
        }
        let input = open_rows(context, name, &text, &RowQuery::new())?;
        let mut watcher = Watcher::new(context);
        let count = if args.condition.is_given() {
            RowCount::matching(input, args.condition.query(None), &mut watcher)
        } else {
            count_rows(input, &mut watcher)
        };
        let count = match count {
            Err(error) if is_damage(&error) => return Ok(note_complete(context, name, error)),
            count => count?,
        };
        lines.input(&name.to_string(), count.n_rows, count.n_batches)?;
        Ok(note_remarks(context, &name.into(), "counted", &count.remarks))
    })?;
    Ok(match lines.finish() {
        Ok(()) => status,
        Err(failure) => failure.report(context).max(status),
    })
}

/// Whether an error means that the input is damaged. A damaged file may still have complete rows.
fn is_damage(error: &ToolError) -> bool {
    let class = error.ipc_error().map(IpcError::class);
    matches!(class, Some(ErrorClass::Truncated | ErrorClass::Malformed))
}

/// Reports the damage of an input. For a file, also reports the number of complete rows, as `explain` does.
fn note_complete(context: &Context, name: &InputArg, error: ToolError) -> Status {
    let status = Failure::from(error).report(context);
    let reopened = name.is_file().then(|| name.open(context)).and_then(Result::ok);
    if let Some(Ok((it, _))) = reopened.map(|input| explain(input, None, &mut ())) {
        let rows = Counted(it.n_rows, "row");
        let batches = Counted(it.n_batches, "complete batch");
        let others = incomplete(it.n_truncated_batches, it.n_unreadable_batches);
        context.note(&format!("{name}: {rows} in {batches}{others}"));
    }
    status
}

/// Writes the lines of `count`, and adds up the counts.
struct CountLines {
    is_json: bool,
    is_one: bool,
    n_rows: u128,
    n_batches: u128,
}

impl CountLines {
    fn input(&mut self, name: &str, n_rows: u64, n_batches: u64) -> Result<(), Failure> {
        self.n_rows = self.n_rows.saturating_add(n_rows.into());
        self.n_batches = self.n_batches.saturating_add(n_batches.into());
        if self.is_one && !self.is_json {
            return print(format_args!("{n_rows}\n"));
        }
        self.line(Some(name), n_rows.into(), n_batches.into())
    }

    /// Writes the line with the sum, unless there is only one input.
    fn finish(&self) -> Result<(), Failure> {
        if self.is_one { Ok(()) } else { self.line(None, self.n_rows, self.n_batches) }
    }

    fn line(&self, name: Option<&str>, n_rows: u128, n_batches: u128) -> Result<(), Failure> {
        if self.is_json {
            // A number that is too large for JSON is written as null.
            let number = |number| Number::from_u128(number).map_or(Value::Null, Value::Number);
            let value = json!({ "input": name, "n_rows": number(n_rows), "n_batches": number(n_batches) });
            print(format_args!("{}\n", JsonLine(value)))
        } else {
            print(format_args!("{n_rows:>12}  {}\n", Escaped(name.unwrap_or("total"))))
        }
    }
}
