//! Reading types without children, and the numbers of types.

use std::{ops::RangeInclusive, str::FromStr};

use super::{TypeParser, names::instead_of};
use crate::{
    DataType, FixedSize, TimeUnit, TypeError,
    parse::{Cursor, Excerpt, Expected, ParseError, ParseErrorKind},
};

impl<'a> TypeParser<'a> {
    pub(super) fn decimal(
        &mut self,
        max_digits: u8,
        new: fn(i32, i32) -> Result<DataType, TypeError>,
    ) -> Result<DataType, ParseError> {
        self.cursor.expect("(")?;
        let start = self.cursor.clone();
        let n_digits = self.number::<i32>(1..=max_digits.into())?;
        // No scale makes a precision legal that is not.
        new(n_digits, 0).map_err(|error| start.error(error))?;
        self.cursor.expect(", ")?;
        let scale = self.number::<i32>(i32::MIN.into()..=i32::MAX.into())?;
        self.cursor.expect(")")?;
        new(n_digits, scale).map_err(|error| start.error(error))
    }

    #[inline(never)]
    pub(super) fn timestamp(&mut self) -> Result<DataType, ParseError> {
        self.cursor.expect("(")?;
        let unit = self.cursor.choice(&TIME_UNITS)?;
        if self.cursor.eat(", ") {
            let zone = self.cursor.quoted()?;
            self.cursor.expect(")")?;
            return Ok(DataType::timestamp_with_zone(unit, zone));
        }
        if self.cursor.eat(")") {
            return Ok(DataType::timestamp(unit));
        }
        Err(self.cursor.unexpected_token(&[", ", ")"]))
    }

    #[inline(never)]
    pub(super) fn fixed_size_binary(&mut self) -> Result<DataType, ParseError> {
        self.cursor.expect("(")?;
        let size = self.size()?;
        self.cursor.expect(")")?;
        Ok(DataType::FixedSizeBinary(size))
    }

    /// One of these units, in parentheses.
    #[inline(never)]
    pub(super) fn unit(&mut self, units: &[(&'static str, DataType)]) -> Result<DataType, ParseError> {
        self.cursor.expect("(")?;
        let data_type = self.cursor.choice(units)?;
        self.cursor.expect(")")?;
        Ok(data_type)
    }

    #[inline(never)]
    pub(super) fn size(&mut self) -> Result<FixedSize, ParseError> {
        let start = self.cursor.clone();
        let found = self.number::<i64>(0..=i32::MAX.into())?;
        u32::try_from(found)
            .ok()
            .and_then(FixedSize::new)
            .ok_or_else(|| start.error(TypeError::SizeOutOfRange { found }))
    }

    pub(super) fn number<T: FromStr>(&mut self, legal: RangeInclusive<i64>) -> Result<T, ParseError> {
        self.cursor.number(legal)
    }
}

const TIME_UNITS: [(&str, TimeUnit); 4] = [
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];

/// Why the word at `start` is no type.
#[cold]
#[inline(never)]
pub(super) fn unknown_type(word: &str, start: &Cursor<'_>) -> ParseError {
    if word.is_empty() {
        return start.unexpected(Expected::Type);
    }
    let (name, instead) = (Excerpt::new(word), instead_of(word));
    start.error(ParseErrorKind::UnknownType { name, instead })
}
