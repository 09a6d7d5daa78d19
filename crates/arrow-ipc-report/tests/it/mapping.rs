//! Maps of bytes. Their data equals the JSON of an inspection, and their size is limited.

mod damage;

use std::{fs, ops::ControlFlow, path::Path};

use arrow_array::{Int32Array, Int64Array, StructArray, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, SharedBuffers, WriteOptions};
use arrow_ipc_report::{ByteMap, ExplanationText, JsonObject, JsonReport, TextColors, explain};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_ipc_tools::{Input, InspectOptions, InspectReport, ToolError, inspect};
use arrow_schema::{DataType, Field, Metadata, Schema};
use serde_json::{Map, Value};
use testing_support::corpus_dir;

use crate::samples::{file, ids};

/// A map, and the JSON of an inspection.
struct Picture {
    data: Value,
    json: Vec<Value>,
    damage: Vec<String>,
}

fn picture(name: &str, bytes: &[u8]) -> Result<Picture, ToolError> {
    let input = || Input::try_from_buffer(name, bytes.to_vec().into());
    let options = InspectOptions::new().with_unused_bytes();
    let mut json = Vec::new();
    let mut lines = JsonReport::new(|object| {
        json.push(object);
        ControlFlow::Continue(())
    });
    inspect(input()?, &options, &mut lines, &mut ())?;
    let mut map = ByteMap::new(&name.into());
    let inspected = inspect(input()?, &options, &mut map, &mut ())?;
    let damage = inspected.damage.iter().map(ToString::to_string).collect();
    Ok(Picture { data: written(map, &inspected), json, damage })
}

fn parsed(map: ByteMap, inspected: &InspectReport) -> Value {
    serde_json::from_str(&map.into_json(inspected)).unwrap()
}

/// The map as JSON, with its tables expanded.
fn written(map: ByteMap, inspected: &InspectReport) -> Value {
    expanded(parsed(map, inspected))
}

/// Repeats the values that the tables store once with a count.
fn expanded(mut data: Value) -> Value {
    for table in ["messages", "fields", "buffers", "ends"] {
        for column in data[table].as_object_mut().unwrap().values_mut() {
            *column = repeated(column);
        }
    }
    data
}

fn repeated(column: &Value) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for value in column.as_array().unwrap() {
        match value.as_array() {
            Some(more) => {
                let n_more = more[0].as_u64().unwrap();
                all.extend((0..n_more).map(|_| all.last().unwrap().clone()).collect::<Vec<_>>());
            }
            None => all.push(value.clone()),
        }
    }
    Value::Array(all)
}

/// Returns a number. Numbers that JavaScript cannot represent are strings.
fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| value.as_str().expect("a number or digits").parse().unwrap())
}

fn numbers(column: &Value) -> Vec<u64> {
    column.as_array().unwrap().iter().map(number).collect()
}

/// Adds up the differences, and subtracts 1 from each sum; `None` where the sum is 0.
fn from_differences(column: &Value) -> Vec<Option<u64>> {
    let mut sum = 0i128;
    let differences = column.as_array().unwrap().iter();
    let sums = differences.map(|difference| {
        sum += difference.to_string().parse::<i128>().unwrap();
        u64::try_from(sum - 1).ok()
    });
    sums.collect()
}

/// The field, role, position and length of each buffer of the page, as the JSON of an inspection contains them.
fn buffers_of(data: &Value) -> Vec<(String, String, u64, u64)> {
    let (buffers, fields) = (&data["buffers"], &data["fields"]);
    let (lengths, paddings) = (numbers(&buffers["n_spanned_bytes"]), numbers(&buffers["n_padding_bytes"]));
    let roles = buffers["role"].as_array().unwrap().iter().map(|role| role.as_u64().unwrap() as usize);
    let paths = from_differences(&buffers["field"]);
    let mut after = 0i128;
    let gaps = buffers["gap"].as_array().unwrap().iter();
    let starts = gaps.zip(lengths.iter().zip(paddings)).map(|(gap, (n_bytes, n_padding))| {
        let start = after + gap.to_string().parse::<i128>().unwrap();
        after = start + i128::from(*n_bytes) + i128::from(n_padding);
        u64::try_from(start).unwrap()
    });
    let known = roles.zip(paths).zip(starts.zip(lengths.iter().copied()));
    let described = known.filter_map(|((role, path), (start, n_bytes))| {
        let path = fields["path"][usize::try_from(path?).unwrap()].as_str()?;
        Some((path.to_owned(), buffers["roles"][role].as_str()?.to_owned(), start, n_bytes))
    });
    described.collect()
}

