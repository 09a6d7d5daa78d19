//! Passes batches and streams through the C data interface: from our library to itself, and from arrow-rs to itself.

use crate::contest::Contest;
use arrow_c_data::{ArrowArray, ArrowArrayStream, ArrowSchema};
use arrow_data::{DataError, Validation};
use arrow_schema::Schema;
use rs_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use rs_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use rs_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator,
    StringArray, StructArray,
};
use std::hint::black_box;
use std::sync::Arc;

const N_COLUMNS: usize = 100;
const N_BATCHES: usize = 1_000;

/// The same batch in both forms.
struct Batch {
    ours: arrow_data::RecordBatch,
    theirs: RecordBatch,
}

/// The data of all contests.
pub struct CData {
    numbers: Batch,
    mixed: Batch,
    small: Batch,
}

impl Default for CData {
    fn default() -> Self {
        let numbers = |idx| Arc::new(Int64Array::from_iter_values(idx..idx + 1_000)) as ArrayRef;
        let mixed = |idx: i64| -> ArrayRef {
            match idx % 5 {
                0 => Arc::new(Int32Array::from_iter((0..100).map(|n| (n % 3 > 0).then_some(n)))),
                1 => Arc::new(Float64Array::from_iter_values((0..100).map(f64::from))),
                2 => Arc::new(BooleanArray::from_iter((0..100).map(|n| Some(n % 2 == 0)))),
                3 => Arc::new(StringArray::from_iter_values((0..100).map(|n| format!("text {n}")))),
                _ => numbers(idx).slice(1, 100),
            }
        };
        let small = |idx| numbers(idx).slice(0, 10);
        let columns = |n: usize, column: &dyn Fn(i64) -> ArrayRef| {
            Batch::new((0..n).map(|idx| (format!("column {idx}"), column(idx as i64))).collect())
        };
        Self {
            numbers: columns(N_COLUMNS, &numbers),
            mixed: columns(N_COLUMNS, &mixed),
            small: columns(4, &small),
        }
    }
}

impl Batch {
    fn new(columns: Vec<(String, ArrayRef)>) -> Self {
        let theirs = RecordBatch::try_from_iter(columns).unwrap();
        let ours = crate::c_data::batch_from_arrow_rs(theirs.clone(), Validation::Content).unwrap();
        Self { ours, theirs }
    }
}

impl CData {
    pub fn contests(&self) -> Vec<Contest<'_>> {
        vec![
            export("export a batch of 100 columns of numbers", &self.numbers),
            there_and_back("export and import a batch of 100 columns of numbers", &self.numbers),
            export("export a batch of 100 mixed columns", &self.mixed),
            there_and_back("export and import a batch of 100 mixed columns", &self.mixed),
            export_schema("export a schema of 100 fields", &self.mixed),
            schema_there_and_back("export and import a schema of 100 fields", &self.mixed),
            stream("a stream of 1,000 batches of 4 columns, each batch", &self.small),
        ]
    }
}

fn export<'a>(name: &'static str, batch: &'a Batch) -> Contest<'a> {
    Contest {
        name,
        n_times: 1,
        ours: Box::new(|| {
            black_box(ArrowArray::try_from_batch(&batch.ours).unwrap());
        }),
        theirs: Box::new(|| {
            let data = StructArray::from(batch.theirs.clone()).into_data();
            black_box(FFI_ArrowArray::new(&data));
        }),
        floor: None,
    }
}

/// Exports and imports a batch. Neither library validates content: arrow-rs never does, and we defer it.
fn there_and_back<'a>(name: &'static str, batch: &'a Batch) -> Contest<'a> {
    let schema: Arc<Schema> = batch.ours.schema().clone();
    let data_type = StructArray::from(batch.theirs.clone()).data_type().clone();
    Contest {
        name,
        n_times: 1,
        ours: Box::new(move || {
            let exported = ArrowArray::try_from_batch(&batch.ours).unwrap();
            // SAFETY: it was made of a batch of this schema.
            black_box(unsafe { exported.import_batch(schema.clone(), Validation::Structure) }.unwrap());
        }),
        theirs: Box::new(move || {
            let data = StructArray::from(batch.theirs.clone()).into_data();
            let exported = FFI_ArrowArray::new(&data);
            // SAFETY: it was made of an array of this type.
            let data = unsafe { from_ffi_and_data_type(exported, data_type.clone()) }.unwrap();
            black_box(RecordBatch::from(StructArray::from(data)));
        }),
        floor: None,
    }
}

fn export_schema<'a>(name: &'static str, batch: &'a Batch) -> Contest<'a> {
    Contest {
        name,
        n_times: 1,
        ours: Box::new(|| {
            black_box(ArrowSchema::try_from_schema(batch.ours.schema()).unwrap());
        }),
        theirs: Box::new(|| {
            black_box(FFI_ArrowSchema::try_from(batch.theirs.schema().as_ref()).unwrap());
        }),
        floor: None,
    }
}

fn schema_there_and_back<'a>(name: &'static str, batch: &'a Batch) -> Contest<'a> {
    Contest {
        name,
        n_times: 1,
        ours: Box::new(|| {
            let exported = ArrowSchema::try_from_schema(batch.ours.schema()).unwrap();
            black_box(exported.to_schema().unwrap());
        }),
        theirs: Box::new(|| {
            let exported = FFI_ArrowSchema::try_from(batch.theirs.schema().as_ref()).unwrap();
            black_box(rs_schema::Schema::try_from(&exported).unwrap());
        }),
        floor: None,
    }
}

fn stream<'a>(name: &'static str, batch: &'a Batch) -> Contest<'a> {
    Contest {
        name,
        n_times: N_BATCHES as u32,
        ours: Box::new(move || {
            let batches = std::iter::repeat_n(batch.ours.clone(), N_BATCHES).map(Ok::<_, DataError>);
            let stream = ArrowArrayStream::new(batch.ours.schema().clone(), batches);
            stream.into_batches(Validation::Structure).unwrap().for_each(|batch| {
                black_box(batch.unwrap());
            });
        }),
        theirs: Box::new(|| {
            let batches = std::iter::repeat_n(batch.theirs.clone(), N_BATCHES).map(Ok);
            let reader = RecordBatchIterator::new(batches, batch.theirs.schema());
            let stream = FFI_ArrowArrayStream::new(Box::new(reader));
            RecordBatchStreamReader::try_new(stream).unwrap().for_each(|batch| {
                black_box(batch.unwrap());
            });
        }),
        floor: None,
    }
}
