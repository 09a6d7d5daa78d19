//! Makes plans from JSON. They equal plans that are made in Rust; errors have the expected texts.

use std::io;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, Feature, FileReader, FileWriter, IpcSchema, StreamWriter, WriteOptions,
    WrittenContainer,
    plan::{BatchShape, ColumnShape, PlanBuilder, PlannedData},
};
use arrow_ipc_tools::{
    Input, Loss, Shapes, ShapesErrorKind, shapes_from_json, shapes_from_json_for, shapes_of,
};
use arrow_schema::{DataType, IndexType, Metadata, Schema};
use testing_support::{Generator, schema_of_all_types};

const SCHEMA: &str = "id: int64 not null\nname: utf8\nview: binary_view\ntags: list<item: utf8>\n\
     point: struct<x: float64, y: float64>\nword: dictionary<int8, utf8>\n\
     runs: run_end_encoded<run_ends: int32 not null, values: utf8>";

fn options() -> WriteOptions {
    WriteOptions::default()
}

/// Fills all buffers with zeros, because the tests compare only headers and lengths.
fn zeros(_: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
    to.fill(0);
    Ok(to.len())
}

fn images(shapes: &Shapes) -> [Vec<u8>; 2] {
    let (file, stream) = (
        shapes.plan(options(), WrittenContainer::File).unwrap(),
        shapes.plan(options(), WrittenContainer::Stream).unwrap(),
    );
    [file.read_at(0..file.len(), &zeros).unwrap(), stream.read_at(0..stream.len(), &zeros).unwrap()]
}

#[test]
fn plans_are_those_made_by_hand() {
    let schema: Schema = SCHEMA.parse().unwrap();
    let batch = BatchShape::new(100).with_columns([
        ColumnShape::new(),
        ColumnShape::bytes(300).with_nulls(7),
        ColumnShape::views([1_000, 24]),
        ColumnShape::list(40, ColumnShape::bytes(77).with_nulls(2)),
        ColumnShape::nested([ColumnShape::new(), ColumnShape::new().with_nulls(3)]).with_nulls(1),
        ColumnShape::new().with_nulls(4),
        ColumnShape::runs(9, ColumnShape::bytes(30)),
    ]);
    let empty = BatchShape::new(0).with_metadata(Metadata::from_pairs(vec![
        (Some("k".into()), Some("v".into())),
        (Some("k".into()), None),
    ]));
    let words = BatchShape::new(2).with_columns([ColumnShape::bytes(8).with_nulls(1)]);
    let mut file = PlanBuilder::try_new(schema.clone(), options(), WrittenContainer::File).unwrap();
    file.push_dictionary(0, &words).unwrap();
    file.push(&batch, 3).unwrap();
    file.push(&empty, 1).unwrap();
    let file = file.finish().unwrap();
    let mut stream = PlanBuilder::try_new(schema.clone(), options(), WrittenContainer::Stream).unwrap();
    stream.push_dictionary(0, &words).unwrap();
    stream.push(&batch, 3).unwrap();
    stream.push(&empty, 1).unwrap();
    let stream = stream.finish().unwrap();
    let expected =
        [file.read_at(0..file.len(), &zeros).unwrap(), stream.read_at(0..stream.len(), &zeros).unwrap()];

    let rest = r#""dictionaries": [{"id": 0, "rows": 2, "values": {"bytes": 8, "nulls": 1}}],
        "batches": [{"rows": 100, "count": 3, "columns": COLUMNS},
                    {"rows": 0, "columns": [], "metadata": [["k", "v"], ["k", null]]}]}"#;
    let by_name = r#"{
        "runs": {"children": {"values": {"slots": 9, "bytes": 30}, "run_ends": {"slots": 9}}},
        "name": {"bytes": 300, "nulls": 7}, "view": {"data_buffers": [1000, 24]}, "word": {"nulls": 4},
        "tags": {"children": {"item": {"slots": 40, "bytes": 77, "nulls": 2}}},
        "point": {"nulls": 1, "children": {"y": {"nulls": 3}}}}"#;
    let in_order = r#"[null, {"bytes": 300, "nulls": 7}, {"data_buffers": [1000, 24]},
        {"children": [{"slots": 40, "bytes": 77, "nulls": 2}]}, {"nulls": 1, "children": [{}, {"nulls": 3}]},
        {"nulls": 4}, {"children": [{"slots": 9}, {"slots": 9, "bytes": 30}]}]"#;
    let integration = arrow_text::JsonSchema::new(schema.clone()).to_string();
    for columns in [by_name, in_order] {
        let rest = rest.replace("COLUMNS", columns);
        for schema in [serde_json::Value::from(SCHEMA).to_string(), integration.clone()] {
            let shapes = shapes_from_json(&format!("{{\"schema\": {schema}, {rest}")).unwrap();
            assert_eq!(images(&shapes), expected);
            assert_eq!(shapes.batch_counts(), [3, 1]);
        }
        let shapes = shapes_from_json_for(IpcSchema::from(schema.clone()), &format!("{{{rest}")).unwrap();
        assert_eq!(images(&shapes), expected);
    }
}

