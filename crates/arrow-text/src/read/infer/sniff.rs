//! Detects properties of CSV from its first lines, such as the delimiter, title lines, and a line of names.

use std::{cmp::Reverse, collections::HashSet};

use super::{Kind, kind_of_cell};
use crate::{
    csv_options::{CsvOptions, unspaced},
    date_order::DateOrder,
    read::{MARK, records::Records},
};

/// Which properties of CSV [`sniff_csv`] detects. The options determine the other properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sniff {
    /// Whether to detect the delimiter: a comma, a semicolon, a tab or a vertical bar.
    pub delimiter: bool,
    /// Whether to detect title lines before the names.
    pub title: bool,
    /// Whether to detect if there is a line of names.
    pub header: bool,
    /// Whether to detect quote characters other than `"`.
    pub quote: bool,
    /// Whether to detect that all rows end with a delimiter.
    pub end_delimiters: bool,
}

/// The delimiters to try, the most usual first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl Sniff {
    /// Detects all properties.
    pub const ALL: Sniff =
        Sniff { delimiter: true, title: true, header: true, quote: true, end_delimiters: true };
    /// Detects nothing: the options determine all properties.
    pub const NOTHING: Sniff =
        Sniff { delimiter: false, title: false, header: false, quote: false, end_delimiters: false };
}

impl Default for Sniff {
    fn default() -> Sniff {
        Sniff::ALL
    }
}

/// The maximum number of records that are inspected.
const MAX_RECORDS: usize = 200;

/// What [`sniff_csv`] has detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SniffedCsv {
    /// The options with which to read the text.
    pub options: CsvOptions,
    /// Whether the text is certainly CSV: at least two records, which all have the same number of cells, at least two.
    pub is_clear: bool,
    /// Whether the first line declares the delimiter, such as `sep=;`. This line is one of the skipped lines.
    pub is_declared: bool,
    /// The line of the names, or of the first row if there are none. Counted from 1, with all lines above it.
    pub first_line: u64,
    /// Another delimiter that fits equally well: it divides all records after the title into equal numbers of cells. If the
    /// options set a delimiter that does not occur, this is the first delimiter that divides all records into equal numbers of
    /// cells.
    pub other_delimiter: Option<u8>,
    /// Whether the line of names may be a row, since the names look like numbers, dates or booleans.
    pub names_may_be_row: bool,
    /// Whether the line of names may be a title. It has a single name, although another delimiter divides all lines after it,
    /// or it has one name for at least three columns.
    pub names_may_be_title: bool,
    /// Whether the line of names may be a comment, since it begins with `#` without a letter or digit after it.
    pub names_may_be_comment: bool,
    /// Whether most rows have cells between apostrophes. Apostrophes are read as ordinary text.
    pub has_apostrophes: bool,
    /// The first column of dates that have neither the order of ISO 8601 nor the order of
    /// [`with_date_order`](CsvOptions::with_date_order). These dates are read as text.
    pub dates: Option<SniffedDates>,
    /// The order that the options set, if no cell has a date.
    pub unused_order: Option<DateOrder>,
    /// The first column of numbers with decimal commas, or with marks for thousands, that the options do not read as
    /// numbers.
    pub commas: Option<SniffedCommas>,
}

/// A column of numbers with decimal commas, or with the decimal mark of the options and a mark between thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SniffedCommas {
    /// The index of the column, from 0.
    pub column: usize,
    /// The decimal comma. `None` if the options have it, or the cells have a decimal point.
    pub decimal: Option<char>,
    /// The mark between groups of thousands: a point, a comma or a space. `None` if there is none.
    pub thousands: Option<char>,
    /// The index of another column, from 0, whose numbers are read with a decimal point, though each has three digits after it: a mark
    /// between thousands, if this text has decimal commas. `None` if there is none, or `thousands` is this point.
    pub grouped: Option<usize>,
}

