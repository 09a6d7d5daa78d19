//! The terminal: its width, and escapes for text that is shown on it.

use std::{
    fmt::{self, Write as _},
    io::IsTerminal,
};

/// Text from outside for standard error: escapes control characters, line ends and characters that change the direction
/// of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

/// The same, but keeps line feeds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EscapedLines<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                char if is_unsafe(char) => write!(f, "\\u{{{:x}}}", u32::from(char))?,
                char => f.write_char(char)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for EscapedLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.0.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => writeln!(f, "{}", Escaped(line))?,
                None => write!(f, "{}", Escaped(line))?,
            }
        }
        Ok(())
    }
}

/// Text of data for a terminal: the same, but keeps line breaks and tabs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EscapedText<'a>(pub(crate) &'a str);

impl fmt::Display for EscapedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|char| match char {
            '\n' | '\t' => f.write_char(char),
            _ => fmt::Display::fmt(&Escaped(char.encode_utf8(&mut [0; 4])), f),
        })
    }
}

/// JSON on its way to a terminal, one value on a line: outside of strings it has no characters that need an escape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EscapedJson<'a>(pub(crate) &'a str);

impl fmt::Display for EscapedJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|char| match char {
            char if char != '\n' && is_unsafe(char) => {
                char.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))
            }
            char => f.write_char(char),
        })
    }
}

/// Whether a character may control a terminal, or change the direction of text.
pub(crate) fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{2028}' | '\u{2029}')
}

/// Whether standard output is a terminal.
pub(crate) fn is_stdout_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether standard error is a terminal.
pub(crate) fn is_stderr_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// The maximum width of lines on standard output: that of the terminal, else that in the environment. `None` is no
/// maximum, as in a pipe.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let cases = [
            ("plain – ünïcode", "plain – ünïcode"),
            ("\u{1b}[31mred\u{7f}\u{9b}", "\\u{1b}[31mred\\u{7f}\\u{9b}"),
            ("a\tb\r\nc", "a\\tb\\r\\nc"),
            ("\u{202e}abc\u{2028}", "\\u{202e}abc\\u{2028}"),
        ];
        for (text, expected) in cases {
            assert_eq!(Escaped(text).to_string(), expected);
        }
        assert_eq!(EscapedLines("a\u{7}\n\nb").to_string(), "a\\u{7}\n\nb");
        assert_eq!(EscapedText("a\t\u{1b}é\r\n").to_string(), "a\t\\u{1b}é\\r\n");
    }
}
