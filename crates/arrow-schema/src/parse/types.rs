//! Reading types and fields: the inverse of `display.rs`.

mod flat;
mod names;

use std::{borrow::Cow, sync::Arc};

use self::names::{familiar, is_type_name, unknown_type};
use super::{Cursor, Excerpt, ExpectedText, ParseError, ParseErrorKind};
use crate::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, KeyOrder, MapType, RunEndEncodedType,
    TypeError, UnionMode, UnionType, data_type::table::Form, quote::is_identifier,
};

/// Reads the grammar's `type` and `field`. Recurses once per level. The functions that recurse have small stack frames:
/// separate helpers call the constructors.
#[derive(Debug)]
pub(crate) struct TypeParser<'a> {
    pub(crate) cursor: Cursor<'a>,
    max_depth: usize,
    // Whether names of other systems are read, too.
    has_familiar_names: bool,
    // The number of types that are open at the cursor.
    depth: usize,
}

impl<'a> TypeParser<'a> {
    pub(crate) fn new(cursor: Cursor<'a>, max_depth: usize, has_familiar_names: bool) -> Self {
        let cursor = if has_familiar_names { cursor.with_any_spacing() } else { cursor };
        Self { cursor, max_depth, has_familiar_names, depth: 0 }
    }

    pub(crate) fn field(&mut self) -> Result<Field, ParseError> {
        let start = self.cursor.clone();
        let name = self.name()?;
        if !self.cursor.eat(": ") {
            return Err(self.no_colon(&start));
        }
        let field = Field::new(name, self.data_type()?);
        Ok(if self.cursor.eat(" not null") { field.required() } else { field })
    }

    /// Reads a type and counts one level.
    pub(crate) fn data_type(&mut self) -> Result<DataType, ParseError> {
        if self.depth >= self.max_depth {
            return Err(self.cursor.error(ParseErrorKind::TooDeep { max: self.max_depth }));
        }
        self.depth += 1; // at most `max_depth`
        let data_type = self.data_type_of_level()?;
        self.depth -= 1;
        Ok(data_type)
    }

    fn data_type_of_level(&mut self) -> Result<DataType, ParseError> {
        let start = self.cursor.clone();
        let word = self.cursor.word();
        let word = if self.has_familiar_names { familiar(word).unwrap_or(word) } else { word };
        match Form::from_name(word) {
            Some(Form::List(new)) => self.item().map(new),
            Some(Form::FixedSizeList) => self.fixed_size_list(),
            Some(Form::Struct) => self.struct_(),
            Some(Form::Map) => self.map(&start),
            Some(Form::Union(mode)) => self.union(mode, &start),
            Some(Form::Dictionary) => self.dictionary(&start),
            Some(Form::RunEndEncoded) => self.run_end_encoded(&start),
            Some(Form::Plain(data_type)) => Ok(self.plain(data_type)),
            Some(Form::Decimal { max_digits, new }) => self.decimal(max_digits, new),
            Some(Form::Unit(units)) => self.unit(units),
            Some(Form::Timestamp) => self.timestamp(),
            Some(Form::FixedSizeBinary) => self.fixed_size_binary(),
            None => Err(unknown_type(word, &start)),
        }
    }

    #[inline(never)]
    fn item(&mut self) -> Result<Field, ParseError> {
        self.cursor.expect("<")?;
        let item = self.item_field()?;
        self.cursor.expect(">")?;
        Ok(item)
    }

    /// Whether a type without a name comes next, if the parser accepts types without a name.
    fn is_familiar(&self) -> bool {
        let mut lookahead = self.cursor.clone();
        self.has_familiar_names && !lookahead.rest().starts_with('"') && {
            lookahead.word();
            !lookahead.eat(": ")
        }
    }

    /// The field for the items of a list.
    fn item_field(&mut self) -> Result<Field, ParseError> {
        if self.is_familiar() { self.named("item") } else { self.field() }
    }

