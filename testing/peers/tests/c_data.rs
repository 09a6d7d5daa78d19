//! Passes batches of every type to arrow-rs, through one of its kernels, and back, without a copy.

use arrow_buffer::Bitmap;
use arrow_c_data::{ArrowArray, ArrowArrayStream, CopyStats};
use arrow_data::{DataError, RecordBatch, Validation};
use arrow_select::Select;
use peers::c_data::{
    batch_from_arrow_rs, batch_to_arrow_rs, lie_in, stream_from_arrow_rs, stream_to_arrow_rs,
};
use peers::content::Content;
use peers::golden_cases::all_cases;
use rs_array::{BooleanArray, RecordBatchIterator, RecordBatchReader};
use rs_schema::ArrowError;
use rs_select::filter::filter_record_batch;
use samples::{Sample, samples};
use testing_support::Nulls;

/// All samples except those with an empty time zone: the C data interface does not distinguish it from no time zone.
fn shown() -> Vec<Sample> {
    let has_form =
        |sample: &Sample| !sample.name.starts_with("timestamp-s-empty") && sample.name != "every-type";
    samples(1).into_iter().filter(has_form).collect()
}

#[test]
fn every_type_goes_there_and_back() {
    let (mut n_batches, mut n_shared) = (0, 0);
    for sample in shown() {
        for batch in &sample.batches {
            let name = &sample.name;
            let expected = Content::of_ours_as_stored(batch.schema(), std::slice::from_ref(batch));
            let theirs = batch_to_arrow_rs(batch).unwrap_or_else(|error| panic!("{name}: {error}"));
            Content::of_theirs(&theirs.schema(), std::slice::from_ref(&theirs)).assert_is(&expected, name);
            let back = import(theirs.clone(), Validation::Content);
            Content::of_ours_as_stored(back.schema(), std::slice::from_ref(&back)).assert_is(&expected, name);
            n_batches += 1;
            if is_shared(batch) {
                // Proving that text is text copies it where unused bytes are none.
                let back = import(theirs, Validation::Structure);
                assert!(lie_in(back.columns(), batch.columns()), "{name} is copied");
                n_shared += 1;
            }
        }
    }
    assert!(n_batches > 2_000 && n_shared > 800, "{n_batches} batches, {n_shared} of them shared");
}

fn import(batch: rs_array::RecordBatch, validation: Validation) -> RecordBatch {
    batch_from_arrow_rs(batch, validation).unwrap_or_else(|error| panic!("{error}"))
}

/// A kernel of arrow-rs and our kernel select the same rows.
#[test]
fn kernels_of_arrow_rs_run_on_our_batches() {
    let mut n_batches = 0;
    // arrow-rs panics when a dictionary in a struct has half as many values as its indices can tell.
    let is_run = |sample: &Sample| {
        !["map-of-structs", "struct-of-structs"].iter().any(|name| sample.name.starts_with(name))
    };
    for sample in shown().into_iter().filter(is_run) {
        for batch in sample.batches.iter().filter(|batch| batch.n_rows() > 0) {
            let name = &sample.name;
            let mask: Vec<bool> = (0..batch.n_rows()).map(|row| row % 3 != 1).collect();
            let theirs = batch_to_arrow_rs(batch).unwrap_or_else(|error| panic!("{name}: {error}"));
            let selected = filter_record_batch(&theirs, &BooleanArray::from(mask.clone()));
            let selected = selected.unwrap_or_else(|error| panic!("{name}: {error}"));
            let expected = batch.filter(&Bitmap::from_iter(mask)).unwrap();
            let back = import(selected, Validation::Content);
            let expected = Content::of_ours_as_stored(expected.schema(), &[expected.clone()]);
            Content::of_ours_as_stored(back.schema(), &[back.clone()]).assert_is(&expected, name);
            n_batches += 1;
        }
    }
    assert!(n_batches > 1_000, "{n_batches} batches");
}

/// Reads batches that arrow-rs has made: whole, and sliced, so that arrays have offsets.
#[test]
fn batches_of_arrow_rs_are_read() {
    let mut n_batches = 0;
    for case in all_cases() {
        for whole in &case.source.batches {
            let n_rows = whole.num_rows();
            for batch in [whole.clone(), whole.slice(n_rows / 3, n_rows - n_rows / 3), whole.slice(n_rows, 0)]
            {
                let expected = Content::of_theirs(&batch.schema(), std::slice::from_ref(&batch));
                let imported = import(batch, Validation::Content);
                let found = Content::of_ours_as_stored(imported.schema(), &[imported.clone()]);
                found.assert_is(&expected, &case.name);
                n_batches += 1;
            }
        }
    }
    assert!(n_batches > 300, "{n_batches} batches");
}

#[test]
fn streams_go_both_ways() {
    for sample in shown().into_iter().filter(|sample| sample.nulls == Nulls::Some) {
        let name = &sample.name;
        let expected = Content::of_ours_as_stored(&sample.schema, &sample.batches);
        let batches = sample.batches.clone().into_iter().map(Ok::<_, DataError>);
        let stream = ArrowArrayStream::new(sample.schema.clone(), batches);
        let reader = stream_to_arrow_rs(stream).unwrap_or_else(|error| panic!("{name}: {error}"));
        let schema = reader.schema();
        let theirs: Vec<_> =
            reader.map(|batch| batch.unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
        Content::of_theirs(&schema, &theirs).assert_is(&expected, name);
        let reader = RecordBatchIterator::new(theirs.into_iter().map(Ok), schema);
        let reader = stream_from_arrow_rs(Box::new(reader), Validation::Content).unwrap();
        let schema = reader.schema().clone();
        let back: Vec<_> =
            reader.map(|batch| batch.unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
        Content::of_ours_as_stored(&schema, &back).assert_is(&expected, name);
    }
}

/// Errors keep their text when they are passed to the other library.
#[test]
fn failures_go_both_ways() {
    let batch = &shown()[0].batches[0];
    let results = [Ok(batch.clone()), Err("the disk is gone")];
    let mut reader = stream_to_arrow_rs(ArrowArrayStream::new(batch.schema().clone(), results)).unwrap();
    let theirs = reader.next().unwrap().unwrap();
    let error = reader.next().unwrap().unwrap_err();
    assert!(error.to_string().contains("the disk is gone"), "{error}");
    let failure = ArrowError::ComputeError("no answer".to_owned());
    let reader = RecordBatchIterator::new([Ok(theirs.clone()), Err(failure)], theirs.schema());
    let mut reader = stream_from_arrow_rs(Box::new(reader), Validation::Content).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(error.to_string().contains("no answer"), "{error}");
}

/// Whether exporting the batch copies nothing: its bitmaps begin at a byte.
fn is_shared(batch: &RecordBatch) -> bool {
    let mut stats = CopyStats::new();
    ArrowArray::try_from_batch_counted(batch, &mut stats).unwrap();
    stats == CopyStats::new()
}
