//! Characters that are invisible, or that change how other characters are shown: which these are, which of them the text form
//! refuses, and how they are escaped.

use std::fmt::{self, Write};

/// Finds the characters of a text that must be escaped before people see the text. These hidden characters are
/// invisible, or change the order in which other characters are shown. Two names that differ only in hidden characters
/// look the same.
///
/// Hidden characters are control characters, ends of lines and paragraphs, controls of bidirectional text, and all
/// other characters that are not shown: `Default_Ignorable_Code_Point` of Unicode, and the marks of annotations.
/// Examples are soft hyphens, fillers, separators and joiners without width, U+FEFF, variation selectors and tags. Two
/// kinds count as visible, since they change the shown text. These are joiners after a pictograph or after a letter of
/// the scripts from Arabic to Khmer, and variation selectors 15 and 16 after a pictograph.
///
/// ```
/// use arrow_schema::HiddenChars;
///
/// let hidden = |text: &str| {
///     let mut chars = HiddenChars::new();
///     text.chars().filter(|char| chars.is_next(*char)).count()
/// };
/// assert_eq!(hidden("na\u{feff}me\u{e0041}"), 2);
/// assert_eq!(hidden("grüße 👩\u{200d}🚀"), 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct HiddenChars {
    /// The preceding character, if it was visible.
    before: Option<char>,
}

impl HiddenChars {
    /// Makes a finder for the beginning of a text.
    pub fn new() -> HiddenChars {
        HiddenChars::default()
    }

    /// Whether the next character of the text is hidden. Call this for each character of the text in order.
    pub fn is_next(&mut self, char: char) -> bool {
        let follows = |is_one: fn(char) -> bool| self.before.is_some_and(is_one);
        let is_hidden = is_ever_hidden(char)
            && match char {
                '\u{200c}' | '\u{200d}' => !follows(is_joined),
                '\u{fe0e}' | '\u{fe0f}' => !follows(is_pictograph),
                _ => true,
            };
        self.before = (!is_hidden).then_some(char);
        is_hidden
    }
}

/// Whether the character is hidden at every position.
pub(crate) fn is_ever_hidden(char: char) -> bool {
    if char < '\u{ad}' {
        return char.is_control();
    }
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the text form of types, names and paths has the character only as an escape. These hidden characters control a
/// terminal, end a line or change the order of others. All are below U+10000.
pub(crate) fn is_refused(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{2028}' | '\u{2029}') // line and paragraph separators
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes a hidden character as text for people shows it: `\n`, `\r`, `\t`, or `\u{9b}`.
///
/// # Errors
/// The error of `out`.
pub fn write_escape(char: char, out: &mut (impl Write + ?Sized)) -> fmt::Result {
    match short_escape(char) {
        Some(escape) => out.write_str(escape),
        None => write!(out, "\\u{{{:x}}}", u32::from(char)),
    }
}

/// Writes a hidden character as a string of JSON has it: `\n`, `\r`, `\t`, or `\u009b`. A character above U+FFFF becomes two
/// such escapes, a surrogate pair.
///
/// # Errors
/// The error of `out`.
pub fn write_json_escape(char: char, out: &mut (impl Write + ?Sized)) -> fmt::Result {
    match short_escape(char) {
        Some(escape) => out.write_str(escape),
        None => char.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}")),
    }
}

fn short_escape(char: char) -> Option<&'static str> {
    match char {
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        _ => None,
    }
}

/// Whether a joiner after a character changes how the character is shown.
fn is_joined(char: char) -> bool {
    // Thai and Lao are left out, since their letters are never joined.
    let is_of_script = matches!(char, '\u{620}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        && char.is_alphanumeric()
        // Vowel signs, and signs that join consonants.
        || matches!(char, '\u{900}'..='\u{dff}');
    is_of_script || is_pictograph(char) || char == '\u{fe0f}'
}

/// Whether the character is an emoji or another pictograph.
fn is_pictograph(char: char) -> bool {
    matches!(char,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21aa}'
        | '\u{231a}'..='\u{23ff}' | '\u{24c2}' | '\u{25aa}'..='\u{27bf}' | '\u{2934}' | '\u{2935}'
        | '\u{2b05}'..='\u{2b55}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `.` instead of each hidden character.
    fn shown(text: &str) -> String {
        let mut chars = HiddenChars::new();
        text.chars().map(|char| if chars.is_next(char) { '.' } else { char }).collect()
    }

    #[test]
    fn what_changes_nothing_is_hidden() {
        let cases = [
            ("plain – ünïcode 東京 🦀", "plain – ünïcode 東京 🦀"),
            ("\u{feff}a\u{e0041}b\u{ad}c\u{34f}d\u{3164}", ".a.b.c.d."),
            ("pay\u{200d}pal\u{200c}\u{200b}", "pay.pal.."),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("क्\u{200d}ष", "क्\u{200d}ष"),
            ("ก\u{200d}ก", "ก.ก"),
            ("ی\u{200c}\u{200c}", "ی\u{200c}."),
            ("❤\u{fe0f}\u{200d}🔥", "❤\u{fe0f}\u{200d}🔥"),
            ("❤\u{fe0f}\u{fe0f}a\u{fe0f}1\u{fe0e}", "❤\u{fe0f}.a.1."),
            ("👩🏽\u{200d}🚀", "👩🏽\u{200d}🚀"),
            ("a\u{fe0f}\u{200d}b", "a..b"),
            ("葛\u{e0100}", "葛."),
            ("\u{202e}abc\u{2066}\u{2029}\u{85}\t", ".abc...."),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    /// What is refused is escaped by all that write text.
    #[test]
    fn what_is_refused_is_hidden() {
        assert!(('\0'..=char::MAX).filter(|char| is_refused(*char)).all(is_ever_hidden));
    }

    #[test]
    fn escapes_are_short_or_hexadecimal() {
        let escaped = |char| {
            let (mut text, mut json) = (String::new(), String::new());
            write_escape(char, &mut text).unwrap();
            write_json_escape(char, &mut json).unwrap();
            [text, json]
        };
        assert_eq!(escaped('\n'), [r"\n", r"\n"]);
        assert_eq!(escaped('\u{9b}'), [r"\u{9b}", r"\u009b"]);
        assert_eq!(escaped('\u{e0041}'), [r"\u{e0041}", r"\udb40\udc41"]);
    }

    /// Unicode 17 has 4174 characters with `Default_Ignorable_Code_Point`.
    #[test]
    fn all_that_unicode_ignores_is_hidden() {
        let ignored = ('\u{80}'..=char::MAX).filter(|char| {
            let is_of_lines = matches!(*char, '\u{2028}' | '\u{2029}');
            let is_annotation = matches!(*char, '\u{fff9}'..='\u{fffb}');
            is_ever_hidden(*char) && !char.is_control() && !is_of_lines && !is_annotation
        });
        assert_eq!(ignored.count(), 4174);
    }
}
