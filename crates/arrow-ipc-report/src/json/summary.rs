//! A summary as JSON.

use arrow_array::{ColumnText, TextStyle};
use arrow_compute::{DistinctCount, Extreme};
use arrow_ipc_tools::{Summary, summary::ColumnSummary};
use serde_core::ser::SerializeMap;
use serde_json::{Number, Value};

use super::{AsText, Items, JsonMembers, JsonObject};

/// The number of bins of a histogram.
const N_BINS: usize = 16;

/// The least and the greatest value of a column are written like values in JSON rows.
impl JsonMembers for Summary {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let column = |column| JsonObject(ColumnOfInput { column, n_bytes: self.n_bytes });
        object.serialize_entry("n_rows", &self.n_rows)?;
        object.serialize_entry("n_batches", &self.n_batches)?;
        object.serialize_entry("n_bytes", &self.n_bytes)?;
        object.serialize_entry("columns", &Items(|| self.columns.iter().map(column)))
    }
}

struct ColumnOfInput<'a> {
    column: &'a ColumnSummary,
    /// The length of the input.
    n_bytes: Option<u64>,
}

impl JsonMembers for ColumnOfInput<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let ColumnSummary { field, statistics, n_bytes, .. } = self.column;
        let (distinct, is_exact) = match statistics.distinct() {
            DistinctCount::Exact(n) => (Some(n), true),
            DistinctCount::Estimate(n) => (Some(n), false),
            DistinctCount::Unknown => (None, false),
        };
        let share = n_bytes
            .zip(self.n_bytes)
            .map(|(n_bytes, input_bytes)| n_bytes as f64 / input_bytes.max(1) as f64);
        object.serialize_entry("name", field.name())?;
        object.serialize_entry("type", &AsText(field.data_type()))?;
        object.serialize_entry("null_count", &statistics.null_count())?;
        object.serialize_entry("n_distinct", &distinct)?;
        object.serialize_entry("distinct_is_exact", &is_exact)?;
        self.serialize_extreme(["min", "min_is_cut"], statistics.min(), object)?;
        self.serialize_extreme(["max", "max_is_cut"], statistics.max(), object)?;
        object.serialize_entry("mean", &statistics.mean())?;
        object.serialize_entry("n_nan", &statistics.n_nans())?;
        object.serialize_entry("mean_length", &statistics.mean_len())?;
        object.serialize_entry("n_bytes", n_bytes)?;
        object.serialize_entry("n_decompressed_bytes", &self.column.n_decompressed_bytes)?;
        object.serialize_entry("share", &share)?;
        object.serialize_entry("histogram", &statistics.histogram(N_BINS))
    }
}

impl ColumnOfInput<'_> {
    fn serialize_extreme<M: SerializeMap>(
        &self,
        [name, cut]: [&str; 2],
        extreme: Option<Extreme>,
        object: &mut M,
    ) -> Result<(), M::Error> {
        object.serialize_entry(name, &extreme.as_ref().map(|extreme| self.value(extreme)))?;
        match extreme {
            Some(extreme) if extreme.is_cut() => object.serialize_entry(cut, &true),
            Some(_) | None => Ok(()),
        }
    }

    fn value(&self, extreme: &Extreme) -> Value {
        let array = extreme.value().as_array().data();
        let text = ColumnText::try_with_field(array, &self.column.field, TextStyle::Json)
            .ok()
            .map(|text| text.value(0).to_string());
        text.and_then(|text| read(&text)).unwrap_or_else(|| Value::from(extreme.value().to_string()))
    }
}

/// Parses a value. Floating-point numbers are parsed by the standard library, because `serde_json` may round to a
/// neighboring number.
fn read(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    if value.is_f64() { Number::from_f64(text.parse().ok()?).map(Value::Number) } else { Some(value) }
}
