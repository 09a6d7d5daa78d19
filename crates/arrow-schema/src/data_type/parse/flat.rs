//! Reading types without children, and the numbers of types.

use std::{ops::RangeInclusive, str::FromStr};

use super::names::instead_of;
use crate::{
    DataType, FixedSize, IntervalUnit, Precision, Time32Unit, Time64Unit, TimeUnit, TypeError,
    data_type::TypeParser,
    parse::{Cursor, Excerpt, Expected, ParseError, ParseErrorKind},
};

impl<'a> TypeParser<'a> {
    /// The flat type of this name, which began at `start` and is behind the cursor.
    #[inline(never)]
    pub(super) fn flat(&mut self, word: &str, start: &Cursor<'a>) -> Result<DataType, ParseError> {
        Ok(match word {
            "null" => DataType::Null,
            "bool" => DataType::Boolean,
            "int8" => DataType::Int8,
            "int16" => DataType::Int16,
            "int32" => DataType::Int32,
            "int64" => DataType::Int64,
            "uint8" => DataType::UInt8,
            "uint16" => DataType::UInt16,
            "uint32" => DataType::UInt32,
            "uint64" => DataType::UInt64,
            "float16" => DataType::Float16,
            "float32" => DataType::Float32,
            "float64" => DataType::Float64,
            "date32" => DataType::Date32,
            "date64" => DataType::Date64,
            "binary" => DataType::Binary,
            "large_binary" => DataType::LargeBinary,
            "binary_view" => DataType::BinaryView,
            "utf8" => DataType::Utf8,
            "large_utf8" => DataType::LargeUtf8,
            "utf8_view" => DataType::Utf8View,
            "decimal32" => {
                let (precision, scale) = self.decimal()?;
                DataType::Decimal32(precision, scale)
            }
            "decimal64" => {
                let (precision, scale) = self.decimal()?;
                DataType::Decimal64(precision, scale)
            }
            "decimal128" => {
                let (precision, scale) = self.decimal()?;
                DataType::Decimal128(precision, scale)
            }
            "decimal256" => {
                let (precision, scale) = self.decimal()?;
                DataType::Decimal256(precision, scale)
            }
            "time32" => DataType::Time32(self.only_choice(TIME32_UNITS)?),
            "time64" => DataType::Time64(self.only_choice(TIME64_UNITS)?),
            "duration" => DataType::Duration(self.only_choice(TIME_UNITS)?),
            "interval" => DataType::Interval(self.only_choice(INTERVAL_UNITS)?),
            "timestamp" => self.timestamp()?,
            "fixed_size_binary" => self.fixed_size_binary()?,
            "" => return Err(start.unexpected(Expected::Type)),
            unknown => {
                let (name, instead) = (Excerpt::new(unknown), instead_of(unknown));
                return Err(start.error(ParseErrorKind::UnknownType { name, instead }));
            }
        })
    }

    fn decimal<const MAX: u8>(&mut self) -> Result<(Precision<MAX>, i32), ParseError> {
        self.cursor.expect("(")?;
        let start = self.cursor.clone();
        let n_digits = self.number::<i32>(1..=MAX.into())?;
        let precision = Precision::try_from(n_digits).map_err(|error| start.error(error))?;
        self.cursor.expect(", ")?;
        let scale = self.number::<i32>(i32::MIN.into()..=i32::MAX.into())?;
        self.cursor.expect(")")?;
        Ok((precision, scale))
    }

    fn timestamp(&mut self) -> Result<DataType, ParseError> {
        self.cursor.expect("(")?;
        let unit = self.cursor.choice(TIME_UNITS)?;
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

    fn fixed_size_binary(&mut self) -> Result<DataType, ParseError> {
        self.cursor.expect("(")?;
        let size = self.size()?;
        self.cursor.expect(")")?;
        Ok(DataType::FixedSizeBinary(size))
    }

    /// One of these words, in parentheses.
    fn only_choice<T: Copy, const N: usize>(
        &mut self,
        choices: [(&'static str, T); N],
    ) -> Result<T, ParseError> {
        self.cursor.expect("(")?;
        let choice = self.cursor.choice(choices)?;
        self.cursor.expect(")")?;
        Ok(choice)
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

const TIME32_UNITS: [(&str, Time32Unit); 2] = [("s", Time32Unit::Second), ("ms", Time32Unit::Millisecond)];

const TIME64_UNITS: [(&str, Time64Unit); 2] =
    [("us", Time64Unit::Microsecond), ("ns", Time64Unit::Nanosecond)];

const INTERVAL_UNITS: [(&str, IntervalUnit); 3] = [
    ("year_month", IntervalUnit::YearMonth),
    ("day_time", IntervalUnit::DayTime),
    ("month_day_nano", IntervalUnit::MonthDayNano),
];
