//! Finds nested fields by the text of their path.

use std::borrow::Cow;

use crate::{
    DictionaryType, Field, FieldPath, LookupError, PathStep,
    parse::{Cursor, ExpectedText, ParseError},
    path::{DICTIONARY_STEP, is_special},
    schema::field_index,
};

/// The path that a text names, from these fields on: `Schema::path`.
pub(super) fn path(fields: &[Field], text: &str) -> Result<FieldPath, LookupError> {
    let mut path = FieldPath::root();
    if text.is_empty() {
        return Ok(path);
    }
    let mut cursor = Cursor::new(text);
    let mut below = StepTargets { children: fields, dictionary: None };
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
