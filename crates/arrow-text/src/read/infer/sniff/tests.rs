use super::*;
use crate::infer_csv_with;

/// The detected delimiter, the number of skipped lines, and whether there are names.
fn found(text: &str) -> (char, u64, bool) {
    let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]).options;
    (found.delimiter().into(), found.n_skipped_lines(), found.has_header())
}

#[test]
fn the_form_is_found_where_it_is_clear() {
    let cases = [
        ("", (',', 0, true)),
        ("a", (',', 0, true)),
        // A single column, whose texts contain delimiters.
        ("a\nb;c", (';', 0, true)),
        ("tags\nred;blue\ngreen;red\nred;red\n", (',', 0, true)),
        ("tags\nred\ngreen;red\nred;red\n", (',', 0, true)),
        ("text\nhello, world\nfoo, bar\n", (';', 0, true)),
        ("address\n1 Main St, London\n2 High St, Paris\n", (';', 0, true)),
        ("a,b\n", (',', 0, true)),
        ("a;b,c;d\n", (';', 0, true)),
        ("a\tb\r\n1\t2", ('\t', 0, true)),
        ("a|b", ('|', 0, true)),
        ("\"a,b,c\";d", (';', 0, true)),
        ("a,b;c", (',', 0, true)),
        // Several lines are better evidence than the first line.
        ("a;b,x\n1,5;2,5\n3;4\n", (';', 0, true)),
        ("day;sum\n2024-02-29;1,5\n2024-03-01;2,5\n", (';', 0, true)),
        ("text\nhi\nso\nhello; you; x\n", (',', 0, true)),
        ("a;b\n1\n2\n3\n4\n", (';', 0, true)),
        ("Sales, by day\n\nday;sum\na;1,5\nb;2,5\n", (';', 2, true)),
        // Texts with title lines.
        ("Sales\n\nday,sum\n2024-02-29,1\n", (',', 2, true)),
        ("Sales\nday;sum\na;1\n", (';', 1, true)),
        ("Employees\nname,city\nada,london\nbob,paris\n", (',', 1, true)),
        ("Employees\nname;city\nada;london\nbob;paris\n", (';', 1, true)),
        ("Prices\nitem\tprice\tcity\nA\t$5\toslo\n", ('\t', 1, true)),
        ("Sales, by day\nday;sum\na;x\nb;y\n", (';', 1, true)),
        ("Sales\n\nday;sum\na;x\n", (';', 2, true)),
        ("# Sales\nday;sum\na;x\n", (';', 1, true)),
        ("Sales;;\n;;\nday;sum;x\na;b;c\n", (';', 0, true)),
        ("Sales;;\n;;\nday;sum;x\na;1;c\n", (';', 2, true)),
        ("Report;;\nDate;2026-01-01;\n;;\nName;Qty;Price\nA;1;2\nB;2;3\n", (';', 3, true)),
        ("id;name;\n1;ada;x\n2;bob;y\n", (';', 0, true)),
        ("id;name;\nx;ada;y\ny;bob;1\n", (';', 0, true)),
        ("id;name;\n1;ada;\n2;bob;\n", (';', 0, true)),
        ("# made by x, y, z\n# on Monday\na,b\n1,2\n", (',', 2, true)),
        ("#id,name\n1,ada\n", (',', 0, true)),
        ("# made by x, y\na,b\n1,2\n", (',', 1, true)),
        ("# made by x, y\n# in z, v\na,b\n1,2\n", (',', 2, true)),
        ("# id,name\n1,ada\n2,x\n", (',', 0, true)),
        ("# a,b\nx,y\nz,v\n", (',', 0, true)),
        ("a,b\n# x,y\n1,2\n", (',', 0, true)),
        ("Report \"Q1\"\rid,name\r1,ada\r", (',', 1, true)),
        // Each line end counts, also within quotes.
        ("\"Report\rof 2024\"\nname,n\nada,1\neve,2\n", (',', 2, true)),
        ("\"Report\rof 2024\"\rname,n\rada,1\reve,2\r", (',', 2, true)),
        ("\"Report\r\nof\n\r2024\"\r\nname,n\r\nada,1\r\neve,2\r\n", (',', 4, true)),
        // A line of names with too few cells, and rows with too few cells, are not titles.
        ("a\n1,2\n3,4\n", (',', 0, true)),
        ("a\n1;2\n3;4\n", (';', 0, true)),
        ("a\n1;2\n3;1\n", (';', 0, true)),
        ("a,b\n1,ada,x\n2,bob,y\n", (',', 0, true)),
        ("name,city\nada,oslo,x\nbob,rome,y\n", (',', 0, true)),
        ("Sales\na,b\n1,2\n1\n", (',', 0, true)),
        ("Sales\na,b\n", (',', 0, true)),
        ("Sales\na,a\nb,c\n", (',', 0, true)),
        // Rows without names.
        ("1,ada\n2,bob\n", (',', 0, false)),
        ("ada,1.5\nbob,2.5\n", (',', 0, false)),
        ("2024-02-29,a\n2024-03-01,b\n", (',', 0, false)),
        ("true;x\nfalse;y\n", (';', 0, false)),
        // The first line declares the delimiter, which may be unusual.
        ("sep=;\nday;sum\n2024-02-29;1,5\n", (';', 1, true)),
        ("\u{feff}sep=:\r\na:b,c\r\n1:2\r\n", (':', 1, true)),
        ("sep=;\nSales\nday;sum\na;1,5\n", (';', 2, true)),
        ("sep=;", (';', 1, true)),
        ("sep=\na,b\n1,2\n", (',', 1, true)),
        ("sep=\"\na,b\n1,2\n", (',', 1, true)),
        ("SEP=;\na;b\n1;2\n", (';', 1, true)),
        ("Sep=|\r\na|b\n", ('|', 1, true)),
        ("sep=x,y\n1,2\n", (',', 0, true)),
        // Names that are numbers.
        ("country,2019,2020\nNO,1,2\n", (',', 0, true)),
        ("country,2019,2020\nNO,1,2\nSE,1990,\n", (',', 0, true)),
        ("year,1990,2000\nNO,1991.5,1992\n", (',', 0, true)),
        ("country,2019,total\nNO,1.5,2\n", (',', 0, true)),
        (",2019,2020\nNO,1.5,2\n", (',', 0, true)),
        ("id,2019,2020\n5,1999,2001\n", (',', 0, true)),
        ("item,11\n5,1\n", (',', 0, true)),
        ("city,2024-01-01,2024-02-01\nOslo,1,2\n", (',', 0, true)),
        // Years that are values.
        ("ada,1990\nbob,1985\n", (',', 0, false)),
        ("ada,1990,2001\nbob,,1985\n", (',', 0, false)),
        ("item,11\na,1\n", (',', 0, false)),
        ("0,1,2\n5,6,7\n", (',', 0, true)),
        (",0\n0,5\n1,6\n", (',', 0, true)),
        ("1,2\n3,4\n", (',', 0, true)),
        ("id,1.5\nada,2.5\n", (',', 0, false)),
        ("id,name\n1,ada\n", (',', 0, true)),
        ("a,b\nc,d\n", (',', 0, true)),
        ("7,8\n", (',', 0, true)),
    ];
    for (text, expected) in cases {
        assert_eq!(found(text), expected, "{text:?}");
    }
}

