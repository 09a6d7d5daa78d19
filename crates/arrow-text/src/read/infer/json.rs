//! Finds the kinds of the values in a line of JSON, without storing the values.

use std::{collections::HashSet, fmt, sync::OnceLock};

use arrow_array::parse::{Expectation, ValueError};
use arrow_schema::{FieldPath, PathStep};
use serde_core::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    kind::{InferenceContext, InferredMembers, Kind, MAX_MEMBERS, item_step},
    numbers::{NumberTexts, NumbersSoFar},
};
use crate::read::{
    batches::MAX_DEPTH,
    error::{RowError, RowErrorKind},
    json::{not_json, reason},
};

/// The kind of a line, which must be an object. Counts its members in `context`. Values of the columns `given` have a known type
/// and get no kind.
pub(super) fn kind_of(
    line: &str,
    given: &HashSet<&str>,
    context: &mut InferenceContext,
) -> Result<Kind, RowError> {
    if line.trim_ascii_start().starts_with('[')
        && serde_json::from_str::<Vec<(String, IgnoredAny)>>(line).is_ok_and(|pairs| !pairs.is_empty())
    {
        return Err(RowError::new(0, RowErrorKind::Pairs));
    }
    let mut parser = serde_json::Deserializer::from_str(line);
    let found = KindReader { context, texts: &mut NumberTexts::new(line), level: 0, given: Some(given) }
        .deserialize(&mut parser)
        .and_then(|kind| parser.end().map(|()| kind));
    let found = found.map_err(|error| {
        let byte = Some(error.column()).filter(|column| *column > 0);
        if let Some(mixed) = context.take_mixed() {
            if line.trim_ascii_start().starts_with('[') {
                return RowError::new(0, RowErrorKind::ArrayOfRows);
            }
            return mixed.at_byte(byte);
        }
        let kind = if context.is_exceeded() {
            RowErrorKind::TooManyMembers { max: MAX_MEMBERS as u64 }
        } else if context.is_too_deep() {
            let max = MAX_DEPTH as u64;
            RowErrorKind::TooDeep { depth: max.saturating_add(1), max }
        } else if error.is_eof() {
            RowErrorKind::Unfinished
        } else if &*reason(&error) == OUT_OF_RANGE {
            let path = context.take_path_of_number().unwrap_or_else(FieldPath::root);
            let kind = too_large(line.get(..error.column()).unwrap_or(line));
            return RowError::new(0, kind).in_path(path).at_byte(byte);
        } else {
            not_json(line, &error)
        };
        RowError::new(0, kind).at_byte(byte)
    })?;
    if matches!(found, Kind::Struct(_)) {
        return Ok(found);
    }
    let is_list = matches!(found, Kind::List(_));
    let other = RowErrorKind::NotAnObject { found: found.name() };
    Err(RowError::new(0, if is_list { RowErrorKind::ArrayOfRows } else { other }))
}

/// The message of the parser for a number that is too large for float64.
const OUT_OF_RANGE: &str = "number out of range";

/// The error for a number that is too large. `text` ends with the number.
fn too_large(text: &str) -> RowErrorKind {
    let is_digit = |char: char| char.is_ascii_digit() || matches!(char, '-' | '+' | '.' | 'e' | 'E');
    let number = text.get(text.trim_end_matches(is_digit).len()..).unwrap_or_default();
    ValueError::new(Expectation::FiniteFloat { n_bits: 64 }, number).into()
}

/// Adds to an error about a field the byte of `line` at which the value of the field begins.
pub(super) fn with_byte(error: RowError, line: &str) -> RowError {
    let steps = error.path().steps();
    if error.byte().is_some() || steps.is_empty() {
        return error;
    }
    let found = MemberSearch(steps).deserialize(&mut serde_json::Deserializer::from_str(line));
    let n_before = found.err().map(|error| error.column()).filter(|column| *column > 0);
    let rest = n_before.and_then(|n_before| line.get(n_before..));
    let n_spaces = rest.map_or(0, |rest| rest.len().saturating_sub(rest.trim_ascii_start().len()));
    let byte = n_before.map(|n_before| n_before.saturating_add(n_spaces).saturating_add(1));
    error.at_byte(byte)
}

/// Reads until the value of the field at a path, or until the first item of a list, and then fails.
struct MemberSearch<'a>(&'a [PathStep]);

impl<'de> DeserializeSeed<'de> for MemberSearch<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.is_empty() { Err(D::Error::custom("found")) } else { deserializer.deserialize_any(self) }
    }
}

