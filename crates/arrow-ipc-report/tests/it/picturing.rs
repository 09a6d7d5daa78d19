//! Inspections as a page. The data of the page equals the JSON of an inspection, its size is limited, and text of
//! inputs cannot become HTML.
//!
//! With `ARROW_PAGES=FOLDER`, the test writes the pages into that folder, for the browser test (`testing/browser`).

mod damage;

use std::{env, fs, ops::ControlFlow, path::Path, sync::Arc};

use arrow_array::{Int32Array, Int64Array, StructArray, Utf8Array};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{FileWriter, SharedBuffers, StreamWriter, WriteOptions};
use arrow_ipc_report::{ExplanationText, FirstRows, HtmlReport, JsonReport, TextColors, explain};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_ipc_tools::{Input, InspectOptions, InspectReport, ToolError, inspect};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType, Metadata, Schema};
use serde_json::{Map, Value};
use testing_support::corpus_dir;

use crate::samples::{file, ids};

const HOSTILE: &str =
    "</script><script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'>\u{202e}@@data@@<!--";

/// A page, its data, and the JSON of an inspection.
struct Picture {
    page: String,
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
    let mut report = HtmlReport::new(&name.into());
    let inspected = inspect(input()?, &options, &mut report, &mut ())?;
    let rows = input().and_then(FirstRows::read);
    let (page, data) = written(name, report.with_rows(rows), &inspected);
    let damage = inspected.damage.iter().map(ToString::to_string).collect();
    Ok(Picture { page, data, json, damage })
}

