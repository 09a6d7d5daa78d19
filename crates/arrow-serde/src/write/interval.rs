//! Writes intervals from structs whose fields are the units.

use arrow_array::{AnyBuilder, Int64Builder};
use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano};
use arrow_schema::DataType;
use serde_core::ser::Serialize;

use super::{context::WriteContext, slot::SlotWriter};
use crate::error::{Result, SerdeError, SerdeErrorKind};

/// An interval whose units are being written.
pub(super) struct Interval {
    names: &'static [&'static str],
    /// The number of each unit in `names`. `None` until it has been written.
    parts: [Option<i64>; 3],
    /// A builder that converts the numbers of units to `i64`.
    numbers: AnyBuilder,
}

impl Interval {
    /// Starts an interval. `None` if the builder has another type.
    pub(super) fn try_new(builder: &AnyBuilder) -> Option<Interval> {
        let names: &[&str] = if let AnyBuilder::IntervalYearMonth(_) = builder {
            &["months"]
        } else if let AnyBuilder::IntervalDayTime(_) = builder {
            &["days", "milliseconds"]
        } else if let AnyBuilder::IntervalMonthDayNano(_) = builder {
            &["months", "days", "nanoseconds"]
        } else {
            return None;
        };
        Some(Interval { names, parts: [None; 3], numbers: Int64Builder::new().into() })
    }

    pub(super) fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
        context: &WriteContext,
    ) -> Result<()> {
        let position = self.names.iter().position(|known| *known == name);
        let Some(part) = position.and_then(|position| self.parts.get_mut(position)) else {
            return context.unknown(name);
        };
        if part.is_some() {
            return Err(SerdeErrorKind::Repeated.into());
        }
        value.serialize(SlotWriter { node: &context.part, builder: &mut self.numbers, context })?;
        if let AnyBuilder::Int64(numbers) = &self.numbers {
            *part = numbers.values().last().copied();
        }
        Ok(())
    }

    pub(super) fn append(&self, builder: &mut AnyBuilder) -> Result<()> {
        let [first, second, third] = self.parts;
        if let AnyBuilder::IntervalYearMonth(intervals) = builder {
            intervals.append(small(first)?);
        } else if let AnyBuilder::IntervalDayTime(intervals) = builder {
            intervals.append(IntervalDayTime { days: small(first)?, milliseconds: small(second)? });
        } else if let AnyBuilder::IntervalMonthDayNano(intervals) = builder {
            let (months, days) = (small(first)?, small(second)?);
            let nanoseconds = third.ok_or(SerdeErrorKind::Missing)?;
            intervals.append(IntervalMonthDayNano { months, days, nanoseconds });
        }
        Ok(())
    }
}

fn small(part: Option<i64>) -> Result<i32> {
    let part = part.ok_or(SerdeErrorKind::Missing)?;
    let range = |_| SerdeErrorKind::Range { value: part.to_string().into(), data_type: DataType::Int32 };
    i32::try_from(part).map_err(|error| SerdeError::from(range(error)))
}