/// A column of dates that do not have the order of ISO 8601.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SniffedDates {
    /// The index of the column, from 0.
    pub column: usize,
    /// An order that fits all dates of the column.
    pub order: DateOrder,
    /// A second order that fits all dates, which happens if no day is above 12.
    pub other: Option<DateOrder>,
}

/// Detects the options of CSV from its first lines. `start` must end with a whole record, so cut off an incomplete one.
///
/// If the first line is `sep=;`, as in files for Excel, it declares the delimiter and is skipped. Otherwise, the delimiter is
/// the one that divides the most records into the same number of cells, at least two. A character that only marks fractions or
/// thousands in numbers is not a delimiter.
///
/// A title line has text in at most one cell, or begins with `#`. A line with as many cells as the rows is a title only if two
/// conditions hold: it begins with `#`, without a letter or digit after it, and a column of the rows is not text. Title lines
/// are skipped only if a line of different names follows, and all records from this line on have the same number of cells.
///
/// A first line of one cell may also be the name of a single column of texts that contain delimiters. There are two signs of
/// this: spaces follow the delimiters, or the second line contains a cell of the rows. The line is a title nevertheless if an
/// empty line follows, if it begins with `#`, or if a column has values other than text.
///
/// The text has no names if the first record is certainly a row. Such a record has a number, a date or a boolean in a column in
/// which all rows have one. It has text only in columns in which rows have text. Numbers that may be names, such as years above
/// other numbers, do not count. If a property is uncertain, `options` decide.
///
/// `names` are names that the caller knows, of all or of some columns. A record of different cells that has one of these names
/// is a line of names.
///
/// Rows end with a delimiter if each of them has one cell more than the line of names, and this cell is empty.
///
/// ```
/// use arrow_text::{CsvOptions, Sniff, sniff_csv};
///
/// let text = b"Sales, by day\n\nday;sum\n2024-02-29;1,5\n2024-03-01;2,5\n";
/// let found = sniff_csv(text, CsvOptions::new(), Sniff::ALL, &[]);
/// assert!(found.is_clear);
/// let options = found.options;
/// assert_eq!((options.delimiter(), options.n_skipped_lines(), options.has_header()), (b';', 2, true));
/// let rows = b"ada,15,true\ngrace,25,false\n";
/// assert!(!sniff_csv(rows, CsvOptions::new(), Sniff::ALL, &[]).options.has_header());
/// assert!(sniff_csv(rows, CsvOptions::new(), Sniff::ALL, &["15".to_owned()]).options.has_header());
/// ```
pub fn sniff_csv(start: &[u8], options: CsvOptions, sniff: Sniff, names: &[String]) -> SniffedCsv {
    let known: &HashSet<&str> = &names.iter().map(String::as_str).collect();
    let declared = declared_delimiter(start).filter(|byte| {
        if sniff.delimiter { options.with_delimiter(*byte).is_ok() } else { *byte == options.delimiter() }
    });
    let options = match declared {
        Some(_) if options.n_skipped_lines() == 0 => options.with_skipped_lines(1),
        _ => options,
    };
    let with = |delimiter: u8| Some(SniffedTable::new(start, options.with_delimiter(delimiter).ok()?, known));
    let mut tables: Vec<SniffedTable> = match (declared, sniff.delimiter) {
        (Some(delimiter), _) => with(delimiter).into_iter().collect(),
        (None, true) => DELIMITERS.into_iter().filter_map(with).collect(),
        (None, false) => Vec::new(),
    };
    tables.sort_by_cached_key(|table| Reverse(table.fit()));
    let mut tables = tables.into_iter();
    let mut table = tables.next().unwrap_or_else(|| SniffedTable::new(start, options, known));
    let mut other = tables.next().filter(|other| other.is_as_good_as(&table));
    if sniff.title {
        [Some(&mut table), other.as_mut()].into_iter().flatten().for_each(SniffedTable::leave_out_title);
    }
    // If the title differs, the other delimiter finds another table.
    let has_same_title =
        |other: &SniffedTable| other.options.n_skipped_lines() == table.options.n_skipped_lines();
    let other = other.filter(|other| other.is_alike() && has_same_title(other));
    let mut other_delimiter = other.map(|other| other.options.delimiter());
    let mut split = None;
    let mut names_may_be_title = false;
    if sniff.delimiter
        && declared.is_none()
        && let [first, names, rows @ ..] = &table.records[..]
        && table.n_cells > 1
        && first.cells.len() == 1
        && let Some(single) = DELIMITERS.into_iter().filter_map(with).find(SniffedTable::is_single)
    {
        names_may_be_title = names.is_names() && may_be_texts(names, rows);
        if names_may_be_title || table.rows_end_with_delimiters() {
            names_may_be_title &= table.n_alike.saturating_add(1) == table.records.len();
            other_delimiter = None;
            table = single;
        } else {
            // The lines may be numbers, divided by the decimal comma.
            split = single.commas(known);
        }
    }
    if !sniff.delimiter && table.is_single() {
        // The given delimiter occurs nowhere.
        let divides = |other: &SniffedTable| other.n_cells > 1 && other.is_alike() && other.records.len() > 1;
        let other = DELIMITERS.into_iter().filter_map(with).find(divides);
        other_delimiter = other.map(|other| other.options.delimiter());
    }
    let mut names_may_be_row = false;
    let mut names_may_be_comment = false;
    if sniff.header && table.begins_with_row() {
        table.options = table.options.without_header();
    } else if sniff.header {
        names_may_be_row = table.names_may_be_row();
        names_may_be_comment = table.records.first().is_some_and(SniffedRecord::is_comment);
        names_may_be_title |= !names_may_be_comment && table.lacks_names();
    }
    let has_end_delimiters = sniff.end_delimiters && table.has_end_delimiters();
    table.options.has_end_delimiters |= has_end_delimiters;
    let first = table.records.first();
    let first_line = first.map_or(table.options.n_skipped_lines().saturating_add(1), |first| first.line);
    // A line of one cell above longer rows is an error, whatever marks their numbers have.
    let is_alone = table.n_cells > 1 && first.is_some_and(|first| first.cells.len() == 1);
    let is_clear = table.n_cells > 1 && table.records.len() > 1 && (table.is_alike() || has_end_delimiters);
    let commas = if other_delimiter.is_some() {
        None
    } else if is_alone {
        split
    } else {
        split.or_else(|| table.commas(known))
    };
    SniffedCsv {
        options: table.options,
        is_clear,
        is_declared: declared.is_some(),
        first_line,
        other_delimiter,
        names_may_be_row,
        names_may_be_title,
        names_may_be_comment,
        has_apostrophes: sniff.quote && table.has_apostrophes(),
        dates: table.dates(),
        unused_order: if table.has_no_dates() { options.dates } else { None },
        commas,
    }
}

