//! The reasons why a text cannot be parsed.

use std::fmt::{self, Write as _};

use crate::{QuotedText, TypeError, hidden::write_json_escape};

/// The reason why a text cannot be parsed, and the position in the text. The text should be the text form of a type,
/// field, schema or path, or the metadata of an extension type.
///
/// The message is short, even if the text is long.
///
/// ```
/// use arrow_schema::{DataType, ExpectedText, ParseErrorKind};
///
/// let error = "list<item: int32".parse::<DataType>().unwrap_err();
/// assert_eq!(error.to_string(), r#"byte 16: expected ">", found the end of the text"#);
/// assert_eq!(error.position(), 16);
/// let ParseErrorKind::Unexpected { expected, found } = error.kind() else { unreachable!() };
/// assert_eq!(expected, &ExpectedText::AnyOf([">"].into()));
/// assert_eq!(found.text(), "");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ParseErrorKind,
    position: usize,
    line_idx: usize,
    line_start: usize,
}

/// The cause of a [`ParseError`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The text at this position is not the expected text.
    Unexpected {
        /// The expected text.
        expected: ExpectedText,
        /// The text that was found.
        found: Excerpt,
    },
    /// The text form has no type with this name.
    UnknownType {
        /// The unknown name.
        name: Excerpt,
        /// The name to write instead, if the word is known, for example as a type name of another system.
        instead: Option<&'static str>,
    },
    /// A type is at a position where a field is expected.
    NamelessType {
        /// The name of the type that was found.
        found: Excerpt,
    },
    /// A quoted name that needs no quotes.
    NeedlessQuotes {
        /// The quoted name.
        name: Excerpt,
    },
    /// Quotes are not closed.
    UnclosedQuotes,
    /// A character in quotes must be escaped.
    RawCharacter {
        /// The character that must be escaped.
        found: char,
    },
    /// A backslash is followed by something that is not an escape of JSON.
    Escape {
        /// The backslash and the characters after it.
        found: Excerpt,
    },
    /// An escape is half of a surrogate pair, and the other half is missing.
    LoneSurrogate {
        /// The half that was found.
        found: u16,
    },
    /// A number has leading zeros, or zero has a sign.
    NumberForm {
        /// The number as it is written.
        found: Excerpt,
    },
    /// A number is out of the allowed range.
    NumberOutOfRange {
        /// What the number is, such as "precision".
        what: &'static str,
        /// The number as it is written.
        found: Excerpt,
        /// The smallest number allowed.
        min: i64,
        /// The largest number allowed.
        max: i64,
    },
    /// A number has a fraction or an exponent, but must be whole.
    NotWhole {
        /// The number as it is written.
        found: Excerpt,
    },
    /// A JSON object has two members of the same name.
    RepeatedMember {
        /// The repeated name.
        name: Excerpt,
    },
    /// The line after an empty line does not begin a section of metadata.
    NoSection {
        /// The line that was found.
        found: Excerpt,
    },
    /// Two sections of metadata have the same first line.
    RepeatedSection {
        /// The first line of the sections.
        heading: Excerpt,
    },
    /// Types nest deeper than the limit of the parser.
    TooDeep {
        /// The limit of the parser.
        max: usize,
    },
    /// The text is well formed, but the type that it describes is invalid.
    Type(TypeError),
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseErrorKind::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            ParseErrorKind::UnknownType { name, instead } => {
                write!(f, "unknown type {name}{}", Advice(*instead))
            }
            ParseErrorKind::NamelessType { found } => {
                write!(f, "expected a field, such as \"item: int8\", found the type {found} without a name")
            }
            ParseErrorKind::NeedlessQuotes { name } => {
                write!(f, "the name {name} must be written without quotes")
            }
            ParseErrorKind::UnclosedQuotes => f.write_str("the quoted text has no closing quote"),
            ParseErrorKind::RawCharacter { found } => {
                f.write_str("the character must be written as ")?;
                write_json_escape(*found, f)
            }
            ParseErrorKind::Escape { found } => write!(f, "unknown escape {found}"),
            ParseErrorKind::LoneSurrogate { found } => {
                write!(f, "the surrogate \\u{found:04x} is unpaired")
            }
            ParseErrorKind::NumberForm { found } => {
                write!(f, "the number {found} has a leading zero or a needless sign")
            }
            ParseErrorKind::NumberOutOfRange { what, found, min, max } => {
                write!(f, "the {what} is {found}; allowed: {min} to {max}")
            }
            ParseErrorKind::NotWhole { found } => write!(f, "the number {found} is not an integer"),
            ParseErrorKind::RepeatedMember { name } => write!(f, "the member {name} is repeated"),
            ParseErrorKind::NoSection { found } => write!(
                f,
                "expected \"metadata of the schema:\" or \"metadata of field\" and its path, found {found}"
            ),
            ParseErrorKind::RepeatedSection { heading } => write!(f, "the section {heading} is repeated"),
            ParseErrorKind::TooDeep { max } => write!(f, "types nest deeper than the limit of {max} levels"),
            ParseErrorKind::Type(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for ParseErrorKind {}

impl From<TypeError> for ParseErrorKind {
    fn from(error: TypeError) -> ParseErrorKind {
        ParseErrorKind::Type(error)
    }
}

/// The text that is expected where something else was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpectedText {
    /// One of these words.
    AnyOf(Box<[&'static str]>),
    /// The name of a type.
    Type,
    /// The name of a field.
    Name,
    /// A text in quotes.
    Quoted,
    /// A whole number.
    Number,
    /// A JSON value.
    Value,
    /// The end of the text.
    End,
    /// The end of a line.
    LineEnd,
}

/// The beginning of the remaining text at a position. It is empty at the end of the text.
///
/// An excerpt prints in quotes, followed by dots if it was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    text: Box<str>,
    is_cut: bool,
}

impl ParseError {
    #[inline(never)]
    pub(super) fn new(text: &str, position: usize, kind: ParseErrorKind) -> Self {
        let before = text.get(..position).unwrap_or(text);
        let line_idx = before.bytes().filter(|&byte| byte == b'\n').count();
        let line_start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        Self(Box::new(Inner { kind, position, line_idx, line_start }))
    }

    /// The cause, with the text that was found and what is allowed.
    pub fn kind(&self) -> &ParseErrorKind {
        &self.0.kind
    }

    /// The position of the error, in bytes from the start of the text. It is always between two characters.
    pub fn position(&self) -> usize {
        self.0.position
    }

    /// The line of the error, counted from 0.
    pub fn line_idx(&self) -> usize {
        self.0.line_idx
    }
}

arrow_error::debug_as_display!(ParseError);

/// Writes the position and the cause of the error. Lines are counted from 1, as in editors, and bytes from 0 in each
/// line. For errors in the first line, only the byte is written.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, position, line_idx, line_start } = &*self.0;
        if *line_idx > 0 {
            write!(f, "line {}, ", line_idx.saturating_add(1))?;
        }
        write!(f, "byte {}: ", position.saturating_sub(*line_start))?;
        write_bounded(f, kind)
    }
}

