//! What all values of a field so far have in common.

use std::collections::HashMap;

use arrow_array::parse;
use arrow_schema::{DataType, Field, FieldPath, PathStep, Time64Unit, TimeUnit};

use super::numbers::NumbersSoFar;
use crate::{
    csv_options::{CsvOptions, unspaced},
    date_order::DateOrder,
    read::error::{RowError, RowErrorKind},
};

/// The kind of all values of a field so far. Nulls are ignored.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// The field has had no values.
    None,
    Boolean,
    Number(NumbersSoFar),
    /// Dates, and the units in which timestamps of their midnights can be stored.
    Date(Units),
    Time(Units),
    Timestamp {
        units: Units,
        has_zone: bool,
    },
    Text,
    /// `NaN`, `Infinity` and `-Infinity` in JSON. They are numbers if the field also has other numbers, otherwise text.
    NotFinite,
    List(Box<Kind>),
    Struct(InferredMembers),
}

/// The units in which all timestamps or times of day so far can be stored exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Units {
    microseconds: bool,
    nanoseconds: bool,
}

impl Units {
    /// The units for the midnight at which a day starts.
    fn from_midnight(days_since_1970: i32) -> Units {
        const SECONDS_PER_DAY: i64 = 86_400;
        let seconds = i64::from(days_since_1970) * SECONDS_PER_DAY;
        let fits = |unit: TimeUnit| seconds.checked_mul(unit.per_second()).is_some();
        Units { microseconds: fits(TimeUnit::Microsecond), nanoseconds: fits(TimeUnit::Nanosecond) }
    }

    /// Microseconds if they are exact, otherwise nanoseconds.
    fn unit(self) -> Option<TimeUnit> {
        match self {
            Units { microseconds: true, .. } => Some(TimeUnit::Microsecond),
            Units { microseconds: false, nanoseconds: true } => Some(TimeUnit::Nanosecond),
            Units { microseconds: false, nanoseconds: false } => None,
        }
    }

    fn and(self, other: Units) -> Units {
        Units {
            microseconds: self.microseconds && other.microseconds,
            nanoseconds: self.nanoseconds && other.nanoseconds,
        }
    }
}

/// The maximum number of members of objects, on all levels together. A member takes more memory than its text.
#[cfg(feature = "json")]
pub(super) const MAX_MEMBERS: usize = 1 << 20;

/// Counts how many members may still be added, on all levels together. A member that occurs in several rows counts once. Also
/// stores the errors of too many levels and of values that no type fits.
#[derive(Debug)]
pub(super) struct InferenceContext {
    /// How many members may still be added. `None` after the limit was exceeded.
    n_left: Option<usize>,
    is_too_deep: bool,
    /// The error for values that no type fits. Its path grows while the recursion returns.
    mixed: Option<RowError>,
    /// The path of a number that no type holds.
    number: Option<FieldPath>,
}

impl InferenceContext {
    pub(super) fn new(n_members: usize) -> InferenceContext {
        InferenceContext { n_left: Some(n_members), is_too_deep: false, mixed: None, number: None }
    }

    /// Counts a member. Returns `false` if there are too many.
    pub(super) fn take(&mut self) -> bool {
        self.n_left = self.n_left.and_then(|n_left| n_left.checked_sub(1));
        self.n_left.is_some()
    }

    /// Undoes one call of [`take`](InferenceContext::take).
    pub(super) fn refund(&mut self) {
        self.n_left = self.n_left.map(|n_left| n_left.saturating_add(1));
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.n_left.is_none()
    }

    /// Stores the error for values that no type fits.
    pub(super) fn set_mixed(&mut self, error: RowError) {
        self.mixed = Some(error);
    }

    /// Prepends a step to the path of the stored error.
    pub(super) fn put_mixed_in(&mut self, step: impl FnOnce() -> PathStep) {
        self.mixed = self.mixed.take().map(|error| error.in_step(&step()));
    }

    /// Prepends a step to the path of a number that no type holds.
    pub(super) fn put_number_in(&mut self, step: PathStep) {
        self.number.get_or_insert_with(FieldPath::root).prepend(step);
    }

    pub(super) fn take_path_of_number(&mut self) -> Option<FieldPath> {
        self.number.take()
    }

    pub(super) fn take_mixed(&mut self) -> Option<RowError> {
        self.mixed.take()
    }

    /// Stores that a value has more levels than a type may have.
    pub(super) fn set_too_deep(&mut self) {
        self.is_too_deep = true;
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }
}

impl Kind {
    pub(super) fn from_cell(cell: &str, options: &CsvOptions) -> Kind {
        let text = unspaced(cell);
        match text {
            "" if cell.is_empty() => return Kind::None,
            _ if parse::boolean(text).is_ok() => return Kind::Boolean,
            _ => {}
        }
        let mut plain = String::new();
        let mut buffer = String::new();
        let dated = options.dates.map_or(text, |order| order.iso_of_any(text, &mut buffer));
        match options.numbers.plain(text, &mut plain) {
            None => Kind::from_string(dated),
            // A number type would drop the zeros of 007 and 08.30.
            Some(number) if parse::has_needless_digits(number) => Kind::Text,
            Some(number) => {
                NumbersSoFar::from_text(number).map_or_else(|| Kind::from_string(dated), Kind::Number)
            }
        }
    }

