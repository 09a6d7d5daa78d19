//! The parts of the page that are HTML without a script: the bytes of each column, the findings with their commands, and the
//! first rows. Text from the input is escaped.

use std::fmt::{self, Write as _};

use arrow_ipc_tools::InputName;
use arrow_text::format::{Counted, Escaped, Grouped};

use super::rows::{FirstRows, limited, limited_to};
use crate::{
    explain::Explanation,
    explanation_text::{
        CostPart, NOTHING_ODD, cost_lines, finding_text, missing_bytes, other_columns, remedy_line,
        shown_name,
    },
    shell::shell_argument,
};

/// Writes text from outside as HTML: no character can begin a tag, end an attribute, or control how text is shown.
struct Html<'a>(&'a str);

impl fmt::Display for Html<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaped(self.0).to_string().chars().try_for_each(|char| match char {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            char => f.write_char(char),
        })
    }
}

/// The bytes of the columns, the longest first, and of all else.
pub(super) fn columns(explanation: &Explanation) -> String {
    const MAX_COLUMNS: usize = 20;
    let lines = cost_lines(explanation, MAX_COLUMNS);
    if lines.is_empty() {
        return String::new();
    }
    let mut html = String::from("<h2>Bytes by column</h2>\n<div class=\"wide\"><table class=\"plain\">\n");
    for line in &lines {
        // A bar of 0 to 1000.
        let share = u128::from(line.n_bytes).saturating_mul(1000) / u128::from(line.n_all_bytes.max(1));
        let row = format_args!(
            "<td class=\"number\">{}</td><td class=\"number\">{}</td><td><svg class=\"share\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"{}\" height=\"8\"/></svg></td>",
            line.share(),
            Grouped(line.n_bytes),
            share.min(1000)
        );
        let _ = write!(html, "<tr>{row}");
        let _ = match line.part {
            CostPart::Column(cost, n_decompressed_bytes) => {
                let from = n_decompressed_bytes.map(|n_bytes| format!(", from {}", Grouped(n_bytes)));
                write!(
                    html,
                    "<td><b>{}</b></td><td class=\"quiet\">{}{}</td>",
                    Html(&limited(shown_name(cost))),
                    Html(&limited(&cost.data_type)),
                    from.unwrap_or_default()
                )
            }
            CostPart::OtherColumns(n) => {
                write!(
                    html,
                    "<td>{} {}</td><td class=\"quiet\">see Fields below</td>",
                    Grouped(n),
                    other_columns(n)
                )
            }
            CostPart::Rest(what) => write!(html, "<td>{what}</td><td></td>"),
        };
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
    if let Some(missing) = missing_bytes(explanation) {
        let _ = writeln!(html, "<p class=\"remark bad\">{missing}</p>");
    }
    html
}

/// The greatest length of a finding, and of a command. Both may have names of columns.
const MAX_CHARS: usize = 2_000;

/// What is odd, and the commands that mend it.
pub(super) fn findings(explanation: &Explanation, input: &InputName) -> String {
    let mut html = String::from("<h2>What is odd, and what mends it</h2>\n");
    if explanation.findings.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", Html(NOTHING_ODD));
    }
    for finding in &explanation.findings {
        let text = limited_to(MAX_CHARS, finding_text(&finding.kind));
        let _ = writeln!(html, "<p class=\"remark\">{}", Html(&text));
        let line = finding.remedy.as_ref().map(|remedy| remedy_line(remedy, input, explanation.container));
        match line {
            // Half a command is of no use.
            Some(line) if line.len() > MAX_CHARS => html.push_str("`arrow-ipc explain` shows a command.\n"),
            Some(line) => {
                let _ = writeln!(html, "<code class=\"command\">{}</code>", Html(&line));
            }
            None => {}
        }
        html.push_str("</p>\n");
    }
    html
}

/// The first rows, or why there are none.
pub(super) fn first_rows(rows: &Result<FirstRows, String>, n_rows: u64, input: &InputName) -> String {
    let mut html = String::from("<h2>First rows</h2>\n");
    let rows = match rows {
        Ok(rows) => rows,
        Err(why) => {
            let _ = writeln!(html, "<p class=\"remark\">{}</p>", Html(&limited(why)));
            return html;
        }
    };
    html.push_str("<div class=\"wide\"><table class=\"plain\">\n<tr><th>row</th>");
    for [name, data_type] in &rows.columns {
        let name = if name.is_empty() { "\"\"" } else { name };
        let _ = write!(html, "<th>{}<br><span class=\"quiet\">{}</span></th>", Html(name), Html(data_type));
    }
    html.push_str("</tr>\n");
    for (number, row) in rows.rows.iter().enumerate() {
        let _ = write!(html, "<tr><td class=\"number quiet\">{number}</td>");
        for value in row {
            let class = if value == "null" { " class=\"quiet\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", Html(value));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
    let mut left_out = Vec::new();
    let n_more_rows = n_rows.saturating_sub(rows.n_rows() as u64);
    if n_more_rows > 0 {
        left_out.push(Counted(n_more_rows, "row").to_string());
    }
    let n_more_columns = rows.n_columns().saturating_sub(rows.columns.len());
    if n_more_columns > 0 {
        left_out.push(Counted(n_more_columns as u64, "column").to_string());
    }
    if !left_out.is_empty() {
        let file = shell_argument(input);
        let _ = writeln!(
            html,
            "<p class=\"quiet\">Left out: {}. <code>{}</code> shows rows.</p>",
            left_out.join(" and "),
            Html(&format!("arrow-ipc cat {file}"))
        );
    }
    html
}

/// What the map of bytes does not show one by one.
pub(super) fn joined(n_messages: [u64; 2], n_buffers: [u64; 2]) -> String {
    let of = |[n_shown, n_all]: [u64; 2], what| {
        (n_shown < n_all).then(|| format!("{} in {} pieces", Counted(n_all, what), Grouped(n_shown)))
    };
    let texts: Vec<String> =
        [of(n_messages, "message"), of(n_buffers, "buffer")].into_iter().flatten().collect();
    if texts.is_empty() {
        return String::new();
    }
    format!("<p class=\"quiet\">Neighbours are drawn together: {}.</p>", texts.join(", "))
}