    /// Reads a type, as a field with this name.
    fn named(&mut self, name: &'static str) -> Result<Field, ParseError> {
        let field = Field::new(name, self.data_type()?);
        Ok(if self.cursor.eat(" not null") { field.required() } else { field })
    }

    /// Reads the types of key and value, and makes the field of the entries of a map.
    #[inline(never)]
    fn entries(&mut self) -> Result<Field, ParseError> {
        let key = self.named("key")?.required();
        self.cursor.expect(", ")?;
        let value = self.named("value")?;
        Ok(Field::new("entries", DataType::struct_([key, value])).required())
    }

    #[inline(never)]
    fn fixed_size_list(&mut self) -> Result<DataType, ParseError> {
        self.cursor.expect("<")?;
        let item = Arc::new(self.item_field()?);
        let end = if self.eats_familiar(">[") { "]" } else { ">" };
        if end == ">" {
            self.cursor.expect("; ")?;
        }
        let size = self.size()?;
        self.cursor.expect(end)?;
        Ok(DataType::FixedSizeList(item, size))
    }

    #[inline(never)]
    fn struct_(&mut self) -> Result<DataType, ParseError> {
        self.cursor.expect("<")?;
        let mut fields = Vec::new();
        let mut is_open = !self.cursor.eat(">");
        while is_open {
            fields.push(self.field()?);
            is_open = self.goes_on()?;
        }
        Ok(DataType::struct_(fields))
    }

    #[inline(never)]
    fn map(&mut self, start: &Cursor<'a>) -> Result<DataType, ParseError> {
        self.cursor.expect("<")?;
        let entries = if self.is_familiar() { self.entries()? } else { self.field()? };
        let order = if self.closes_with(", sorted")? { KeyOrder::Sorted } else { KeyOrder::Unsorted };
        new_map(entries, order).map_err(|error| start.error(error))
    }

    #[inline(never)]
    fn union(&mut self, mode: UnionMode, start: &Cursor<'a>) -> Result<DataType, ParseError> {
        self.cursor.expect("<")?;
        let mut type_ids = Vec::new();
        let mut fields = Vec::new();
        let mut is_open = !self.cursor.eat(">");
        while is_open {
            type_ids.push(self.cursor.number::<i8>("type id", 0..=i8::MAX.into())?);
            self.cursor.expect("=")?;
            fields.push(self.field()?);
            is_open = self.goes_on()?;
        }
        new_union(fields, &type_ids, mode).map_err(|error| start.error(error))
    }

    #[inline(never)]
    fn dictionary(&mut self, start: &Cursor<'a>) -> Result<DataType, ParseError> {
        self.cursor.expect("<")?;
        if self.eats_familiar("values=") {
            return self.dictionary_of_values(start);
        }
        let index = self.index()?;
        self.cursor.expect(", ")?;
        // The values do not count as a level. A dictionary of dictionaries is refused below, but its depth must be bounded
        // until then.
        let value = if self.cursor.rest().starts_with("dictionary<") {
            self.data_type()?
        } else {
            self.data_type_of_level()?
        };
        let order = if self.closes_with(", ordered")? {
            DictionaryOrder::Ordered
        } else {
            DictionaryOrder::Unordered
        };
        new_dictionary(index, value, order).map_err(|error| start.error(error))
    }

    /// Reads the rest of a dictionary type as other libraries print it, such as `utf8, indices=int32, ordered=0>`
    /// after `dictionary<values=`.
    #[inline(never)]
    fn dictionary_of_values(&mut self, start: &Cursor<'a>) -> Result<DataType, ParseError> {
        let value = self.data_type()?;
        self.cursor.expect(", indices=")?;
        let index = self.index()?;
        let order = if self.cursor.eat(", ordered=1") {
            DictionaryOrder::Ordered
        } else {
            self.cursor.eat(", ordered=0");
            DictionaryOrder::Unordered
        };
        self.cursor.expect(">")?;
        new_dictionary(index, value, order).map_err(|error| start.error(error))
    }

