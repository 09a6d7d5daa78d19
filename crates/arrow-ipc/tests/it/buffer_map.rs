//! The fields of the buffers of messages.

use std::fs;

use arrow_schema::{Field, Schema};

use arrow_ipc::{
    BufferDescriptions, BufferMap, FormatErrorKind, IpcErrorKind, Limits, MessageScan, Result,
    message::Header,
};
use arrow_schema::DataType;

fn buffers_of(case: &str) -> Result<Vec<String>> {
    let file = fs::File::open(testing_support::corpus_dir().join(case)).unwrap();
    let limits = Limits::default();
    let mut scan = MessageScan::try_new(&file, 0..u64::MAX, limits.clone())?;
    let (mut map, mut lines) = (None, Vec::new());
    while let Some(message) = scan.next_message()? {
        let version = message.version();
        let buffers = match (message.header(&limits)?, &map) {
            (Header::Schema(schema), None) => {
                map = Some(BufferMap::try_new(&schema)?);
                continue;
            }
            (Header::RecordBatch(batch), Some(map)) => lines_of(map.record_batch(&batch, version)?),
            (Header::DictionaryBatch { id, batch, .. }, Some(map)) => {
                lines_of(map.dictionary_batch(id, &batch, version)?)
            }
            (header, _) => panic!("{header:?}"),
        };
        lines.extend(buffers);
    }
    Ok(lines)
}

fn lines_of(buffers: BufferDescriptions<'_>) -> Vec<String> {
    buffers.map(|buffer| format!("{} {}", buffer.path, buffer.role)).collect()
}

#[test]
fn buffers_are_named_in_order() {
    let cases = [
        (
            "structs-full",
            "point validity, point.x validity, point.x values, point.y validity, point.y offsets",
        ),
        ("dictionary-nested", "lists.<dictionary>.item.<dictionary> validity"),
        ("unions-full", "sparse type ids, sparse.number validity, sparse.number values"),
        ("views-full", "binary_view validity, binary_view views, binary_view variadic data"),
    ];
    for (case, expected) in cases {
        let found = buffers_of(&format!("golden/pyarrow-26.0.1/{case}.arrows")).unwrap().join(", ");
        assert!(found.starts_with(expected), "{case}: {found}");
    }
    // Before V5, unions had a validity bitmap. This file has three unions in each of three batches.
    let is_bitmap_of_union = |pair: &[String]| {
        pair[1].strip_suffix(" type ids").is_some_and(|path| pair[0] == format!("{path} validity"))
    };
    for (case, n_bitmaps) in [("metadata-v4", 9), ("unions-full", 0)] {
        let lines = buffers_of(&format!("golden/pyarrow-26.0.1/{case}.arrows")).unwrap();
        assert_eq!(lines.windows(2).filter(|pair| is_bitmap_of_union(pair)).count(), n_bitmaps, "{case}");
    }
}

#[test]
fn nodes_have_the_types_of_their_fields() {
    let point = DataType::Struct([Field::new("x", DataType::Int8)].into());
    let words = DataType::dictionary(arrow_schema::IndexType::Int16, DataType::Utf8).unwrap();
    let schema = Schema::new([Field::new("point", point.clone()), Field::new("word", words.clone())]);
    let map = BufferMap::try_new(&schema.into()).unwrap();
    let types: Vec<_> = (0..4).map(|node_idx| map.data_type(None, node_idx)).collect();
    assert_eq!(types, [Some(&point), Some(&DataType::Int8), Some(&words), None]);
    assert_eq!(map.data_type(Some(0), 0), Some(&DataType::Utf8));
    assert_eq!((map.data_type(Some(0), 1), map.data_type(Some(7), 0)), (None, None));
    let dictionaries = [(None, 1), (None, 2), (None, 3), (Some(0), 0)];
    let dictionaries = dictionaries.map(|(of, node_idx)| map.dictionary_of(of, node_idx));
    assert_eq!(dictionaries, [None, Some(0), None, None]);
}

#[test]
fn lists_of_another_schema_are_refused() {
    for case in ["batch-buffers-none", "batch-buffers-many"] {
        let error = buffers_of(&format!("hostile/{case}.stream")).expect_err(case);
        assert!(
            matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::BufferCount { expected: 2, .. })),
            "{case}: {error}"
        );
    }
    let error = buffers_of("hostile/dict-unknown-id.stream").expect_err("an unknown dictionary");
    assert!(
        matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::UnknownDictionary { .. })),
        "{error}"
    );
}
