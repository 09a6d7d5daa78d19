//! The sections of metadata below the fields of a schema.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Arc,
};

use crate::{
    DataType, DictionaryType, Field, FieldPath, Metadata, QuotedOrNull, Schema,
    parse::{Cursor, Excerpt, ExpectedText, ParseError, ParseErrorKind},
};

const SCHEMA_HEADING: &str = "metadata of the schema";
const WHOLE_HEADING: &str = "metadata of the whole";
const FIELD_HEADING: &str = "metadata of field ";
/// The separator between the names and the positions of a field. Positions are written if names alone do not select the
/// field.
const AT: &str = " at ";

/// The positions from the schema to a field.
type PathPositions = Vec<u32>;

/// Writes a section, if there is metadata.
pub(crate) fn write_section(
    f: &mut fmt::Formatter<'_>,
    heading: impl fmt::Display,
    metadata: &Metadata,
) -> fmt::Result {
    if metadata.is_empty() {
        return Ok(());
    }
    write!(f, "\n\n{heading}:")?;
    for (key, value) in metadata {
        write!(f, "\n  {}: {}", QuotedOrNull(key), QuotedOrNull(value))?;
    }
    Ok(())
}

/// Writes one field per line, without metadata. The alternate form, `{:#}`, has metadata. See [text
/// form](crate#text-form).
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, field) in self.fields().iter().enumerate() {
            write!(f, "{}{field}", if position == 0 { "" } else { "\n" })?;
        }
        if f.alternate() { write_sections(f, self) } else { Ok(()) }
    }
}

/// Writes the sections of metadata of a schema and of its fields, each after an empty line.
fn write_sections(f: &mut fmt::Formatter<'_>, schema: &Schema) -> fmt::Result {
    write_section(f, SCHEMA_HEADING, schema.metadata())?;
    let walk = LocatedField { path: FieldPath::root(), positions: Vec::new(), is_ambiguous: false };
    walk.each(schema.fields(), &mut |walk, field| write_section(f, walk, field.metadata()))
}

/// A field in the tree of fields, with the path to it.
struct LocatedField {
    path: FieldPath,
    positions: PathPositions,
    /// Whether a field on the path has siblings with the same name.
    is_ambiguous: bool,
}

impl LocatedField {
    /// Visits all fields, parents before children.
    fn each(
        &self,
        fields: &[Field],
        visit: &mut impl FnMut(&LocatedField, &Field) -> fmt::Result,
    ) -> fmt::Result {
        let mut n_named: HashMap<&str, usize> = HashMap::new();
        for field in fields {
            *n_named.entry(field.name()).or_default() += 1;
        }
        for (position, field) in (0..).zip(fields) {
            let mut below = LocatedField {
                path: self.path.clone().child(position, field.to_shared_name()),
                positions: self.positions.iter().copied().chain([position]).collect(),
                is_ambiguous: self.is_ambiguous || n_named.get(field.name()) != Some(&1),
            };
            visit(&below, field)?;
            if field.data_type().is_dictionary() {
                below.path = below.path.dictionary();
            }
            below.each(field.data_type().value_children(), visit)?;
        }
        Ok(())
    }

    /// Whether positions must follow the names: the names alone do not select this field, or they look as if they had
    /// positions or were positions.
    fn needs_positions(&self, names: &str) -> bool {
        self.is_ambiguous || names.contains(AT) || names.starts_with(AT.trim_start())
    }
}

/// Writes the first line of the field's section.
impl fmt::Display for LocatedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.path.brief();
        write!(f, "{FIELD_HEADING}{names}")?;
        // Instead of long names, there are positions already.
        if self.path.has_long_names() || !self.needs_positions(&names) {
            return Ok(());
        }
        write!(f, "{AT}{}", self.path.positions_text())
    }
}