/// The delimiter that a first line such as `sep=;` or `SEP=;` declares.
fn declared_delimiter(start: &[u8]) -> Option<u8> {
    let (word, rest) = start.strip_prefix(MARK).unwrap_or(start).split_at_checked(4)?;
    match rest {
        [delimiter] | [delimiter, b'\r' | b'\n', ..] if word.eq_ignore_ascii_case(b"sep=") => {
            Some(*delimiter)
        }
        _ => None,
    }
}

/// How well a delimiter fits. Compared field by field: whether it fits at all, whether it is not a mark of numbers, how many
/// records it fits, whether it fits all records from the first one that it fits, and the number of cells.
type FitRank = (bool, bool, usize, bool, usize);

/// The first records of a text, divided by one delimiter.
struct SniffedTable {
    options: CsvOptions,
    records: Vec<SniffedRecord>,
    /// The most frequent number of cells among records with at least two cells.
    n_cells: usize,
    /// The number of records with `n_cells` cells.
    n_alike: usize,
}

struct SniffedRecord {
    line: u64,
    cells: Vec<String>,
    kinds: Vec<Kind>,
    /// Whether the cells are different, and one of them is a name that the caller knows.
    is_named: bool,
}

impl SniffedTable {
    fn new(start: &[u8], options: CsvOptions, names: &HashSet<&str>) -> SniffedTable {
        /// The maximum number of cells that is counted. More cells are no better evidence.
        const MAX_CELLS: usize = 4096;
        let mut reader = Records::new(start, &options, usize::MAX);
        reader.keep_cells(MAX_CELLS);
        let mut records = Vec::new();
        // If a record is an error, the records before it suffice.
        while let (true, Ok(Some(record))) = (records.len() < MAX_RECORDS, reader.next()) {
            let cells = (0..record.n_cells()).map_while(|cell_idx| record.cell(cell_idx));
            let kinds = cells.clone().map(|cell| kind_of_cell(cell, &options)).collect();
            let cells: Vec<String> = cells.map(|(text, _)| text.to_owned()).collect();
            let is_named = cells.iter().any(|cell| names.contains(cell.as_str())) && are_different(&cells);
            records.push(SniffedRecord { line: record.line(), cells, kinds, is_named });
        }
        let alike = |n_cells: usize| records.iter().filter(|record| record.cells.len() == n_cells).count();
        let lengths = records.iter().map(|record| record.cells.len());
        let n_cells = lengths.max_by_key(|n_cells| (*n_cells > 1, alike(*n_cells), *n_cells)).unwrap_or(0);
        let n_alike = alike(n_cells);
        SniffedTable { options, records, n_cells, n_alike }
    }