/// A line of names without a delimiter is the name of a single column, whose texts may all end with one.
#[test]
fn texts_of_a_single_column_may_end_with_a_delimiter() {
    for text in
        ["sql\nselect 1;\nselect 2;\n", "greeting\nHello;\nDear Sir, x;\n", "path\n/a|\n/b|\n", "a\n1,\n2,\n"]
    {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]);
        let delimiter = char::from(found.options.delimiter());
        assert!(!found.options.has_end_delimiters && !text.contains(&format!("{delimiter}\n")), "{text:?}");
        // With the delimiter, these rows would be longer than the line of names.
        assert_eq!((found.other_delimiter, found.names_may_be_title), (None, false), "{text:?}");
    }
}

#[test]
fn rows_may_end_with_a_delimiter() {
    let cases = [
        ("a,b\n1,2,\n3,4,\n", true),
        ("a;b\n1;2;\n", true),
        ("a\n1,\n2,\n", false),
        ("Sales\n\na,b\n1,2,\n", false),
        ("a,b\n1,2,\n3,4\n", false),
        ("a,b\n1,2\n3,4,\n", false),
        ("a,b\n1,2,\n3,4,x\n", false),
        ("a,b\n1,2,,\n", false),
        ("a,b,\n1,2,\n", false),
        ("1,2,\n3,4,\n", false),
        ("a,b\n", false),
        ("", false),
    ];
    for (text, expected) in cases {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]).options;
        assert_eq!(found.has_end_delimiters, expected, "{text:?}");
        let given = CsvOptions::new().with_delimiter(found.delimiter()).unwrap();
        let sniff = Sniff { end_delimiters: true, ..Sniff::NOTHING };
        assert_eq!(
            sniff_csv(text.as_bytes(), given, sniff, &[]).options.has_end_delimiters,
            expected,
            "{text:?}"
        );
        assert_eq!(sniff_csv(text.as_bytes(), given, Sniff::NOTHING, &[]).options, given);
    }
}