    fn index(&mut self) -> Result<IndexType, ParseError> {
        self.cursor.choice(&IndexType::ALL.map(|index| (DataType::from(index).name(), index)))
    }

    /// Skips text that other implementations write at this position, if the parser accepts such text.
    fn eats_familiar(&mut self, token: &'static str) -> bool {
        self.has_familiar_names && self.cursor.eat(token)
    }

    #[inline(never)]
    fn run_end_encoded(&mut self, start: &Cursor<'a>) -> Result<DataType, ParseError> {
        self.cursor.expect("<")?;
        let run_ends = self.field()?;
        self.cursor.expect(", ")?;
        let values = self.field()?;
        self.cursor.expect(">")?;
        new_run_end_encoded(run_ends, values).map_err(|error| start.error(error))
    }

    /// The error if no `name: type` begins at `start`. The name ends at the cursor.
    #[cold]
    #[inline(never)]
    fn no_colon(&self, start: &Cursor<'a>) -> ParseError {
        let n_bytes = self.cursor.position().saturating_sub(start.position());
        let name = start.rest().get(..n_bytes).unwrap_or_default();
        let is_end = self.cursor.is_at_end() || self.cursor.rest().starts_with(['<', '>', '(', ',', ';']);
        if is_end && is_type_name(name) {
            return start.error(ParseErrorKind::NamelessType { found: Excerpt::new(name) });
        }
        self.cursor.unexpected_token(&[": "])
    }

    /// Skips the comma or the closing bracket after a field in a list of fields. Returns whether another field follows.
    fn goes_on(&mut self) -> Result<bool, ParseError> {
        if self.cursor.eat(", ") {
            return Ok(true);
        }
        if self.cursor.eat(">") { Ok(false) } else { Err(self.cursor.unexpected_token(&[", ", ">"])) }
    }

    /// Skips the end of a type. Returns whether `flag` comes before it.
    fn closes_with(&mut self, flag: &'static str) -> Result<bool, ParseError> {
        if self.cursor.eat(flag) {
            return self.cursor.expect(">").map(|()| true);
        }
        if self.cursor.eat(">") { Ok(false) } else { Err(self.cursor.unexpected_token(&[flag, ">"])) }
    }

    #[inline(never)]
    fn name(&mut self) -> Result<Arc<str>, ParseError> {
        let start = self.cursor.clone();
        if start.rest().starts_with('"') {
            let name = self.cursor.quoted()?;
            if is_identifier(&name) {
                return Err(start.error(ParseErrorKind::NeedlessQuotes { name: Excerpt::new(&name) }));
            }
            return Ok(match name {
                Cow::Borrowed(name) => name.into(),
                Cow::Owned(name) => name.into(),
            });
        }
        let name = self.cursor.word();
        if is_identifier(name) { Ok(name.into()) } else { Err(start.unexpected(ExpectedText::Name)) }
    }
}

#[inline(never)]
fn new_map(entries: Field, order: KeyOrder) -> Result<DataType, TypeError> {
    MapType::try_new(entries, order).map(DataType::from)
}

#[inline(never)]
fn new_union(fields: Vec<Field>, type_ids: &[i8], mode: UnionMode) -> Result<DataType, TypeError> {
    UnionType::try_new(fields, Some(type_ids), mode).map(DataType::from)
}

#[inline(never)]
fn new_dictionary(index: IndexType, value: DataType, order: DictionaryOrder) -> Result<DataType, TypeError> {
    DictionaryType::try_new(index, value, order).map(DataType::from)
}

#[inline(never)]
fn new_run_end_encoded(run_ends: Field, values: Field) -> Result<DataType, TypeError> {
    RunEndEncodedType::try_new(run_ends, values).map(DataType::from)
}