    /// Rates the delimiter. It fits if at least half of the records have the same number of cells. If no delimiter fits, the
    /// number of cells of the first record counts. A mark of numbers fits only if all records have the same number of cells and
    /// the first record is a line of names.
    fn fit(&self) -> FitRank {
        let mut from_first = self.records.iter().skip_while(|record| record.cells.len() != self.n_cells);
        let is_table = from_first.all(|record| record.cells.len() == self.n_cells);
        let is_mark = self.options.numbers.has(self.options.delimiter);
        let may_be_one =
            !is_mark || self.is_alike() && self.records.first().is_some_and(SniffedRecord::is_names);
        if self.n_cells > 1 && self.n_alike.saturating_mul(2) >= self.records.len() && may_be_one {
            (true, !is_mark, self.n_alike, is_table, self.n_cells)
        } else {
            (false, !is_mark, self.records.first().map_or(0, |first| first.cells.len()), false, 0)
        }
    }

    /// Whether `better` only wins because its records have more cells.
    fn is_as_good_as(&self, better: &SniffedTable) -> bool {
        let (fits, is_no_mark, n_alike, is_table, _) = self.fit();
        fits && self.records.len() > 1 && better.fit() <= (fits, is_no_mark, n_alike, is_table, usize::MAX)
    }

    fn is_alike(&self) -> bool {
        self.n_alike == self.records.len()
    }

    /// Whether all records have one cell.
    fn is_single(&self) -> bool {
        self.n_cells == 1 && self.is_alike()
    }

