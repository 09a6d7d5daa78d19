//! Detects how CSV is written from its first lines: the delimiter, title lines, and whether there are names.

use std::cmp::Reverse;

use super::{Kind, kind_of_cell};
use crate::{
    csv_options::{CsvOptions, unspaced},
    date_order::DateOrder,
    read::{MARK, records::Records},
};

/// The properties of CSV that [`sniff_csv`] detects. The options set all other properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sniff {
    /// Whether the byte between cells is detected: a comma, a semicolon, a tab or a vertical bar.
    pub delimiter: bool,
    /// Whether title lines before the names are detected.
    pub title: bool,
    /// Whether the presence of a line of names is detected.
    pub header: bool,
    /// Whether quote characters other than `"` are detected.
    pub quote: bool,
}

/// The delimiters that are tried, the most usual first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl Sniff {
    /// Detects all properties.
    pub const ALL: Sniff = Sniff { delimiter: true, title: true, header: true, quote: true };
    /// Detects no property: the options set all of them.
    pub const NOTHING: Sniff = Sniff { delimiter: false, title: false, header: false, quote: false };
}

impl Default for Sniff {
    fn default() -> Sniff {
        Sniff::ALL
    }
}

/// The number of records that are inspected.
const MAX_RECORDS: usize = 200;

/// The properties of CSV that [`sniff_csv`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SniffedCsv {
    /// The options with which the text is read.
    pub options: CsvOptions,
    /// Whether the text is certainly CSV: it has at least two records, and all have the same number of cells, at least
    /// two.
    pub is_clear: bool,
    /// Whether the first line sets the delimiter, such as `sep=;`. This line counts as skipped.
    pub is_told: bool,
    /// Another delimiter that divides the same number of records into equal numbers of cells.
    pub other_delimiter: Option<u8>,
    /// Whether the names look like a row of numbers, dates or booleans.
    pub names_may_be_row: bool,
    /// Whether the names begin like a comment, with `#` and no letter or digit after it.
    pub names_may_be_comment: bool,
    /// Whether most rows have cells between apostrophes. The apostrophes are read as a part of the text.
    pub has_apostrophes: bool,
    /// The first column whose cells are dates in another order than that of ISO 8601. These dates are read as text.
    pub dates: Option<SniffedDates>,
}

/// A column of dates that are read as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SniffedDates {
    /// The column, counted from 0.
    pub column: usize,
    /// An order that all dates of the column have.
    pub order: DateOrder,
    /// Another order that fits all dates, because no day is above 12.
    pub other: Option<DateOrder>,
}

