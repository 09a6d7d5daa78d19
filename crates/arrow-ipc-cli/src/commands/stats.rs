//! `stats`: describes the values in the columns of files and streams.

use std::io::{self, Write};

use arrow_ipc_report::{StatsTable, stats_cells, stats_headline, suggest_dictionaries};
use arrow_ipc_tools::{InputContext, Summary, SummaryOptions, summarize};
use arrow_schema::QuotedName;
use arrow_text::format::Escaped;

use super::schema::json_line;
use crate::{
    args::StatsArgs,
    context::Context,
    exit::{Failure, Status, note_remarks},
    inputs::{each, import::check_use, text_rows::open_rows},
    names::InputArg,
    output::{buffered_stdout, not_written},
    terminal::{color::TextRole, stdout_width, watcher::Watcher},
};

/// Runs `stats`. If an input is invalid, continues with the next one. Returns the worst status.
pub(crate) fn run(context: &Context, args: &StatsArgs) -> Result<Status, Failure> {
    let text = args.text.options(args.files.len());
    check_use(context, &args.files, &text)?;
    let query = args.cast.add_to(args.rows.condition().query(args.names()), &args.files)?;
    let options =
        SummaryOptions { query: query.clone(), rows: args.rows.window(), n_threads: args.threads.n() };
    let mut separator = "";
    each(context, &args.files, |name| {
        let summary =
            summarize(open_rows(context, name, &text, &query)?, &options, &mut Watcher::new(context))?;
        let title = match args.files.len() {
            1 => String::new(),
            _ => format!("{separator}{}:\n", Escaped(&name.to_string())),
        };
        separator = "\n";
        let advice = suggest_dictionaries(&name.into(), &summary, &options);
        let end: String = advice.iter().map(|line| format!("{}\n", Escaped(line))).collect();
        show(context, args, name, [&title, &end], &summary)
    })
}

fn show(
    context: &Context,
    args: &StatsArgs,
    name: &InputArg,
    [title, end]: [&str; 2],
    summary: &Summary,
) -> Result<Status, Failure> {
    let mut out = buffered_stdout();
    let mut left_out = Vec::new();
    let written = if args.json {
        write!(out, "{}", json_line(Some(name), summary))
    } else if args.vertical {
        write!(out, "{title}")
            .and_then(|()| write_vertical(context, summary, &mut out))
            .and_then(|()| write!(out, "{}{end}", stats_headline(summary)))
    } else {
        let table = StatsTable::try_new(summary, stdout_width()).in_input(name)?;
        let StatsTable { header: names, rows, left_out: columns } = table;
        left_out = columns;
        write!(
            out,
            "{title}{}\n{rows}{}{end}",
            context.on_stdout(TextRole::Title, names),
            stats_headline(summary)
        )
    };
    written.and_then(|()| out.flush()).map_err(not_written)?;
    if !left_out.is_empty() {
        let what = if left_out.len() == 1 { "column does" } else { "columns do" };
        let n_omitted = left_out.len();
        let names = left_out.join(", ");
        context.note(&format!(
            "{n_omitted} {what} not fit: {names}; see all in a wider terminal, with --vertical or --json"
        ));
    }
    Ok(note_remarks(context, &name.into(), "described", &summary.remarks))
}

/// Writes the statistics of each column.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_vertical(context: &Context, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    for column in &summary.columns {
        let field = &column.field;
        let title = format!("{}: {}", QuotedName(field.name()), field.data_type());
        writeln!(out, "{}", context.on_stdout(TextRole::Title, Escaped(&title)))?;
        let cells: Vec<_> = stats_cells(summary, column).collect();
        let n_chars = cells.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, text) in cells {
            writeln!(out, "  {name:n_chars$}  {}", Escaped(text.trim_end()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