    /// Skips title lines. Some programs fill title lines up with delimiters, so that they have as many cells as the rows. Such
    /// lines count as titles if the first is mostly empty, and a column of the rows below the names is not text.
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
        let is_certain = if title.iter().any(is_wide) {
            has_typed
                && title.first().is_some_and(|first| {
                    let n_empty = first.cells.iter().filter(|cell| cell.is_empty()).count();
                    first.is_comment() || n_empty * 2 >= self.n_cells
                })
        } else {
            // The first line may be the name of a single column, whose texts contain delimiters.

            let is_apart =
                |last: &SniffedRecord| last.is_comment() || names.line > last.line.saturating_add(1);
            has_typed || title.last().is_some_and(is_apart) || !may_be_texts(names, rows)
        };
        let is_title = |record: &SniffedRecord| is_padded(record) || record.is_title();
        if is_certain && table.iter().all(is_wide) && title.iter().all(is_title) && names.is_names() {
            self.options = self.options.with_skipped_lines(names.line.saturating_sub(1));
            self.records.drain(..n_before);
            self.n_alike = self.records.len();
        }
    }

    /// Whether the first record is certainly a row and not names.
    fn begins_with_row(&self) -> bool {
        let Some((first, rows)) = self.records.split_first() else { return false };
        if rows.is_empty() || first.is_named || !self.is_alike() {
            return false;
        }
        let mut is_sure = false;
        for (column, kind) in first.kinds.iter().enumerate() {
            match (kind, kind_below(rows, column)) {
                (_, Kind::None | Kind::Text) => {}
                (Kind::None, _) => {}
                (kind, below) if kind.is_like(&below) => is_sure = true,
                _ => return false,
            }
        }
        is_sure && first.has_evidence(rows)
    }

    /// Whether at least half of the records after the first have cells between apostrophes.
    fn has_apostrophes(&self) -> bool {
        let rows = self.records.get(1..).unwrap_or_default();
        let n_with = rows.iter().filter(|row| row.has_apostrophes()).count();
        n_with > 0 && n_with.saturating_mul(2) >= rows.len()
    }

    /// Whether the line of names has a delimiter, and each row has one cell more, which is empty.
    fn has_end_delimiters(&self) -> bool {
        let n_names = self.records.first().map_or(0, |names| names.cells.len());
        let is_longer = |row: &SniffedRecord| row.cells.len() == n_names.saturating_add(1);
        let has_names = self.options.has_header() && n_names > 1;
        has_names && self.rows_end_with_delimiters() && self.records.iter().skip(1).all(is_longer)
    }

    /// Whether there are rows, and the last cell of each has no text.
    fn rows_end_with_delimiters(&self) -> bool {
        let mut rows = self.records.iter().skip(1).peekable();
        rows.peek().is_some()
            && rows.all(|row| row.cells.last().is_some_and(|cell| unspaced(cell).is_empty()))
    }

    fn rows(&self) -> &[SniffedRecord] {
        self.records.get(usize::from(self.options.has_header())..).unwrap_or_default()
    }

    /// Whether there are rows, and no cell of them is a date or a timestamp.
    fn has_no_dates(&self) -> bool {
        let mut kinds = self.rows().iter().flat_map(|row| &row.kinds);
        !self.rows().is_empty() && !kinds.any(Kind::is_date)
    }

    /// The first column whose cells are numbers with decimal commas, or else with a mark for thousands. Ignores columns
    /// whose names are in `known`, since the caller knows their types.
    fn commas(&self, known: &HashSet<&str>) -> Option<SniffedCommas> {
        let reads = |column: usize, decimal, thousands| {
            let options = self.options.with_number_marks(decimal, thousands).unwrap_or(self.options);
            let mut cells =
                self.rows().iter().filter_map(|row| row.cells.get(column).zip(row.kinds.get(column)));
            cells.all(|(cell, kind)| {
                matches!(kind, Kind::None) || matches!(Kind::from_cell(cell, &options), Kind::Number(_))
            })
        };
        let header = if self.options.has_header() { self.records.first() } else { None };
        let is_known = |column: usize| {
            header.and_then(|header| header.cells.get(column)).is_some_and(|name| known.contains(&**name))
        };
        // If other marks can read a column, it has no decimal commas.
        let others = match (self.options.numbers.decimal, self.options.numbers.thousands) {
            ('.', None) => vec![('.', Some(',')), ('.', Some(' '))],
            (',', None) => vec![(',', None)],
            _ => return None,
        };
        let mut columns = (0..self.n_cells).filter(|column| {
            !is_known(*column) && !others.iter().any(|(decimal, mark)| reads(*column, *decimal, *mark))
        });
        let with_commas = columns.find_map(|column| {
            let mut marks = [None, Some('.'), Some(' ')].into_iter();
            let thousands = marks.find(|mark| reads(column, ',', *mark))?;
            let decimal = Some(',').filter(|mark| *mark != self.options.numbers.decimal);
            let grouped = if thousands.is_none() { self.grouped_by_points(&is_known) } else { None };
            Some(SniffedCommas { column, decimal, thousands, grouped })
        });
        if with_commas.is_some() || self.options.numbers.decimal != '.' {
            return with_commas;
        }
        let mut columns = (0..self.n_cells).filter(|column| !is_known(*column) && !reads(*column, '.', None));
        columns.find_map(|column| {
            // A single mark could also be a decimal comma.
            let is_clear = |mark: char| {
                let mut cells = self.rows().iter().filter_map(|row| row.cells.get(column));
                cells
                    .any(|cell| cell.contains(mark) && (cell.contains('.') || cell.matches(mark).count() > 1))
            };
            let mut marks = [',', ' '].into_iter();
            let thousands = marks.find(|mark| is_clear(*mark) && reads(column, '.', Some(*mark)))?;
            Some(SniffedCommas { column, decimal: None, thousands: Some(thousands), grouped: None })
        })
    }

    /// The first column of numbers, of which each has a point before its last three digits, as `1.000`. `None` if the options do not read
    /// it as a decimal point.
    fn grouped_by_points(&self, is_known: &impl Fn(usize) -> bool) -> Option<usize> {
        if self.options.numbers.decimal != '.' {
            return None;
        }
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_grouped = |cell: &str| {
            let (whole, rest) = cell.trim().split_once('.').unwrap_or_default();
            let whole = whole.strip_prefix(['-', '+']).unwrap_or(whole);
            let is_group = rest.len() == 3 && are_digits(rest);
            is_group && (1..=3).contains(&whole.len()) && !whole.starts_with('0') && are_digits(whole)
        };
        (0..self.n_cells).filter(|column| !is_known(*column)).find(|column| {
            let cells =
                self.rows().iter().filter_map(|row| row.cells.get(*column).zip(row.kinds.get(*column)));
            let mut cells = cells.filter(|(_, kind)| !matches!(kind, Kind::None)).peekable();
            cells.peek().is_some() && cells.all(|(cell, _)| is_grouped(cell))
        })
    }

    /// The first column of dates that have neither the order of ISO 8601 nor the order of the options.
    fn dates(&self) -> Option<SniffedDates> {
        let rows = self.rows();
        (0..self.n_cells).find_map(|column| {
            let cells = rows.iter().filter_map(|row| row.cells.get(column).zip(row.kinds.get(column)));
            let mut cells = cells.filter(|(_, kind)| !matches!(kind, Kind::None));
            let (first, kind) = cells.next()?;
            let is_read = kind.is_date() && cells.clone().all(|(_, kind)| kind.is_date());
            let has_all =
                |order: &DateOrder| order.reads(first) && cells.clone().all(|(cell, _)| order.reads(cell));
            let mut orders = DateOrder::ALL.into_iter().filter(|order| !is_read && has_all(order));
            Some(SniffedDates { column, order: orders.next()?, other: orders.next() })
        })
    }

    /// Whether at least two columns have no name, and only one has.
    fn lacks_names(&self) -> bool {
        let Some((first, rows)) = self.records.split_first() else { return false };
        self.n_cells > 2 && first.is_title() && !first.is_named && rows.iter().any(|row| !row.is_title())
    }

    /// Whether the first record, which is read as names, may be a row. Either all cells are numbers, dates or booleans, or one
    /// cell cannot be a name and one has the kind of the cells below it.
    fn names_may_be_row(&self) -> bool {
        let Some((first, rows)) = self.records.split_first().filter(|(first, _)| !first.is_named) else {
            return false;
        };
        let typed = first.typed();
        let is_like = |column: &usize| {
            first.kinds.get(*column).is_some_and(|kind| kind.is_like(&kind_below(rows, *column)))
        };
        !typed.is_empty() && typed.len() == first.kinds.len()
            || first.has_evidence(rows) && typed.iter().any(is_like)
    }
}