/// The objects of one kind in the JSON of an inspection.
fn all_of<'a>(json: &'a [Value], what: &'a str) -> impl Iterator<Item = &'a Map<String, Value>> {
    json.iter().filter(move |object| object["what"] == what).filter_map(Value::as_object)
}

/// Shortens a path as the page does.
fn shortened(path: &str) -> String {
    match path.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

fn check(name: &str, picture: &Picture) {
    let Picture { data, json, damage, .. } = picture;
    let messages: Vec<_> = all_of(json, "message").collect();
    // The page counts the missing bytes of a body separately.
    let end = all_of(json, "footer").next().map(|footer| footer["position"].as_u64().unwrap());
    let end = end.unwrap_or_else(|| number(&data["n_bytes"]));
    let n_there = |start: u64, n_bytes: u64| end.saturating_sub(start).min(n_bytes);
    let starts: Vec<_> = messages.iter().map(|message| message["position"].as_u64()).collect();
    assert_eq!(from_differences(&data["messages"]["start"]), starts, "{name}");
    let message_numbers = |column: &str| numbers(&data["messages"][column]);
    let member = |name: &'static str| messages.iter().map(move |message| message[name].as_u64().unwrap());
    assert_eq!(message_numbers("n_metadata_bytes"), member("n_metadata_bytes").collect::<Vec<_>>(), "{name}");
    let bodies = member("position").zip(member("n_metadata_bytes")).zip(member("n_body_bytes"));
    let bodies: Vec<_> = bodies
        .map(|((start, n_metadata), n_bytes)| (n_there(start + n_metadata, n_bytes), n_bytes))
        .collect();
    let expected: Vec<_> = bodies.iter().map(|(n_there, n_bytes)| (*n_there, n_bytes - n_there)).collect();
    let found = message_numbers("n_body_bytes").into_iter().zip(message_numbers("n_missing_bytes"));
    assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
    let indices: Vec<_> = messages.iter().map(|message| message["index"].as_u64()).collect();
    assert_eq!(from_differences(&data["messages"]["index"]), indices, "{name}");
    // Readers skip batches that the footer does not list.
    let is_unlisted = |message: &Map<String, Value>| message.get("block").is_some_and(Value::is_null);
    let is_batch =
        |message: &&&Map<String, Value>| message["kind"] == "record batch" && !is_unlisted(message);
    let counts =
        ["n_batches", "n_truncated_batches", "n_unreadable_batches"].map(|count| number(&data[count]));
    let [n_complete, _, n_unreadable] = counts;
    assert_eq!(counts.iter().sum::<u64>(), messages.iter().filter(is_batch).count() as u64, "{name}");
    let n_whole = messages.iter().zip(&bodies).filter(|(_, (n_there, n_bytes))| n_there == n_bytes);
    let n_whole = n_whole.filter(|(message, _)| is_batch(message)).count() as u64;
    assert!((n_complete..=n_complete + n_unreadable).contains(&n_whole), "{name}: {counts:?}");
    let expected = messages
        .iter()
        .filter_map(|message| message.get("buffers"))
        .flat_map(|list| list.as_array().unwrap());
    let expected = expected.map(|buffer| {
        let (path, role) = (buffer["field"].as_str().unwrap(), buffer["role"].as_str().unwrap());
        (
            shortened(path),
            role.to_owned(),
            buffer["position"].as_u64().unwrap(),
            n_there(buffer["position"].as_u64().unwrap(), buffer["n_bytes"].as_u64().unwrap()),
        )
    });
    let (found, expected) = (buffers_of(data), expected.collect::<Vec<_>>());
    assert_eq!(found, expected, "{name}");
    let n_bytes = expected.iter().map(|(.., n_bytes)| n_bytes).sum::<u64>();
    assert_eq!(numbers(&data["fields"]["n_bytes"]).iter().sum::<u64>(), n_bytes, "{name}");
    let ends: Vec<u64> = all_of(json, "end").map(|end| end["position"].as_u64().unwrap()).collect();
    assert_eq!(numbers(&data["ends"]["position"]), ends, "{name}");
    let footer = all_of(json, "footer").next().map(|footer| footer["position"].as_u64().unwrap());
    assert_eq!(data.get("footer").map(|footer| number(&footer["position"])), footer, "{name}");
    assert_eq!(number(&data["n_damage"]), damage.len() as u64, "{name}");
    let shown: Vec<&str> = data["damage"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let is_shown = |(error, shown): (&String, &&str)| {
        let error = error.strip_prefix(name).and_then(|error| error.strip_prefix(": "));
        error.is_some_and(|error| error.starts_with(shown))
    };
    assert!(damage.iter().zip(&shown).all(is_shown), "{name}: {shown:?}");
}

#[test]
fn maps_have_what_json_has() {
    let (mut n_maps, mut n_damaged) = (0, 0);
    for path in testing_support::files_below(&corpus_dir(), "") {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("arrow" | "arrows" | "stream" | "arrow_file" | "tensor")) {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Only streams and files have a map.
        let Ok(picture) = picture(&name, &fs::read(&path).unwrap()) else { continue };
        check(&name, &picture);
        n_maps += 1;
        n_damaged += usize::from(!picture.damage.is_empty());
    }
    assert!(n_maps > 500 && n_damaged > 100, "{n_maps} {n_damaged}");
}

/// Counts the body bytes outside of buffers one by one.
#[test]
fn paddings_are_the_bytes_between_buffers() {
    let options = WriteOptions::new().with_shared_buffers(SharedBuffers::Once);
    let column = Int32Array::from_iter(0..100).into_data();
    let batch = RecordBatch::try_from_columns([("a", column.clone()), ("b", column)]).unwrap();
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    for (name, bytes) in [
        ("shared", writer.finish().unwrap()),
        ("views", fs::read(corpus_dir().join("golden/pyarrow-26.0.1/views-full.arrow")).unwrap()),
        ("nested", fs::read(corpus_dir().join("golden/pyarrow-26.0.1/dictionary-nested.arrow")).unwrap()),
    ] {
        let Picture { data, json, .. } = picture(name, &bytes).unwrap();
        let mut n_free = 0;
        for message in all_of(&json, "message") {
            let Some(buffers) = message.get("buffers") else { continue };
            let start = number(&message["position"]) + number(&message["n_metadata_bytes"]);
            let body = start..start + number(&message["n_body_bytes"]);
            let buffers: Vec<(u64, u64)> = buffers
                .as_array()
                .unwrap()
                .iter()
                .map(|buffer| (number(&buffer["position"]), number(&buffer["n_bytes"])))
                .collect();
            let is_free =
                |at: &u64| !buffers.iter().any(|(start, n_bytes)| (*start..start + n_bytes).contains(at));
            n_free += body.filter(is_free).count() as u64;
        }
        assert_eq!(numbers(&data["buffers"]["n_padding_bytes"]).iter().sum::<u64>(), n_free, "{name}");
        let is_shared = |flags: &u64| flags & 4 != 0;
        let n_shared = numbers(&data["buffers"]["flags"]).iter().filter(|flags| is_shared(flags)).count();
        assert_eq!(n_shared > 0, name == "shared", "{name}");
    }
}

/// `n_batches` batches of `n_columns` columns with two buffers each.
fn many(n_batches: i32, n_columns: usize) -> Vec<u8> {
    let column = |idx: usize| {
        (format!("column_{idx:05}"), Int32Array::from_iter([Some(idx as i32), None]).into_data())
    };
    let batch = RecordBatch::try_from_columns((0..n_columns).map(column)).unwrap();
    file(&vec![batch; n_batches as usize])
}

#[test]
fn maps_are_bounded() {
    let page = picture("buffers-1000", &many(50, 10)).unwrap();
    check("buffers-1000", &page);
    assert!(page.data.to_string().len() <= 500_000, "{}", page.data.to_string().len());
    let page = picture("columns-10000", &many(1, 10_000)).unwrap();
    check("columns-10000", &page);

    // Neighbouring messages and buffers are combined, because there are too many to show. The totals are exact.
    let page = picture("messages-6000", &many(6_000, 4)).unwrap();
    let data = &page.data;
    let n_messages = numbers(&data["messages"]["n_messages"]);
    assert_eq!((n_messages.len(), n_messages.iter().sum::<u64>()), (3_001, 6_001));
    assert_eq!((number(&data["n_batches"]), number(&data["n_rows"])), (6_000, 12_000));
    let n_buffers = numbers(&data["buffers"]["n_buffers"]);
    assert!(n_buffers.len() <= 20_000, "{}", n_buffers.len());
    assert_eq!(n_buffers.iter().sum::<u64>(), 48_000);
    assert_eq!(numbers(&data["messages"]["n_pieces"]).iter().sum::<u64>(), n_buffers.len() as u64);
    assert_eq!(numbers(&data["fields"]["n_buffers"]), [12_000; 4]);
    assert_eq!(numbers(&data["fields"]["null_count"]), [6_000; 4]);
    let n_bytes = numbers(&data["fields"]["n_bytes"]).iter().sum::<u64>();
    assert_eq!(numbers(&data["buffers"]["n_bytes"]).iter().sum::<u64>(), n_bytes);
}

/// The map has the explanation, and the command of each finding that the explanation has as text.
#[test]
fn maps_have_what_explain_says() {
    let mut n_commands = 0;
    for path in testing_support::files_below(&corpus_dir().join("golden"), "") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        let input = || Input::try_from_buffer(Path::new(&name), bytes.clone().into());
        let Ok((explanation, _)) = input().and_then(|input| explain(input, None, &mut ())) else { continue };
        let mut map = ByteMap::new(&Path::new(&name).into());
        let inspected =
            inspect(input().unwrap(), &InspectOptions::new().with_unused_bytes(), &mut map, &mut ()).unwrap();
        let data = parsed(map, &inspected);
        assert_eq!(data["explanation"], JsonObject(&explanation).to_value(), "{name}");
        let text = ExplanationText {
            input: &Path::new(&name).into(),
            explanation: &explanation,
            colors: TextColors::default(),
        };
        let text = text.to_string();
        for (finding, command) in explanation.findings.iter().zip(data["commands"].as_array().unwrap()) {
            assert_eq!(finding.remedy.is_some(), command.is_string(), "{name}");
            if let Some(command) = command.as_str() {
                assert!(text.contains(&format!("    {command}\n")), "{name}: {command}");
                n_commands += 1;
            }
        }
    }
    assert!(n_commands > 50, "{n_commands}");
}

/// The least and greatest values of each column equal the statistics in the footer.
#[test]
fn bounds_are_shown() {
    let metadata: Metadata = [("who", "people")].into_iter().collect();
    let schema = Schema::new([Field::new("id", DataType::Int64)]).with_metadata(metadata);
    let batch =
        |numbers: [i64; 2]| RecordBatch::try_new(schema.clone(), ids(numbers).columns().to_vec()).unwrap();
    let batches = [batch([5, 7]), batch([-3, 6])];
    let mut writer = FileWriter::try_new(Vec::new(), schema.clone()).unwrap();
    let mut statistics = StatisticsBuilder::new(&schema);
    for batch in &batches {
        writer.write(batch).unwrap();
        statistics.add(batch).unwrap();
    }
    let statistics = statistics.finish(1 << 20).unwrap().expect("they are short");
    writer.set_statistics(&statistics).unwrap();
    let picture = picture("bounds", &writer.finish().unwrap()).unwrap();
    check("bounds", &picture);
    assert_eq!([&picture.data["fields"]["min"][0], &picture.data["fields"]["max"][0]], ["-3", "7"]);
}

/// An ordinary file, complete and cut. Its columns have long, short and empty buffers.
#[test]
fn people_are_shown() {
    let texts = |of: fn(i32) -> String| Utf8Array::try_from_iter((0..1_000).map(of)).unwrap().into_data();
    let address = [("zip", texts(|row| format!("{row:05}"))), ("city", texts(|row| format!("city {row}")))];
    let address = StructArray::try_from(&RecordBatch::try_from_columns(address).unwrap()).unwrap();
    let columns = [
        ("id".to_owned(), Int64Array::from_iter(0..1_000).into_data()),
        ("address".to_owned(), address.into_data()),
        (
            "a.b".to_owned(),
            Int32Array::from_iter((0..1_000).map(|row| Some(row).filter(|row| row % 7 > 0))).into_data(),
        ),
    ];
    let small = (0..120).map(|idx| (format!("column {idx}"), Int32Array::from_iter(0..1_000).into_data()));
    let batch = RecordBatch::try_from_columns(columns.into_iter().chain(small)).unwrap();
    let bytes = file(&[batch.clone(), batch.clone(), batch]);
    let whole = picture("people", &bytes).unwrap();
    check("people", &whole);
    assert_eq!(number(&whole.data["n_rows"]), 3_000);
    let cut = picture("people-cut", &bytes[..bytes.len() * 5 / 6]).unwrap();
    check("people-cut", &cut);
    assert_eq!((number(&cut.data["n_batches"]), number(&cut.data["n_rows"])), (2, 2_000));
}