/// Reads sections until the end of the text. Returns the schema with its metadata, and the metadata of the whole file
/// or stream.
pub(crate) fn read_sections(
    cursor: &mut Cursor<'_>,
    fields: Vec<Field>,
) -> Result<(Schema, Metadata), ParseError> {
    let mut headings = None;
    let mut schema_metadata = None;
    let mut whole_metadata = None;
    let mut field_metadata = BTreeMap::new();
    let mut is_open = true;
    while is_open {
        let start = cursor.clone();
        let line = cursor.take_while(|c| c != '\n' && c != '\r');
        let unknown = || start.error(ParseErrorKind::NoSection { found: Excerpt::new(line) });
        let heading = line.strip_suffix(':').ok_or_else(unknown)?;
        let fields_by_heading =
            heading.starts_with(FIELD_HEADING).then(|| headings.get_or_insert_with(|| headings_of(&fields)));
        let positions = fields_by_heading.and_then(|headings| headings.get(heading));
        if positions.is_none() && ![SCHEMA_HEADING, WHOLE_HEADING].contains(&heading) {
            return Err(unknown());
        }
        line_end(cursor)?;
        let metadata = read_pairs(cursor)?;
        let earlier = match positions {
            Some(positions) => field_metadata.insert(positions.clone(), metadata),
            None if heading == SCHEMA_HEADING => schema_metadata.replace(metadata),
            None => whole_metadata.replace(metadata),
        };
        if earlier.is_some() {
            return Err(start.error(ParseErrorKind::RepeatedSection { heading: Excerpt::new(heading) }));
        }
        is_open = !cursor.is_at_end();
    }
    let mut path = Vec::new();
    let fields: Vec<Field> = with_metadata(fields, &mut path, &mut field_metadata);
    let schema = Schema::new(fields).with_metadata(schema_metadata.unwrap_or_default());
    Ok((schema, whole_metadata.unwrap_or_default()))
}

/// The positions of each field, by the first line of its section.
fn headings_of(fields: &[Field]) -> HashMap<String, PathPositions> {
    let mut headings = HashMap::new();
    let walk = LocatedField { path: FieldPath::root(), positions: Vec::new(), is_ambiguous: false };
    // This cannot fail, since the function that is called returns no errors.
    let _ = walk.each(fields, &mut |walk, _| {
        headings.insert(walk.to_string(), walk.positions.clone());
        Ok(())
    });
    headings
}

fn read_pairs(cursor: &mut Cursor<'_>) -> Result<Metadata, ParseError> {
    let mut pairs = Vec::new();
    while cursor.eat("  ") {
        let key = read_text(cursor)?;
        cursor.expect(": ")?;
        pairs.push((key, read_text(cursor)?));
        line_end(cursor)?;
    }
    if pairs.is_empty() {
        return Err(cursor.unexpected_token(&["  "]));
    }
    // An empty line, if another section follows.
    if !cursor.is_at_end() {
        line_end(cursor)?;
    }
    Ok(Metadata::from_pairs(pairs))
}

fn read_text(cursor: &mut Cursor<'_>) -> Result<Option<Arc<str>>, ParseError> {
    if cursor.eat("null") {
        return Ok(None);
    }
    cursor.quoted().map(|text| Some(text.into()))
}

/// The end of a line, or of the text.
fn line_end(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    if cursor.is_at_end() || cursor.eat("\n") || cursor.eat("\r\n") {
        return Ok(());
    }
    Err(cursor.unexpected(ExpectedText::LineEnd))
}

/// Returns the fields, each with the metadata of its section. Recurses once per level. A field is shared if neither it
/// nor a field below it has a section.
fn with_metadata(
    fields: Vec<Field>,
    path: &mut PathPositions,
    field_metadata: &mut BTreeMap<PathPositions, Metadata>,
) -> Vec<Field> {
    let with_own = |(position, field): (u32, Field)| {
        path.push(position);
        let own = field_metadata.remove(path);
        let is_above =
            field_metadata.range(path.clone()..).next().is_some_and(|(next, _)| next.starts_with(path));
        let mut field = field;
        if is_above {
            let children = field.data_type().value_children().to_vec();
            let children = with_metadata(children, path, field_metadata);
            let data_type = with_value_children(field.data_type(), children);
            field = field.with_data_type(data_type);
        }
        path.pop();
        match own {
            Some(metadata) => field.with_metadata(metadata),
            None => field,
        }
    };
    (0..).zip(fields).map(with_own).collect()
}

/// Replaces the children of a type by children that differ only in their metadata.
fn with_value_children(data_type: &DataType, children: Vec<Field>) -> DataType {
    let same = "children of the same types are as legal";
    match data_type.as_dictionary() {
        Some(dictionary) => {
            let values = dictionary.value().with_children(children).expect(same);
            DictionaryType::try_new(dictionary.index(), values, dictionary.order()).expect(same).into()
        }
        None => data_type.with_children(children).expect(same),
    }
}
