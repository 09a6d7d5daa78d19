//! Computes statistics of a column, batch by batch.

mod decimal_sum;
mod distinct;
mod error;
mod extremes;
mod mean;
mod sample;
mod slots;

use arrow_array::AnyArray;
use arrow_data::ArrayData;
use arrow_schema::DataType;

use self::{
    distinct::DistinctValues,
    mean::{Lengths, NumberSum},
    sample::NumberSample,
};
pub(crate) use self::{
    distinct::n_unfolded_bytes,
    extremes::{Extremes, value_type},
    sample::ApproximateNumber,
    slots::{Slots, ValueCounts},
};
pub use self::{
    distinct::{DistinctCount, StatisticsLimits},
    error::StatisticsError,
    extremes::{Extreme, has_order},
};

/// The number of bytes after which the least and the greatest text or binary value are cut.
const MAX_VALUE_BYTES: usize = 1024;

/// The number of rows, nulls and distinct values of a column, the least and the greatest value, the mean, and the mean length.
/// Any number of arrays can be added.
///
/// - **Nulls** are null slots. They include indices that select a null of a dictionary, and slots of unions whose child is
///   null.
/// - **Distinct values** differ in their bits: 0.0 and -0.0 are two values, and so are two NaNs with different payloads. Nulls
///   do not count. Up to the limits of [`StatisticsLimits`], the number is exact; above them, it is an estimate. [`DistinctCount`]
///   says which.
/// - **The least and the greatest value** exist for types with an order: booleans, numbers, decimals, dates, times, timestamps,
///   durations, intervals of months, and text and bytes, which are compared byte by byte. NaN is skipped. 0.0 and -0.0 are
///   equal, so the first one is returned. For other types, both are `None`.
/// - **The mean** exists for integers, floating-point numbers and decimals. Sums of decimals are exact, and the
///   mean is the nearest number of 64 bits; other sums are 64-bit floating-point numbers. NaN does not count; [`n_nans`](Statistics::n_nans) returns the number of NaNs.
/// - **Lengths** are bytes of text and binary values, and items of lists and maps. For other types, the mean length is `None`.
///
/// Memory is bounded by the limits, and by 32 MiB while nested values are added. Time is in proportion to the slots and to the
/// bytes of their values, which are limited to 64 times the bytes of the array plus 16 MiB. Slots without bytes are not visited
/// one by one, since an array of a few bytes can have any number of them.
#[derive(Debug)]
pub struct Statistics {
    data_type: DataType,
    n_rows: u64,
    null_count: u64,
    values: DistinctValues,
    extremes: Extremes,
    lengths: Lengths,
    sum: NumberSum,
    sample: NumberSample,
}

impl Statistics {
    /// Makes statistics of a column of this type, with no rows yet and with the default limits.
    pub fn new(data_type: DataType) -> Statistics {
        Statistics::with_limits(data_type, StatisticsLimits::default())
    }

    /// Makes statistics of a column of this type, with no rows yet and with these limits.
    pub fn with_limits(data_type: DataType, limits: StatisticsLimits) -> Statistics {
        Statistics {
            extremes: Extremes::new(&data_type, MAX_VALUE_BYTES),
            sum: NumberSum::new(&data_type),
            data_type,
            n_rows: 0,
            null_count: 0,
            values: DistinctValues::new(limits),
            lengths: Lengths::default(),
            sample: NumberSample::default(),
        }
    }

    /// Adds the rows of an array. Validates the content, unless it has been validated before.
    ///
    /// # Errors
    /// If the type of the array differs from that of the column in more than metadata. If the content of the array is invalid.
    pub fn add(&mut self, array: &ArrayData) -> Result<(), StatisticsError> {
        if !array.data_type().same_type(&self.data_type) {
            let (expected, found) = (self.data_type.clone(), array.data_type().clone());
            return Err(StatisticsError::OtherType { expected, found });
        }
        let array = AnyArray::try_new(array)?;
        let n_rows = array.len() as u64;
        let ValueCounts { array, slots, n_rows: n_valid } = ValueCounts::from_array(array)?;
        self.extremes.add(&array, &slots)?;
        self.values.add(&array, &slots)?;
        self.lengths.add(&array, &slots, n_valid);
        self.sum.add(&array, &slots);
        self.sample.add(&array, &slots);
        self.n_rows = self.n_rows.saturating_add(n_rows);
        self.null_count = self.null_count.saturating_add(n_rows.saturating_sub(n_valid));
        Ok(())
    }

    /// The type of the column, which all added arrays must have.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The number of rows added so far, nulls included.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The number of rows that are null or select a null.
    pub fn null_count(&self) -> u64 {
        self.null_count
    }

    /// The number of distinct values. An estimate is at most the number of rows that are not null.
    pub fn distinct(&self) -> DistinctCount {
        match self.values.distinct() {
            DistinctCount::Estimate(n_values) => {
                let n_valid = self.n_rows.saturating_sub(self.null_count);
                DistinctCount::Estimate(n_values.min(n_valid))
            }
            distinct @ (DistinctCount::Exact(_) | DistinctCount::Unknown) => distinct,
        }
    }

    /// Whether the values of the type have an order, so that `min` and `max` exist.
    pub fn has_order(&self) -> bool {
        extremes::has_order(&self.data_type)
    }

    /// The least value, or its first 1,024 bytes. `None` if the column has no values, or its type has no order.
    pub fn min(&self) -> Option<Extreme> {
        self.extremes.min()
    }

    /// The greatest value, or its first 1,024 bytes. `None` if the column has no values, or its type has no order.
    pub fn max(&self) -> Option<Extreme> {
        self.extremes.max()
    }

    /// The mean of all numbers except NaN. `None` if the column has no numbers, or if the sum or the mean is not finite.
    pub fn mean(&self) -> Option<f64> {
        self.sum.mean()
    }

    /// The number of rows whose value is NaN. `None` if the type is not a floating-point type.
    pub fn n_nans(&self) -> Option<u64> {
        value_type(&self.data_type).is_floating_point().then(|| self.sum.n_nans())
    }

    /// The mean length of all values, in bytes or items. `None` if the column has no values, or its type has no lengths.
    pub fn mean_len(&self) -> Option<f64> {
        self.lengths.mean()
    }

    /// A histogram with `n_bins` intervals of equal width. The result has the number of rows in each interval, from a random
    /// sample of up to 4,096 rows. The intervals cover the range from the least to the greatest value of the column, or of the
    /// sample if one of these values is infinite. `None` if the type is not a number, date or time, or if the sample has no
    /// finite value.
    pub fn histogram(&self, n_bins: usize) -> Option<Vec<u64>> {
        self.sample.histogram(n_bins, self.extremes.range())
    }
}