/// Detects the options of CSV from its first lines. If `start` ends inside a record, leave that record out.
///
/// If the first line is `sep=;`, as in files for Excel, it sets the delimiter and is skipped. Otherwise the delimiter is
/// the one that gives most records the same number of cells, at least two. Marks of numbers are not delimiters. If the
/// first record has one cell, all other cells are text, and the default delimiter gives every record one cell, the text
/// has a single column.
///
/// Title lines have text in at most one cell, or begin with `#`. They are titles only if an empty line follows them, if
/// the last of them begins with `#`, or if a column of the rows has numbers or other values that are not text. A line
/// with as many cells as the rows is a title only if it begins with `#` without a letter or digit after it, and if a
/// column of the rows is not text. Title lines are skipped only if a line of different names follows, and all records
/// from this line on have the same number of cells.
///
/// There are no names if the first record is certainly a row: it has a number, a date or a boolean in a column in which
/// all rows have one, and text only in columns in which rows have text. Numbers that may be names, such as years, do not
/// show this. If a property is uncertain, the options decide.
///
/// ```
/// use arrow_text::{CsvOptions, Sniff, sniff_csv};
///
/// let text = b"Sales, by day\n\nday;sum\n2024-02-29;1,5\n2024-03-01;2,5\n";
/// let found = sniff_csv(text, CsvOptions::new(), Sniff::ALL);
/// assert!(found.is_clear);
/// let options = found.options;
/// assert_eq!((options.delimiter(), options.n_skipped_lines(), options.has_header()), (b';', 2, true));
/// let options = sniff_csv(b"ada,1.5,true\ngrace,2.5,false\n", CsvOptions::new(), Sniff::ALL).options;
/// assert_eq!((options.delimiter(), options.n_skipped_lines(), options.has_header()), (b',', 0, false));
/// ```
pub fn sniff_csv(start: &[u8], options: CsvOptions, sniff: Sniff) -> SniffedCsv {
    let told = told_delimiter(start).filter(|byte| match sniff.delimiter {
        true => options.with_delimiter(*byte).is_ok(),
        false => *byte == options.delimiter(),
    });
    let options = match told {
        Some(_) if options.n_skipped_lines() == 0 => options.with_skipped_lines(1),
        _ => options,
    };
    let with = |delimiter: u8| Some(SniffedTable::of(start, options.with_delimiter(delimiter).ok()?));
    let mut tables: Vec<SniffedTable> = match (told, sniff.delimiter) {
        (Some(delimiter), _) => with(delimiter).into_iter().collect(),
        (None, true) => DELIMITERS.into_iter().filter_map(with).collect(),
        (None, false) => Vec::new(),
    };
    tables.sort_by_cached_key(|table| Reverse(table.fit()));
    let mut tables = tables.into_iter();
    let mut table = tables.next().unwrap_or_else(|| SniffedTable::of(start, options));
    let other_delimiter = tables.next().filter(|other| other.is_as_good_as(&table));
    let mut other_delimiter = other_delimiter.map(|other| other.options.delimiter());
    if sniff.title {
        table.leave_out_title();
    }
    if sniff.delimiter && told.is_none() && table.may_be_texts() {
        // The cells of a single column may be texts with delimiters.
        let single = SniffedTable::of(start, options);
        if single.n_cells == 1 && single.is_alike() {
            other_delimiter = Some(table.options.delimiter());
            table = single;
        }
    }
    let (mut names_may_be_row, mut names_may_be_comment) = (false, false);
    if sniff.header && table.begins_with_row() {
        table.options = table.options.without_header();
    } else if sniff.header {
        names_may_be_row = table.names_may_be_row();
        names_may_be_comment = table.records.first().is_some_and(SniffedRecord::is_comment);
    }
    let is_clear = table.n_cells > 1 && table.records.len() > 1 && table.is_alike();
    SniffedCsv {
        options: table.options,
        is_clear,
        is_told: told.is_some(),
        other_delimiter,
        names_may_be_row,
        names_may_be_comment,
        has_apostrophes: sniff.quote && table.has_apostrophes(),
        dates: table.dates(),
    }
}

/// The delimiter in a first line such as `sep=;` or `SEP=;`.
fn told_delimiter(start: &[u8]) -> Option<u8> {
    let (word, rest) = start.strip_prefix(MARK).unwrap_or(start).split_at_checked(4)?;
    match rest {
        [delimiter] | [delimiter, b'\r' | b'\n', ..] if word.eq_ignore_ascii_case(b"sep=") => {
            Some(*delimiter)
        }
        _ => None,
    }
}

/// How well a delimiter fits, for comparing delimiters. The first difference decides: whether the delimiter fits at all,
/// whether it is not a mark of numbers, the number of records that it fits, whether all records fit from the first of
/// these on, and the number of cells.
type Fit = (bool, bool, usize, bool, usize);

/// The first records, divided by one delimiter.
struct SniffedTable {
    options: CsvOptions,
    records: Vec<SniffedRecord>,
    /// The number of cells that most records have: two or more, if there are such records.
    n_cells: usize,
    /// The number of records with this number of cells.
    n_alike: usize,
}

struct SniffedRecord {
    line: u64,
    cells: Vec<String>,
    kinds: Vec<Kind>,
}