/// Whether these records may be texts of a single column: spaces follow all delimiters, or a cell of a row is also a name.
fn may_be_texts(names: &SniffedRecord, rows: &[SniffedRecord]) -> bool {
    let mut others = rows.iter().chain([names]).filter(|record| record.cells.len() > 1).peekable();
    let is_name = |cell: &String| !cell.is_empty() && names.cells.contains(cell);
    let has_spaces = |record: &SniffedRecord| record.cells.iter().skip(1).all(|cell| cell.starts_with(' '));
    rows.iter().any(|row| row.cells.iter().any(is_name))
        || !rows.is_empty() && others.peek().is_some() && others.all(has_spaces)
}

fn kind_below(rows: &[SniffedRecord], column: usize) -> Kind {
    let kinds = rows.iter().filter_map(|row| row.kinds.get(column)).cloned();
    kinds.reduce(|kind, other| kind.and(other).unwrap_or(Kind::Text)).unwrap_or(Kind::None)
}

impl SniffedRecord {
    /// Whether the record may be a title line: at most one cell has text, or the line begins with `#`.
    fn is_title(&self) -> bool {
        let n_texts = self.cells.iter().filter(|cell| !cell.trim().is_empty()).count();
        n_texts <= 1 || self.cells.first().is_some_and(|cell| cell.starts_with('#'))
    }

