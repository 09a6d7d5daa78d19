//! Reads CSV with 40 problems that users of other readers report. Tables are random, with fixed seeds. The result is
//! the original table, or an error that names the problem.

use std::fmt::Write;

use testing_support::{Hunt, Rng};

use crate::program::run_with_input;

/// A table: the text of each cell, and the type that is inferred for each column.
#[derive(Clone)]
struct Rows {
    names: Vec<String>,
    types: Vec<&'static str>,
    cells: Vec<Vec<Option<String>>>,
}

/// The expected output of `cat`.
enum Expected {
    Rows(Rows),
    /// The rows, or none, with the exit status for lost data.
    Some(Rows),
    /// A text in the error.
    Error(&'static str),
}

struct TextCase {
    text: Vec<u8>,
    options: &'static [&'static str],
    expected: Expected,
}

const WORDS: [&str; 7] = ["ada", "grüße", "🥳", "two words", "x-y", "NA", "O'Brien"];

fn cell(of: &str, rng: &mut Rng) -> String {
    match of {
        "int64" => rng.within(-1_000_000..=1_000_000).to_string(),
        "float64" => format!("{}.{}", rng.within(-999..=999), rng.within(1..=99)),
        "date32" => {
            format!("{}-{:02}-{:02}", rng.within(1900..=2100), rng.within(1..=12), rng.within(1..=28))
        }
        "timestamp(us)" => format!("{} 0{}:30:00", cell("date32", rng), rng.below(10)),
        "bool" => (*rng.pick(&["true", "false"])).to_owned(),
        _ => (*rng.pick(&WORDS)).to_owned(),
    }
}

/// A random table of two to five columns. The first has text. The last row has no nulls, so that types can be inferred.
fn rows(rng: &mut Rng) -> Rows {
    let others = ["int64", "float64", "date32", "timestamp(us)", "bool", "utf8"];
    let mut types = vec!["utf8"];
    types.extend((0..1 + rng.below(4)).map(|_| *rng.pick(&others)));
    let names =
        (0..types.len()).map(|idx| format!("{}{idx}", rng.pick(&["id", "Größe", "a b", "x_"]))).collect();
    let n_rows = 3 + rng.below(10);
    let cells = (0..n_rows).map(|row| {
        let is_last = row + 1 == n_rows;
        let cells = types.iter().enumerate();
        cells.map(|(idx, of)| (idx == 0 || is_last || !rng.one_in(6)).then(|| cell(of, rng))).collect()
    });
    let cells = cells.collect();
    Rows { names, types, cells }
}

impl Rows {
    /// Replaces the cells of the first column by some of `texts`.
    fn with(mut self, rng: &mut Rng, texts: &[&str]) -> Rows {
        self.cells.iter_mut().for_each(|row| row[0] = Some((*rng.pick(texts)).to_owned()));
        self
    }

    /// Adds a column of this type.
    fn and(mut self, rng: &mut Rng, of: &'static str, texts: &[&str]) -> Rows {
        self.names.push("last".to_owned());
        self.types.push(of);
        self.cells.iter_mut().for_each(|row| row.push(Some((*rng.pick(texts)).to_owned())));
        self
    }

    /// Declares columns of floats as text, for tables without decimal points.
    fn without_points(mut self) -> Rows {
        self.types.iter_mut().filter(|of| **of == "float64").for_each(|of| *of = "utf8");
        self
    }