impl SniffedTable {
    fn of(start: &[u8], options: CsvOptions) -> SniffedTable {
        /// The greatest number of cells that is counted. A larger number is no better evidence.
        const MAX_CELLS: usize = 4096;
        let mut reader = Records::new(start, &options, usize::MAX);
        reader.keep_cells(MAX_CELLS);
        let mut records = Vec::new();
        // If there is an error, the records before it are enough.
        while let (true, Ok(Some(record))) = (records.len() < MAX_RECORDS, reader.next()) {
            let cells = (0..record.n_cells()).map_while(|cell_idx| record.cell(cell_idx));
            let kinds = cells.clone().map(|cell| kind_of_cell(cell, &options)).collect();
            let cells = cells.map(|(text, _)| text.to_owned()).collect();
            records.push(SniffedRecord { line: record.line(), cells, kinds });
        }
        let alike = |n_cells: usize| records.iter().filter(|record| record.cells.len() == n_cells).count();
        let lengths = records.iter().map(|record| record.cells.len());
        let n_cells = lengths.max_by_key(|n_cells| (*n_cells > 1, alike(*n_cells), *n_cells)).unwrap_or(0);
        let n_alike = alike(n_cells);
        SniffedTable { options, records, n_cells, n_alike }
    }

    /// How well the delimiter fits. It fits if at least half of the records have the same number of cells. If no
    /// delimiter fits, the number of cells of the first record counts. A mark of numbers fits only if all records have
    /// the same number of cells and the first one is a line of names.
    fn fit(&self) -> Fit {
        let mut from_first = self.records.iter().skip_while(|record| record.cells.len() != self.n_cells);
        let is_table = from_first.all(|record| record.cells.len() == self.n_cells);
        let is_mark = self.options.numbers.has(self.options.delimiter);
        let may_be_one =
            !is_mark || self.is_alike() && self.records.first().is_some_and(SniffedRecord::is_names);
        match self.n_cells > 1 && self.n_alike.saturating_mul(2) >= self.records.len() && may_be_one {
            true => (true, !is_mark, self.n_alike, is_table, self.n_cells),
            false => (false, !is_mark, self.records.first().map_or(0, |first| first.cells.len()), false, 0),
        }
    }

    /// Whether `better` has no advantage over this table except more cells in each record.
    fn is_as_good_as(&self, better: &SniffedTable) -> bool {
        let (fits, is_no_mark, n_alike, is_table, _) = self.fit();
        fits && self.records.len() > 1 && better.fit() <= (fits, is_no_mark, n_alike, is_table, usize::MAX)
    }

    fn is_alike(&self) -> bool {
        self.n_alike == self.records.len()
    }

    /// Skips title lines. Some programs write title lines with as many delimiters as the rows. Such lines are titles if
    /// the first one is mostly empty, and if a column of the rows below the names is not text.
    fn leave_out_title(&mut self) {
        let is_wide = |record: &SniffedRecord| record.cells.len() == self.n_cells;
        let is_padded =
            |record: &SniffedRecord| is_wide(record) && record.cells.last().is_some_and(String::is_empty);
        let is_of_table =
            |record: &SniffedRecord| is_wide(record) && !is_padded(record) && !record.is_comment();
        let Some(n_before) = self.records.iter().position(is_of_table).filter(|n_before| *n_before > 0)
        else {
            return;
        };
        let (title, table) = self.records.split_at(n_before);
        let (Some((names, rows)), true) = (table.split_first(), self.n_cells > 1 && table.len() > 1) else {
            return;
        };
        let is_typed = |column| !matches!(kind_below(rows, column), Kind::Text | Kind::None);
        let has_typed = (0..self.n_cells).any(is_typed);
        let is_certain = match title.iter().any(is_wide) {
            true => {
                has_typed
                    && title.first().is_some_and(|first| {
                        let n_empty = first.cells.iter().filter(|cell| cell.is_empty()).count();
                        first.is_comment() || n_empty * 2 >= self.n_cells
                    })
            }
            // Else the first line may be the name of a single column of texts, and the texts may have delimiters.
            false => {
                let is_apart =
                    |last: &SniffedRecord| last.is_comment() || names.line > last.line.saturating_add(1);
                let begins_like_number = |row: &SniffedRecord, column: usize| {
                    let cell = row.cells.get(column).map_or("", |cell| cell.trim_start_matches(['-', '+']));
                    cell.starts_with(|first: char| first.is_ascii_digit())
                };
                let has_numbers = |column| rows.iter().all(|row| begins_like_number(row, column));
                has_typed || (0..self.n_cells).any(has_numbers) || title.last().is_some_and(is_apart)
            }
        };
        let is_title = |record: &SniffedRecord| is_padded(record) || record.is_title();
        if is_certain && table.iter().all(is_wide) && title.iter().all(is_title) && names.is_names() {
            self.options = self.options.with_skipped_lines(names.line.saturating_sub(1));
            self.records.drain(..n_before);
            self.n_alike = self.records.len();
        }
    }

