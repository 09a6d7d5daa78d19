//! Text of inputs is escaped before it reaches a terminal.

use std::{fs, path::Path};

use arrow_array::{Int8Array, Utf8Array};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileWriter, WriteOptions};
use arrow_schema::{Field, Metadata, Schema};

use crate::{
    program::{Outcome, command, finish, run, temporary_folder},
    unknown_types::write_unknown,
};

const RED: &str = "\u{1b}[31mred\u{7}\u{7f}\u{9b}\r\u{202e}";

/// A file with codes that control a terminal in all of its text.
fn evil_file() -> Vec<u8> {
    let words: ArrayData = Utf8Array::try_from_iter([Some(RED), None]).unwrap().into();
    let numbers: ArrayData = Int8Array::from_iter([1, 2]).into();
    let metadata = Metadata::from_iter([(RED, RED)]);
    let fields = [
        Field::new(RED, words.data_type().clone()).with_metadata(metadata.clone()),
        Field::new("n", numbers.data_type().clone()),
    ];
    let schema = Schema::new(fields).with_metadata(metadata.clone());
    let batch = RecordBatch::try_new(schema, vec![words, numbers]).unwrap();
    let options = WriteOptions::new().with_file_metadata(metadata.clone());
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write_with_metadata(&batch, &metadata).unwrap();
    writer.finish().unwrap()
}

fn check(what: &str, outcome: &Outcome) {
    for text in [outcome.text(), &outcome.stderr] {
        let bad = text.chars().find(|char| (char.is_control() && *char != '\n') || *char == '\u{202e}');
        assert_eq!(bad, None, "{what}: {outcome:?}");
    }
}

#[test]
fn control_characters_are_escaped() {
    let folder = temporary_folder();
    let path = folder.path().join("evil\u{1b}[31m.arrow");
    fs::write(&path, evil_file()).unwrap();
    let path = path.to_str().unwrap();
    let commands: [(&[&str], i32); 16] = [
        (&["tail", "--vertical", path], 0),
        (&["validate", "--verbose", path], 0),
        (&["count", path, path], 0),
        (&["schema", path], 0),
        (&["schema", "--json", path], 0),
        (&["cat", "--format", "table", path], 0),
        (&["inspect", "--buffers", path], 0),
        (&["inspect", "--buffers", "--json", path], 0),
        (&["validate", path], 0),
        (&["cat", path, "--columns", RED], 0),
        (&["cat", path, "--columns", "\u{1b}"], 2),
        (&["cat", path, "--limit", RED], 2),
        (&["cat", path, "--format", RED], 2),
        (&["cat", &format!("{path}{RED}")], 4),
        (&["convert", path, &format!("{path}{RED}")], 2),
        (&[RED], 2),
    ];
    for (args, status) in commands {
        // JSON rows have control characters escaped, and all else unchanged.
        let outcome = run(args);
        outcome.expect(&[status]);
        if args.first() != Some(&"cat") || args.contains(&"table") || status != 0 {
            check(&format!("{args:?}"), &outcome);
        }
        assert!(!outcome.text().contains('\u{1b}'), "{outcome:?}");
    }
    // A name can be selected in the form in which it is shown.
    let shown = run(["schema", path]).text().lines().nth(1).unwrap().rsplit_once(": ").unwrap().0.to_owned();
    let rows = run(["cat", path, "--columns", &shown, "--limit", "1"]);
    let row: serde_json::Value = serde_json::from_str(rows.expect(&[0]).text()).unwrap();
    assert_eq!(row[RED], RED);
}

