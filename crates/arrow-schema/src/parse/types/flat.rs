//! Reads types without children, and the numbers in types.

use super::TypeParser;
use crate::{DataType, FixedSize, TimeUnit, TypeError, parse::ParseError};

impl<'a> TypeParser<'a> {
    pub(super) fn decimal(
        &mut self,
        max_digits: u8,
        new: fn(i32, i32) -> Result<DataType, TypeError>,
    ) -> Result<DataType, ParseError> {
        let end = self.open()?;
        let start = self.cursor.clone();
        let n_digits = self.cursor.number::<i32>("precision", 1..=max_digits.into())?;
        // An invalid precision is an error at its own position, before the scale is read.
        new(n_digits, 0).map_err(|error| start.error(error))?;
        self.cursor.expect(", ")?;
        let scale = self.cursor.number::<i32>("scale", i32::MIN.into()..=i32::MAX.into())?;
        self.cursor.expect(end)?;
        new(n_digits, scale).map_err(|error| start.error(error))
    }

    #[inline(never)]
    pub(super) fn timestamp(&mut self) -> Result<DataType, ParseError> {
        let end = self.open()?;
        let unit = self.cursor.choice(&TIME_UNITS)?;
        if self.cursor.eat(", ") {
            let _ = self.eats_familiar("tz=");
            let quote = if self.eats_familiar("'") { "'" } else { "" };
            let is_familiar = self.has_familiar_names;
            let bare = self.cursor.take_while(|c| is_familiar && !matches!(c, '"' | '\'' | ')' | ']'));
            let zone = if bare.is_empty() { self.cursor.quoted()? } else { bare.into() };
            self.cursor.expect(quote)?;
            self.cursor.expect(end)?;
            return Ok(DataType::timestamp_with_zone(unit, zone));
        }
        if self.cursor.eat(end) {
            return Ok(DataType::timestamp(unit));
        }
        Err(self.cursor.unexpected_token(&[", ", end]))
    }

    #[inline(never)]
    pub(super) fn fixed_size_binary(&mut self) -> Result<DataType, ParseError> {
        let end = self.open()?;
        let size = self.size()?;
        self.cursor.expect(end)?;
        Ok(DataType::FixedSizeBinary(size))
    }

    /// Reads one of these units, in parentheses.
    #[inline(never)]
    pub(super) fn unit(&mut self, units: &[(&'static str, DataType)]) -> Result<DataType, ParseError> {
        let end = self.open()?;
        let data_type = self.cursor.choice(units)?;
        self.cursor.expect(end)?;
        Ok(data_type)
    }

    /// Skips the parenthesis before the parameters of a type, or the bracket that other systems write. Returns the
    /// closing parenthesis or bracket.
    fn open(&mut self) -> Result<&'static str, ParseError> {
        if self.eats_familiar("[") {
            return Ok("]");
        }
        self.cursor.expect("(").map(|()| ")")
    }

    /// Reads a type without parameters. Skips the unit that other implementations write after dates.
    pub(super) fn plain(&mut self, data_type: DataType) -> DataType {
        if data_type == DataType::Date32 {
            self.eats_familiar("[day]");
        } else if data_type == DataType::Date64 {
            self.eats_familiar("[ms]");
        }
        data_type
    }

    #[inline(never)]
    pub(super) fn size(&mut self) -> Result<FixedSize, ParseError> {
        let start = self.cursor.clone();
        let found = self.cursor.number::<i64>("size", 0..=i32::MAX.into())?;
        u32::try_from(found)
            .ok()
            .and_then(FixedSize::new)
            .ok_or_else(|| start.error(TypeError::SizeOutOfRange { found }))
    }
}

const TIME_UNITS: [(&str, TimeUnit); 4] = [
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];