#[test]
fn a_line_with_a_known_name_has_names() {
    let cases = [
        ("item,11\na,1\n", "11", (0, true)),
        ("item,11\na,1\n", "item", (0, true)),
        ("a,1\na,2\n", "a", (0, true)),
        ("x,1,5.5\nx,1,6.5\n", "5.5", (0, true)),
        ("Sales\n\nitem,11\na,1\n", "11", (2, true)),
        // No such cell, an empty cell, equal cells, and a later row.
        ("item,11\na,1\n", "1.1", (0, false)),
        ("item,11\na,1\n", "1", (0, false)),
        ("item,11\na,1\n", "", (0, false)),
        ("item,,11\na,b,1\n", "11", (0, false)),
        ("x,11,11\ny,1,2\n", "11", (0, false)),
        ("item,11\na,12\nb,13\n", "b", (0, false)),
        ("", "11", (0, true)),
        ("11", "11", (0, true)),
    ];
    for (text, name, expected) in cases {
        let names = ["c0".to_owned(), name.to_owned()];
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &names);
        let form = (found.options.n_skipped_lines(), found.options.has_header());
        assert_eq!(form, expected, "{text:?} {name}");
        assert!(!found.names_may_be_row || name != "11", "{text:?} {name}");
        // Options that the caller sets are kept, whatever the names are.
        let given = CsvOptions::new().without_header();
        assert_eq!(sniff_csv(text.as_bytes(), given, Sniff::NOTHING, &names).options, given);
    }
}

#[test]
fn given_options_are_used() {
    let given = CsvOptions::new().with_delimiter(b':').unwrap().without_header().with_skipped_lines(1);
    for text in ["Sales\na,b\n1,2\n", "1;2\n3;4\n", ""] {
        assert_eq!(sniff_csv(text.as_bytes(), given, Sniff::NOTHING, &[]).options, given);
    }
    let given = given.with_header().with_skipped_lines(0);
    let sniff = Sniff { title: true, ..Sniff::NOTHING };
    let title = sniff_csv(b"Sales\na:b\n1:2\n", given, sniff, &[]).options;
    assert_eq!((title.delimiter(), title.n_skipped_lines()), (b':', 1));
}

#[test]
fn marks_of_numbers_are_no_delimiters() {
    let german = CsvOptions::new().with_number_marks(',', None).unwrap();
    let cases = [
        ("sum\n1,5\n2,5\n", ';', 1),
        ("1,5\n2,5\n", ';', 1),
        ("a;b\n1,5;2,5\n", ';', 2),
        ("a,x;b,y\n1,5;2,5\n", ';', 2),
        // Numbers in quotes.
        ("a,b\n\"1,5\",2\n", ',', 2),
    ];
    for (text, delimiter, n_columns) in cases {
        let found = sniff_csv(text.as_bytes(), german, Sniff::ALL, &[]).options;
        let schema = infer_csv_with(text.as_bytes(), 100, found).unwrap();
        assert_eq!((char::from(found.delimiter()), schema.fields().len()), (delimiter, n_columns), "{text}");
    }
    // Comments and a delimiter that the options set are not detected.
    let comments = CsvOptions::new().with_delimiter(b';').unwrap().with_comment(b',').unwrap();
    assert_eq!(sniff_csv(b"a,b\n1,2\n", comments, Sniff::ALL, &[]).options.delimiter(), b';');
}