impl<'de> Visitor<'de> for MemberSearch<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let (first, rest) = self.0.split_first().ok_or_else(|| A::Error::custom("found"))?;
        while let Some(found) = members.next_key::<String>()? {
            match first {
                PathStep::Child { name, .. } if **name == *found => {
                    members.next_value_seed(MemberSearch(rest))?
                }
                PathStep::Child { .. } | PathStep::Dictionary => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// If a crate of the program turns on the feature `arbitrary_precision` of the parser, the parser returns numbers as objects
/// with a member of this name.
const NUMBER: &str = "$serde_json::private::Number";

/// Whether the parser returns numbers as objects. Otherwise, [`NUMBER`] is a name like others.
fn numbers_are_objects() -> bool {
    struct NumberForm;

    impl<'de> Visitor<'de> for NumberForm {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }

        fn visit_f64<E: Error>(self, _number: f64) -> Result<bool, E> {
            Ok(false)
        }

        fn visit_map<A: MapAccess<'de>>(self, _members: A) -> Result<bool, A::Error> {
            Ok(true)
        }
    }

    static ARE_OBJECTS: OnceLock<bool> = OnceLock::new();
    *ARE_OBJECTS.get_or_init(|| {
        serde_json::Deserializer::from_str("1.5").deserialize_any(NumberForm).unwrap_or(false)
    })
}

/// Finds the kind of a value. Rows are level 0, columns are level 1.
struct KindReader<'a, 't> {
    context: &'a mut InferenceContext,
    texts: &'a mut NumberTexts<'t>,
    level: usize,
    /// The names of columns whose type is known.
    given: Option<&'a HashSet<&'a str>>,
}

impl<'t> KindReader<'_, 't> {
    fn below(&mut self) -> KindReader<'_, 't> {
        let level = self.level.saturating_add(1);
        KindReader { context: &mut *self.context, texts: &mut *self.texts, level, given: None }
    }

    /// The kind of an integer of at most 64 bits. A decimal can store all its digits, so they are not checked.
    fn integer(self, number: impl Into<i128>) -> Kind {
        self.texts.skip();
        Kind::Number(NumbersSoFar::from_integer(number.into()))
    }

    /// The kind of a number with this text.
    ///
    /// # Errors
    /// If the number is too large for float64, or if no type keeps its digits.
    fn number<E: Error>(&mut self, text: &str) -> Result<Kind, E> {
        let number = NumbersSoFar::from_text(text).ok_or_else(|| E::custom(OUT_OF_RANGE))?;
        let kind = Kind::Number(number);
        kind.check_digits().map_err(|error| self.differ(error))?;
        Ok(kind)
    }

    /// Stores an error with its path, which an error of the parser cannot contain.
    fn differ<E: Error>(&mut self, error: RowError) -> E {
        let text = E::custom(&error);
        self.context.set_mixed(error);
        text
    }

    /// Prepends a step to the path of an error in a member or item.
    fn put_in(&mut self, error: &impl fmt::Display, step: impl Fn() -> PathStep) {
        self.context.put_mixed_in(&step);
        if error.to_string().starts_with(OUT_OF_RANGE) {
            self.context.put_number_in(step());
        }
    }

    /// Checks that an array or object is not nested too deeply.
    ///
    /// # Errors
    /// If a type that contains these values would have too many levels.
    fn check_depth<E: Error>(&mut self) -> Result<(), E> {
        if self.level < MAX_DEPTH {
            return Ok(());
        }
        self.context.set_too_deep();
        Err(E::custom("too many levels"))
    }
}

impl<'de> DeserializeSeed<'de> for KindReader<'_, '_> {
    type Value = Kind;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KindReader<'_, '_> {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Kind, E> {
        Ok(Kind::Boolean)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Kind, E> {
        Ok(self.integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Kind, E> {
        Ok(self.integer(number))
    }

    /// Parses the text of the number, since the parser also passes whole numbers of more than 64 bits here.
    fn visit_f64<E: Error>(mut self, _: f64) -> Result<Kind, E> {
        let text = self.texts.next().ok_or_else(|| E::custom("a number without text"))?;
        self.number(text)
    }

    fn visit_str<E>(self, text: &str) -> Result<Kind, E> {
        // JSON rows contain these values as strings.
        let is_not_finite = ["NaN", "Infinity", "-Infinity"].contains(&text);
        Ok(if is_not_finite { Kind::NotFinite } else { Kind::from_string(text) })
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Kind, A::Error> {
        self.check_depth()?;
        let mut all = Kind::None;
        loop {
            let item = items.next_element_seed(self.below());
            let Some(item) = item.inspect_err(|error| self.put_in(error, item_step))? else { break };
            all.merge(item, self.context).map_err(|error| self.differ(error.in_step(&item_step())))?;
        }
        Ok(Kind::List(Box::new(all)))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Kind, A::Error> {
        let mut found = InferredMembers::default();
        while let Some(name) = members.next_key::<String>()? {
            if name == NUMBER && numbers_are_objects() {
                self.texts.skip();
                return self.number(&members.next_value::<String>()?);
            }
            self.check_depth()?;
            if !self.context.take() {
                return Err(A::Error::custom("too many members"));
            }
            let step = || PathStep::Child { position: 0, name: name.as_str().into() };
            let kind = if self.given.is_some_and(|given| given.contains(name.as_str())) {
                self.texts.skip_all(members.next_value::<&RawValue>()?.get());
                Kind::None
            } else {
                members.next_value_seed(self.below()).inspect_err(|error| self.put_in(error, step))?
            };
            found.add((name, kind), self.context).map_err(|error| self.differ(error))?;
        }
        Ok(Kind::Struct(found))
    }
}