#[test]
fn values_that_differ_are_escaped_as_json() {
    let folder = temporary_folder();
    let [a, b] = ["a.arrow", "b.arrow"].map(|name| folder.path().join(name));
    for (path, word) in [(&a, RED), (&b, "plain")] {
        let words: ArrayData = Utf8Array::try_from_iter([word]).unwrap().into();
        let batch = RecordBatch::try_from_columns([("word", words)]).unwrap();
        let mut writer = FileWriter::create(path, batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }
    let outcome = run([Path::new("diff"), &a, &b]);
    check("diff", outcome.expect(&[1]));
    let line = outcome.differences().lines().next().unwrap();
    assert_eq!(
        line,
        "row 0, field word: \"\\u001b[31mred\\u0007\\u007f\\u009b\\r\\u202e\" in A, \"plain\" in B"
    );
}

#[test]
fn what_differs_has_the_colour_of_its_side() {
    let [a, b] = ["full", "nulls"].map(|name| format!("golden/pyarrow-26.0.1/integers-{name}.arrow"));
    let args = ["diff", &a, &b, "--columns", "int8", "--limit", "1"];
    let plain = run(args);
    let painted = run([&["--color", "always"], &args[..]].concat());
    let text = painted.expect(&[1]).text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("\u{1b}[31mdiffer\u{1b}[0m: at least 2"), "{text:?}");
    let expected =
        "\u{1b}[1mrow 0, field int8\u{1b}[0m: \u{1b}[31m0\u{1b}[0m in A, \u{1b}[32mnull\u{1b}[0m in B";
    assert_eq!(lines[1], expected);
    assert!(lines[2].ends_with("; --limit shows more, --count counts them"));
    let codes = ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[1m", "\u{1b}[0m"];
    let unpainted = codes.iter().fold(text.to_owned(), |text, code| text.replace(code, ""));
    assert_eq!(unpainted, plain.text());
    let same = run(["--color", "always", "diff", &a, &a]);
    assert!(same.expect(&[0]).text().starts_with("\u{1b}[32mequal\u{1b}[0m: "), "{same:?}");
}

/// Reports have colours for names, types and problems, and no other codes: text of inputs is escaped. Without the codes, they
/// are what programs get.
#[test]
fn reports_have_colours_for_names_types_and_problems() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [evil, cut, text] = ["evil.arrow", "cut.arrows", "rows.csv"].map(path);
    fs::write(&evil, evil_file()).unwrap();
    fs::write(&text, "id,name\n1,Ada\n").unwrap();
    run(["convert", &evil, &cut]).expect(&[0]);
    let stream = fs::read(&cut).unwrap();
    fs::write(&cut, &stream[..stream.len() - 8]).unwrap();
    let [unknown, _] = write_unknown(folder.path());
    let types = "golden/pyarrow-26.0.1/metadata.arrow";
    let [name, data_type, problem] = ["\u{1b}[1m", "\u{1b}[36m", "\u{1b}[33m"];
    let cases: [(&[&str], i32, &[String]); 8] = [
        (&["schema", types], 0, &[format!("{name}list\u{1b}[0m: {data_type}list<item: int8>\u{1b}[0m")]),
        (&["schema", &text], 0, &[format!("{name}id\u{1b}[0m: {data_type}int64\u{1b}[0m\n")]),
        (&["schema", &evil], 0, &[format!("{name}n\u{1b}[0m: {data_type}int8\u{1b}[0m\n")]),
        (&["explain", types], 0, &[format!("- {problem}1 batch without rows.\u{1b}[0m\n")]),
        (&["explain", &evil], 0, &[format!("{name}n\u{1b}[0m: {data_type}int8\u{1b}[0m\n")]),
        (&["explain", &cut], 0, &[format!("- {problem}The stream has no end marker")]),
        (&["inspect", "--buffers", &evil], 0, &[format!("{name}message "), format!("{data_type}values ")]),
        (&["inspect", &cut, types], 0, &[format!("{problem}no end is marked\u{1b}[0m\n"), name.to_owned()]),
    ];
    for (args, status, painted) in cases {
        let plain = run(args);
        let colored = run([&["--color", "always"], args].concat());
        let text = colored.expect(&[status]).text();
        for piece in painted {
            assert!(text.contains(piece), "{args:?}: {piece:?} in {text:?}");
        }
        let codes = [name, data_type, problem, "\u{1b}[0m"];
        assert_eq!(codes.iter().fold(text.to_owned(), |text, code| text.replace(code, "")), plain.text());
        assert!(!plain.text().contains('\u{1b}'), "{plain:?}");
        let json = run([&["--color", "always"], args, &["--json"]].concat());
        assert!(!json.text().contains('\u{1b}'), "{json:?}");
    }
    let refused = run(["--color", "always", "schema", &unknown]);
    assert!(refused.expect(&[5]).text().contains(&format!("{name}u\u{1b}[0m: {problem}")), "{refused:?}");
}

#[test]
fn tables_fit_the_width() {
    let file = "golden/pyarrow-26.0.1/every-type-one-row.arrow";
    for width in ["20", "40", "80", "200"] {
        let outcome = finish(command(["cat", "--format", "table", file]).env("COLUMNS", width), &[]);
        let width: usize = width.parse().unwrap();
        let longest = outcome.expect(&[0]).text().lines().map(|line| line.chars().count()).max();
        assert!(longest.is_some_and(|longest| longest <= width), "{width}: {longest:?}");
        assert!(outcome.stderr.contains("do not fit"), "{outcome:?}");
    }
    // In a pipe, values are not cut, unless a width is set. Very long types are cut.
    let outcome = run(["cat", "--format", "table", file]);
    let values_are_whole = !outcome.text().lines().skip(2).any(|line| line.contains('…'));
    assert!(outcome.expect(&[0]).stderr.is_empty() && values_are_whole, "{outcome:?}");
}

#[test]
fn statistics_that_are_too_wide_are_left_out_and_named() {
    let args = ["--color", "always", "stats", "golden/pyarrow-26.0.1/integers-nulls.arrow"];
    let outcome = finish(command(args).env("COLUMNS", "80"), &[]);
    let text = outcome.expect(&[0]).text();
    let (header, rows) = text.split_once('\n').unwrap();
    assert!(header.starts_with("\u{1b}[1mcolumn") && header.ends_with("\u{1b}[0m"), "{header:?}");
    assert!(!text.contains('…') && rows.lines().all(|line| line.chars().count() <= 80), "{text}");
    let note = "columns do not fit: decompressed, share";
    let how = "; see all in a wider terminal, with --vertical or --json\n";
    assert!(outcome.stderr.contains(note) && outcome.stderr.ends_with(how), "{outcome:?}");
    assert_eq!(run(args).expect(&[0]).stderr, "");
}

#[test]
fn a_table_without_rows_has_a_header() {
    let outcome = run(["cat", "--format", "table", "golden/pyarrow-26.0.1/every-type-no-batches.arrows"]);
    assert_eq!(outcome.expect(&[0]).text().lines().count(), 3);
}

#[test]
fn a_table_without_columns_counts_its_rows() {
    let file = "golden/pyarrow-26.0.1/no-columns.arrow";
    let cases: [(&[&str], &str); 3] = [
        (&[], "(no columns)\n5 rows\n"),
        (&["--offset", "4"], "(no columns)\n1 row\n"),
        (&["--limit", "0"], "(no columns)\n0 rows\n"),
    ];
    for (args, expected) in cases {
        for file in [file, &format!("{file}s")] {
            let outcome = run([&["cat", "--format", "table", file], args].concat());
            assert_eq!((outcome.text(), &outcome.stderr[..]), (expected, ""), "{args:?}");
        }
    }
}

/// Runs a command line on a terminal, with the program `script`. Returns the output and the exit status; `None`
/// without `script`.
#[cfg(target_os = "linux")]
pub(crate) fn on_a_terminal(line: &str) -> Option<(String, Option<i32>)> {
    watched_on_a_terminal(line, |_| ())
}

/// Like [`on_a_terminal`]. `look` gets the whole output up to then, each time there is more.
#[cfg(target_os = "linux")]
pub(crate) fn watched_on_a_terminal(line: &str, mut look: impl FnMut(&str)) -> Option<(String, Option<i32>)> {
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
    };

    if !Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: rows on a terminal: there is no `script`");
        return None;
    }
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", line, "/dev/null"]).env_remove("COLUMNS");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdin.take());
    let (mut shown, mut piece) = (Vec::new(), [0; 4096]);
    let mut stdout = child.stdout.take().unwrap();
    loop {
        let n_bytes = stdout.read(&mut piece).unwrap();
        if n_bytes == 0 {
            break;
        }
        shown.extend_from_slice(&piece[..n_bytes]);
        look(&String::from_utf8_lossy(&shown));
    }
    Some((String::from_utf8(shown).unwrap(), child.wait().unwrap().code()))
}