#[test]
fn comments_and_other_quotes_are_reported() {
    let cases = [
        ("# made by x\nid\n1\n", true, false),
        ("# a,b\nx,y\nz,v\n", true, false),
        ("#\n1\n", false, false),
        ("#id,name\n1,ada\n", false, false),
        ("# made by x, y\na,b\n1,2\n", false, false),
        ("a,b\n# x,y\nz,v\n", false, false),
        ("a,b\n'x','y'\n", false, true),
        ("a,b\n'x, z',1\n'y',2\n", false, true),
        ("a,b\n'x, z',1\ny,2\n", false, true),
        ("a,b\n'x',1\ny,2\nz,3\n", false, false),
        ("'a','b'\n1,2\n", false, false),
        ("a,b\n','\n", false, true),
        ("a\n'\n", false, false),
        ("a,b\n'tis,so\no',x\n", false, false),
        ("", false, false),
    ];
    for (text, is_comment, has_apostrophes) in cases {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]);
        let doubts = (found.names_may_be_comment, found.has_apostrophes);
        assert_eq!(doubts, (is_comment, has_apostrophes), "{text:?}");
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::NOTHING, &[]);
        assert!(!found.names_may_be_comment && !found.has_apostrophes, "{text:?}");
    }
}

#[test]
fn numbers_of_rows_have_a_name() {
    let text = "#, name, age\nA, ada, unknown\nB, bob,30\nC, cy,40\n";
    let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]);
    assert_eq!(format!("{:?}", found.options), format!("{:?}", CsvOptions::new()));
}

#[test]
fn dates_that_are_taken_for_text_are_reported() {
    use DateOrder::{DayFirst, MonthFirst, YearFirst};
    let cases = [
        ("a,b\nx,31/12/2024\n", Some((1, DayFirst, None))),
        ("a,b\nx,12/31/2024\ny,1/1/2024\n", Some((1, MonthFirst, None))),
        ("a,b\nx,12/11/2024\ny,\nz,1/1/2024\n", Some((1, DayFirst, Some(MonthFirst)))),
        ("a,b\nx,2024/12/31\ny,2024/1/2 10:30\n", Some((1, YearFirst, None))),
        ("31.12.2024\n1.1.2024\n", Some((0, DayFirst, Some(MonthFirst)))),
        ("a,b\nx,31/12/2024\ny,12/31/2024\n", None),
        ("a,b\nx,31/12/2024\ny,z\n", None),
        ("a,b\nx,31/12/2024\ny,2024-01-01\n", None),
        ("a,b\nx,2024-12-31\n", None),
        ("a,b\nx,1.5\n", None),
        ("a,b\nx,\n", None),
        ("a,31/12/2024\n", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]);
        let found = found.dates.map(|dates| (dates.column, dates.order, dates.other));
        assert_eq!(found, expected, "{text:?}");
        // Dates that the given order reads are not reported. All others are.
        for given in DateOrder::ALL {
            let with = CsvOptions::new().with_date_order(given);
            let is_read = expected.is_some_and(|(_, order, other)| order == given || other == Some(given));
            let dates = sniff_csv(text.as_bytes(), with, Sniff::ALL, &[]).dates;
            let dates = dates.map(|dates| (dates.column, dates.order, dates.other));
            assert_eq!(dates, if is_read { None } else { expected }, "{text:?}");
        }
    }
}

#[test]
fn orders_without_dates_are_reported() {
    let cases = [
        ("a,b\nx,31/12/2024\n", true),
        ("a,b\nx,12/31/2024\n", false),
        ("a,b\nx,y\nx,12/31/2024\n", false),
        ("a,b\nx,2024-12-31\n", false),
        ("a,b\nx,12/31/2024 5:07 PM\n", false),
        ("a,b\n1,2\n", true),
        ("a,b\n", false),
        ("", false),
    ];
    for (text, is_unused) in cases {
        let options = CsvOptions::new().with_date_order(DateOrder::MonthFirst);
        let found = sniff_csv(text.as_bytes(), options, Sniff::ALL, &[]).unused_order;
        assert_eq!(found, is_unused.then_some(DateOrder::MonthFirst), "{text:?}");
    }
}