#[test]
fn wrong_documents() {
    let number = "expected a whole number from 0 to 18446744073709551615, found";
    let column = |text: &str| {
        let schema = serde_json::Value::from("a: int64\na: int64\nname: utf8\ns: struct<x: int8>");
        format!(
            "{{\"schema\": {schema},\n\"batches\": [{{\"rows\": 9}},\n{{\"rows\": 9, \"columns\":\n{text}}}]}}"
        )
    };
    let cases = [
        ("".to_owned(), "not JSON: EOF while parsing a value at line 1 column 0".to_owned()),
        ("{\n\"schema\": }".into(), "not JSON: expected value at line 2 column 11".into()),
        ("[]".into(), "line 1: expected an object, found an array".into()),
        (r#"{"batches": []}"#.into(), r#"line 1: the member "schema" is missing"#.into()),
        (r#"{"schema": "a: int8"}"#.into(), r#"line 1: the member "batches" is missing"#.into()),
        (
            "\n{\"schema\": \"a: int8\", \"batch\": []}".into(),
            r#"line 2: there is no member "batch"; the members are "schema", "metadata", "footer_metadata", "features", "dictionaries", "batches""#
                .into(),
        ),
        (
            r#"{"schema": 5, "batches": []}"#.into(),
            "line 1, schema: expected a schema: an object, or the types as text, found 5".into(),
        ),
        (
            "{\"batches\": [],\n\"schema\": {\"fields\": [{\"name\": \"a\", \"nullable\": true, \"type\": {\"name\": \"text\"}}]}}".into(),
            "line 2, schema: fields[0].type: there is no type \"text\"".into(),
        ),
        (column(r#""a""#), r#"line 4, batches[1].columns: expected an array or an object of shapes, found "a""#.into()),
        (column(r#"{"b": {}}"#), r#"line 4, batches[1].columns.b: no field is named "b""#.into()),
        (
            column(r#"{"a": {}}"#),
            "line 4, batches[1].columns.a: several fields are named \"a\"; an array describes fields in their order"
                .into(),
        ),
        (column("[{}, {}, {}, {}, {}]"), "line 4, batches[1].columns: expected 4 fields, found 5".into()),
        (
            column("{\"name\":\n{\"byte\": 1}}"),
            r#"line 5, batches[1].columns.name: there is no member "byte"; the members are "nulls", "bytes", "data_buffers", "slots", "children""#
                .into(),
        ),
        (column("{\"name\": {\"bytes\": -1}}"), format!("line 4, batches[1].columns.name.bytes: {number} -1")),
        (column("{\"name\": {\"bytes\": 1.5}}"), format!("line 4, batches[1].columns.name.bytes: {number} 1.5")),
        (
            column("{\"name\": {\"nulls\": 18446744073709551616}}"),
            format!("line 4, batches[1].columns.name.nulls: {number} 1.8446744073709552e+19"),
        ),
        (
            column("{\"name\": {\"nulls\": \"many, many, many, many, many, many\"}}"),
            format!("line 4, batches[1].columns.name.nulls: {number} \"many, many, many, many, many, many\""),
        ),
        (
            column("{\"name\": {\"bytes\": 1, \"children\": []}}"),
            "line 4, batches[1].columns.name: a column has more than one of \"bytes\", \"data_buffers\", \"children\"; only one is allowed".into(),
        ),
        (column("{\"s\": {\"children\": {\"y\": {}}}}"), "line 4, batches[1].columns.s.children.y: no field is named \"y\"".into()),
        (column("{\"name\": {\"data_buffers\": 1}}"), "line 4, batches[1].columns.name.data_buffers: expected an array, found 1".into()),
        (
            r#"{"schema": "a: int8", "batches": [{"count": 2}]}"#.into(),
            r#"line 1, batches[0]: the member "rows" is missing"#.into(),
        ),
        (
            r#"{"schema": "a: int8", "batches": [{"rows": 1, "metadata": [["k"]]}]}"#.into(),
            "line 1, batches[0].metadata[0]: expected a pair of key and value, found an array".into(),
        ),
        (
            r#"{"schema": "a: int8", "dictionaries": [{"id": 0, "rows": 1}], "batches": []}"#.into(),
            "line 1, dictionaries[0]: the schema has no dictionary 0".into(),
        ),
        (
            r#"{"schema": "a: int8", "dictionaries": [{"id": 1e30, "rows": 1}], "batches": []}"#.into(),
            "line 1, dictionaries[0].id: expected the id of a dictionary, found 1e+30".into(),
        ),
    ];
    for (text, expected) in cases {
        let error = shapes_from_json(&text).expect_err(&text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let schema = IpcSchema::from("a: int8".parse::<Schema>().unwrap());
    let error = shapes_from_json_for(schema, r#"{"schema": "a: int8", "batches": []}"#).unwrap_err();
    assert!(matches!(error.kind(), ShapesErrorKind::UnknownMember { .. }), "{error}");
}

#[test]
fn shapes_that_cannot_be() {
    let most = u64::MAX;
    let cases = [
        (
            format!(r#"{{"rows": {most}}}"#),
            "line 2, batches[1]: the shape has 18446744073709551615 rows; at most",
        ),
        (format!(r#"{{"rows": 0, "count": {most}}}"#), "line 2, batches[1]: record batch 1"),
        (
            r#"{"rows": 1, "columns": [{"nulls": 2}]}"#.into(),
            "line 2, batches[1]: field `a`: the shape has 2 nulls",
        ),
        (
            r#"{"rows": 1, "columns": [{"bytes": 2}]}"#.into(),
            "line 2, batches[1]: field `a`: the shape has 2 bytes",
        ),
        (r#"{"rows": 1, "columns": [null, {}]}"#.into(), "line 2, batches[1]: field `w`: "),
    ];
    for (batch, expected) in cases {
        let schema = "a: int8\\nw: dictionary<int8, utf8>";
        let text = format!("{{\"schema\": \"{schema}\", \"batches\": [{{\"rows\": 0}},\n{batch}]}}");
        let shapes = shapes_from_json(&text).unwrap();
        let in_file = shapes.plan(options(), WrittenContainer::File).unwrap_err();
        let in_stream = shapes.plan(options(), WrittenContainer::Stream).unwrap_err();
        for error in [in_file, in_stream] {
            assert!(error.to_string().starts_with(expected), "{error}");
            assert_eq!((error.line(), error.place()), (Some(2), "batches[1]"));
        }
    }
}

#[test]
fn deep_documents() {
    // Types that are nested too deeply return an error, on a small stack, too.
    let deep = |n: usize| {
        let types = format!("{}int8{}", "list<item: ".repeat(n), ">".repeat(n));
        let (open, close) = ("{\"children\":[".repeat(n), "]}".repeat(n));
        format!(r#"{{"schema": "a: {types}", "batches": [{{"rows": 0, "columns": [{open}{close}]}}]}}"#)
    };
    assert!(shapes_from_json(&deep(50)).is_ok());
    for n in [70, 100_000] {
        let error = shapes_from_json(&deep(n)).unwrap_err();
        assert!(matches!(error.kind(), ShapesErrorKind::Syntax(_)), "{error}");
    }
    // A few bytes can describe many columns in many batches. The shapes of all batches are not stored.
    let fields: Vec<String> = (0..1_000).map(|idx| format!("c{idx}: int8")).collect();
    let batches = vec![r#"{"rows": 1, "columns": {"c999": {"nulls": 1}}}"#; 500].join(",");
    let text = format!(r#"{{"schema": "{}", "batches": [{batches}]}}"#, fields.join("\\n"));
    let plan = shapes_from_json(&text).unwrap().plan(options(), WrittenContainer::File).unwrap();
    assert_eq!(plan.n_batches(), 500);
}

/// The shapes of a file give a plan with the same length, and batches of the same lengths.
#[test]
fn shapes_of_what_a_writer_wrote() {
    let schema = schema_of_all_types();
    let batches = Generator::new(12).batches(&schema, &[13, 13, 0, 5]);
    let mut file = FileWriter::try_new(Vec::new(), batches[0].schema(), options()).unwrap();
    let batch = |nth: usize| if nth < 2 { &batches[0] } else { &batches[nth] };
    for nth in 0..3 {
        file.write_with_metadata(batch(nth), &Metadata::from_iter([("k", "v")])).unwrap();
    }
    let bytes = Buffer::from(file.finish().unwrap());
    let (shapes, losses) =
        shapes_of(Input::try_from_buffer("file", bytes.clone()).unwrap(), &mut ()).unwrap();
    let plan = shapes_from_json(&shapes).unwrap().plan(options(), WrittenContainer::File).unwrap();
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    assert_eq!((plan.len(), plan.n_batches()), (bytes.len() as u64, 3), "{shapes}");
    for (batch_idx, block) in reader.footer().batches().iter().enumerate() {
        let planned = plan.batch(batch_idx).unwrap();
        assert_eq!(planned, block.position()..block.position() + block.n_bytes(), "{batch_idx}");
    }
    assert!(losses.is_empty() && shapes.contains("\"count\":2"), "{shapes}");
}

/// A plan from the shapes of a file has the metadata and the features of the file, in the same places.
#[test]
fn metadata_and_features_are_planned_as_they_were_written() {
    let of = |key: &str| Metadata::from_iter([(key, "v")]);
    let written = options()
        .with_file_metadata(of("message"))
        .with_footer_metadata(of("footer"))
        .with_features([Feature::DictionaryReplacement, Feature::CompressedBody]);
    let words = arrow_array::DictionaryArray::try_new(
        arrow_array::Int8Array::from_iter([0, 1]),
        arrow_array::Utf8Array::try_from_iter(["a", "b"]).unwrap(),
    );
    let batch = RecordBatch::try_from_columns([("word", words.unwrap().into())]).unwrap();
    let mut file = FileWriter::try_new(Vec::new(), batch.schema(), written).unwrap();
    file.set_dictionary_metadata(0, of("dictionary")).unwrap();
    file.write_with_metadata(&batch, &of("batch")).unwrap();
    let bytes = Buffer::from(file.finish().unwrap());

    let (text, losses) = shapes_of(Input::try_from_buffer("file", bytes.clone()).unwrap(), &mut ()).unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    let shapes = shapes_from_json(&text).unwrap();
    let [planned, stream] = images(&shapes);
    assert_eq!(planned.len(), bytes.len(), "{text}");
    let planned = FileReader::try_from_buffer(Buffer::from(planned)).unwrap();
    let found = FileReader::try_from_buffer(bytes).unwrap();
    for reader in [&planned, &found] {
        assert_eq!(reader.metadata(), &of("footer"));
        assert_eq!(reader.schema_message_metadata().unwrap(), Some(of("message")));
        assert_eq!(reader.dictionaries().unwrap()[0].metadata, of("dictionary"));
        assert_eq!(reader.ipc_schema().features(), [Feature::DictionaryReplacement, Feature::CompressedBody]);
    }
    // A stream has one place for this metadata. It gets the metadata of the footer, as in a conversion.
    let stream = arrow_ipc::StreamReader::try_new(&*stream).unwrap();
    assert_eq!(stream.metadata(), &of("footer"));
}

/// The data that shapes cannot describe is counted.
#[test]
fn what_shapes_leave_out_is_counted() {
    let batch =
        RecordBatch::try_from_columns([("id", arrow_array::Int64Array::from_iter([1]).into())]).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), batch.schema(), options()).unwrap();
    stream.write(&batch).unwrap();
    let tensor = arrow_ipc_tensor::Tensor::try_new(DataType::Int8, [2], Buffer::zeroed(2)).unwrap();
    stream.write_tensor(&tensor, &Metadata::new()).unwrap();
    let mut bytes = stream.finish().unwrap();
    bytes.extend(b"trailing");
    let input = Input::try_from_buffer("stream", Buffer::from(bytes)).unwrap();
    let (_, losses) = shapes_of(input, &mut ()).unwrap();
    assert!(matches!(losses[..], [Loss::TrailingBytes(_), Loss::Tensors { n_tensors: 1 }]), "{losses:?}");

    let error = shapes_from_json(r#"{"schema":"a: int8","features":["none"],"batches":[]}"#).unwrap_err();
    let expected = "line 1, features[0]: expected a feature: \"dictionary replacement\", \"compressed body\" or \"unused\", found \"none\"";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn dictionaries_that_grow_have_a_shape_and_others_are_refused() {
    let words = |words: &[&str]| {
        let mut column =
            arrow_array::DictionaryBuilder::try_new(IndexType::Int8, arrow_array::Utf8Builder::new())
                .unwrap();
        words.iter().for_each(|word| column.append(word));
        RecordBatch::try_from_columns([("word", column.finish().unwrap().into())]).unwrap()
    };
    let batches = [words(&["a", "b"]), words(&["b", "c", "d"])];
    let stream = |policy| {
        let options = WriteOptions::new().with_dictionaries(policy);
        let mut stream = StreamWriter::try_new(Vec::new(), batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| stream.write(batch).unwrap());
        let stream = Buffer::from(stream.finish().unwrap());
        shapes_of(Input::try_from_buffer("stream", stream).unwrap(), &mut ()).map(|(shapes, _)| shapes)
    };
    let grown = stream(DictionaryPolicy::Delta).unwrap();
    assert!(grown.contains(r#"{"id":0,"rows":4,"values":{"bytes":4}}"#), "{grown}");
    let error = stream(DictionaryPolicy::Replace).unwrap_err();
    assert!(error.to_string().contains("a dictionary that is replaced"), "{error}");
}
