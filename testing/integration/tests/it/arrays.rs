//! Writes arrays of every type as documents. In all layouts, the document must be read as the same values.

use arrow_array::{Float16Array, Float32Array, Float64Array};
use arrow_buffer::F16;
use arrow_data::RecordBatch;
use arrow_ipc::IpcSchema;
use arrow_schema::{Field, Schema};
use integration::{Document, DocumentErrorKind};
use testing_support::{Generator, Nulls, all_types};

/// Writes a document, and reads it.
fn again(batches: &[RecordBatch]) -> Document {
    let schema = IpcSchema::from(batches[0].schema());
    let text =
        Document::write(&schema, batches).unwrap_or_else(|error| panic!("{error}: {}", batches[0].schema()));
    Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {}\n{text}", batches[0].schema()))
}

#[test]
fn every_type_survives_whole_and_sliced() {
    const N_ROWS: usize = 40;
    let mut n_types = 0;
    for (idx, (name, data_type)) in (0..).zip(all_types()) {
        n_types += 1;
        let schema = Schema::new([Field::new(name, data_type)]);
        let whole = Generator::new(idx).batch(&schema, N_ROWS, Nulls::Some);
        for batch in [whole.clone(), whole.slice(3, 17), whole.slice(N_ROWS, 0)] {
            let document = again(&[batch.clone(), batch.clone()]);
            assert_eq!(**document.schema().schema(), schema);
            for found in document.batches() {
                assert!(batch.same_values(found).unwrap(), "{schema}: {batch:?} {found:?}");
            }
        }
    }
    assert!(n_types > 50, "{n_types}");
}

#[test]
fn floating_point_numbers_keep_their_bits() {
    let wide =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE / 8.0, f64::MAX, 0.1, 1e23];
    let single =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MIN_POSITIVE / 8.0, f32::MAX, 0.1, 1e10];
    let half = single.map(F16::from_f32);
    let batch = RecordBatch::try_from_columns([
        ("half", Float16Array::from_iter(half).into()),
        ("single", Float32Array::from_iter(single).into()),
        ("double", Float64Array::from_iter(wide).into()),
    ]);
    let batch = batch.unwrap();
    assert!(batch.same_values(&again(std::slice::from_ref(&batch)).batches()[0]).unwrap());

    // Not the usual ones.
    let odd = [0xFFFF, 0x7C01].map(F16::from_bits);
    let batch = RecordBatch::try_from_columns([
        ("half", Float16Array::from_iter(odd).into()),
        ("single", Float32Array::from_iter(odd.map(f32::from)).into()),
        ("double", Float64Array::from_iter(odd.map(f64::from)).into()),
    ]);
    let batch = batch.unwrap();
    assert!(batch.same_values(&again(std::slice::from_ref(&batch)).batches()[0]).unwrap());
}

#[test]
fn a_dictionary_may_grow_and_not_change() {
    let schema: Schema = "d: dictionary<int8, utf8>".parse().unwrap();
    let batch = |values: &str, indices: &str| {
        let text = format!(
            r#"{{"schema": {{"fields": [{{"name": "d", "type": {{"name": "utf8"}}, "nullable": true, "dictionary":
            {{"id": 0, "indexType": {{"name": "int", "isSigned": true, "bitWidth": 8}}}}}}]}},
            "dictionaries": [{{"id": 0, "data": {{"count": {n}, "columns": [{{"count": {n},
            "VALIDITY": {ones:?}, "OFFSET": {offsets:?}, "DATA": {letters:?}}}]}}}}],
            "batches": [{{"count": 1, "columns": [{{"count": 1, "VALIDITY": [1], "DATA": [{indices}]}}]}}]}}"#,
            n = values.len(),
            ones = vec![1; values.len()],
            offsets = (0..=values.len()).collect::<Vec<_>>(),
            letters =
                values.chars().collect::<String>().split("").filter(|it| !it.is_empty()).collect::<Vec<_>>(),
        );
        Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}")).batches()[0].clone()
    };
    let grown = [batch("ab", "1"), batch("abc", "2"), batch("a", "0")];
    let document = again(&grown);
    for (expected, found) in grown.iter().zip(document.batches()) {
        assert!(expected.same_values(found).unwrap());
    }
    let changed = [batch("ab", "1"), batch("cb", "1")];
    let error = Document::write(&schema.into(), &changed).unwrap_err();
    assert!(matches!(error.kind(), DocumentErrorKind::ChangedDictionary { id: 0 }), "{error}");
}
