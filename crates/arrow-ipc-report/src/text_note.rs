//! Sentences about the detected form of a text.

use arrow_ipc_tools::{ForeignFormat, import::TextNote};
use arrow_text::DateOrder;

use crate::shell::quoted;

/// A sentence about a decision, with the option of the program that changes it.
pub fn text_note(note: &TextNote) -> String {
    let delimiter_text = |delimiter: u8| match delimiter {
        b'\t' => r"'\t'".to_owned(),
        _ => format!("'{}'", char::from(delimiter)),
    };
    match *note {
        TextNote::OtherFormat(ForeignFormat::Json) => {
            "the text looks like JSON: --from jsonl reads it".to_owned()
        }
        TextNote::OtherFormat(ForeignFormat::Csv) => {
            "the text looks like CSV: --from csv reads it".to_owned()
        }
        TextNote::OtherFormat(_) => "the text looks like HTML, not like CSV".to_owned(),
        TextNote::DeclaredDelimiter { delimiter } => {
            format!("line 1 names the delimiter {} and is skipped", delimiter_text(delimiter))
        }
        TextNote::Title { first_line, last_line } => {
            let (lines, them) = if last_line == first_line {
                (format!("line {first_line} is"), "it")
            } else {
                (format!("lines {first_line} to {last_line} are"), "them")
            };
            let n_before = first_line.saturating_sub(1);
            format!("{lines} taken for a title and skipped; --skip {n_before} keeps {them}")
        }
        TextNote::OtherDelimiter { delimiter, other, is_guess } => {
            let found = delimiter_text(delimiter);
            let other = delimiter_text(other);
            if is_guess {
                format!(
                    "cells are separated by {found}, and {other} would do as well: --from-delimiter {other} takes it"
                )
            } else {
                format!(
                    "no line contains {found}, but {other} divides all lines: --from-delimiter {other} takes it"
                )
            }
        }
        TextNote::NoHeader { line } => format!(
            "line {line} is taken for a row, and columns are called c0, c1 and so on; --from-header takes it for names"
        ),
        TextNote::NamesMayBeRow { line } => {
            format!("line {line} is taken for names, and looks like a row; --from-no-header takes it for one")
        }
        TextNote::NamesMayBeTitle { line } => format!(
            "line {line} is taken for names, but has only one name; if it is a title, --skip {line} reads the lines below it"
        ),
        TextNote::NamesMayBeComment { line } => format!(
            "line {line} is taken for names, and begins like a comment; --comment '#' skips such lines"
        ),
        TextNote::Apostrophes => {
            "cells begin and end with ', which is read as text; --quote \"'\" reads it as a quote".to_owned()
        }
        TextNote::EndDelimiters { delimiter } => {
            let delimiter = delimiter_text(delimiter);
            format!("all rows end with {delimiter}, and the empty cell after it is dropped")
        }
        TextNote::Dates(dates) => {
            let column = dates.column.saturating_add(1);
            let order = name_of_order(dates.order);
            let reads = match dates.other {
                Some(other) => {
                    let first = first_of_order(dates.order);
                    let second = first_of_order(other);
                    let other = name_of_order(other);
                    format!(
                        "--dates {order} reads them if the {first} comes first, and --dates {other} if the {second} does"
                    )
                }
                None => format!("--dates {order} reads them"),
            };
            format!("the dates in column {column} are taken for text; {reads}")
        }
        TextNote::UnusedDateOrder(order) => {
            let order = name_of_order(order);
            format!("no cell of the first rows is a date: --dates {order} changes nothing there")
        }
        TextNote::Commas(commas) => {
            let set = |option: &str, mark: char| format!("--{option} {}", quoted(&mark.to_string()));
            let marks = [("decimal", commas.decimal), ("thousands", commas.thousands)].into_iter();
            let options: Vec<String> = marks.filter_map(|(option, mark)| Some(set(option, mark?))).collect();
            let column = commas.column.saturating_add(1);
            let options = options.join(" ");
            let grouped = commas.grouped.map_or_else(String::new, |grouped| {
                let thousands = set("thousands", '.');
                format!(
                    "; column {} is read with decimal points, and {thousands} makes thousands of them",
                    grouped.saturating_add(1)
                )
            });
            format!(
                "the cells in column {column} are not read as numbers; if they are numbers, {options} reads them{grouped}"
            )
        }
    }
}

/// The value of `--dates` for this order.
pub(crate) fn name_of_order(order: DateOrder) -> &'static str {
    match order {
        DateOrder::DayFirst => "dmy",
        DateOrder::MonthFirst => "mdy",
        DateOrder::YearFirst => "ymd",
    }
}

/// What the first number of a date means.
fn first_of_order(order: DateOrder) -> &'static str {
    match order {
        DateOrder::DayFirst => "day",
        DateOrder::MonthFirst => "month",
        DateOrder::YearFirst => "year",
    }
}
