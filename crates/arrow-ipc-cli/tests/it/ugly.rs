//! Ugly CSV: what is detected in its first lines, and what options set.

use std::fs;

use crate::program::{run, run_with_input, temporary_folder};

/// Reads text from a pipe with `cat`, and compares the output, the exit status, and the messages.
#[test]
fn ugly_csv_is_read_with_options_or_without() {
    let utf_16: Vec<u8> = "\u{feff}n,v\n1,grün\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    type Case<'a> = (&'a [u8], &'a [&'a str], i32, &'a str, &'a str);
    let utf_16_as_legacy: Vec<u8> = "n,v\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [Case<'_>; 125] = [
        (b"'a,b';c\n'it''s';1\n", &["--quote", "'"], 0, "{\"a,b\":\"it's\",\"c\":1}\n", ""),
        (
            b"a;b\n\"x;1\ny\";2\n",
            &["--quote", ""],
            0,
            "{\"a\":\"\\\"x\",\"b\":1}\n{\"a\":\"y\\\"\",\"b\":2}\n",
            "",
        ),
        (b"a;b\n\"x;1\ny;2\n", &["--from", "csv"], 1, "", "--quote '' reads quotes as text"),
        (b"a;b\n1;2\n", &["--quote", ";", "--from-delimiter", ";"], 2, "", "--quote: ';' cannot"),
        (
            b"a;b\n1;2\n",
            &["--type", "a=utf8", "--type", "a=int8"],
            2,
            "",
            "--type: the column a is given twice",
        ),
        (
            b"a;b\n1;2\n1;2;3\n",
            &["--from", "csv", "--ragged", "pad"],
            1,
            "",
            "hint: --ragged skip leaves out such rows, and",
        ),
        (b"a;b\n1;2\n1\n", &["--from", "csv"], 1, "", "hint: --ragged pad reads missing cells as nulls"),
        (b"[1,2]", &[], 1, "", "jq -c 'if type == \"array\" then .[] else . end | {value: .}'"),
        (b"1\n2\n", &["--from", "jsonl"], 1, "", "jq -c '{value: .}'"),
        (
            b"Sales 2024\n\nday;sum\na;1,5\nb;NA\n",
            &["--decimal", ","],
            0,
            "{\"day\":\"a\",\"sum\":1.5}\n{\"day\":\"b\",\"sum\":null}\n",
            "lines 1 to 2 are taken for a title",
        ),
        (
            b"Sales\nday;sum\na;1\n",
            &["--skip", "0", "--from", "csv"],
            1,
            "",
            "hint: --skip N leaves out N lines of a title;",
        ),
        (
            b"Sales\nby us, of all\n\nday,sum,x\na,1,2\n",
            &["--from", "csv"],
            1,
            "",
            "hint: --skip N leaves out N lines",
        ),
        (
            b"Sales,,\nby us\n\nday,sum,x\na,1,2\n",
            &["--from", "csv", "--skip", "0"],
            1,
            "",
            "hint: --skip N leaves out N lines",
        ),
        (
            b"Sales,,\nby us\n\nday,n,x\na,1,2\n",
            &["--from", "csv", "--skip", "3"],
            0,
            "{\"day\":\"a\",\"n\":1,\"x\":2}\n",
            "",
        ),
        (b"a,b\n1,2, \n", &[], 0, "{\"a\":1,\"b\":2}\n", "all rows end with ','"),
        (b"a,b\n1,2\n3,4, \n", &["--from", "csv"], 1, "", "hint: --ragged pad leaves out further cells"),
        (
            b"a,b\n1,2\n3,4, \n",
            &["--from", "csv", "--ragged", "pad"],
            0,
            "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n",
            "",
        ),
        (b"a,b\n0,1\n1,0\n", &["--type", "a=bool"], 0, "{\"a\":false,\"b\":1}\n{\"a\":true,\"b\":0}\n", ""),
        (b"a,b\n2,1\n", &["--type", "a=bool"], 1, "", "expected true or false, found \"2\""),
        (
            b"a,b\ntrue,1\n1,1\n",
            &["--infer-rows", "1"],
            1,
            "{\"a\":true,\"b\":1}\n",
            "hint: --type a=bool reads the column as bool",
        ),
        (
            b"x\nday;sum\na;1.234\n",
            &["--skip", "1", "--thousands", ".", "--decimal", ","],
            0,
            "{\"day\":\"a\",\"sum\":1234}\n",
            "",
        ),
        (b"a,b\n1,2\n", &["--decimal", ",", "--thousands", ","], 2, "", "--decimal and --thousands"),
        (
            b"1,ada\n2,bob\n",
            &[],
            0,
            "{\"c0\":1,\"c1\":\"ada\"}\n{\"c0\":2,\"c1\":\"bob\"}\n",
            "line 1 is taken for a row",
        ),
        (b"1,ada\n2,bob\n", &["--from-header"], 0, "{\"1\":2,\"ada\":\"bob\"}\n", ""),
        (b"a,b\n1,2\n3\n4,5,6\n7,8,\n", &["--from", "csv"], 1, "", "--ragged skip"),
        // Rows that end with a delimiter, as in no name.
        (
            b"a,b\n1,2,\n3,,\n",
            &["--from", "csv"],
            0,
            "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":null}\n",
            "all rows end with ','",
        ),
        (
            b"a,b\n1,2,\n",
            &["--from", "csv", "--ragged", "skip"],
            0,
            "{\"a\":1,\"b\":2}\n",
            "all rows end with ','",
        ),
        (b"a,b\n1,2,\n3,4,5\n", &["--from", "csv"], 1, "", "line 2: expected 2 cells, found 3"),
        (b"a,b\n1,2\n3,4,\n", &["--from", "csv"], 1, "", "hint: --ragged pad leaves out further cells"),
        (
            b"a,b\n1,2\n3,4,\n",
            &["--from", "csv", "--ragged", "pad"],
            0,
            "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n",
            "",
        ),
        (
            b"a,b\n1,2\n3\n4,5,6\n7,8,\n",
            &["--from", "csv", "--ragged", "skip"],
            3,
            "{\"a\":1,\"b\":2}\n",
            "3 rows with another number of cells are skipped, on lines 3, 4 and 5",
        ),
        (
            b"a,b\n1,2\n3\n7,8,\n",
            &["--from", "csv", "--ragged", "pad"],
            0,
            "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":null}\n{\"a\":7,\"b\":8}\n",
            "",
        ),
        (
            b"a,b\n1,2\n4,5,6\n",
            &["--from", "csv", "--ragged", "pad"],
            1,
            "",
            "line 3: expected 2 cells, found 3",
        ),
        (
            b"a,b\n#x\n1,-\n.,2\n",
            &["--comment", "#", "--null", "-", "--null", "."],
            0,
            "{\"a\":1,\"b\":null}\n{\"a\":null,\"b\":2}\n",
            "",
        ),
        (b"a,b\n1,NA\n", &["--null", ""], 0, "{\"a\":1,\"b\":\"NA\"}\n", ""),
        (b"a,b\n1,2\n", &["--null", "x", "--from", "jsonl"], 2, "", "--null is for CSV"),
        (
            b"sep=;\r\na;b\r\n1,5;2\r\n",
            &[],
            0,
            "{\"a\":\"1,5\",\"b\":2}\n",
            "line 1 tells the delimiter ';' and is skipped",
        ),
        (b"sep=;\na;b\n1;2\n", &["--skip", "1"], 0, "{\"a\":1,\"b\":2}\n", ""),
        (b"sep=;\na;b\n1;2\n", &["--from-delimiter", ";"], 0, "{\"a\":1,\"b\":2}\n", "is skipped"),
        (
            b"sep=;\nx;y\n",
            &["--from", "csv", "--from-delimiter", ",", "--skip", "0"],
            0,
            "{\"sep=;\":\"x;y\"}\n",
            "no line has a ',', and ';' divides all",
        ),
        (
            b"a|b,c\n1|2,3\n",
            &[],
            0,
            "{\"a|b\":\"1|2\",\"c\":3}\n",
            "',', and '|' would do as well: --from-delimiter '|' takes it",
        ),
        (
            b"# made by x\nid\n1\n",
            &["--from", "csv"],
            0,
            "{\"# made by x\":\"id\"}\n{\"# made by x\":\"1\"}\n",
            "line 1 is taken for names, and begins like a comment; --comment '#' skips such lines",
        ),
        (b"# made by x\nid\n1\n", &["--from", "csv", "--comment", "#"], 0, "{\"id\":1}\n", ""),
        (b"# made by x, y\na,b\n1,2\n", &[], 0, "{\"a\":1,\"b\":2}\n", "--skip 0 keeps it"),
        (
            b"a,b\n'x','y'\n",
            &[],
            0,
            "{\"a\":\"'x'\",\"b\":\"'y'\"}\n",
            "cells begin and end with ', which is taken for text; --quote \"'\" takes it for quotes",
        ),
        (b"a,b\n'x','y'\n", &["--quote", "'"], 0, "{\"a\":\"x\",\"b\":\"y\"}\n", ""),
        (b"a|b,c\n1|2,3\n", &["--from-delimiter", ","], 0, "{\"a|b\":\"1|2\",\"c\":3}\n", ""),
        (
            b"1,2\n3,4\n",
            &[],
            0,
            "{\"1\":3,\"2\":4}\n",
            "line 1 is taken for names, and looks like a row; --from-no-header takes it for one",
        ),
        (b"1,2\n3,4\n", &["--from-header"], 0, "{\"1\":3,\"2\":4}\n", ""),
        (b"a;b\n1,5;2\n", &["--decimal", ","], 0, "{\"a\":1.5,\"b\":2}\n", ""),
        (b"a;b\n1;2\n", &["--comment", ";", "--from-delimiter", ";"], 2, "", "--comment: ';' cannot"),
        (b"a;b\n1;2\n", &["--comment", "\""], 2, "", "--comment: '\"' cannot"),
        // Text that begins like a stream before version 0.15.
        (&utf_16_as_legacy, &["--encoding", "utf-16le"], 0, "{\"n\":1,\"v\":2}\n", ""),
        (&utf_16_as_legacy, &[], 0, "{\"n\":1,\"v\":2}\n", ""),
        (b"\0n\0,\0v\0\n\x001\0,\x002\0\n", &[], 0, "{\"n\":1,\"v\":2}\n", ""),
        (&utf_16_as_legacy, &["--encoding", "utf-16be"], 1, "", "the first bytes are UTF-16, little-endian"),
        (b"\x10\0\0\0,b\n1,2\n", &["--from", "csv"], 0, "{\"\\u0010\\u0000\\u0000\\u0000\":1,\"b\":2}\n", ""),
        (
            &utf_16,
            &["--encoding", "utf-16le"],
            1,
            "",
            "the first bytes are UTF-16, big-endian, which needs no --encoding",
        ),
        (b"\xef\xbb\xbfa,b\n1,2\n", &["--encoding", "latin1"], 1, "", "the first bytes are UTF-8"),
        (b"\xef\xbb\xbfa,b\n1,2\n", &["--encoding", "utf-8"], 0, "{\"a\":1,\"b\":2}\n", ""),
        (&utf_16, &["--encoding", "windows-1252"], 1, "", "and not windows-1252"),
        (b"SEP=;\na;b\n1;2\n", &[], 0, "{\"a\":1,\"b\":2}\n", "line 1 tells the delimiter ';'"),
        (
            b"Sales\nday;sum\na;1\n",
            &[],
            0,
            "{\"day\":\"a\",\"sum\":1}\n",
            "line 1 is taken for a title and skipped; --skip 0 keeps it",
        ),
        (
            b"a,b\n1,2\nx,2\n",
            &["--infer-rows", "1", "--type", "a=int8"],
            1,
            "{\"a\":1,\"b\":2}\n",
            "hint: the column has the type that --type",
        ),
        (b"{\"v\":1}\n{\"v\":\"a\"}\n", &[], 1, "", "hint: --type v=utf8 reads both as text"),
        (b"{\"v\":1}\n{\"v\":[2]}\n", &[], 1, "", "hint: --type v=json keeps the values"),
        (b"{\"v\":[]}\n", &["--type", "v=utf8"], 1, "", "gives it: json takes this value"),
        (b"{\"v\":1}\n", &["--from", "csv"], 0, "", "the text looks like JSON: --from jsonl reads it"),
        (b"<!DoctYPE html>\n", &["--from", "csv"], 0, "", "the text looks like HTML, not like CSV"),
        (
            b"{\"v\":1}\n{\"v\":\"a\"}\n",
            &["--infer-rows", "1"],
            1,
            "{\"v\":1}\n",
            "hint: --type v=utf8 reads the column as utf8",
        ),
        (
            b"{\"v\":1}\n{\"v\":2.5}\n",
            &["--infer-rows", "1"],
            1,
            "{\"v\":1}\n",
            "hint: --type v=float64 reads the column",
        ),
        // No hint suggests a type that rounds a whole number.
        (
            b"v,w\n1,1\n18446744073709551615,1\n",
            &["--infer-rows", "1"],
            1,
            "{\"v\":1,\"w\":1}\n",
            "hint: --type v=uint64 reads the column as uint64",
        ),
        (
            b"v,w\n18446744073709551615,1\n-1,1\n",
            &["--infer-rows", "1"],
            1,
            "{\"v\":18446744073709551615,\"w\":1}\n",
            "hint: --type 'v=decimal128(38, 0)' reads the column",
        ),
        (
            b"v,w\n1,1\n100000000000000000000000000000000000000,1\n",
            &["--infer-rows", "1"],
            1,
            "{\"v\":1,\"w\":1}\n",
            "hint: --type v=utf8 reads the column",
        ),
        (
            b"v,w\n1,1\n9007199254740993,1\n",
            &["--type", "v=int32"],
            1,
            "{\"v\":1,\"w\":1}\n",
            "gives it: int64 takes this value",
        ),
        (
            b"{\"v\":1,\"w\":[1]}\n{\"v\":\"a\",\"w\":{}}\n{\"v\":true}\n",
            &["--type", "v=utf8", "--type", "w=list<int8>"],
            1,
            "{\"v\":\"1\",\"w\":[1]}\n",
            "line 2, byte 15: field `w`: expected an array",
        ),
        (
            b"{\"v\":1,\"n\":2}\n{\"v\":\"a\"}\n{\"v\":true}\n{}\n{\"v\":1.50}\n",
            &["--type", "v=utf8"],
            0,
            "{\"v\":\"1\",\"n\":2}\n{\"v\":\"a\",\"n\":null}\n{\"v\":\"true\",\"n\":null}\n{\"v\":null,\"n\":null}\n{\"v\":\"1.50\",\"n\":null}\n",
            "",
        ),
        (
            b"{\"v\":{\"w\":1}}\n{\"v\":{\"w\":\"x\"}}\n",
            &["--type", "v=json"],
            0,
            "{\"v\":{\"w\":1}}\n{\"v\":{\"w\":\"x\"}}\n",
            "",
        ),
        (b"a,b\n1,\"1,000\"\n", &["--type", "b=int64", "--thousands", ","], 0, "{\"a\":1,\"b\":1000}\n", ""),
        (b"{\"v\":1}\n{\"v\":\"2\"}\n", &["--type", "v=int8"], 0, "{\"v\":1}\n{\"v\":2}\n", ""),
        (
            b"{\"v\":1}\n{\"v\":\"\"}\n",
            &["--type", "v=int8"],
            1,
            "{\"v\":1}\n",
            "hint: the column has the type that --type",
        ),
        (
            b"a,b\n1,2\n",
            &["--from", "csv", "--skip", "3"],
            2,
            "",
            "the text has 2 lines; 3 lines are to be skipped",
        ),
        (
            b"a,b\n1,2",
            &["--from", "csv", "--skip", "2"],
            2,
            "",
            "hint: --skip N must leave a line of names or a row",
        ),
        (b"a,b\n-999,--\n", &["--null", "-999", "--null", "--"], 0, "{\"a\":null,\"b\":null}\n", ""),
        (b"a,b\n1,2\n", &["--null", "--skip"], 2, "", "is the value before it missing?"),
        (
            b"a,b\n1,2\n",
            &["--infer-rows", "-1"],
            2,
            "",
            "must be at least 1, and a whole number below 2^64, or `all`",
        ),
        (b"a,b\n1,2\n", &["--max-null-bytes", "-1"], 2, "", "must be at least 1, and"),
        (
            b"a,-b\n1,2\n",
            &["--columns", "-b"],
            2,
            "",
            "hint: if -b is the value of --columns, write --columns=-b",
        ),
        (b"a,-b\n1,2\n", &["--columns=-b"], 0, "{\"-b\":2}\n", ""),
        (
            b"t,u\n12:30,2024-12-31 12:30\n",
            &[],
            0,
            "{\"t\":\"12:30:00.000000\",\"u\":\"2024-12-31T12:30:00.000000\"}\n",
            "",
        ),
        (
            b"t,u\n12:30,1\n12:45,2\n",
            &["--where", "t > '12:40'"],
            0,
            "{\"t\":\"12:45:00.000000\",\"u\":2}\n",
            "",
        ),
        (b"t,u\n12:30,1\n", &["--type", "t=utf8"], 0, "{\"t\":\"12:30\",\"u\":1}\n", ""),
        (
            b"d,n\n31/12/2024,1\n",
            &[],
            0,
            "{\"d\":\"31/12/2024\",\"n\":1}\n",
            "the dates in column 1 are taken for text; --dates dmy reads them\n",
        ),
        (
            b"d,n\n1/2/2024,1\n",
            &[],
            0,
            "{\"d\":\"1/2/2024\",\"n\":1}\n",
            "--dates dmy reads them if the day comes first, and --dates mdy if the month does\n",
        ),
        (b"d,n\n31/12/2024,1\n", &["--dates", "dmy"], 0, "{\"d\":\"2024-12-31\",\"n\":1}\n", ""),
        (b"d,n\n1/2/2024,1\n", &["--dates", "mdy"], 0, "{\"d\":\"2024-01-02\",\"n\":1}\n", ""),
        (
            b"t\n12/31/2024 5:07 PM\n1/2/2025\n",
            &["--from", "csv", "--dates", "mdy"],
            0,
            "{\"t\":\"2024-12-31T17:07:00.000000\"}\n{\"t\":\"2025-01-02T00:00:00.000000\"}\n",
            "",
        ),
        (
            b"t\n31.12.2024\n",
            &["--from", "csv", "--dates", "dmy", "--type", "t=timestamp(s)"],
            0,
            "{\"t\":\"2024-12-31T00:00:00\"}\n",
            "",
        ),
        (
            b"t\n31.12.2024 17 Uhr\n",
            &["--from", "csv", "--dates", "dmy", "--type", "t=timestamp(s)"],
            1,
            "",
            "expected a timestamp such as 29/02/2024 12:34:56, found \"31.12.2024 17 Uhr\"",
        ),
        (
            b"t,n\n12/31/2024 5:07 PM,1\n",
            &[],
            0,
            "{\"t\":\"12/31/2024 5:07 PM\",\"n\":1}\n",
            "the dates in column 1 are taken for text; --dates mdy reads them\n",
        ),
        (
            b"d,n\n31/12/2024,1\n",
            &["--dates", "mdy", "--type", "d=date32"],
            1,
            "",
            "hint: --dates dmy reads such dates",
        ),
        (
            b"d,n\n31/12/2024,1\n",
            &["--dates", "mdy"],
            0,
            "{\"d\":\"31/12/2024\",\"n\":1}\n",
            "the dates in column 1 are taken for text; --dates dmy reads them\n",
        ),
        (
            b"d,n\nx,1\n",
            &["--dates", "mdy"],
            0,
            "{\"d\":\"x\",\"n\":1}\n",
            "no cell of the first rows is a date: --dates mdy changes nothing there\n",
        ),
        (
            b"t,n\n2024-01-31 03:04 PM,1\n",
            &["--dates", "mdy"],
            0,
            "{\"t\":\"2024-01-31T15:04:00.000000\",\"n\":1}\n",
            "",
        ),
        (
            b"a;b\n1,5;2\n",
            &[],
            0,
            "{\"a\":\"1,5\",\"b\":2}\n",
            "the cells in column 1 are taken for text; if they are numbers, --decimal , reads them\n",
        ),
        (
            b"a;b\n1.234,5;2\n",
            &[],
            0,
            "{\"a\":\"1.234,5\",\"b\":2}\n",
            "the cells in column 1 are taken for text; if they are numbers, --decimal , --thousands . reads them\n",
        ),
        (b"a;b\n1,5;2\n", &["--type", "a=float64"], 1, "", "hint: --decimal , reads such numbers"),
        (b"a;b\n1.234,5;2\n", &["--type", "a=float64"], 1, "", "hint: --decimal , --thousands . reads such"),
        (
            b"a;b\n1.234,5;2\n",
            &["--type", "a=float64", "--decimal", ","],
            1,
            "",
            "hint: --thousands . reads such",
        ),
        (
            b"a;b\n1;2\n1,5;2\n",
            &["--infer-rows", "1"],
            1,
            "{\"a\":1,\"b\":2}\n",
            "hint: --decimal , --type a=float64 reads such numbers",
        ),
        (
            b"a;b\n1;2\n1,5;2\n",
            &["--infer-rows", "1", "--decimal", ",", "--type", "a=float64"],
            0,
            "{\"a\":1.0,\"b\":2}\n{\"a\":1.5,\"b\":2}\n",
            "",
        ),
        (b"a, b, c\n1, 2, 2024-01-01\n", &[], 0, "{\"a\":1,\" b\":2,\" c\":\"2024-01-01\"}\n", ""),
        (b"a,b\n1, x\n", &[], 0, "{\"a\":1,\"b\":\" x\"}\n", ""),
        (
            "a;b\n1\u{a0}234,5;2\n".as_bytes(),
            &["--decimal", ",", "--thousands", " "],
            0,
            "{\"a\":1234.5,\"b\":2}\n",
            "",
        ),
        (
            "a;b\n1\u{202f}234,5;2\n".as_bytes(),
            &["--decimal", ",", "--type", "a=float64"],
            1,
            "",
            "hint: --thousands ' ' reads such numbers",
        ),
        (
            b"a,b\n1,2\n# x\n",
            &["--from", "csv"],
            1,
            "",
            "hint: --comment '#' skips the lines that begin with #",
        ),
        (
            b"{\"a\":1e400}\n",
            &[],
            1,
            "",
            "line 1, byte 10: expected a number that fits into a floating-point number of 64 bits, found \"1e400\"\n  hint: --type COLUMN=utf8",
        ),
        (b"{\"a\":1e400}\n", &["--type", "a=utf8"], 0, "{\"a\":\"1e400\"}\n", ""),
        (
            b"ARROW1\0\0",
            &["--encoding", "utf-16le"],
            2,
            "",
            "--encoding is for text, but the content is Arrow data",
        ),
        (&utf_16, &[], 0, "{\"n\":1,\"v\":\"grün\"}\n", ""),
        (&utf_16[..utf_16.len() - 1], &[], 1, "", "inside a character of UTF-16"),
        (b"n,v\n1,gr\xfcn \x80\n", &["--from", "csv"], 1, "", "--encoding windows-1252"),
        (b"n,v\n1,gr\xfcn \x80\n", &["--encoding", "windows-1252"], 0, "{\"n\":1,\"v\":\"grün €\"}\n", ""),
        (b"n,v\n1,a\"b\n2,\"a\" b\n", &["--from", "csv"], 1, "", "are doubled"),
        (b"n,v\n1,2\n", &["--encoding", "utf-16le"], 1, "", "neither an Arrow IPC file nor a stream"),
    ];
    for (text, options, status, rows, said) in cases {
        let outcome = run_with_input([&["cat", "-"][..], options].concat(), text);
        assert_eq!(outcome.expect(&[status]).text(), rows, "{options:?} {}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{options:?} {}", outcome.stderr);
        assert!(!said.is_empty() || outcome.stderr.is_empty(), "{options:?} {}", outcome.stderr);
        // A file has the same result, except for messages about its name.
        let folder = temporary_folder();
        let file = folder.path().join("a.txt");
        fs::write(&file, text).unwrap();
        let of_file = run([&["cat", file.to_str().unwrap()][..], options].concat());
        assert_eq!((of_file.status, of_file.text()), (status, rows), "{options:?} {}", of_file.stderr);
    }
}