#[test]
fn decimal_commas_are_reported() {
    let cases = [
        ("a;b\n1,5;2\n2;3\n", Some((0, None))),
        ("a;b\nx;1.234,5\ny;\nz;NA\n", Some((1, Some('.')))),
        ("a;b\nx;1 234,5\ny;\nz;NA\n", Some((1, Some(' ')))),
        ("a,b\n1,\"2,5\"\n", Some((1, None))),
        ("a;b\n1,5;2\n1,234;3\n", Some((0, None))),
        // The commas divide the lines of a single column.
        ("a\n1,5\n2,5\n", Some((0, None))),
        ("a\n1,5\n2\n", Some((0, None))),
        ("a\n1.234,5\n2,5\n", Some((0, Some('.')))),
        ("a\n1,5\nx,y\n", None),
        ("a\n1,234\n2,345\n", None),
        ("Sales\na,b\n1,5\n", None),
        // These may be thousands.
        ("a;b\n1,234;2\n12,345;3\n", None),
        ("a;b\n1 234;2\n", None),
        ("a;b\n1,5;2\n1.5;3\n", None),
        ("a;b\n1,5;2\nx;3\n", None),
        ("a;b\n1,2,3;2\n", None),
        ("a;b\n1.5;2\n", None),
        ("a;b\n;2\n", None),
        ("a;b\n", None),
    ];
    for (text, expected) in cases {
        let options = CsvOptions::new().with_usual_nulls();
        let found = sniff_csv(text.as_bytes(), options, Sniff::ALL, &[]).commas;
        assert_eq!(found.map(|commas| (commas.column, commas.thousands)), expected, "{text:?}");
        assert_eq!(found.map(|commas| commas.decimal), expected.map(|_| Some(',')), "{text:?}");
    }
    // Points in another column, which are decimal points without the options.
    for (text, expected) in [
        ("town;people;area\nA;12.500;3,5\nB;1.000;4\n", Some(1)),
        ("area;people\n3,5;-1.000\n4;\n", Some(1)),
        ("area;rate\n3,5;0.125\n", None),
        ("area;rate\n3,5;1.250\n4;1.25\n", None),
        ("area;rate\n3,5;1250\n", None),
        ("area;rate\n1.000,5;1.250\n", None),
    ] {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]).commas.unwrap();
        assert_eq!(found.grouped, expected, "{text:?}");
    }
    let given = CsvOptions::new().with_number_marks(',', None).unwrap();
    assert_eq!(
        sniff_csv(b"area;people\n3,5;1.000\n".as_slice(), given, Sniff::ALL, &[])
            .commas
            .map(|found| found.grouped),
        Some(None)
    );
    // A point after it says that the comma divides thousands.
    for text in ["a;b\n1,234.5;2\n", "a;b\n1,234,567;2\n", "a\n\"1,234.50\"\n\"20\"\n"] {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]).commas.unwrap();
        assert_eq!((found.column, found.decimal, found.thousands), (0, None, Some(',')), "{text:?}");
    }
    // With the decimal comma, only the mark between thousands may be unknown.
    let options = CsvOptions::new().with_usual_nulls().with_number_marks(',', None).unwrap();
    let lacking = [("a;b\n1.234;2\n", '.'), ("a;b\n1 234;2\n5,5;3\n", ' ')];
    for (text, expected) in cases.into_iter().chain(lacking.map(|(text, mark)| (text, Some((0, Some(mark))))))
    {
        let found = sniff_csv(text.as_bytes(), options, Sniff::ALL, &[]).commas;
        let found = found.map(|commas| (commas.column, commas.decimal, commas.thousands));
        let expected = expected.filter(|(_, mark)| mark.is_some()).map(|(column, mark)| (column, None, mark));
        // `1 234` and `1.5` may be read without the comma, too.
        assert!(found == expected || expected.is_none() && text.contains("1 234"), "{text:?} {found:?}");
        let options = options.with_number_marks(',', Some('.')).unwrap();
        assert_eq!(sniff_csv(text.as_bytes(), options, Sniff::ALL, &[]).commas, None, "{text:?}");
    }
}

#[test]
fn rows_may_end_with_a_delimiter_and_spaces() {
    for (text, has_end) in [("a,b\n1,2, \n3,4,\t\n", true), ("a,b\n1,2, x\n", false)] {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]).options;
        assert_eq!(found.has_end_delimiters(), has_end, "{text:?}");
        assert_eq!(infer_csv_with(text.as_bytes(), 100, found).is_ok(), has_end, "{text:?}");
    }
}

