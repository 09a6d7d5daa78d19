//! Shows rows as a table like that of the program, and as HTML for notebooks. Both have a limited length.

use std::fmt::{self, Write as _};

use arrow_array::ColumnText;
use arrow_data::Table;
use arrow_ipc_report::CELL_STYLE;
use arrow_schema::{Field, HiddenChars};
use arrow_text::format::Counted;
use arrow_text::{BatchTable, TableOptions};

/// The maximal number of rows that are shown.
const MAX_ROWS: usize = 10;
/// The maximal number of columns that are shown. Fewer if they are too wide.
const MAX_COLUMNS: usize = 30;
/// The maximal length of a line, in characters.
const MAX_WIDTH: usize = 100;
/// The maximal length of a name, type or value in HTML, in characters.
const MAX_CELL: usize = 100;

/// The text as a literal of Python, in double quotes. Characters that cannot be seen become escapes.
pub(crate) fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    let mut hidden = HiddenChars::new();
    for char in text.chars() {
        // Rust's own escapes, such as `\u{378}` for a character that is not assigned, are no escapes of Python. After a
        // letter, an accent is printed.
        let is_escaped = || format!("a{char}").escape_debug().any(|char| char == '\\');
        let is_printed = !hidden.is_next(char) && (char.is_ascii() || !is_escaped());
        let code = u32::from(char);
        match char {
            '"' | '\\' => literal.extend(['\\', char]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            _ if is_printed => literal.push(char),
            _ if code <= 0xff => literal.push_str(&format!("\\x{code:02x}")),
            _ if code <= 0xffff => literal.push_str(&format!("\\u{code:04x}")),
            _ => literal.push_str(&format!("\\U{code:08x}")),
        }
    }
    literal.push('"');
    literal
}

/// The first rows as a table. If they are invalid, the text of the error.
pub(crate) fn table(table: &Table) -> String {
    let options = TableOptions::new()
        .with_text_style(CELL_STYLE)
        .with_max_rows(MAX_ROWS)
        .with_max_columns(MAX_COLUMNS)
        .with_max_width(MAX_WIDTH);
    match BatchTable::try_from_table_with(table, options) {
        Ok(table) => table.to_string().trim_end().to_owned(),
        Err(error) => format!("its values are not valid: {error}"),
    }
}

/// Writes names and types, one field per line.
pub(crate) fn fields(fields: &[Field]) -> String {
    let mut text = String::new();
    for field in fields.iter().take(MAX_COLUMNS) {
        let mut line =
            Cell { text: &mut text, n_left: MAX_WIDTH, is_html: false, hidden: HiddenChars::new() };
        let _full = write!(line, "{field}");
        text.push('\n');
    }
    match fields.len().saturating_sub(MAX_COLUMNS) {
        0 => text.trim_end().to_owned(),
        n_more => format!("{text}… {n_more} more"),
    }
}

/// The first rows as an HTML table.
pub(crate) fn html(table: &Table) -> String {
    let mut text = String::from("<table><thead><tr>");
    let fields = || table.schema().fields().iter().take(MAX_COLUMNS);
    for field in fields() {
        text.push_str(&format!("<th style=\"text-align:{}\">", side(field)));
        cell(&mut text, |out| out.write_str(field.name()));
        text.push_str("<br><small>");
        cell(&mut text, |out| write!(out, "{}", field.data_type()));
        text.push_str("</small></th>");
    }
    text.push_str("</tr></thead><tbody>");
    for shown in &table.slice(0, table.n_rows().min(MAX_ROWS)) {
        let columns: Result<Vec<_>, _> = fields()
            .zip(shown.columns())
            .map(|(field, column)| ColumnText::try_with_field(column, field, CELL_STYLE))
            .collect();
        match columns {
            Ok(columns) => (0..shown.n_rows()).for_each(|row| {
                text.push_str("<tr>");
                for ((field, data), column) in fields().zip(shown.columns()).zip(&columns) {
                    text.push_str(&format!("<td style=\"text-align:{}\">", side(field)));
                    // Italics distinguish a null from the text `null`.
                    let (start, end) = if data.is_valid(row) { ("", "") } else { ("<i>", "</i>") };
                    text.push_str(start);
                    cell(&mut text, |out| column.write(row, out));
                    text.push_str(end);
                    text.push_str("</td>");
                }
                text.push_str("</tr>");
            }),
            Err(error) => {
                text.push_str("<tr><td>");
                cell(&mut text, |out| write!(out, "its values are not valid: {error}"));
                text.push_str("</td></tr>");
            }
        }
    }
    let counted = |n: usize, most: usize, what: &'static str| match n {
        n if n > most => format!("the first {most} of {n} {what}s"),
        n => Counted(n as u64, what).to_string(),
    };
    let rows = counted(table.n_rows(), MAX_ROWS, "row");
    let columns = counted(table.n_columns(), MAX_COLUMNS, "column");
    text.push_str(&format!("</tbody></table><p>{rows}, {columns}</p>"));
    text
}

/// The names and types of fields as an HTML table, with a title below.
pub(crate) fn html_of_fields(title: &str, fields: &[Field]) -> String {
    let mut text = String::from("<table><thead><tr><th>column</th><th>type</th></tr></thead><tbody>");
    for field in fields.iter().take(MAX_COLUMNS) {
        text.push_str("<tr><td style=\"text-align:left\">");
        cell(&mut text, |out| out.write_str(field.name()));
        text.push_str("</td><td style=\"text-align:left\">");
        let end = if field.is_nullable() { "" } else { " not null" };
        cell(&mut text, |out| write!(out, "{}{end}", field.data_type()));
        text.push_str("</td></tr>");
    }
    let columns = match fields.len() {
        n if n > MAX_COLUMNS => format!("the first {MAX_COLUMNS} of {n} columns"),
        n => Counted(n as u64, "column").to_string(),
    };
    text.push_str("</tbody></table><p>");
    cell(&mut text, |out| out.write_str(title));
    text.push_str(&format!(", {columns}</p>"));
    text
}

/// How a column is aligned. Numbers are aligned to the right, so that their last digits are below each other.
fn side(field: &Field) -> &'static str {
    if field.data_type().is_numeric() { "right" } else { "left" }
}

fn cell(text: &mut String, write: impl FnOnce(&mut Cell<'_>) -> fmt::Result) {
    let _full = write(&mut Cell { text, n_left: MAX_CELL, is_html: true, hidden: HiddenChars::new() });
}

/// Writes text of limited length. Escapes characters that can control a terminal or a browser.
struct Cell<'a> {
    text: &'a mut String,
    n_left: usize,
    is_html: bool,
    hidden: HiddenChars,
}

impl fmt::Write for Cell<'_> {
    /// # Errors
    /// If the text has its maximal length. The error stops the formatting.
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        for char in piece.chars() {
            if self.n_left == 0 {
                self.text.push('…');
                return Err(fmt::Error);
            }
            self.n_left -= 1;
            match char {
                '<' if self.is_html => self.text.push_str("&lt;"),
                '>' if self.is_html => self.text.push_str("&gt;"),
                '&' if self.is_html => self.text.push_str("&amp;"),
                '"' if self.is_html => self.text.push_str("&quot;"),
                '\'' if self.is_html => self.text.push_str("&#39;"),
                char if self.hidden.is_next(char) => self.text.extend(char.escape_default()),
                char => self.text.push(char),
            }
        }
        Ok(())
    }
}