/// Rows are objects, unless an option asks for pairs.
#[test]
fn names_of_columns_may_repeat() {
    let folder = temporary_folder();
    let (from, to) = (folder.path().join("a.csv"), folder.path().join("a.jsonl"));
    let [from, to] = [&from, &to].map(|path| path.to_str().unwrap());
    fs::write(from, "id,id,id_1\n1,2,3\n4,5,6\n").unwrap();
    let rows = "{\"id\":1,\"id_2\":2,\"id_1\":3}\n{\"id\":4,\"id_2\":5,\"id_1\":6}\n";
    let shown = run(["cat", from]);
    assert_eq!(shown.expect(&[0]).text(), rows);
    assert!(
        shown.stderr.starts_with("note: names of columns repeat, and JSON has id_2 for the later ones"),
        "{shown:?}"
    );
    let pairs = run(["cat", from, "--json-pairs", "-n", "1"]);
    assert_eq!(pairs.expect(&[0]).text(), "[[\"id\",1],[\"id\",2],[\"id_1\",3]]\n");
    assert_eq!(pairs.stderr, "");
    run(["convert", from, to]).expect(&[0]);
    assert_eq!(fs::read_to_string(to).unwrap(), rows);
    let refused = run(["cat", from, "--json-pairs", "--format", "csv"]);
    assert!(refused.expect(&[2]).stderr.contains("--json-pairs needs --format json"), "{refused:?}");
}