#[test]
fn doubts_are_reported() {
    let cases = [
        ("a;b\n1;2\n", None, false),
        ("a;b,c;d\n1;2,3;4\n", Some(','), false),
        ("tags\nred;blue\ngreen;red\n", None, false),
        ("Sales\na|b,c\n1|2,3\n", Some('|'), false),
        // With the other delimiter, the name would be a title.
        ("a\n1,5;x\n2,5;y\n", None, false),
        // With the other delimiter, the title would not be one.
        ("Sales\nx,c,d|7\n1,2,3|4\n", None, false),
        ("a\nx\nx\n", None, false),
        ("Employees\nname;city\nada;london\n", None, false),
        ("a|b,c\n1|2,3\n", Some('|'), false),
        ("a|b,c\n1|2,3\n1|2\n", None, false),
        ("a;b,c;d\n", None, false),
        ("1,2\n3,4\n", None, true),
        ("7,8\n", None, true),
        ("7,8\n1,2,3\n", None, true),
        ("7,x\n1,a\n2,b,c\n", None, true),
        ("country,2019,2020\nNO,1,2\n", None, false),
        ("city,2024-01-01,2024-02-01\nOslo,1,2\n", None, false),
        ("1,ada\n2,bob\n", None, false),
        ("", None, false),
    ];
    for (text, delimiter, names_may_be_row) in cases {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]);
        let doubts = (found.other_delimiter.map(char::from), found.names_may_be_row);
        assert_eq!(doubts, (delimiter, names_may_be_row), "{text:?}");
    }
}

#[test]
fn a_given_delimiter_that_does_not_occur_is_reported() {
    let sniff = Sniff { delimiter: false, ..Sniff::ALL };
    for (text, other) in [
        ("a,b\n1,2\n", Some(',')),
        ("a\tb\nx\ty\n", Some('\t')),
        ("a,b;c\nx,y\n", None),
        // A single column, as the caller says.
        ("text\nx, y\nz\n", None),
        ("price\n1,5\n", None),
        ("a,b\n", None),
    ] {
        let options = CsvOptions::new().with_delimiter(b';').unwrap();
        let found = sniff_csv(text.as_bytes(), options, sniff, &[]);
        assert_eq!(found.other_delimiter.map(char::from), other, "{text:?}");
        assert_eq!(found.commas.is_some(), text.starts_with("price"), "{text:?}");
        assert_eq!(found.options.delimiter(), b';');
    }
}

/// A line of one cell above longer rows is an error with any marks of numbers.
#[test]
fn decimal_commas_under_a_title_are_not_reported() {
    let options = CsvOptions::new().with_delimiter(b'|').unwrap();
    for (text, expected, first_line) in
        [("note\n1,5|7\n2,5|8\n", None, 1), ("\na|b\n1,5|7\n2,5|8\n", Some(0), 2)]
    {
        let found = sniff_csv(text.as_bytes(), options, Sniff { delimiter: false, ..Sniff::ALL }, &[]);
        assert_eq!(found.commas.map(|commas| commas.column), expected, "{text:?}");
        assert_eq!(found.first_line, first_line, "{text:?}");
    }
}

/// The name of a single column may be a title, if the lines below it are divided evenly.
#[test]
fn names_that_may_be_titles_are_reported() {
    let cases = [
        ("tags\nred;blue\ngreen;red\n", true),
        ("Staff\nname; city\nada; london\n", true),
        ("tags\nred;blue\ngreen;red\nred\n", false),
        ("tags\nred;blue\ngreen;red;x\n", false),
        ("sql\nselect 1;\nselect 2;\n", false),
        ("tags\nred\ngreen\n", false),
        ("Staff\nname;city\nada;london\n", false),
        ("a\n1,5\n2,5\n", false),
        ("Staff;;\nname;city;at\nada;london;x\n", true),
        ("id;;\n1;;\n2;;\n", false),
        ("id;name;\n1;ada;x\n2;grace;y\n", false),
        ("", false),
    ];
    for (text, may_be_title) in cases {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL, &[]);
        assert_eq!(found.names_may_be_title, may_be_title, "{text:?}");
        let below = found.options.with_skipped_lines(1);
        let below = sniff_csv(text.as_bytes(), below, Sniff { title: false, ..Sniff::ALL }, &[]);
        assert!(!may_be_title || below.is_clear && below.other_delimiter.is_none(), "{text:?}");
    }
}
