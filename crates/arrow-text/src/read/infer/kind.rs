//! What the values of a field have been so far.

use arrow_schema::{DataType, Field, PathStep, TimeUnit};

use super::members::Members;

use crate::read::{
    error::{RowError, RowErrorKind},
    parse::{self, Zone},
};

/// What the values of a field have been so far, nulls left out.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// There were none.
    None,
    Boolean,
    /// Integers of which none is negative.
    Natural,
    Integer,
    /// Integers of which some are larger than signed ones can be.
    Unsigned,
    Float,
    Date,
    /// In microseconds, or nanoseconds if some have so many digits.
    Timestamp {
        unit: TimeUnit,
        zone: HasZone,
    },
    Text,
    List(Box<Kind>),
    Struct(Members),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HasZone {
    Yes,
    No,
}

/// How many members objects may still have, those of all levels and rows counted together, each name in its place once; and
/// whether their levels were too many.
#[derive(Debug)]
pub(super) struct Room {
    /// `None` when there was no room for one.
    n_left: Option<usize>,
    is_too_deep: bool,
    /// Values inside of one row that no type takes together; with the path to them, as far as it is known.
    mixed: Option<RowError>,
}

impl Room {
    pub(super) fn new(n_members: usize) -> Room {
        Room { n_left: Some(n_members), is_too_deep: false, mixed: None }
    }

    /// Counts a member. Whether there is room for it.
    pub(super) fn take(&mut self) -> bool {
        self.n_left = self.n_left.and_then(|n_left| n_left.checked_sub(1));
        self.n_left.is_some()
    }

    /// A member that was counted is the same as another one.
    pub(super) fn give_back(&mut self) {
        self.n_left = self.n_left.map(|n_left| n_left.saturating_add(1));
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.n_left.is_none()
    }

    /// Values of one row differ.
    pub(super) fn set_mixed(&mut self, error: RowError) {
        self.mixed = Some(error);
    }

    /// They are in this place of what they are inside of.
    pub(super) fn put_mixed_in(&mut self, step: impl FnOnce() -> PathStep) {
        self.mixed = self.mixed.take().map(|error| error.in_step(&step()));
    }

    pub(super) fn take_mixed(&mut self) -> Option<RowError> {
        self.mixed.take()
    }

    /// That a value has more levels than a type may have.
    pub(super) fn set_too_deep(&mut self) {
        self.is_too_deep = true;
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }
}

impl Kind {
    /// What a cell of CSV is.
    pub(super) fn of_cell(text: &str) -> Kind {
        match text {
            "" => Kind::None,
            _ if parse::boolean(text).is_ok() => Kind::Boolean,
            // A code such as 007 would lose its zeros.
            _ if has_needless_digits(text) => Kind::Text,
            _ if parse::integer::<i64>(text).is_ok() && text.starts_with('-') => Kind::Integer,
            _ if parse::integer::<i64>(text).is_ok() => Kind::Natural,
            _ if parse::integer::<u64>(text).is_ok() => Kind::Unsigned,
            // An integer with more digits would lose some.
            _ if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => Kind::of_string(text),
            _ if parse::float::<f64>(text).is_ok() => Kind::Float,
            _ => Kind::of_string(text),
        }
    }

    /// What a text is: a date, a timestamp, or text.
    pub(super) fn of_string(text: &str) -> Kind {
        // Numbers are no dates.
        if !text.contains(['-', ':']) {
            return Kind::Text;
        }
        if parse::date32(text).is_ok() {
            return Kind::Date;
        }
        for unit in [TimeUnit::Microsecond, TimeUnit::Nanosecond] {
            for (zone, parsed) in [(HasZone::No, Zone::None), (HasZone::Yes, Zone::Some)] {
                // What has a zone says so at its end; without one, a reader might take it as local time.
                if parse::timestamp(text, unit, parsed).is_ok()
                    && ends_with_zone(text) == (zone == HasZone::Yes)
                {
                    return Kind::Timestamp { unit, zone };
                }
            }
        }
        Kind::Text
    }

    /// One more cell of a column of CSV. Whatever differs is text.
    pub(super) fn add_cell(&mut self, text: &str) {
        if !matches!(self, Kind::Text) && !text.is_empty() {
            let both = std::mem::replace(self, Kind::None).and(Kind::of_cell(text));
            *self = both.unwrap_or(Kind::Text);
        }
    }