    /// Whether the first record has one cell, and other records have more, all of them text.
    fn may_be_texts(&self) -> bool {
        let Some((first, rows)) = self.records.split_first() else { return false };
        let is_text = |column| matches!(kind_below(rows, column), Kind::Text | Kind::None);
        !self.is_alike() && first.cells.len() == 1 && (0..self.n_cells).all(is_text)
    }

    /// Whether the first record is certainly a row.
    fn begins_with_row(&self) -> bool {
        let Some((first, rows)) = self.records.split_first() else { return false };
        if rows.is_empty() || !self.is_alike() {
            return false;
        }
        let has_evidence = first.has_evidence();
        let mut is_sure = false;
        for (column, kind) in first.kinds.iter().enumerate() {
            match (kind, kind_below(rows, column)) {
                (_, Kind::None | Kind::Text) => {}
                (Kind::None, _) => {}
                (kind, below) if kind.is_like(&below) => is_sure = true,
                _ => return false,
            }
        }
        is_sure && has_evidence
    }

    /// Whether at least half of the records after the first have cells between apostrophes.
    fn has_apostrophes(&self) -> bool {
        let rows = self.records.get(1..).unwrap_or_default();
        let n_with = rows.iter().filter(|row| row.has_apostrophes()).count();
        n_with > 0 && n_with.saturating_mul(2) >= rows.len()
    }

    /// The first column of dates in an order other than that of ISO 8601. `None` if the options set an order.
    fn dates(&self) -> Option<SniffedDates> {
        let n_names = usize::from(self.options.has_header());
        let rows = self.records.get(n_names..).filter(|_| self.options.dates.is_none())?;
        (0..self.n_cells).find_map(|column| {
            let cells = rows.iter().filter_map(|row| row.cells.get(column).zip(row.kinds.get(column)));
            let mut cells = cells.filter(|(_, kind)| !matches!(kind, Kind::None));
            let (first, _) = cells.next()?;
            let has_all =
                |order: &DateOrder| order.reads(first) && cells.clone().all(|(cell, _)| order.reads(cell));
            let mut orders = DateOrder::ALL.into_iter().filter(has_all);
            Some(SniffedDates { column, order: orders.next()?, other: orders.next() })
        })
    }

    /// Whether the first record, which is read as names, may be a row: it has only numbers, or the same kinds as the
    /// rows.
    fn names_may_be_row(&self) -> bool {
        let Some((first, rows)) = self.records.split_first() else { return false };
        let is_typed = |kind: &Kind| !matches!(kind, Kind::Text | Kind::None);
        let mut kinds = first.kinds.iter().enumerate().filter(|(_, kind)| is_typed(kind));
        let has_only_such = !first.kinds.is_empty() && first.kinds.iter().all(is_typed);
        has_only_such
            || first.has_evidence() && kinds.any(|(column, kind)| kind.is_like(&kind_below(rows, column)))
    }
}

fn kind_below(rows: &[SniffedRecord], column: usize) -> Kind {
    let kinds = rows.iter().filter_map(|row| row.kinds.get(column)).cloned();
    kinds.reduce(|kind, other| kind.and(other).unwrap_or(Kind::Text)).unwrap_or(Kind::None)
}

impl SniffedRecord {
    /// Whether the record may be a title line: a sentence, or a comment.
    fn is_title(&self) -> bool {
        let n_texts = self.cells.iter().filter(|cell| !cell.trim().is_empty()).count();
        n_texts <= 1 || self.cells.first().is_some_and(|cell| cell.starts_with('#'))
    }

    /// Whether the record begins like a comment, and not like a name such as `#` or `#id`.
    fn is_comment(&self) -> bool {
        let text = self.cells.first().and_then(|cell| cell.strip_prefix('#'));
        text.is_some_and(|text| !text.trim().is_empty() && !text.starts_with(char::is_alphanumeric))
    }

