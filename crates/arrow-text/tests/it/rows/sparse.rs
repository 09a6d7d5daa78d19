//! Missing members become the same nulls as explicit nulls, and take no time.

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, Field, Schema, work_done};
use arrow_text::{CsvReader, JsonReader};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types};

use super::{
    good::schema_of,
    trip::{json, plain_rows},
};

/// A text in which members that are null are missing, and the same text in which they are explicit.
#[derive(Default)]
struct Texts {
    sparse: String,
    full: String,
}

/// A name, whether the member is required, and a function that writes its value.
type Member<'a> = (&'a str, bool, &'a dyn Fn(&mut Texts, &mut Rng));

impl Texts {
    fn both(&mut self, text: &str) {
        self.sparse += text;
        self.full += text;
    }

    /// Writes an object with these members, and leaves out some that are not required.
    fn object(&mut self, rng: &mut Rng, members: &[Member<'_>]) {
        self.both("{");
        for (name, is_required, value) in members {
            if !is_required && rng.one_in(3) {
                self.full += &format!("\"{name}\":null,");
            } else {
                self.both(&format!("\"{name}\":"));
                value(self, rng);
                self.both(",");
            }
        }
        for text in [&mut self.sparse, &mut self.full] {
            text.truncate(text.trim_end_matches(',').len());
        }
        self.both("}");
    }
}

fn read(text: &str, schema: &Schema) -> Vec<RecordBatch> {
    let reader = JsonReader::try_new(text.as_bytes(), schema.clone()).unwrap();
    reader.map(|batch| batch.unwrap_or_else(|error| panic!("{schema}: {error}"))).collect()
}

fn check(texts: &Texts, schema: &Schema) {
    let [sparse, full] = [&texts.sparse, &texts.full].map(|text| read(text, schema));
    let n_rows = |batches: &[RecordBatch]| batches.iter().map(RecordBatch::n_rows).collect::<Vec<_>>();
    assert_eq!(n_rows(&sparse), n_rows(&full), "{schema}");
    assert_eq!(plain_rows(&sparse), plain_rows(&full), "{schema}");
}

#[test]
fn missing_members_are_nulls_of_every_type() {
    let mut rng = Hunt::from_env().rng(31);
    for (name, data_type) in all_types() {
        let x = Field::new("x", data_type.clone());
        let inner = DataType::struct_([x.clone(), Field::new("y", DataType::Int8)]);
        let fields =
            [x, Field::new("s", inner.clone()), Field::new("l", DataType::list(Field::new("item", inner)))];
        let schema = Schema::new(fields);
        let column = Generator::new(rng.bits()).array(&data_type, 40, Nulls::Some);
        let values = json(&RecordBatch::try_from_columns([("x", column)]).unwrap());
        let values: Vec<&str> = values.lines().map(|line| &line["{\"x\":".len()..line.len() - 1]).collect();
        let x = |texts: &mut Texts, rng: &mut Rng| texts.both(rng.pick::<&str>(&values));
        let y = |texts: &mut Texts, rng: &mut Rng| texts.both(&rng.below(3).to_string());
        // Unions cannot be null, nor runs whose values are not nullable.
        let runs = data_type.as_run_end_encoded();
        let is_required = name.contains("union") || runs.is_some_and(|runs| !runs.values().is_nullable());
        let s = |texts: &mut Texts, rng: &mut Rng| {
            texts.object(rng, &[("x", is_required, &x), ("y", false, &y)]);
        };
        let l = |texts: &mut Texts, rng: &mut Rng| {
            texts.both("[");
            for item in 0..rng.below(4) {
                texts.both(if item > 0 { "," } else { "" });
                s(texts, rng);
            }
            texts.both("]");
        };
        let mut texts = Texts::default();
        for _ in 0..Hunt::from_env().count(60, 3_000) {
            texts.object(&mut rng, &[("x", is_required, &x), ("s", is_required, &s), ("l", false, &l)]);
            texts.both("\n");
        }
        check(&texts, &schema);
    }
}

/// A batch ends before nulls for which it has no room.
#[test]
fn batches_end_where_runs_of_missing_members_are_full() {
    let schema = schema_of(
        "struct<l: list<item: struct<x: run_end_encoded<run_ends: int16 not null, values: int8>, y: int8>>>",
    );
    let line = |item: &str| format!("{{\"l\":[{}]}}\n", vec![item; 20_000].join(",")).repeat(3);
    let texts = Texts { sparse: line("{}"), full: line("{\"x\":null,\"y\":null}") };
    check(&texts, &schema);
    assert_eq!(read(&texts.sparse, &schema).iter().map(RecordBatch::n_rows).collect::<Vec<_>>(), [1, 1, 1]);
}

/// The number of visited items grows with the length of the text, not with lines times columns.
#[test]
fn lines_without_members_cost_their_text() {
    let members = |n: usize| (0..n).map(|idx| format!("c{idx}: int8")).collect::<Vec<_>>().join(", ");
    let columns = |n: usize| schema_of(&format!("struct<{}>", members(n)));
    let run_columns = |n: usize| {
        let runs = |idx| format!("c{idx}: run_end_encoded<run_ends: int32 not null, values: int8>");
        schema_of(&format!("struct<{}>", (0..n).map(runs).collect::<Vec<_>>().join(", ")))
    };
    let structs = |n: usize| schema_of(&format!("struct<a: struct<{}>>", members(n)));
    let struct_lists = |n: usize| schema_of(&format!("struct<a: list<item: struct<{}>>>", members(n)));
    type Case<'a> = (&'a str, &'a dyn Fn(usize) -> Schema, &'a str);
    let cases: &[Case<'_>] = &[
        ("columns", &columns, "{}\n"),
        ("one column", &columns, "{\"c0\":7}\n"),
        ("rows that fail", &columns, "{\"c0\":7,\"c1\":\"x\"}\n"),
        ("runs", &run_columns, "{}\n"),
        ("structs", &structs, "{\"a\":{}}\n"),
        ("null structs", &structs, "{\"a\":null}\n"),
        ("no structs", &structs, "{}\n"),
        ("items", &struct_lists, "{\"a\":[{},{\"c1\":1},null]}\n"),
    ];
    for (name, schema, line) in cases {
        check_cost(name, |n| {
            let (schema, text) = (schema(n), line.repeat(n));
            let reader = JsonReader::try_new(text.as_bytes(), schema).unwrap();
            reader.with_skipped_errors().flatten().collect()
        });
    }
    check_cost("cells", |n| {
        let (schema, text) = (structs(n), format!("a\n{}", "{}\n".repeat(n)));
        CsvReader::try_new(text.as_bytes(), schema).unwrap().flatten().collect()
    });
}

/// Checks that the items visited are at most the bytes built, and some for each line.
fn check_cost(name: &str, read: impl Fn(usize) -> Vec<RecordBatch>) {
    for n in [500, 1_000] {
        let before = work_done();
        let batches = read(n);
        let visited = work_done() - before;
        let n_bytes: u64 = batches.iter().flat_map(RecordBatch::columns).map(ArrayData::n_bytes).sum();
        assert!(visited <= n_bytes + 40 * n as u64, "{name}: {visited} for {n} lines and {n_bytes} bytes");
    }
}