    /// The lines of CSV, with their line ends.
    fn lines(&self, delimiter: char, end: &str) -> Vec<String> {
        let quoted = |text: &str| match text.is_empty() || text.contains([delimiter, '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let line = |cells: Vec<String>| cells.join(&delimiter.to_string()) + end;
        let names = line(self.names.iter().map(|name| quoted(name)).collect());
        let rows = self.cells.iter().map(|row| {
            line(row.iter().map(|cell| cell.as_deref().map(quoted).unwrap_or_default()).collect())
        });
        std::iter::once(names).chain(rows).collect()
    }

    fn csv(&self) -> String {
        self.lines(',', "\n").concat()
    }

    fn json(&self) -> String {
        let mut json = String::new();
        for row in &self.cells {
            let members = self.names.iter().zip(row).map(|(name, cell)| {
                let text = |text: &str| serde_json::to_string(text).unwrap();
                format!("{}:{}", text(name), cell.as_deref().map_or("null".to_owned(), text))
            });
            writeln!(json, "{{{}}}", members.collect::<Vec<_>>().join(",")).unwrap();
        }
        json
    }
}

fn case_with(text: impl Into<Vec<u8>>, options: &'static [&'static str], expected: Expected) -> TextCase {
    TextCase { text: text.into(), options, expected }
}

/// Text that needs no options.
fn plain(text: impl Into<Vec<u8>>, rows: Rows) -> TextCase {
    case_with(text, &[], Expected::Rows(rows))
}

type Pattern = (&'static str, fn(&mut Rng) -> TextCase);

const PATTERNS: [Pattern; 40] = [
    ("plain", |rng| {
        let rows = rows(rng);
        plain(rows.csv(), rows)
    }),
    ("delimiters, quotes and line ends inside of quotes", |rng| {
        let rows = rows(rng).with(rng, &["a,b", "say \"hi\"", "\"", "two\nlines", "a\r\nb", ",", "\n", "x"]);
        plain(rows.csv(), rows)
    }),
    ("all in quotes", |rng| {
        let rows = rows(rng);
        let quoted = rows.lines('\u{1}', "\n").concat().replace('\n', "\"\n\"").replace('\u{1}', "\",\"");
        let mut rows = rows;
        // An empty text is a pair of quotes; a null is nothing.
        for row in &mut rows.cells {
            row.iter_mut().for_each(|cell| *cell = Some(cell.take().unwrap_or_default()));
        }
        plain(format!("\"{}", quoted.strip_suffix('"').unwrap()), rows)
    }),
    ("a quote inside of a cell without quotes", |rng| {
        let rows = rows(rng);
        let text = rows.csv().replace("ada", "O\"Brian \"x\"").replace("grüße", "5' 6\"");
        let mut rows = rows;
        for cell in rows.cells.iter_mut().flatten().flatten() {
            *cell = cell.replace("ada", "O\"Brian \"x\"").replace("grüße", "5' 6\"");
        }
        plain(text, rows)
    }),
    ("text after a closing quote", |rng| {
        let rows = rows(rng);
        case_with(
            rows.csv() + "\"Lorem\" dolor,1\n",
            &[],
            Expected::Error("has text after its closing quote"),
        )
    }),
    ("the same, with quotes as text", |rng| {
        let rows = rows(rng).and(rng, "utf8", &["\"Lorem\" dolor", "a\"", "\"b", "x"]);
        let text = rows.clone().lines('\u{1}', "\n").concat().replace("\"\"", "\u{2}").replace('"', "");
        let text = text.replace('\u{2}', "\"").replace('\u{1}', "\t");
        case_with(text, &["--from-delimiter", "\\t", "--quote", ""], Expected::Rows(rows))
    }),
    ("a quote that is not closed", |rng| {
        case_with(rows(rng).csv() + "\"open,1\n2,3\n", &[], Expected::Error("has no closing quote"))
    }),
    ("single quotes", |rng| {
        let rows = rows(rng).with(rng, &["a,b", "it's", "x"]);
        let text = rows.lines('\u{1}', "\n").concat().replace('\'', "''").replace("a,b", "'a,b'");
        let text = text.replace("it''s", "'it''s'").replace('\u{1}', ",");
        case_with(text.replace("O''Brien", "O'Brien"), &["--quote", "'"], Expected::Rows(rows))
    }),
    ("a delimiter at the end of each line", |rng| {
        let mut rows = rows(rng);
        let text = rows.lines(',', ",\n").concat();
        rows.names.push(String::new());
        rows.types.push("utf8");
        rows.cells.iter_mut().for_each(|row| row.push(None));
        plain(text, rows)
    }),
    ("a delimiter at the end of each row only", |rng| {
        let rows = rows(rng);
        let text = rows.csv();
        let (names, rest) = text.split_once('\n').unwrap();
        case_with(format!("{names}\n{}", rest.replace('\n', ",\n")), &[], Expected::Rows(rows))
    }),
    ("the same, padded", |rng| {
        let rows = rows(rng);
        let text = rows.csv();
        let (names, rest) = text.split_once('\n').unwrap();
        case_with(
            format!("{names}\n{}", rest.replace('\n', ",\n")),
            &["--ragged", "pad"],
            Expected::Rows(rows),
        )
    }),
    ("a byte order mark", |rng| {
        let rows = rows(rng);
        plain(format!("\u{feff}{}", rows.csv()), rows)
    }),
    ("a byte order mark before quotes", |rng| {
        let mut rows = rows(rng);
        rows.names[0] = "a,b".to_owned();
        plain(format!("\u{feff}{}", rows.csv()), rows)
    }),
    ("carriage returns and line feeds", |rng| {
        let rows = rows(rng);
        plain(rows.lines(',', "\r\n").concat(), rows)
    }),
    ("carriage returns", |rng| {
        let rows = rows(rng);
        plain(rows.lines(',', "\r").concat(), rows)
    }),
    ("line ends of all kinds", |rng| {
        let rows = rows(rng);
        let lines = rows.lines(',', "");
        plain(
            lines.iter().map(|line| format!("{line}{}", rng.pick(&["\n", "\r\n", "\r"]))).collect::<String>(),
            rows,
        )
    }),
    ("no line end at the end", |rng| {
        let rows = rows(rng);
        plain(rows.csv().trim_end(), rows)
    }),
    ("empty lines", |rng| {
        let rows = rows(rng);
        let lines = rows.lines(',', "\n");
        plain(
            lines.iter().map(|line| format!("{}{line}", "\n".repeat(rng.below(3)))).collect::<String>()
                + "\n\n",
            rows,
        )
    }),
    ("a title and an empty line", |rng| {
        let rows = rows(rng);
        plain(format!("Report of \"Q1\"\n\n{}", rows.csv()), rows)
    }),
    ("titles with as many delimiters, to be skipped", |rng| {
        let rows = rows(rng);
        let commas = ",".repeat(rows.names.len() - 1);
        case_with(format!("A{commas}\nB{commas}\n{}", rows.csv()), &["--skip", "2"], Expected::Rows(rows))
    }),
    ("comments above, with a quote", |rng| {
        let rows = rows(rng);
        case_with(format!("#\"Comment, by x\n# 2\n{}", rows.csv()), &["--comment", "#"], Expected::Rows(rows))
    }),
    ("comments between rows", |rng| {
        let rows = rows(rng);
        let text = rows.lines(',', "\n").join("# \"a\n");
        case_with(text, &["--comment", "#"], Expected::Rows(rows))
    }),
    ("a footer", |rng| {
        let text = rows(rng).csv();
        case_with(text + "Total rows: 5\n", &[], Expected::Error("--ragged skip leaves out such rows"))
    }),
    ("a footer that is skipped", |rng| {
        let rows = rows(rng);
        case_with(rows.csv() + "Total rows: 5\n", &["--ragged", "skip"], Expected::Some(rows))
    }),
    ("short rows", |rng| {
        let rows = rows(rng);
        case_with(rows.csv() + "only\n", &["--ragged", "pad"], {
            let mut rows = rows;
            let n_cells = rows.names.len();
            rows.cells
                .push(std::iter::once(Some("only".to_owned())).chain((1..n_cells).map(|_| None)).collect());
            Expected::Rows(rows)
        })
    }),
    ("long rows", |rng| {
        let rows = rows(rng);
        let more = "x,".repeat(rows.names.len()) + "y\n";
        case_with(
            rows.csv() + &more,
            &["--ragged", "pad"],
            Expected::Error("--ragged skip leaves out such rows"),
        )
    }),
    ("thousands of columns", |rng| {
        let n_columns = 1000 + rng.below(2000);
        let names = (0..n_columns).map(|idx| format!("c_{idx}")).collect();
        let row = |_| (0..n_columns).map(|_| Some("7".to_owned())).collect();
        let rows = Rows { names, types: Vec::new(), cells: (0..3).map(row).collect() };
        plain(rows.csv(), rows)
    }),
    ("a cell of a hundred kilobytes", |rng| {
        let long = "x,\"\n".repeat(25_000);
        let rows = rows(rng).with(rng, &[&long, "a"]);
        plain(rows.csv(), rows)
    }),
    ("null bytes", |rng| {
        let rows = rows(rng).with(rng, &["a\0b", "\0", "x"]);
        plain(rows.csv(), rows)
    }),
    ("bytes that are not UTF-8", |rng| {
        let mut text = rows(rng).csv().into_bytes();
        text.extend_from_slice(b"caf\xe9,1\n");
        case_with(text, &["--ragged", "pad"], Expected::Error("--encoding windows-1252"))
    }),
    ("UTF-16 with a byte order mark", |rng| {
        let rows = rows(rng);
        let text: Vec<u8> =
            format!("\u{feff}{}", rows.csv()).encode_utf16().flat_map(u16::to_le_bytes).collect();
        plain(text, rows)
    }),
    ("other delimiters", |rng| {
        let rows = rows(rng).with(rng, &["1,5", "a", "b,c"]);
        plain(rows.lines(*rng.pick(&[';', '\t', '|']), "\n").concat(), rows)
    }),
    ("a line that tells the delimiter", |rng| {
        let rows = rows(rng);
        let delimiter = *rng.pick(&[';', ':', '^', '~']);
        plain(format!("sep={delimiter}\r\n{}", rows.lines(delimiter, "\r\n").concat()), rows)
    }),
    ("numbers of other countries", |rng| {
        let rows = rows(rng).without_points().and(rng, "float64", &["1.234,5", "-0,5", "12"]);
        case_with(
            rows.lines(';', "\n").concat(),
            &["--decimal", ",", "--thousands", "."],
            Expected::Rows(rows),
        )
    }),
    ("numbers with thousands in quotes", |rng| {
        let rows = rows(rng).and(rng, "int64", &["1,234", "12", "1,234,567"]);
        case_with(rows.csv(), &["--thousands", ","], Expected::Rows(rows))
    }),
    ("leading zeros, signs, long integers, and dates of other orders stay text", |rng| {
        let texts: [&[&str]; 6] = [
            &["007", "0123"],
            &["08.30", "09.10", "+49.5"],
            &["+4912345", "+1"],
            &["123456789012345678901234567890", "99999999999999999999"],
            &["29.02.2024", "01.12.2023"],
            &["02/29/2024", "12/31/1999"],
        ];
        let texts = *rng.pick(&texts);
        let rows = rows(rng).and(rng, "utf8", texts);
        plain(rows.csv(), rows)
    }),
    ("long integers of 64 bits, and a point among integers", |rng| {
        let cases: [(&str, &[&str]); 3] = [
            ("uint64", &["18446744073709551615"]),
            ("int64", &["-9223372036854775808", "9223372036854775807"]),
            ("decimal128(38, 1)", &["9007199254740993"]),
        ];
        let (of, texts) = *rng.pick(&cases);
        let mut rows = rows(rng).and(rng, of, texts);
        if of.starts_with("decimal") {
            *rows.cells[0].last_mut().unwrap() = Some("0.5".to_owned());
            *rows.cells[1].last_mut().unwrap() = Some("9007199254740993".to_owned());
        }
        plain(rows.csv(), rows)
    }),
    ("spaces after delimiters", |rng| {
        let rows = rows(rng).and(rng, "utf8", &[" 6", " x"]);
        plain(rows.csv(), rows)
    }),
    ("a space before a quote", |rng| {
        let text = rows(rng).csv();
        case_with(
            text + "a, \"b, c\", d, e, f, g\n",
            &[],
            Expected::Error("--skip N leaves out the first lines"),
        )
    }),
    ("names that repeat or are empty", |rng| {
        let mut rows = rows(rng);
        let n_names = rows.names.len();
        rows.names = vec!["id".to_owned(); n_names];
        rows.types.fill("utf8");
        let text = rows.csv();
        rows.names =
            (0..n_names).map(|idx| if idx == 0 { "id".to_owned() } else { format!("id_{idx}") }).collect();
        rows.types.clear();
        plain(text, rows)
    }),
];

/// Returns an error if the outcome is wrong.
fn check(pattern: &str, case: &TextCase) -> Option<String> {
    let shown =
        || format!("{pattern}: {:?}", String::from_utf8_lossy(&case.text).get(..2000).unwrap_or_default());
    let names = match &case.expected {
        Expected::Rows(rows) | Expected::Some(rows) => rows.names.clone(),
        Expected::Error(_) => Vec::new(),
    };
    // Reads each column as utf8, to compare text, unless there are too many columns for the command line.
    let is_wide = names.len() > 100;
    let types: Vec<String> = match pattern {
        "names that repeat or are empty" => vec!["id=utf8".to_owned()],
        _ if is_wide => Vec::new(),
        _ => names.iter().map(|name| format!("\"{name}\"=utf8")).collect(),
    };
    let mut args = vec!["cat", "-", "--from", "csv", "--null", ""];
    args.extend(case.options);
    args.extend(types.iter().flat_map(|of| ["--type", of.as_str()]));
    let found = run_with_input(&args, &case.text);
    let (rows, status) = match &case.expected {
        Expected::Error(words) => {
            let is_reported = found.status == 1 && found.stderr.contains(words);
            return (!is_reported).then(|| format!("{}: {} {}", shown(), found.status, found.stderr));
        }
        Expected::Rows(rows) => (rows, 0),
        Expected::Some(rows) => (rows, 3),
    };
    let json = if is_wide { rows.json().replace("\"7\"", "7") } else { rows.json() };
    if (found.text(), found.status) != (&*json, status) {
        let start = |text: &str| text.get(..1000).unwrap_or(text).to_owned();
        return Some(format!("{}: {}\n{}\n{}", shown(), found.stderr, start(found.text()), start(&json)));
    }
    if rows.types.is_empty() {
        return None;
    }
    let mut args = vec!["schema", "--infer", "--from", "csv", "--null", "", "-"];
    args.extend(case.options.iter().map(|option| match *option {
        "--from-delimiter" => "--delimiter",
        option => option,
    }));
    let schema = run_with_input(&args, &case.text);
    let types: Vec<&str> = schema.text().lines().filter_map(|line| Some(line.rsplit_once(": ")?.1)).collect();
    (types != rows.types).then(|| format!("{}: {types:?} {:?} {}", shown(), rows.types, schema.stderr))
}

#[test]
fn csv_of_the_world_is_read_as_it_was_meant_or_refused_with_words() {
    let (mut wrong, n_texts) = (Vec::new(), Hunt::from_env().count(2, 8));
    for (idx, (pattern, make)) in PATTERNS.iter().enumerate() {
        let mut rng = Rng::new(idx as u64);
        wrong.extend((0..n_texts).filter_map(|_| check(pattern, &make(&mut rng))));
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}