/// `explain` accepts the options of `cat`, reads pipes, and refuses the same inputs.
#[test]
fn text_is_explained_as_it_is_read() {
    type Case<'a> = (&'a [u8], &'a [&'a str], i32, &'a str);
    let wide = [",".repeat(200_000).as_bytes(), b"\n1\n"].concat();
    let cases: [Case<'_>; 7] = [
        (
            b"a;b\n1;2\n",
            &[],
            0,
            "is CSV in UTF-8, as far as its first rows tell.\nCells are separated by ';', and quoted by '\"'",
        ),
        (
            b"a;b\n1;2\n",
            &["--from-delimiter", ",", "--from", "csv", "--quote", ""],
            0,
            "separated by ',', and not quoted; line 1 has names",
        ),
        (b"n,v\n1,gr\xfcn\n", &["--from", "csv"], 1, "hint: text is read as UTF-8"),
        (b"n,v\n1,gr\xfcn\n", &["--encoding", "latin1"], 0, "is CSV in latin1"),
        (b"{\"v\":1}\n{\"v\":\"a\"}\n", &[], 1, "--type v=utf8 reads both as text"),
        (b"{\"v\":1}\n{\"v\":\"a\"}\n", &["--type", "v=utf8"], 0, "is lines of JSON in UTF-8"),
        (&wide, &["--from", "csv"], 1, "line 1: more than 131072 columns: is the separator right?"),
    ];
    for (text, options, status, said) in cases {
        let outcome = run_with_input([&["explain", "-"][..], options].concat(), text);
        let told = outcome.expect(&[status]).text().to_owned() + &outcome.stderr;
        assert!(told.contains(said), "{options:?} {told}");
        let read = run_with_input([&["cat", "-"][..], options].concat(), text);
        assert_eq!(read.status, status, "{options:?} {}", read.stderr);
    }
}