    /// Whether a cell begins with an apostrophe, and this or a later cell ends with another.
    fn has_apostrophes(&self) -> bool {
        let mut cells = self.cells.iter().skip_while(|cell| !cell.starts_with('\''));
        let ends = |cell: &String| cell.ends_with('\'');
        cells.next().is_some_and(|first| first.len() > 1 && ends(first)) || cells.any(ends)
    }

    /// Whether all cells are different names.
    fn is_names(&self) -> bool {
        let is_name = |(cell, kind): (&String, &Kind)| !cell.is_empty() && matches!(kind, Kind::Text);
        let mut names: Vec<&String> = self.cells.iter().collect();
        names.sort_unstable();
        names.windows(2).all(|pair| pair.first() != pair.last())
            && self.cells.iter().zip(&self.kinds).all(is_name)
    }

    /// Whether a cell cannot be a name. Names are text, years, or integers that count columns from 0 or 1.
    fn has_evidence(&self) -> bool {
        let typed =
            self.cells.iter().zip(&self.kinds).filter(|(_, kind)| !matches!(kind, Kind::Text | Kind::None));
        let numbers: Vec<Option<u64>> = typed.map(|(cell, _)| unspaced(cell).parse().ok()).collect();
        let is_counted = |from: u64| (from..).zip(&numbers).all(|(n, number)| *number == Some(n));
        let are_years = numbers.iter().all(|number| matches!(number, Some(1800..=2200)));
        !(numbers.is_empty() || is_counted(0) || numbers.len() > 1 && is_counted(1) || are_years)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer_csv;

    /// The delimiter, the number of skipped lines, and whether there are names.
    fn found(text: &str) -> (char, u64, bool) {
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL).options;
        (found.delimiter().into(), found.n_skipped_lines(), found.has_header())
    }