    /// Whether the record begins like a comment, unlike names such as `#` and `#id`.
    fn is_comment(&self) -> bool {
        let text = self.cells.first().and_then(|cell| cell.strip_prefix('#'));
        text.is_some_and(|text| !text.trim().is_empty() && !text.starts_with(char::is_alphanumeric))
    }

    /// Whether a cell begins with an apostrophe, and the same or a later cell ends with one.
    fn has_apostrophes(&self) -> bool {
        let mut cells = self.cells.iter().skip_while(|cell| !cell.starts_with('\''));
        let ends = |cell: &String| cell.ends_with('\'');
        cells.next().is_some_and(|first| first.len() > 1 && ends(first)) || cells.any(ends)
    }

    /// Whether the cells can be names: none is empty, no two are equal, and all are texts or one is a known name.
    fn is_names(&self) -> bool {
        self.is_named
            || self.kinds.iter().all(|kind| matches!(kind, Kind::Text)) && are_different(&self.cells)
    }

    /// The columns in which the record has a number, a date or a boolean.
    fn typed(&self) -> Vec<usize> {
        let kinds = self.kinds.iter().enumerate();
        kinds.filter(|(_, kind)| !matches!(kind, Kind::Text | Kind::None)).map(|(column, _)| column).collect()
    }

    /// Whether the record has a cell that cannot be a column name. Column names are texts, years, or the numbers of the
    /// columns, from 0 or 1. Years are no column names if all values in their columns are years.
    fn has_evidence(&self, rows: &[SniffedRecord]) -> bool {
        let typed = self.typed();
        let number = |row: &SniffedRecord, column: &usize| -> Option<u64> {
            unspaced(row.cells.get(*column)?).parse().ok()
        };
        let is_counted = |from: u64| (from..).zip(&typed).all(|(n, column)| number(self, column) == Some(n));
        let is_null =
            |row: &SniffedRecord, column: &usize| matches!(row.kinds.get(*column), Some(Kind::None));
        let has_years = |row: &SniffedRecord| {
            let is_year = |column| is_null(row, column) || matches!(number(row, column), Some(1800..=2200));
            typed.iter().all(is_year)
        };
        let are_years = has_years(self) && !rows.iter().all(has_years);
        !(typed.is_empty() || is_counted(0) || typed.len() > 1 && is_counted(1) || are_years)
    }
}

/// Whether no cell is empty, and no two are equal.
fn are_different(cells: &[String]) -> bool {
    let mut names: Vec<&String> = cells.iter().collect();
    names.sort_unstable();
    names.windows(2).all(|pair| pair.first() != pair.last()) && !cells.iter().any(String::is_empty)
}

#[cfg(test)]
mod tests;