#[cfg(target_os = "linux")]
#[test]
fn control_characters_and_streams_do_not_reach_a_terminal() {
    let folder = temporary_folder();
    let file = folder.path().join("evil.arrow");
    fs::write(&file, evil_file()).unwrap();
    let program = env!("CARGO_BIN_EXE_arrow-ipc");
    let is_harmful = |char: char| (char.is_control() && !"\r\n\t".contains(char)) || char == '\u{202e}';
    for format in ["csv", "json", "table"] {
        let line = format!("{program} head --color never --format {format} {}", file.display());
        let Some((text, status)) = on_a_terminal(&line) else { return };
        assert_eq!(status, Some(0), "{text}");
        assert!(!text.contains(is_harmful), "{format}: {text:?}");
        // The only control codes are those for colours.
        let line = format!("{program} head --color always --format {format} {}", file.display());
        let Some((painted, _)) = on_a_terminal(&line) else { return };
        assert_eq!(painted.contains('\u{1b}'), format == "table", "{painted:?}");
        assert_eq!(painted.replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""), text);
        // Programs get the unescaped text.
        let raw = run([Path::new("cat"), Path::new("--format"), Path::new(format), &file]);
        assert_eq!(raw.expect(&[0]).text().contains(is_harmful), format != "table", "{format}: {raw:?}");
    }
    for out in ["-", "/dev/tty", "/dev/stdout"] {
        let line = format!("NO_COLOR=1 {program} convert --to stream {} {out}", file.display());
        let Some((text, status)) = on_a_terminal(&line) else { return };
        assert_eq!(status, Some(2), "{out}: {text:?}");
        assert!(text.contains("is a terminal, which cannot show") && !text.contains(is_harmful), "{text:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_rows_are_a_table_that_fits() {
    let file = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/binary-text-nulls.arrow");
    for n_columns in [40, 60, 200] {
        let line = format!(
            "stty rows 24 cols {n_columns}; {} cat --color never {}",
            env!("CARGO_BIN_EXE_arrow-ipc"),
            file.display()
        );
        let Some((text, status)) = on_a_terminal(&line) else { return };
        let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
        assert_eq!(status, Some(0), "{text}");
        let [names, types, rule, first, ..] = &lines[..] else { panic!("{text}") };
        assert!(names.starts_with("binary") && types.starts_with("binary"), "{text}");
        assert!(rule.starts_with("---") && !first.contains('{'), "{text}");
        // In ASCII lines, each character is one column wide. Notes are not part of the table.
        let table_lines = lines.iter().filter(|line| line.is_ascii() && !line.starts_with("note:"));
        let widest = table_lines.map(|line| line.len()).max().unwrap_or(0);
        assert!(widest <= n_columns, "{widest} of {n_columns}:\n{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

/// On a terminal, labels and heads have colours, unless they are disabled. Elsewhere they must be enabled.
#[cfg(target_os = "linux")]
#[test]
fn colours_are_for_terminals() {
    let file = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/integers-full.arrow");
    let program =
        format!("{} head --format table no/such/file {}", env!("CARGO_BIN_EXE_arrow-ipc"), file.display());
    for (line, is_painted) in [
        (format!("TERM=xterm {program}"), true),
        (format!("TERM=xterm NO_COLOR= {program}"), true),
        (format!("TERM=xterm NO_COLOR=1 {program}"), false),
        (format!("TERM=dumb {program}"), false),
        (format!("TERM=xterm {program} --color never"), false),
        (format!("NO_COLOR=1 {program} --color always"), true),
    ] {
        let Some((text, status)) = on_a_terminal(&line) else { return };
        assert_eq!(status, Some(4), "{text}");
        assert_eq!(text.contains("\u{1b}[1;31merror:\u{1b}[0m no/such/file"), is_painted, "{line}: {text:?}");
        assert_eq!(text.contains("\u{1b}[1m") && text.contains('\u{1b}'), is_painted, "{line}: {text:?}");
    }
    let file = file.to_str().unwrap();
    for (when, is_painted) in [("auto", false), ("always", true), ("never", false)] {
        let outcome = run(["--color", when, "head", "--vertical", "no/such/file", file]);
        assert_eq!(outcome.expect(&[4]).text().contains("\u{1b}[1mrow 0\u{1b}[0m\n"), is_painted);
        assert_eq!(outcome.stderr.contains('\u{1b}'), is_painted, "{outcome:?}");
    }
}
