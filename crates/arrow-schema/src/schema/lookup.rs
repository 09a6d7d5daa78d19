//! Finds nested fields by the text of their path.

use std::borrow::Cow;

use crate::{
    DictionaryType, Field, FieldPath, LookupError, PathStep, Schema,
    parse::{Cursor, ExpectedText, ParseError},
    path::{DICTIONARY_STEP, is_special},
    schema::field_index,
};

impl Schema {
    /// Parses the text form of a path: names with dots between them. Names may be in quotes, and must be where
    /// [`FieldPath`] requires quotes. The step into the values of a dictionary is `<dictionary>`.
    ///
    /// Every child field needs its own step: the item of a list; the entries of a map, and the key or value below them;
    /// the child of a union; the values of runs. The step after a dictionary-encoded field is `<dictionary>`; the
    /// children of its value type follow. The empty text is the path without steps; a column whose name is empty is
    /// `""`.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let address = DataType::struct_([Field::new("street", DataType::Utf8), Field::new("zip.code", DataType::Utf8)]);
    /// let schema = Schema::new([Field::new("id", DataType::Int64), Field::new("address", address)]);
    /// let path = schema.path(r#"address."zip.code""#)?;
    /// assert_eq!(path.positions().collect::<Vec<_>>(), [1, 1]);
    ///
    /// let error = schema.path("address.city").unwrap_err();
    /// assert_eq!(error.to_string(), r#"in address: no field is named "city""#);
    /// # Ok::<(), arrow_schema::LookupError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LookupError::NoPath`] if the text does not have this form. [`LookupError::Missing`] if no field has the name
    /// of a step, and [`LookupError::Ambiguous`] if several fields have it. [`LookupError::NoDictionary`] if the step
    /// is `<dictionary>` and the field before it is not dictionary-encoded. For fields below a column,
    /// [`LookupError::Within`] wraps these errors and has the path up to the last field that was found.
    pub fn path(&self, text: &str) -> Result<FieldPath, LookupError> {
        let mut path = FieldPath::root();
        if text.is_empty() {
            return Ok(path);
        }
        let mut cursor = Cursor::new(text);
        let mut below = StepTargets { children: self.fields(), dictionary: None };
        loop {
            let step = step(&mut cursor)?;
            match below.resolve(&step) {
                Ok((step, further)) => {
                    path.push(step);
                    below = further;
                }
                Err(error) if path.is_root() => return Err(error),
                Err(error) => return Err(LookupError::Within { path, error: Box::new(error) }),
            }
            if cursor.is_at_end() {
                return Ok(path);
            }
            cursor.expect(".")?;
        }
    }

    /// The path to the column with this name. If no column has the name, parses the text as a [`path`](Schema::path).
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let zip = DataType::struct_([Field::new("zip", DataType::Utf8)]);
    /// let schema = Schema::new([Field::new("town", zip), Field::new("town.name", DataType::Utf8)]);
    /// assert_eq!(schema.column_or_path("town.zip")?.steps().len(), 2);
    /// assert_eq!(schema.column_or_path("town.name")?.steps().len(), 1);
    /// # Ok::<(), arrow_schema::LookupError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`index_of`](Schema::index_of) if the text is not the text form of a path; otherwise the errors of
    /// [`path`](Schema::path).
    pub fn column_or_path(&self, text: &str) -> Result<FieldPath, LookupError> {
        let missing = match self.index_of(text) {
            Ok(idx) => {
                let out_of_range = LookupError::OutOfRange { position: idx, n_fields: self.fields().len() };
                return Ok(FieldPath::root().child(u32::try_from(idx).map_err(|_| out_of_range)?, text));
            }
            Err(missing @ LookupError::Missing { .. }) => missing,
            Err(error) => return Err(error),
        };
        match self.path(text) {
            Err(LookupError::NoPath(_)) => Err(missing),
            // The empty text is the path without steps.
            Ok(path) if path.is_root() => Err(missing),
            found => found,
        }
    }

    /// The field at the end of a path, by its positions. `None` if no field has these positions, or if the path has no positions.
    ///
    /// Names are ignored. If a path ends with the step into a dictionary, the result is the dictionary-encoded field.
    pub fn field_by_path(&self, path: &FieldPath) -> Option<&Field> {
        self.field_at(path.positions())
    }
}

/// The fields to which the next step may lead.
struct StepTargets<'a> {
    children: &'a [Field],
    dictionary: Option<&'a DictionaryType>,
}

/// A step of a path, as it is written in the text.
enum WrittenStep<'a> {
    Named(Cow<'a, str>),
    Dictionary,
}

impl<'a> StepTargets<'a> {
    fn resolve(&self, step: &WrittenStep<'_>) -> Result<(PathStep, StepTargets<'a>), LookupError> {
        match step {
            WrittenStep::Named(name) => {
                let idx = field_index(self.children, name)?;
                let out_of_range =
                    || LookupError::OutOfRange { position: idx, n_fields: self.children.len() };
                let field = self.children.get(idx).ok_or_else(out_of_range)?;
                let position = u32::try_from(idx).map_err(|_| out_of_range())?;
                let step = PathStep::Child { position, name: field.to_shared_name() };
                let dictionary = field.data_type().as_dictionary();
                Ok((step, StepTargets { children: field.children(), dictionary }))
            }
            WrittenStep::Dictionary => {
                let dictionary = self.dictionary.ok_or(LookupError::NoDictionary)?;
                let children = dictionary.value().children();
                Ok((PathStep::Dictionary, StepTargets { children, dictionary: None }))
            }
        }
    }
}

fn step<'a>(cursor: &mut Cursor<'a>) -> Result<WrittenStep<'a>, ParseError> {
    let rest = cursor.rest();
    if rest.starts_with('<') {
        return cursor.expect(DICTIONARY_STEP).map(|()| WrittenStep::Dictionary);
    }
    if rest.starts_with('"') {
        return cursor.quoted().map(WrittenStep::Named);
    }
    match cursor.take_while(|c| !is_special(c)) {
        "" => Err(cursor.unexpected(ExpectedText::Name)),
        name => Ok(WrittenStep::Named(name.into())),
    }
}
