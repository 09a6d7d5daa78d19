//! Errors in the syntax of predicates, and names and constants in quotes.

use arrow_compute::{ComparisonOperator, Predicate, PredicateErrorKind};
use arrow_schema::{DataType, Field, Schema};

use super::parsed;

/// The range of the text at fault, and what is wrong.
#[test]
fn errors_say_where_they_are() {
    let cases = [
        ("city = Oslo%", 7..12, r#"text needs quotes: write "Oslo%""#),
        ("city = New York and a = 1", 7..10, r#"write "New""#),
        ("city in (Oslo, 'Rome')", 9..13, r#"write "Oslo""#),
        ("city like Os%", 10..13, r#"write "Os%""#),
        ("path = /tmp/x or b", 7..13, r#"write "/tmp/x""#),
        ("day > 2024-01-01", 6..16, r#"write "2024-01-01""#),
        ("2024-01-01 <= day", 0..10, "write '2024-01-01'"),
        ("at < 10:30", 5..10, r#"write "10:30""#),
        ("day = 1.2.2024", 6..14, r#"write "1.2.2024""#),
        ("a > 1and b = 2", 4..8, r#"write "1and""#),
        ("a = null", 4..8, "null cannot be compared; expected `is null`"),
        ("a <> NULL", 5..9, "expected `is null`"),
        ("a and like = 'x'", 6..10, r#"needs double quotes: write "like""#),
        ("a = 1 && b = 2", 6..7, "expected `and`, `or`, or the end, found \"&\""),
        ("a === 1", 4..5, "expected a number"),
        ("a => 1", 3..4, "expected a number"),
        ("first name = 'x'", 6..10, "expected `and`, `or`, or the end, found \"name\""),
        ("where a > 1", 6..7, "expected `and`, `or`, or the end"),
        ("a > 1,5 and b = 2", 5..6, "expected `and`, `or`, or the end"),
        ("a in 1", 5..6, "expected `(` and constants"),
        ("a between 1, 2", 11..12, "expected `and` and the greatest value"),
        ("lower(a) = 'x'", 5..6, "expected `and`, `or`, or the end"),
        ("a = lower('x')", 9..10, "expected `and`, `or`, or the end"),
        ("a = b + 1", 6..7, "expected `and`, `or`, or the end"),
        ("a = b = c", 6..7, "expected `and`, `or`, or the end"),
        ("a >", 3..3, "found the end"),
        ("a = and", 4..7, "expected a number"),
        ("a = \u{1}", 4..5, "needs quotes"),
        ("a = 'x", 4..5, "is not closed"),
        ("a = x'00", 5..6, "is not closed"),
    ];
    for (text, range, words) in cases {
        let error = text.parse::<Predicate>().expect_err(text);
        assert_eq!(error.range(), Some(range), "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn words_that_are_no_columns_are_named() {
    let cases = [
        ("a ilike 5", "expected a pattern in quotes; text needs quotes: write \"5\""),
        ("a contains true", "expected text in quotes, found \"true\""),
        ("a contains k", "expected text in quotes; text needs quotes: write \"k\""),
        ("a contains or", "expected text in quotes, found the keyword `or`; text needs quotes: write \"or\""),
        (
            "1a = x",
            "expected a constant or a column; as text, write '1a'; as the name of a column, write \"1a\"",
        ),
        (
            "x = in",
            "expected a number, text in quotes, `true`, `false` or a column, found the keyword `in`; text needs quotes: write \"in\"",
        ),
        (
            "i = i + 1",
            "expected `and`, `or`, or the end, found \"+\": conditions compare values, and do not calculate them",
        ),
        (
            "(i = 2 * 3)",
            "expected `)`, `and` or `or`, found \"*\": conditions compare values, and do not calculate them",
        ),
        (
            "lower(a) = 'x'",
            "expected `and`, `or`, or the end, found \"(\": conditions compare values, and do not calculate them",
        ),
        ("or = 1", "a column whose name is a keyword needs double quotes: write \"or\""),
        ("true = b", "expected a column, `not` or `(`, found \"true\""),
    ];
    for (text, message) in cases {
        let error = text.parse::<Predicate>().expect_err(text);
        assert_eq!(error.kind().to_string(), message, "{text}");
    }
}

/// Quotes inside of quotes may be doubled, as in SQL, and names may have characters that are escapes where they are printed.
#[test]
fn names_in_quotes_have_any_characters() {
    let column = |name: &str| Field::new(name, DataType::Int8);
    let schema = Schema::new(["odd \"q\"", "\t", "\n\u{200b}", "\"", "a\"\"b"].map(column));
    for (text, name) in [
        (r#""odd ""q""" = 2"#, "odd \"q\""),
        (r#""odd \"q\"" = 2"#, "odd \"q\""),
        ("1 < \"\t\"", "\t"),
        (r#""\t" = 1"#, "\t"),
        (r#""\u0009" = 1"#, "\t"),
        ("\"\n\u{200b}\" = 1", "\n\u{200b}"),
        (r#""""" = 1"#, "\""),
        (r#""a""""b" = 1"#, "a\"\"b"),
    ] {
        let bound = parsed(text).bind(&schema).unwrap_or_else(|error| panic!("{text}: {error}"));
        let paths = bound.paths().into_iter().map(|path| schema.field_by_path(path).map(Field::name));
        assert_eq!(paths.collect::<Vec<_>>(), [Some(name)], "{text}");
        let named = Predicate::compare(name, ComparisonOperator::Equal, 1);
        assert_eq!(named.bind(&schema).expect(name).columns(), bound.columns(), "{text}");
        assert_eq!(parsed(&named.to_string()), named, "{text}");
    }
}

/// What is written is parsed as the same condition, also where it has more parentheses than the text that was parsed.
#[test]
fn what_can_be_parsed_can_be_written_and_parsed() {
    let nested = |n_levels: usize, inner: &str| {
        (0..n_levels).fold(inner.to_owned(), |inner, _| format!("a or b and ({inner})"))
    };
    let is_same = |text: &str| text.parse::<Predicate>().map(|read| parsed(&read.to_string()) == read);
    let too_deep = |text: &str| match is_same(text) {
        Err(error) => matches!(error.kind(), PredicateErrorKind::TooDeep { .. }),
        Ok(is_same) => panic!("{text}: {is_same}"),
    };
    for (n_levels, inner) in
        [(31, "a or b and c"), (31, "a not between 1 and 2"), (31, "not a between 1 and b")]
    {
        assert_eq!(is_same(&nested(n_levels, inner)), Ok(true), "{n_levels} around {inner}");
        assert!(too_deep(&nested(n_levels + 1, inner)), "{n_levels} around {inner}");
    }
    // What is in the quotes is read as bytes once the type of the column is known.
    for quotes in
        [r#"key = x"'""#, r#"key = x"a'b""#, "key = x'a''b'", r#"key in (x'00', x"\"", x"")"#, "key = x''''"]
    {
        assert_eq!(is_same(quotes), Ok(true), "{quotes}");
    }
    // Letters, of which nothing can be seen.
    for letter in ["\u{3164}", "\u{115f}", "\u{1160}", "\u{ffa0}"] {
        assert!(format!("a{letter} = 1").parse::<Predicate>().is_err());
        assert_eq!(is_same(&format!("\"a{letter}\" = 1")), Ok(true));
    }
}

/// In SQL, `a = "b"` compares two columns.
#[test]
fn text_that_names_a_column_needs_single_quotes() {
    let schema: Schema = "a: utf8\nb: utf8\nn: int64".parse().expect("it is a schema");
    for text in [r#"a = "b""#, r#"n > "b""#, r#"a != "a""#, r#"not a < "n""#, r#"a not in ("x", "b")"#] {
        let error = parsed(text).bind(&schema).map(|_| ()).expect_err(text);
        assert!(matches!(error.kind(), PredicateErrorKind::ColumnAsText { .. }), "{text}: {error}");
        let message = error.to_string();
        let [column, text] = ["as a column, write ", "as text, write "].map(|words| {
            message.split_once(words).map(|(_, advised)| advised.chars().take_while(|c| *c != ';').count())
        });
        assert_eq!((column, text), (Some(1), Some(3)), "{error}");
    }
    for text in [r#"a = 'b'"#, r#"a = "c""#, r#"a in ('b', "c")"#, r#"a like "b""#, r#"a = "a.b""#] {
        parsed(text).bind(&schema).map(|_| ()).expect(text);
    }
}