    /// The kind of a string: date, time of day, timestamp or text.
    pub(super) fn from_string(text: &str) -> Kind {
        // Dates and times contain a hyphen or a colon. Most other texts are numbers.
        if !text.contains(['-', ':']) {
            return Kind::Text;
        }
        if let Ok(days) = parse::date32(text) {
            return Kind::Date(Units::from_midnight(days));
        }
        let is_time = |unit| text.contains(':') && parse::time64(text, unit).is_ok();
        let units = Units {
            microseconds: is_time(Time64Unit::Microsecond),
            nanoseconds: is_time(Time64Unit::Nanosecond),
        };
        if units.nanoseconds {
            return Kind::Time(units);
        }
        // A zone stands at the end of the text. Without one, a reader might take the text for local time.
        let has_zone = ends_with_zone(text);
        let parse = if has_zone { parse::timestamp_with_zone } else { parse::timestamp };
        let fits = |unit| parse(text, unit).is_ok();
        let microseconds = fits(TimeUnit::Microsecond);
        let nanoseconds = fits(TimeUnit::Nanosecond);
        let units = Units { microseconds, nanoseconds };
        units.unit().map_or(Kind::Text, |_| Kind::Timestamp { units, has_zone })
    }

    pub(super) fn is_date(&self) -> bool {
        matches!(self, Kind::Date(_) | Kind::Timestamp { .. })
    }

    /// Whether both kinds belong to the same group: numbers, booleans, dates, times of day, or timestamps.
    pub(super) fn is_like(&self, other: &Kind) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Adds a cell of CSV. The column becomes text if no other kind fits this cell and the earlier cells.
    pub(super) fn add_cell(&mut self, text: &str, options: &CsvOptions) {
        if !matches!(self, Kind::Text) && !text.is_empty() {
            let mut kind = Kind::from_cell(text, options);
            if options.dates.is_some()
                && let (date @ Kind::Date(_), Kind::Timestamp { .. })
                | (Kind::Timestamp { .. }, date @ Kind::Date(_)) = (&mut *self, &mut kind)
                && let Kind::Date(units) = *date
            {
                // A date alone is midnight.
                *date = Kind::Timestamp { units, has_zone: false };
            }
            let both = std::mem::replace(self, Kind::None).and(kind);
            *self = both.unwrap_or(Kind::Text);
        }
    }

    /// The kind that fits the values of both kinds. The error contains the names of both kinds.
    pub(super) fn and(self, other: Kind) -> Result<Kind, [&'static str; 2]> {
        Ok(match (self, other) {
            (Kind::None, kind) | (kind, Kind::None) => kind,
            (Kind::Boolean, Kind::Boolean) => Kind::Boolean,
            (Kind::Number(numbers), Kind::Number(others)) => Kind::Number(numbers.and(others)),
            (Kind::Date(units), Kind::Date(others)) => Kind::Date(units.and(others)),
            // Nanoseconds are exact for both.
            (Kind::Time(units), Kind::Time(others)) => Kind::Time(units.and(others)),
            (Kind::NotFinite, Kind::NotFinite) => Kind::NotFinite,
            (Kind::Number(numbers), Kind::NotFinite) | (Kind::NotFinite, Kind::Number(numbers)) => {
                Kind::Number(NumbersSoFar::from_text("NaN").map_or(numbers, |others| numbers.and(others)))
            }
            (Kind::Timestamp { units, has_zone }, Kind::Timestamp { units: others, has_zone: other })
                if has_zone == other =>
            {
                let units = units.and(others);
                units.unit().map_or(Kind::Text, |_| Kind::Timestamp { units, has_zone })
            }
            (
                Kind::Text | Kind::NotFinite | Kind::Date(_) | Kind::Time(_) | Kind::Timestamp { .. },
                Kind::Text | Kind::NotFinite | Kind::Date(_) | Kind::Time(_) | Kind::Timestamp { .. },
            ) => Kind::Text,
            (one, other) => return Err([one.name(), other.name()]),
        })
    }

    /// Adds the kind of a value of a JSON field.
    ///
    /// # Errors
    /// If no type fits both kinds. The path of the error leads to the values that differ.
    pub(super) fn merge(&mut self, other: Kind, context: &mut InferenceContext) -> Result<(), RowError> {
        match (self, other) {
            (Kind::Struct(members), Kind::Struct(others)) => members.merge(others, context),
            (Kind::List(item), Kind::List(other)) => {
                item.merge(*other, context).map_err(|error| error.in_step(&item_step()))
            }
            (this, other) => match std::mem::replace(this, Kind::None).and(other) {
                Ok(both) => {
                    *this = both;
                    this.check_digits()
                }
                Err([before, found]) => Err(RowError::new(0, RowErrorKind::Mixed { before, found })),
            },
        }
    }

