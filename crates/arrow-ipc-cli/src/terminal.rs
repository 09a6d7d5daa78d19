//! The width of the terminal, and escapes for text on it.

pub(crate) mod color;
pub(crate) mod progress;
pub(crate) mod stdout;
pub(crate) mod watcher;

use std::{borrow::Cow, fmt, io::IsTerminal};

use arrow_text::format::Escaped;

/// Formats text like [`Escaped`], except that the characters in the second field, such as line ends, are not escaped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EscapedText<'a>(pub(crate) &'a str, pub(crate) &'static [char]);

impl fmt::Display for EscapedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EscapedText(text, unescaped) = *self;
        text.split_inclusive(unescaped).try_for_each(|piece| {
            let line = piece.strip_suffix(unescaped).unwrap_or(piece);
            fmt::Display::fmt(&Escaped(line), f)?;
            f.write_str(piece.get(line.len()..).unwrap_or_default())
        })
    }
}

pub(crate) fn is_stdout_terminal() -> bool {
    std::io::stdout().is_terminal()
}

pub(crate) fn is_stderr_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// The maximal width of lines on standard output: the width of the terminal, or the value of the environment variable
/// `COLUMNS`. `None` if there is no maximum, for example in a pipe.
pub(crate) fn stdout_width() -> Option<usize> {
    const USUAL_WIDTH: usize = 80;
    let from_terminal = || {
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
        Some(usize::from(width.0)).filter(|width| *width > 0)
    };
    let from_environment = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|width| *width > 0);
    let usual = || is_stdout_terminal().then_some(USUAL_WIDTH);
    from_terminal().or_else(from_environment).or_else(usual)
}

/// Text for standard output. On a terminal, cuts indented lines to the width of the terminal, because metadata may
/// have thousands of characters. `--json` writes all of them.
pub(crate) fn fitting(text: &str) -> Cow<'_, str> {
    match stdout_width() {
        Some(width) if is_stdout_terminal() => cut_indented(text, width),
        _ => text.into(),
    }
}

fn cut_indented(text: &str, width: usize) -> Cow<'_, str> {
    let cut = |line: &str| {
        let mut n_left = width;
        // A character that is not ASCII counts as two columns, because some are that wide.
        let taken = line.char_indices().find_map(|(at, char)| {
            let needed = if char.is_ascii() { 1 } else { 2 };
            match n_left.checked_sub(needed) {
                Some(rest) => {
                    n_left = rest;
                    None
                }
                None => Some(at),
            }
        });
        let end = if line.starts_with(' ') { taken? } else { return None };
        let last = line.get(..end)?.char_indices().next_back().map_or(0, |(at, _)| at);
        Some(format!("{}…", line.get(..last)?))
    };
    if !text.lines().any(|line| cut(line).is_some()) {
        return text.into();
    }
    text.split_inclusive('\n')
        .map(|line| {
            let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
            format!("{}{end}", cut(line).unwrap_or_else(|| line.to_owned()))
        })
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_lines_are_cut_on_a_terminal() {
        let cases = [
            ("id: int64\n  key: value\n", "id: int64\n  key: v…\n"),
            ("a long line\n  short\n", "a long line\n  short\n"),
            ("  ninechar", "  ninech…"),
            ("  éééé\n", "  éé…\n"),
            ("  123456\n", "  123456\n"),
        ];
        for (text, expected) in cases {
            let width = if text.starts_with("  é") { 8 } else { 9 };
            assert_eq!(cut_indented(text, width), expected);
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(EscapedText("a\u{7}\n\nb", &['\n']).to_string(), "a\\u{7}\n\nb");
        assert_eq!(
            EscapedText("a\t\u{1b}é\r\n❤\u{fe0f}", &['\n', '\t']).to_string(),
            "a\t\\u{1b}é\\r\n❤\u{fe0f}"
        );
    }
}