/// The text of a page, and its data.
fn written(name: &str, report: HtmlReport, inspected: &InspectReport) -> (String, Value) {
    let mut page = Vec::new();
    report.write_to(inspected, &mut page).expect("memory takes all");
    let page = String::from_utf8(page).expect("a page is text");
    let (_, data) = page.split_once("id=\"data\">").expect("a page has data");
    let (data, _) = data.split_once("</script>").expect("the data ends");
    assert!(!data.contains(['<', '>', '&']), "{name}");
    let data = expanded(serde_json::from_str(data).expect("the data is JSON"));
    if let Some(folder) = env::var_os("ARROW_PAGES") {
        fs::write(Path::new(&folder).join(format!("{name}.html")), &page).expect("the folder exists");
    }
    (page, data)
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
    let of_messages = |column: &str| numbers(&data["messages"][column]);
    let member = |name: &'static str| messages.iter().map(move |message| message[name].as_u64().unwrap());
    assert_eq!(of_messages("n_metadata_bytes"), member("n_metadata_bytes").collect::<Vec<_>>(), "{name}");
    let bodies = member("position").zip(member("n_metadata_bytes")).zip(member("n_body_bytes"));
    let bodies: Vec<_> = bodies
        .map(|((start, n_metadata), n_bytes)| (n_there(start + n_metadata, n_bytes), n_bytes))
        .collect();
    let expected: Vec<_> = bodies.iter().map(|(n_there, n_bytes)| (*n_there, n_bytes - n_there)).collect();
    let found = of_messages("n_body_bytes").into_iter().zip(of_messages("n_missing_bytes"));
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
fn pages_have_what_json_has() {
    let (mut n_pages, mut n_damaged) = (0, 0);
    for path in testing_support::files_below(&corpus_dir(), "") {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("arrow" | "arrows" | "stream" | "arrow_file" | "tensor")) {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Only streams and files have a page.
        let Ok(picture) = picture(&name, &fs::read(&path).unwrap()) else { continue };
        check(&name, &picture);
        n_pages += 1;
        n_damaged += usize::from(!picture.damage.is_empty());
    }
    assert!(n_pages > 500 && n_damaged > 100, "{n_pages} {n_damaged}");
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
fn pages_are_bounded() {
    let page = picture("buffers-1000", &many(50, 10)).unwrap();
    check("buffers-1000", &page);
    assert!(page.page.len() <= 300_000, "{}", page.page.len());
    let page = picture("columns-10000", &many(1, 10_000)).unwrap();
    check("columns-10000", &page);
    assert!(page.page.len() <= 600_000, "{}", page.page.len());

    // Neighbouring messages and buffers are combined, because there are too many to show. The totals are exact.
    let page = picture("messages-6000", &many(6_000, 4)).unwrap();
    assert!(page.page.len() <= 600_000, "{}", page.page.len());
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

#[test]
fn text_from_outside_stays_text() {
    let metadata: Metadata = [(HOSTILE, HOSTILE)].into_iter().collect();
    let field = Field::new(HOSTILE, DataType::Int64).with_metadata(metadata.clone());
    let schema = Schema::new([field]).with_metadata(metadata.clone());
    let batch = RecordBatch::try_new(schema, ids([1, 2]).columns().to_vec()).unwrap();
    let picture = picture("hostile-names", &file(&[batch])).unwrap();
    check("hostile-names", &picture);
    let parts = overview(&picture.page);
    let escaped = "&lt;/script&gt;&lt;script&gt;window.stolen = 1&lt;/script&gt;&lt;img src=x onerror=&#39;";
    // The name above its bytes, and above the rows.
    assert_eq!(parts.matches(escaped).count(), 2, "{parts}");
    let shown = HOSTILE.replace('\u{202e}', "\\u{202e}");
    assert_eq!(picture.data["schema"]["metadata"][0][1], shown);
    assert_eq!(picture.data["fields"]["path"][0].as_str().unwrap().matches("script").count(), 3);
    for (mark, n) in
        [("<script", 2), ("</script", 2), ("<img", 0), ("<!--", 0), ("\u{202e}", 0), ("<style", 1)]
    {
        assert_eq!(picture.page.matches(mark).count(), n, "{mark}");
    }
    assert!(!picture.page.contains("https:") && !picture.page.contains("http:"));
    assert!(picture.page.contains("content=\"default-src 'none'; script-src 'sha256-"));
}

/// The part of a page that is HTML without a script.
fn overview(page: &str) -> &str {
    let (_, rest) = page.split_once("<section aria-label=\"Bytes by column\">").expect("it begins so");
    rest.split_once("<noscript>").expect("the map follows").0
}

/// Hostile text in each place where the overview has text of the input, each with a harmless counterpart. Both have the same
/// tags.
#[test]
fn values_from_outside_stay_text() {
    let texts = |text: &str| Utf8Array::try_from_iter([Some(text), None, Some("null")]).unwrap().into_data();
    let nested = |text: &str| {
        let batch = RecordBatch::try_from_columns([(text, texts(text))]).unwrap();
        StructArray::try_from(&batch).unwrap().into_data()
    };
    let values =
        |text: &str| RecordBatch::try_from_columns([("a", texts(text)), ("b", nested(text))]).unwrap();
    let names = |text: &str| RecordBatch::try_from_columns([(text, texts("x")), ("b", nested("x"))]).unwrap();
    let tags = |page: &str| -> Vec<String> {
        let tags = overview(page).split('<').skip(1);
        tags.map(|tag| tag.split_once('>').expect("a tag ends").0.to_owned()).collect()
    };
    let marks = ["\"><b onclick=\"x\">", "' onload='x", "&lt;script&gt;", "id=\"data\">{}</script>"];
    for (at, of) in [("values", &values as &dyn Fn(&str) -> RecordBatch), ("names", &names)] {
        for (idx, hostile) in [HOSTILE].into_iter().chain(marks).enumerate() {
            let [evil, plain] = [hostile, "x"].map(|text| {
                let name = format!("hostile-{at}-{idx}-{}", text.len());
                picture(&name, &file(&[of(text)])).unwrap()
            });
            let [found, expected] = [&evil, &plain].map(|picture| tags(&picture.page));
            // The bars are as long as the columns.
            let shape = |tags: Vec<String>| -> Vec<String> {
                tags.into_iter().filter(|tag| !tag.starts_with("rect")).collect()
            };
            assert_eq!(shape(found), shape(expected), "{at} {hostile}");
            let text = overview(&evil.page);
            assert!(
                text.contains(&hostile.chars().take_while(char::is_ascii_alphabetic).collect::<String>())
            );
            assert!(!text.contains('\u{202e}') && !text.contains("<img"), "{text}");
        }
    }
    // The name of the input is in commands.
    let batches = file(&vec![values("x"); 2]);
    let input = "x'><img src=x onerror=alert(1)>\u{1b}.arrow";
    let input =
        || Input::try_from_buffer(Path::new(input), batches[..batches.len() - 10].to_vec().into()).unwrap();
    let mut report = HtmlReport::new(input().name());
    let options = InspectOptions::new().with_unused_bytes();
    let inspected = inspect(input(), &options, &mut report, &mut ()).unwrap();
    let mut page = Vec::new();
    report.with_rows(FirstRows::read(input())).write_to(&inspected, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(!page.contains("<img") && !page.contains('\u{1b}'), "{page}");
    assert!(overview(&page).contains("<code class=\"command\">arrow-ipc recover "), "{}", overview(&page));
}

/// What `explain` says is on the page: each column, finding and command, in its order, and nothing more.
#[test]
fn pages_say_what_explain_says() {
    let plain = |html: &str| {
        let mut text = String::new();
        for piece in html.split('<') {
            text.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
        }
        let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        marks.iter().fold(text, |text, (mark, char)| text.replace(mark, char))
    };
    let mut n_findings = 0;
    for path in testing_support::files_below(&corpus_dir().join("golden"), "") {
        let is_arrow =
            path.extension().is_some_and(|extension| extension == "arrow" || extension == "arrows");
        if !is_arrow {
            continue;
        }
        let (name, bytes) =
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
        let input = || Input::try_from_buffer(Path::new(&name), bytes.clone().into());
        let Ok((explanation, inspected)) = input().and_then(|input| explain(input, None, &mut ())) else {
            continue;
        };
        let text = ExplanationText {
            input: &Path::new(&name).into(),
            explanation: &explanation,
            colors: TextColors::default(),
        };
        let mut report = HtmlReport::new(&Path::new(&name).into());
        let options = InspectOptions::new().with_unused_bytes();
        inspect(input().unwrap(), &options, &mut report, &mut ()).unwrap();
        let mut page = Vec::new();
        report.write_to(&inspected, &mut page).unwrap();
        let page = plain(overview(std::str::from_utf8(&page).unwrap()));
        let text = text.to_string();
        let mut rest = &page[..];
        let (_, said) = text.split_once("What is odd, or can be better:\n").unwrap_or((&text, ""));
        for line in said.lines() {
            let line = line.trim_start_matches("- ").trim_start();
            rest = rest.split_once(line).unwrap_or_else(|| panic!("{name}: {line:?} is not in {page}")).1;
            n_findings += 1;
        }
        assert_eq!(page.contains("Nothing is odd"), said.is_empty(), "{name}");
        for cost in explanation
            .columns
            .iter()
            .take(20)
            .filter(|cost| cost.name.len() < 200 && !cost.name.contains(char::is_control))
        {
            assert!(page.contains(&cost.name), "{name}: {}", cost.name);
        }
    }
    assert!(n_findings > 100, "{n_findings}");
}

/// A page is small for large inputs, and says what it leaves out. A value is cut before it is formatted.
#[test]
fn overviews_are_bounded() {
    let wide = picture("wide", &many(1, 10_000)).unwrap().page;
    let text = overview(&wide);
    assert!(text.len() < 20_000, "{}", text.len());
    assert!(text.contains("9,980 more columns") && text.contains("Left out: 9,970 columns."), "{text}");
    let long = "long ".repeat(1_000_000);
    let column = Utf8Array::try_from_iter((0..100).map(|_| &long[..100_000])).unwrap().into_data();
    let batch = RecordBatch::try_from_columns([(&long[..100_000], column)]).unwrap();
    let page = picture("long", &file(&[batch])).unwrap().page;
    let text = overview(&page);
    assert!(text.len() < 8_000 && text.contains("Left out: 90 rows."), "{}", text.len());
    // The command would have the name of the column.
    let ordered =
        DictionaryType::try_new(IndexType::Int32, DataType::Utf8, DictionaryOrder::Ordered).unwrap();
    let ordered = DataType::Dictionary(Arc::new(ordered));
    let mut writer =
        StreamWriter::try_new(Vec::new(), Schema::new([Field::new(&long[..100_000], ordered.clone())]))
            .unwrap();
    for words in [["x", "y"], ["y", "x"]] {
        let words = Utf8Array::try_from_iter(words).unwrap().into_data();
        let parts = Int32Array::from_iter([0, 1]).into_data().into_parts();
        let parts = ArrayParts { data_type: ordered.clone(), dictionary: Some(Arc::new(words)), ..parts };
        let column = ArrayData::try_new(parts).unwrap();
        writer.write(&RecordBatch::try_from_columns([(&long[..100_000], column)]).unwrap()).unwrap();
    }
    let page = picture("long-command", &writer.finish().unwrap()).unwrap().page;
    let text = overview(&page);
    assert!(text.len() < 8_000 && text.contains("`arrow-ipc explain` shows a command."), "{text}");
    let many = picture("many", &many(6_000, 4)).unwrap().page;
    assert!(
        many.contains("Neighbours are drawn together: 6,001 messages in 3,001 pieces, 48,000 buffers in "),
        "{}",
        overview(&many)
    );
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