/// Writes a text that may contain a type, and so may have any length. If it is too long, only its beginning is written.
pub(crate) fn write_bounded(f: &mut fmt::Formatter<'_>, text: &dyn fmt::Display) -> fmt::Result {
    let mut bounded = FirstCharacters { f, n_left: MAX_MESSAGE_CHARS, is_full: false };
    match write!(bounded, "{text}") {
        Err(_) if bounded.is_full => f.write_char('…'),
        written => written,
    }
}

impl std::error::Error for ParseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.kind.source()
    }
}

/// The advice, at the end of the message, for correcting the text.
struct Advice(Option<&'static str>);

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |instead| write!(f, "; write {}", QuotedText(instead)))
    }
}

impl fmt::Display for ExpectedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyOf(tokens) => {
                for (position, token) in tokens.iter().enumerate() {
                    let separator = match position {
                        0 => "",
                        _ if position.saturating_add(1) == tokens.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{separator}{}", QuotedText(token))?;
                }
                Ok(())
            }
            Self::Type => f.write_str("a type"),
            Self::Name => f.write_str("a name"),
            Self::Quoted => f.write_str("a text in quotes"),
            Self::Number => f.write_str("a number"),
            Self::Value => f.write_str("a value"),
            Self::End => f.write_str("the end of the text"),
            Self::LineEnd => f.write_str("the end of the line"),
        }
    }
}

const MAX_EXCERPT_CHARS: usize = 24;
const MAX_MESSAGE_CHARS: usize = 400;

impl Excerpt {
    pub(crate) fn new(rest: &str) -> Self {
        let end = rest.char_indices().nth(MAX_EXCERPT_CHARS).map(|(end, _)| end);
        let (text, is_cut) = end.map_or((rest, false), |end| (rest.get(..end).unwrap_or(rest), true));
        Self { text: text.into(), is_cut }
    }

    /// The excerpt of the first characters, as if the text ended after them.
    pub(crate) fn from_chars(rest: &str, n_chars: usize) -> Self {
        let end = rest.char_indices().nth(n_chars).map_or(rest.len(), |(end, _)| end);
        Self::new(rest.get(..end).unwrap_or(rest))
    }

    /// The text, not quoted.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text goes on after this excerpt.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.is_empty() {
            return f.write_str("the end of the text");
        }
        write!(f, "{}{}", QuotedText(&self.text), if self.is_cut { "…" } else { "" })
    }
}

/// A writer that writes at most `n_left` characters, and then returns an error.
struct FirstCharacters<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    n_left: usize,
    is_full: bool,
}

impl fmt::Write for FirstCharacters<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.char_indices().nth(self.n_left) {
            Some((end, _)) => {
                self.is_full = true;
                self.f.write_str(text.get(..end).unwrap_or_default())?;
                Err(fmt::Error)
            }
            None => {
                self.n_left = self.n_left.saturating_sub(text.chars().count());
                self.f.write_str(text)
            }
        }
    }
}
