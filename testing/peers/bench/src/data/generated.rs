//! A batch of any type of the format, from the generator of the tests.

use super::{Data, Set};
use crate::format::Format;
use crate::ours;
use arrow_data::RecordBatch;
use arrow_schema::{Field, Schema};
use testing_support::{Generator, Nulls, all_types};

const N_ROWS: usize = 20_000;

pub(super) fn make(name: &str, set: Set) -> Result<Data, String> {
    let (_, data_type) =
        all_types().into_iter().find(|(known, _)| known == name).ok_or("there is no such type")?;
    let column = Generator::new(set.seed()).array(&data_type, N_ROWS, Nulls::Some);
    let schema = Schema::new([Field::new("values", data_type)]);
    let batch = RecordBatch::try_new(schema, vec![column]).map_err(|error| error.to_string())?;
    let data = Data::of_ours(batch.schema().clone(), vec![batch])?;
    // We write what the peers write: generated values begin anywhere and lie in any order, those of a stream do not.
    let (schema, batches) = ours::read(&data.plain, Format::Stream).map_err(|error| error.to_string())?;
    Ok(Data { schema, batches, ..data })
}