    /// What takes values of both, or what both are called if nothing does.
    fn and(self, other: Kind) -> Result<Kind, [&'static str; 2]> {
        Ok(match (self, other) {
            (Kind::None, kind) | (kind, Kind::None) => kind,
            (Kind::Boolean, Kind::Boolean) => Kind::Boolean,
            (Kind::Natural, Kind::Natural) => Kind::Natural,
            (Kind::Natural | Kind::Integer, Kind::Natural | Kind::Integer) => Kind::Integer,
            (Kind::Natural | Kind::Unsigned, Kind::Natural | Kind::Unsigned) => Kind::Unsigned,
            (Kind::Natural | Kind::Integer | Kind::Unsigned | Kind::Float, Kind::Float)
            | (Kind::Float, Kind::Natural | Kind::Integer | Kind::Unsigned) => Kind::Float,
            (Kind::Date, Kind::Date) => Kind::Date,
            (Kind::Timestamp { unit, zone }, Kind::Timestamp { unit: other_unit, zone: other })
                if zone == other && unit == other_unit =>
            {
                Kind::Timestamp { unit, zone }
            }
            (Kind::Timestamp { zone, .. }, Kind::Timestamp { zone: other, .. }) if zone == other => {
                Kind::Timestamp { unit: TimeUnit::Nanosecond, zone }
            }
            (
                Kind::Text | Kind::Date | Kind::Timestamp { .. },
                Kind::Text | Kind::Date | Kind::Timestamp { .. },
            ) => Kind::Text,
            (one, other) => return Err([one.name(), other.name()]),
        })
    }

    /// One more value of a field of JSON.
    ///
    /// # Errors
    /// If no type takes both; the path leads to what differs.
    pub(super) fn merge(&mut self, other: Kind, room: &mut Room) -> Result<(), RowError> {
        match (self, other) {
            (Kind::Struct(members), Kind::Struct(others)) => members.merge(others, room),
            (Kind::List(item), Kind::List(other)) => {
                item.merge(*other, room).map_err(|error| error.in_step(&item_step()))
            }
            (this, other) => match std::mem::replace(this, Kind::None).and(other) {
                Ok(both) => {
                    *this = both;
                    Ok(())
                }
                Err([before, found]) => Err(RowError::new(0, RowErrorKind::Mixed { before, found })),
            },
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Kind::None => "null",
            Kind::Boolean => "a boolean",
            Kind::Natural | Kind::Integer => "an integer",
            Kind::Unsigned => "an integer above 9223372036854775807",
            Kind::Float => "a number",
            Kind::Date | Kind::Timestamp { .. } | Kind::Text => "a string",
            Kind::List(_) => "an array",
            Kind::Struct(_) => "an object",
        }
    }

    /// The type of a column of CSV: text where nothing is known.
    pub(super) fn of_csv(self) -> DataType {
        if matches!(self, Kind::None) { DataType::Utf8 } else { self.into_type() }
    }

    pub(super) fn into_type(self) -> DataType {
        match self {
            Kind::None => DataType::Null,
            Kind::Boolean => DataType::Boolean,
            Kind::Natural | Kind::Integer => DataType::Int64,
            Kind::Unsigned => DataType::UInt64,
            Kind::Float => DataType::Float64,
            Kind::Date => DataType::Date32,
            Kind::Timestamp { unit, zone: HasZone::No } => DataType::timestamp(unit),
            Kind::Timestamp { unit, zone: HasZone::Yes } => DataType::timestamp_with_zone(unit, "UTC"),
            Kind::Text => DataType::Utf8,
            Kind::List(item) => DataType::list(Field::new("item", item.into_type())),
            Kind::Struct(members) => DataType::struct_(members.into_fields()),
        }
    }
}

/// From a list to its items.
pub(super) fn item_step() -> PathStep {
    PathStep::Child { position: 0, name: "item".into() }
}

/// Whether an integer has a plus sign or zeros that its number does not need.
fn has_needless_digits(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_integer = digits.strip_prefix('+').unwrap_or(digits).bytes().all(|byte| byte.is_ascii_digit());
    is_integer && (digits.starts_with('+') || (digits.starts_with('0') && digits.len() > 1))
}

/// Whether a timestamp ends with `Z` or an offset.
fn ends_with_zone(text: &str) -> bool {
    let Some((_, clock)) = text.split_once(['T', ' ']) else { return false };
    clock.ends_with(['Z', 'z']) || clock.contains(['+', '-'])
}