    #[test]
    fn the_form_is_found_where_it_is_clear() {
        let cases = [
            ("", (',', 0, true)),
            ("a", (',', 0, true)),
            // Texts of a single column have delimiters.
            ("a\nb;c", (',', 0, true)),
            ("tags\nred;blue\ngreen;red\nred;red\n", (',', 0, true)),
            ("tags\nred\ngreen;red\nred;red\n", (',', 0, true)),
            ("text\nhello, world\nfoo, bar\n", (',', 0, true)),
            ("a,b\n", (',', 0, true)),
            ("a;b,c;d\n", (';', 0, true)),
            ("a\tb\r\n1\t2", ('\t', 0, true)),
            ("a|b", ('|', 0, true)),
            ("\"a,b,c\";d", (';', 0, true)),
            ("a,b;c", (',', 0, true)),
            // More lines are better evidence than the first one.
            ("a;b,x\n1,5;2,5\n3;4\n", (';', 0, true)),
            ("day;sum\n2024-02-29;1,5\n2024-03-01;2,5\n", (';', 0, true)),
            ("text\nhi\nso\nhello; you; x\n", (',', 0, true)),
            ("a;b\n1\n2\n3\n4\n", (';', 0, true)),
            ("Sales, by day\n\nday;sum\na;1,5\nb;2,5\n", (';', 2, true)),
            // These texts begin with titles.
            ("Sales\n\nday,sum\n2024-02-29,1\n", (',', 2, true)),
            ("Sales\nday;sum\na;1\n", (';', 1, true)),
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
            // A header that lacks names, and rows that lack cells, are not titles.
            ("a\n1,2\n3,4\n", (',', 0, true)),
            ("a\n1;2\n3;4\n", (';', 0, true)),
            ("a,b\n1,ada,x\n2,bob,y\n", (',', 0, true)),
            ("name,city\nada,oslo,x\nbob,rome,y\n", (',', 0, true)),
            ("Sales\na,b\n1,2\n1\n", (',', 0, true)),
            ("Sales\na,b\n", (',', 0, true)),
            ("Sales\na,a\nb,c\n", (',', 0, true)),
            // These texts have rows without names.
            ("1,ada\n2,bob\n", (',', 0, false)),
            ("ada,1.5\nbob,2.5\n", (',', 0, false)),
            ("2024-02-29,a\n2024-03-01,b\n", (',', 0, false)),
            ("true;x\nfalse;y\n", (';', 0, false)),
            // The first line sets the delimiter, even an unusual one.
            ("sep=;\nday;sum\n2024-02-29;1,5\n", (';', 1, true)),
            ("\u{feff}sep=:\r\na:b,c\r\n1:2\r\n", (':', 1, true)),
            ("sep=;\nSales\nday;sum\na;1,5\n", (';', 2, true)),
            ("sep=;", (';', 1, true)),
            ("sep=\na,b\n1,2\n", (',', 1, true)),
            ("sep=\"\na,b\n1,2\n", (',', 1, true)),
            ("SEP=;\na;b\n1;2\n", (';', 1, true)),
            ("Sep=|\r\na|b\n", ('|', 1, true)),
            ("sep=x,y\n1,2\n", (',', 0, true)),
            // These names are numbers.
            ("country,2019,2020\nNO,1,2\n", (',', 0, true)),
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

    #[test]
    fn what_is_given_is_kept() {
        let given = CsvOptions::new().with_delimiter(b':').unwrap().without_header().with_skipped_lines(1);
        for text in ["Sales\na,b\n1,2\n", "1;2\n3;4\n", ""] {
            assert_eq!(sniff_csv(text.as_bytes(), given, Sniff::NOTHING).options, given);
        }
        let (given, sniff) =
            (given.with_header().with_skipped_lines(0), Sniff { title: true, ..Sniff::NOTHING });
        let title = sniff_csv(b"Sales\na:b\n1:2\n", given, sniff).options;
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
            // These numbers are in quotes.
            ("a,b\n\"1,5\",2\n", ',', 2),
        ];
        for (text, delimiter, n_columns) in cases {
            let found = sniff_csv(text.as_bytes(), german, Sniff::ALL).options;
            let schema = infer_csv(text.as_bytes(), found, 100).unwrap();
            assert_eq!(
                (char::from(found.delimiter()), schema.fields().len()),
                (delimiter, n_columns),
                "{text}"
            );
        }
        // Neither comments nor a delimiter that is given are detected.
        let comments = CsvOptions::new().with_delimiter(b';').unwrap().with_comment(b',').unwrap();
        assert_eq!(sniff_csv(b"a,b\n1,2\n", comments, Sniff::ALL).options.delimiter(), b';');
    }

    #[test]
    fn comments_and_other_quotes_are_told() {
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
            let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL);
            let doubts = (found.names_may_be_comment, found.has_apostrophes);
            assert_eq!(doubts, (is_comment, has_apostrophes), "{text:?}");
            let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::NOTHING);
            assert!(!found.names_may_be_comment && !found.has_apostrophes, "{text:?}");
        }
    }

    #[test]
    fn numbers_of_rows_have_a_name() {
        let text = "#, name, age\nA, ada, unknown\nB, bob,30\nC, cy,40\n";
        let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL);
        assert_eq!(format!("{:?}", found.options), format!("{:?}", CsvOptions::new()));
    }

    #[test]
    fn dates_that_are_taken_for_text_are_told() {
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
            let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL);
            let found = found.dates.map(|dates| (dates.column, dates.order, dates.other));
            assert_eq!(found, expected, "{text:?}");
            let given = CsvOptions::new().with_date_order(YearFirst);
            assert_eq!(sniff_csv(text.as_bytes(), given, Sniff::ALL).dates, None, "{text:?}");
        }
    }

    #[test]
    fn doubts_are_told() {
        let cases = [
            ("a;b\n1;2\n", None, false),
            ("a;b,c;d\n1;2,3;4\n", Some(','), false),
            ("tags\nred;blue\ngreen;red\n", Some(';'), false),
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
            let found = sniff_csv(text.as_bytes(), CsvOptions::new(), Sniff::ALL);
            let doubts = (found.other_delimiter.map(char::from), found.names_may_be_row);
            assert_eq!(doubts, (delimiter, names_may_be_row), "{text:?}");
        }
    }
}
