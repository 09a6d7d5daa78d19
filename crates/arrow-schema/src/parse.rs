//! Parses the text form.

mod cursor;
mod error;
mod json;
mod sections;
mod types;

use std::str::FromStr;

use self::{sections::read_sections, types::TypeParser};
use crate::{DataType, Field, Metadata, Schema};

pub use self::error::{Excerpt, ExpectedText, ParseError, ParseErrorKind};
pub(crate) use self::{cursor::Cursor, error::write_bounded, json::read_object};

/// Reads the [text form](crate#text-form) of types, fields and schemas, with a limit on depth.
///
/// The parsed types and fields have no metadata; parsed schemas have the metadata of the sections. `str::parse` uses
/// the default limit.
///
/// Takes time in proportion to the text. Recurses once per level, so the limit prevents a stack overflow by text from
/// outside.
///
/// ```
/// use arrow_schema::{DataType, ParseErrorKind, TextParser};
///
/// let lists = "list<item: list<item: int8>>";
/// assert_eq!(TextParser::new().data_type(lists)?.to_string(), lists);
///
/// let error = TextParser::new().with_max_depth(2).data_type(lists).unwrap_err();
/// assert_eq!(error.kind(), &ParseErrorKind::TooDeep { max: 2 });
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextParser {
    max_depth: usize,
    has_familiar_names: bool,
}

impl TextParser {
    /// The default limit on depth, which is also the largest limit. Code that recurses to this depth needs a stack of
    /// at most 512 KiB. The readers of this workspace have the same limit.
    pub const MAX_DEPTH: usize = 64;

    /// A parser with the default limit on depth.
    pub const fn new() -> Self {
        Self { max_depth: Self::MAX_DEPTH, has_familiar_names: false }
    }

    /// Sets the limit on [`DataType::depth`], which is at most [`MAX_DEPTH`](TextParser::MAX_DEPTH).
    #[must_use]
    pub const fn with_max_depth(self, max_depth: usize) -> Self {
        Self { max_depth: if max_depth < Self::MAX_DEPTH { max_depth } else { Self::MAX_DEPTH }, ..self }
    }

    /// Also reads forms that people write: `list<int64>`, `map<utf8, int64>`, and unambiguous names from other systems,
    /// such as `string`, `large_string` and `boolean`. The field of a list is then called `item`, and the fields of a
    /// map `entries`, `key` and `value`. It also reads forms that other implementations print: parameters in brackets,
    /// such as `timestamp[us, tz=UTC]`, `timestamp(us, UTC)`, `date32[day]`, `fixed_size_list<float32>[3]`, and
    /// `dictionary<values=string, indices=int32, ordered=0>`. Any number of spaces may follow commas, colons and
    /// semicolons.
    ///
    /// ```
    /// use arrow_schema::TextParser;
    ///
    /// let parser = TextParser::new().with_familiar_names();
    /// assert_eq!(parser.data_type("list<string>")?.to_string(), "list<item: utf8>");
    /// let map = "map<entries: struct<key: utf8 not null, value: list<item: int64>> not null>";
    /// assert_eq!(parser.data_type("map<utf8, list<int64>>")?.to_string(), map);
    /// assert_eq!(parser.data_type(map)?.to_string(), map);
    /// # Ok::<(), arrow_schema::ParseError>(())
    /// ```
    #[must_use]
    pub const fn with_familiar_names(self) -> Self {
        Self { has_familiar_names: true, ..self }
    }

    /// Parses the text form of a type.
    ///
    /// # Errors
    ///
    /// If the text is not what `Display` of [`DataType`] writes; only escapes in quoted text may differ. The error has
    /// the position of the first difference.
    pub fn data_type(&self, text: &str) -> Result<DataType, ParseError> {
        let mut types = self.types(text);
        let data_type = types.data_type()?;
        types.cursor.end()?;
        Ok(data_type)
    }

    /// Parses the text form of a field.
    ///
    /// # Errors
    ///
    /// The errors of [`TextParser::data_type`].
    pub fn field(&self, text: &str) -> Result<Field, ParseError> {
        let mut types = self.types(text);
        let field = types.field()?;
        types.cursor.end()?;
        Ok(field)
    }

    /// Parses the text form of a schema: one field per line, then sections of metadata, each after an empty line. Lines
    /// end in `\n` or `\r\n`; the last line may have no end. Lines before the first section that begin with `#` are
    /// comments.
    ///
    /// A section with the metadata of a whole file or stream is parsed, but not returned;
    /// [`schema_and_metadata`](TextParser::schema_and_metadata) returns it.
    ///
    /// # Errors
    ///
    /// The errors of [`TextParser::data_type`].
    pub fn schema(&self, text: &str) -> Result<Schema, ParseError> {
        self.schema_and_metadata(text).map(|(schema, _)| schema)
    }

    /// Like [`schema`](TextParser::schema), but also returns the metadata of the whole file or stream. The text has
    /// this metadata after the line `metadata of the whole:`; it is not part of the schema.
    ///
    /// # Errors
    ///
    /// The errors of [`TextParser::data_type`].
    pub fn schema_and_metadata(&self, text: &str) -> Result<(Schema, Metadata), ParseError> {
        let mut types = self.types(text);
        let mut fields = Vec::new();
        skip_comments(&mut types.cursor);
        if !types.cursor.is_at_end() && !is_line_end(&types.cursor) {
            fields.push(types.field()?);
        }
        while !types.cursor.is_at_end() {
            if !eat_line_end(&mut types.cursor) {
                return Err(types.cursor.unexpected(ExpectedText::LineEnd));
            }
            skip_comments(&mut types.cursor);
            // If there are no fields, sections may start with the second line.
            if eat_line_end(&mut types.cursor) || fields.is_empty() {
                return read_sections(&mut types.cursor, fields);
            }
            if !types.cursor.is_at_end() {
                fields.push(types.field()?);
            }
        }
        Ok((Schema::new(fields), Metadata::new()))
    }

    fn types<'a>(&self, text: &'a str) -> TypeParser<'a> {
        TypeParser::new(Cursor::new(text), self.max_depth, self.has_familiar_names)
    }
}

/// Skips lines that begin with `#`. They are not fields, since a name that begins with `#` is in quotes.
fn skip_comments(cursor: &mut Cursor<'_>) {
    while cursor.eat("#") {
        cursor.take_while(|char| char != '\n');
        cursor.eat("\n");
    }
}

fn is_line_end(cursor: &Cursor<'_>) -> bool {
    eat_line_end(&mut cursor.clone())
}

fn eat_line_end(cursor: &mut Cursor<'_>) -> bool {
    cursor.eat("\n") || cursor.eat("\r\n")
}

impl Default for TextParser {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads the [text form](crate#text-form) with the default limit of [`TextParser`].
impl FromStr for DataType {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        TextParser::new().data_type(text)
    }
}

/// Reads the [text form](crate#text-form) with the default limit of [`TextParser`].
impl FromStr for Field {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        TextParser::new().field(text)
    }
}

/// Reads the [text form](crate#text-form) with the default limit of [`TextParser`].
impl FromStr for Schema {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        TextParser::new().schema(text)
    }
}
