//! Performs every operation on batches that were read. No operation may panic, validated data must be usable, and written
//! data must be read back.

mod computing;
mod rewriting;
mod selecting;
mod serde_rows;
mod texts;

use arrow_array::AnyArray;
use arrow_data::{RecordBatch, Repairs, Validation};
use testing_support::rows;

use self::{computing::compute, selecting::select, serde_rows::write_with_serde, texts::write_texts};
pub(crate) use self::{
    rewriting::{has_no_form, rewrite},
    texts::json_of,
};
use crate::{
    check::caught,
    cost::{Bound, measured_for},
    share::Share,
};

/// The number of batches of an input that are used.
const MAX_BATCHES: usize = 3;

/// The number of rows of a batch that are used, since a column of nulls may have any number of rows.
const MAX_ROWS: usize = 40;

/// An operation on batches of one schema. Its error is a finding.
type Operation = fn(&[RecordBatch], &mut Share) -> Result<(), String>;

/// All operations, each with its name.
const OPERATIONS: [(&str, Operation); 7] = [
    ("typed arrays", |batches, _| typed_arrays(batches)),
    ("selecting", |batches, _| batches.iter().try_for_each(select)),
    ("rewriting", rewrite),
    ("text", |batches, _| batches.iter().try_for_each(write_texts)),
    ("serde", |batches, _| batches.iter().try_for_each(write_with_serde)),
    ("C structures", |batches, _| exchange(batches)),
    ("statistics and casts", |batches, _| batches.iter().try_for_each(compute)),
];

/// Whether reading each value of the batch takes a short time.
pub(crate) fn is_short(batch: &RecordBatch) -> bool {
    batch.n_rows() < 10_000 && json_of(batch).is_some()
}

/// Panics if the rows differ. The values of very long rows are not compared.
pub(crate) fn same_rows(found: &RecordBatch, expected: &RecordBatch, what: &str) {
    assert_eq!(found.n_rows(), expected.n_rows(), "{what}");
    assert!(!is_short(expected) || found.same_values(expected) == Ok(true), "{what}: other values");
}

/// Uses batches, with all operations or one. They were read from `n_bytes` bytes. Returns the findings.
pub(crate) fn use_batches(
    batches: &[RecordBatch],
    validation: Validation,
    n_bytes: u64,
    share: &mut Share,
) -> Vec<String> {
    let mut findings = Vec::new();
    let starts = batches.iter().take(MAX_BATCHES).flat_map(|batch| {
        let n_rows = batch.n_rows();
        let starts = share.of(&[0, 1]).iter().map(move |third| third * (n_rows / 3));
        starts.map(move |start| batch.slice(start, (n_rows - start).min(MAX_ROWS))).collect::<Vec<_>>()
    });
    // What is practically endless as text is so for a plain reading, too.
    let (starts, endless): (Vec<_>, Vec<_>) = starts.partition(is_short);
    let are_valid = validation != Validation::Structure || starts.iter().all(is_valid_as_it_is);
    if let Err(panic) = caught(|| typed_arrays(&endless)) {
        findings.push(format!("typed arrays without end: a panic: {panic}"));
    }
    for (name, operation) in share.of(&OPERATIONS) {
        let (result, cost) =
            measured_for(&Bound::USING, n_bytes, || caught(|| operation(&starts, &mut share.clone())));
        findings.extend(Bound::USING.broken_by(cost, n_bytes).map(|broken| format!("{name}: {broken}")));
        match result {
            Err(panic) => findings.push(format!("{name}: a panic: {panic}")),
            // What was not checked may turn out to be invalid.
            Ok(Err(error)) if are_valid => findings.push(format!("{name}: {error}")),
            Ok(_) => {}
        }
    }
    findings
}

/// Whether the content is valid without a repair. Readers that check make malformed values below a null null; writers
/// refuse them in arrays that were not checked.
fn is_valid_as_it_is(batch: &RecordBatch) -> bool {
    let mut repairs = Repairs::default();
    batch.clone().validate_counted(Validation::Content, &mut repairs).is_ok() && repairs.n_buffers() == 0
}

fn typed_arrays(batches: &[RecordBatch]) -> Result<(), String> {
    for batch in batches {
        for column in batch.columns() {
            let _ = column.clone().validate(Validation::Strict);
            let array = AnyArray::try_new(column).map_err(|error| error.to_string())?;
            if format!("{array:?}").is_empty() || column.dump().to_string().is_empty() {
                return Err("an array prints nothing".to_owned());
            }
            column.logical_null_count().map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Exports batches to a C stream and imports them. The imported arrays must equal the exported ones.
fn exchange(batches: &[RecordBatch]) -> Result<(), String> {
    use arrow_c_data::{ArrowArrayStream, ArrowSchema};
    use arrow_data::Validation;

    let Some(first) = batches.first() else { return Ok(()) };
    // Strings of C have no place for some names.
    if ArrowSchema::try_from_schema(first.schema()).is_err() {
        return Ok(());
    }
    let exported = batches.iter().cloned().map(Ok::<_, String>).collect::<Vec<_>>();
    let stream = ArrowArrayStream::new(first.schema().clone(), exported);
    let reader = stream.into_batches(Validation::Content).map_err(|error| error.to_string())?;
    let mut n_batches = 0;
    for (imported, batch) in reader.zip(batches) {
        let imported = imported.map_err(|error| error.to_string())?;
        // Types may differ: C has no time zone that is empty.
        let (found, expected) = (rows(&imported), rows(batch));
        if found != expected {
            let row = found.iter().zip(&expected).position(|(found, expected)| found != expected);
            return Err(format!("row {row:?} of batch {n_batches} is another one after it was exchanged"));
        }
        n_batches += 1;
    }
    (n_batches == batches.len())
        .then_some(())
        .ok_or_else(|| format!("{n_batches} of {} came back", batches.len()))
}