    /// Checks that a type can store all digits of the numbers so far.
    ///
    /// # Errors
    /// If no type can store all digits of the numbers. Numbers of JSON do not become text.
    pub(super) fn check_digits(&self) -> Result<(), RowError> {
        let Kind::Number(numbers) = self else { return Ok(()) };
        let [n_whole, n_fraction] = numbers.n_digits();
        let error = || RowError::new(0, RowErrorKind::TooManyDigits { n_whole, n_fraction });
        numbers.any().map(drop).ok_or_else(error)
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Kind::None => "null",
            Kind::Boolean => "a boolean",
            Kind::Number(numbers) => numbers.name(),
            Kind::Date(_) | Kind::Time(_) | Kind::Timestamp { .. } | Kind::Text | Kind::NotFinite => {
                "a string"
            }
            Kind::List(_) => "an array",
            Kind::Struct(_) => "an object",
        }
    }

    /// The type of a column of CSV. It is utf8 if the column has no values, or if no number type can store all digits.
    pub(super) fn csv_type(self) -> DataType {
        if let Kind::Number(numbers) = self {
            return numbers.cell_type().unwrap_or(DataType::Utf8);
        }
        if matches!(self, Kind::None) { DataType::Utf8 } else { self.into_type() }
    }

    pub(super) fn into_type(self) -> DataType {
        match self {
            Kind::None => DataType::Null,
            Kind::Boolean => DataType::Boolean,
            Kind::Number(numbers) => numbers.any().unwrap_or(DataType::Utf8),
            Kind::Date(_) => DataType::Date32,
            Kind::Time(Units { microseconds: true, .. }) => DataType::Time64(Time64Unit::Microsecond),
            Kind::Time(_) => DataType::Time64(Time64Unit::Nanosecond),
            Kind::Timestamp { units, has_zone } => match (units.unit(), has_zone) {
                (Some(unit), false) => DataType::timestamp(unit),
                (Some(unit), true) => DataType::timestamp_with_zone(unit, "UTC"),
                (None, _) => DataType::Utf8,
            },
            Kind::Text | Kind::NotFinite => DataType::Utf8,
            Kind::List(item) => DataType::list(Field::new("item", item.into_type())),
            Kind::Struct(members) => DataType::struct_(members.into_fields()),
        }
    }
}

impl DateOrder {
    /// Whether a text is a date in this order, with or without a time of day. `false` for dates of ISO 8601.
    pub fn reads(self, text: &str) -> bool {
        let text = unspaced(text);
        let mut buffer = String::new();
        let is_date = |text| Kind::from_string(text).is_date();
        !is_date(text) && is_date(self.iso(text, &mut buffer))
    }
}

/// The path step from a list to its items.
pub(super) fn item_step() -> PathStep {
    PathStep::Child { position: 0, name: "item".into() }
}

/// Whether a timestamp ends with `Z` or with an offset.
fn ends_with_zone(text: &str) -> bool {
    let Some((_, clock)) = text.split_once(['T', ' ']) else { return false };
    clock.ends_with(['Z', 'z']) || clock.contains(['+', '-'])
}

/// The members of objects with their kinds, in order of first occurrence.
#[derive(Debug, Clone, Default)]
pub(super) struct InferredMembers {
    kinds: Vec<(String, Kind)>,
    positions: HashMap<String, usize>,
}

impl InferredMembers {
    /// Adds the value of a member. The member has been counted in `context` already.
    ///
    /// # Errors
    /// If no type fits this value and the earlier values.
    pub(super) fn add(
        &mut self,
        (name, kind): (String, Kind),
        context: &mut InferenceContext,
    ) -> Result<(), RowError> {
        let known = self.positions.get(&name).copied();
        match known.and_then(|position| Some((position, self.kinds.get_mut(position)?))) {
            Some((position, (_, known))) => {
                // An earlier row has counted this member already.
                context.refund();
                known.merge(kind, context).map_err(|error| {
                    let position = u32::try_from(position).unwrap_or(u32::MAX);
                    error.in_step(&PathStep::Child { position, name: name.into() })
                })
            }
            None => {
                self.positions.insert(name.clone(), self.kinds.len());
                self.kinds.push((name, kind));
                Ok(())
            }
        }
    }

    /// Adds the members of another object.
    ///
    /// # Errors
    /// The errors of [`add`](InferredMembers::add).
    pub(super) fn merge(
        &mut self,
        other: InferredMembers,
        context: &mut InferenceContext,
    ) -> Result<(), RowError> {
        other.kinds.into_iter().try_for_each(|member| self.add(member, context))
    }

    pub(super) fn into_fields(self) -> Vec<Field> {
        let field = |(name, kind): (String, Kind)| Field::new(name, kind.into_type());
        self.kinds.into_iter().map(field).collect()
    }
}
