//! The table of `stats`. In a narrow terminal, it leaves out the least important columns.

mod dictionary;

use std::fmt::Write as _;

use arrow_array::{ArrayError, ColumnText, TextStyle, UInt64Array, Utf8Array};
use arrow_compute::{DistinctCount, Extreme};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_tools::{Summary, summary::ColumnSummary};
use arrow_schema::DataType;
use arrow_text::format::{Counted, first_chars};
use arrow_text::{BatchTable, TableOptions};

pub use self::dictionary::suggest_dictionaries;
use crate::{describe::percent_of, style::CELL_STYLE};

/// The text of a table, and which of its columns were left out because of its width.
#[derive(Debug)]
pub struct StatsTable {
    /// The first line, with the names of the columns.
    pub header: String,
    /// All lines after the first.
    pub rows: String,
    /// The names of the columns that are left out of the table.
    pub left_out: Vec<&'static str>,
}

/// Something that makes a table narrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reduction {
    Column(&'static str),
    /// Limits the length of histograms, in characters.
    Blocks(usize),
    /// Limits the length of types, in characters.
    Types(usize),
    /// Cuts the least and the greatest number if they are longer than [`MAX_NUMBER_WIDTH`].
    LongNumbers,
    /// The least and the greatest time may be cut.
    WholeTimes,
}

/// The steps that make a table narrower, in this order. Text is already cut before. Numbers are cut only if they are very long.
const REDUCTIONS: [Reduction; 16] = [
    Reduction::Column("mean length"),
    Reduction::Column("decompressed"),
    Reduction::LongNumbers,
    Reduction::Blocks(8),
    Reduction::Types(12),
    Reduction::Blocks(6),
    Reduction::Column("share"),
    Reduction::Column("bytes"),
    Reduction::Column("values"),
    Reduction::Column("mean"),
    Reduction::Column("NaN"),
    Reduction::WholeTimes,
    Reduction::Column("distinct"),
    Reduction::Column("max"),
    Reduction::Column("type"),
    Reduction::Column("min"),
];
/// The number of blocks of a histogram in a wide table.
const N_BLOCKS: usize = 12;
/// The number of characters of the longest integer or floating-point number. Decimals may be longer.
const MAX_NUMBER_WIDTH: usize = 24;
/// Text is not cut to less than this width.
const MIN_TEXT_WIDTH: usize = 8;
/// The text of a cell without a value.
const NONE: &str = "-";
/// The number of spaces between two columns.
const GAP: usize = 2;
/// A width that no terminal has, for tables that must not be cut.
const WIDE: usize = 4_096;

impl StatsTable {
    /// Makes a table with a row for each described column. Lines have at most `width` characters.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn try_new(summary: &Summary, width: Option<usize>) -> Result<StatsTable, ArrayError> {
        let mut n_reductions = 0;
        loop {
            let reductions = REDUCTIONS.get(..n_reductions).unwrap_or(&REDUCTIONS);
            let columns = columns_of(summary, reductions)?;
            if n_reductions < REDUCTIONS.len()
                && !width.is_none_or(|width| fits(summary, &columns, reductions, width))
            {
                n_reductions += 1;
                continue;
            }
            let is_left_out = |reduction: &Reduction| match reduction {
                Reduction::Column(name) => has_column(summary, name).then_some(*name),
                Reduction::Blocks(_)
                | Reduction::Types(_)
                | Reduction::LongNumbers
                | Reduction::WholeTimes => None,
            };
            let options =
                width.map_or(TableOptions::new(), |width| TableOptions::new().with_max_width(width));
            let text = text_of(&columns, options)?;
            let (header, rows) = text.split_once('\n').unwrap_or_default();
            let left_out = reductions.iter().filter_map(is_left_out).collect();
            return Ok(StatsTable { header: header.to_owned(), rows: rows.to_owned(), left_out });
        }
    }
}

/// The first line of `stats`, with the rows, batches and bytes of the input.
pub fn stats_headline(summary: &Summary) -> String {
    let rows = Counted(summary.n_rows, "row");
    let batches = Counted(summary.n_batches, "batch");
    match summary.n_bytes {
        Some(n_bytes) => format!("{rows} in {batches}, {}\n", Counted(n_bytes, "byte")),
        None => format!("{rows} in {batches}\n"),
    }
}

type StatsColumn = (&'static str, ArrayData);

/// The names of all columns of the table, in order.
const NAMES: [&str; 13] = [
    "column",
    "type",
    "nulls",
    "NaN",
    "distinct",
    "min",
    "max",
    "mean",
    "mean length",
    "bytes",
    "decompressed",
    "share",
    "values",
];

/// The columns of the table, after `reductions` have made it narrower.
fn columns_of(summary: &Summary, reductions: &[Reduction]) -> Result<Vec<StatsColumn>, ArrayError> {
    let is_shown =
        |name: &&'static str| has_column(summary, name) && !reductions.contains(&Reduction::Column(name));
    let mut limits = (N_BLOCKS, usize::MAX);
    for reduction in reductions {
        match reduction {
            Reduction::Blocks(n_blocks) => limits.0 = *n_blocks,
            Reduction::Types(n_chars) => limits.1 = *n_chars,
            Reduction::Column(_) | Reduction::LongNumbers | Reduction::WholeTimes => {}
        }
    }
    let shown = NAMES.into_iter().filter(is_shown);
    shown.map(|name| Ok((name, array_of(summary, name, limits)?))).collect()
}

/// Whether the table can have this column. For a pipe, there are no sizes.
fn has_column(summary: &Summary, name: &str) -> bool {
    let mut columns = summary.columns.iter();
    match name {
        "bytes" | "decompressed" | "share" => columns.all(|column| column.n_bytes.is_some()),
        "NaN" => columns.any(|column| column.statistics.n_nans() > Some(0)),
        "mean" => columns.any(|column| column.statistics.mean().is_some()),
        "mean length" => columns.any(|column| column.statistics.mean_len().is_some()),
        _ => true,
    }
}

/// The cells of a column of the table. `limits` has the maximal number of blocks of a histogram, and of characters of a
/// type. Numbers are aligned to the right, unless a cell has no number.
fn array_of(summary: &Summary, name: &str, limits: (usize, usize)) -> Result<ArrayData, ArrayError> {
    let cells = summary.columns.iter().map(|column| cell(summary, column, name, limits));
    if let "nulls" | "bytes" | "decompressed" = name {
        let numbers = cells.clone().map(|cell| cell?.parse().ok());
        if let Some(numbers) = numbers.collect::<Option<Vec<u64>>>() {
            return Ok(UInt64Array::from(numbers).into());
        }
    }
    let none = if name == "values" { "" } else { NONE };
    let cells = cells.map(|cell| cell.unwrap_or_else(|| none.to_owned()));
    Utf8Array::try_from_iter(cells).map(Into::into)
}

/// The cell for a described column in the table column `name`; `None` if it has no value.
fn cell(
    summary: &Summary,
    column: &ColumnSummary,
    name: &str,
    (n_blocks, n_type_chars): (usize, usize),
) -> Option<String> {
    let statistics = &column.statistics;
    Some(match name {
        "column" => match column.field.name() {
            // The command `schema` shows an empty name in the same way.
            "" => "\"\"".to_owned(),
            name => name.to_owned(),
        },
        "type" => beginning(column.field.data_type().to_string(), n_type_chars),
        "nulls" => statistics.null_count().to_string(),
        "NaN" => statistics.n_nans()?.to_string(),
        "distinct" => match statistics.distinct() {
            DistinctCount::Exact(n) => n.to_string(),
            DistinctCount::Estimate(n) => format!("about {n}"),
            DistinctCount::Unknown => NONE.to_owned(),
        },
        "min" => extreme(statistics.min(), column),
        "max" => extreme(statistics.max(), column),
        "mean" => short(statistics.mean()?),
        "mean length" => format!("{:.1}", statistics.mean_len()?),
        "bytes" => column.n_bytes?.to_string(),
        "decompressed" => {
            column.n_bytes?;
            column.n_decompressed_bytes.map_or_else(|| "unknown".to_owned(), |n_bytes| n_bytes.to_string())
        }
        "share" => percent_of(column.n_bytes?, summary.n_bytes.unwrap_or(0)),
        _ => sparkline(&statistics.histogram(n_blocks)?),
    })
}

/// The cells of a row, without the name and the type. Each cell has the name of its table column. Cells are not cut,
/// and cells without a value are left out.
pub fn stats_cells(
    summary: &Summary,
    column: &ColumnSummary,
) -> impl Iterator<Item = (&'static str, String)> {
    let cell = |name| Some((name, cell(summary, column, name, (N_BLOCKS, usize::MAX))?));
    NAMES.into_iter().skip(2).filter_map(cell)
}

/// The first `n_chars` characters of a text. If characters are missing, the last one is an ellipsis.
fn beginning(text: String, n_chars: usize) -> String {
    let is_long = text.chars().nth(n_chars).is_some();
    if is_long { first_chars(text, n_chars.saturating_sub(1)) } else { text }
}

/// The text of the table. Leaves out the line of types, which has the types of the cells.
fn text_of(columns: &[StatsColumn], options: TableOptions) -> Result<String, ArrayError> {
    let batch = RecordBatch::try_from_columns(columns.iter().cloned())?;
    // The cells are already formatted text.
    let options = options.with_text_style(TextStyle::Plain);
    let table = BatchTable::try_new_with(&batch, options)?.to_string();
    let lines = table.split_inclusive('\n').enumerate().filter(|(idx, _)| *idx != 1);
    Ok(lines.map(|(_, line)| line).collect())
}

/// Whether the table fits into `width` if only text is cut. All columns are cut to the same width, so `width` must
/// be enough for the widest cell that must not be cut.
fn fits(summary: &Summary, columns: &[StatsColumn], reductions: &[Reduction], width: usize) -> bool {
    let Ok(table) = text_of(columns, TableOptions::new().with_max_width(WIDE)) else { return true };
    // The second line has as many dashes for each column as the column is wide.
    let natural: Vec<usize> = table.lines().nth(1).unwrap_or_default().split("  ").map(str::len).collect();
    let extremes = || summary.columns.iter().filter(|column| is_whole(column.field.data_type(), reductions));
    let is_cut = |column: &ColumnSummary, text: &str| {
        let is_time = column.field.data_type().value_type().is_temporal();
        text.len() > MAX_NUMBER_WIDTH && !is_time && reductions.contains(&Reduction::LongNumbers)
    };
    let widest = |text: fn(&ColumnSummary) -> String| {
        let texts = extremes().map(|column| (column, text(column)));
        texts.map(|(column, text)| if is_cut(column, &text) { MAX_NUMBER_WIDTH } else { text.len() }).max()
    };
    let needed = columns.iter().zip(&natural).filter_map(|((name, _), natural)| match *name {
        "column" | "type" => None,
        "min" => widest(|column| extreme(column.statistics.min(), column)),
        "max" => widest(|column| extreme(column.statistics.max(), column)),
        _ => Some(*natural),
    });
    let least = needed.fold(MIN_TEXT_WIDTH, usize::max);
    let cells = natural.iter().fold(0usize, |sum, natural| sum.saturating_add((*natural).min(least)));
    natural.len() == columns.len()
        && cells.saturating_add(columns.len().saturating_sub(1).saturating_mul(GAP)) <= width
}

/// Whether values of this type must not be cut. Numbers must not be cut, and times only if a reduction allows it.
fn is_whole(data_type: &DataType, reductions: &[Reduction]) -> bool {
    let mut data_type = data_type.value_type();
    while let Some(runs) = data_type.as_run_end_encoded() {
        data_type = runs.values().data_type().value_type();
    }
    let is_time = data_type.is_temporal() && !reductions.contains(&Reduction::WholeTimes);
    data_type.is_numeric() || data_type.is_decimal() || is_time
}

fn extreme(extreme: Option<Extreme>, column: &ColumnSummary) -> String {
    match extreme {
        Some(extreme) => {
            let array = extreme.value().as_array().data();
            let text = ColumnText::try_with_field(array, &column.field, CELL_STYLE);
            let cut = if extreme.is_cut() { "…" } else { "" };
            text.map_or_else(|_| extreme.to_string(), |text| format!("{}{cut}", text.value(0)))
        }
        None if column.statistics.has_order() => NONE.to_owned(),
        None => "no order".to_owned(),
    }
}

/// Formats a mean with about seven digits.
fn short(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        return format!("{number:.6e}");
    }
    // The cast saturates for numbers that are out of range.
    let n_decimals = 6_usize.saturating_sub(size.max(1.0).log10() as usize);
    let text = format!("{number:.n_decimals$}");
    if n_decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// Draws a histogram with a block for each bin. Higher blocks have more values.
fn sparkline(bins: &[u64]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let mut line = String::new();
    for bin in bins {
        // A bin without values is a space. A bin with few values has the lowest block.
        let height = bin.saturating_mul(BLOCKS.len() as u64).div_ceil(most);
        let block = usize::try_from(height).ok().and_then(|height| height.checked_sub(1));
        let _ = line.write_char(block.and_then(|block| BLOCKS.get(block)).copied().unwrap_or(' '));
    }
    line
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;
    use arrow_buffer::Buffer;
    use arrow_compute::Statistics;
    use arrow_data::ArrayParts;
    use arrow_schema::Field;

    use arrow_ipc_tools::InputRemarks;

    use super::*;

    fn summary(columns: Vec<ColumnSummary>) -> Summary {
        Summary { n_rows: 0, n_batches: 0, n_bytes: Some(100), columns, remarks: InputRemarks::default() }
    }

    #[test]
    fn a_size_that_is_unknown_is_not_zero() {
        let column = |name: &str, n_decompressed| ColumnSummary {
            field: Field::new(name, DataType::Int64),
            statistics: Statistics::new(DataType::Int64),
            n_bytes: Some(8),
            n_decompressed_bytes: n_decompressed,
        };
        let table = |sizes: [Option<u64>; 2]| {
            let [a, b] = sizes;
            let columns = vec![column("a", a), column("b", b)];
            StatsTable::try_new(&summary(columns), None).unwrap().rows
        };
        let decompressed = |table: String| -> Vec<String> {
            let rows = table.lines().filter(|line| line.contains("int64"));
            rows.map(|row| {
                row.split_whitespace().rev().find(|word| !"│%8.0".contains(word)).unwrap().to_owned()
            })
            .collect()
        };
        assert_eq!(decompressed(table([Some(800), Some(33)])), ["800", "33"]);
        assert_eq!(decompressed(table([Some(800), None])), ["800", "unknown"]);
    }

    #[test]
    fn blocks_are_as_high_as_there_are_values() {
        let shown = |numbers: Vec<i64>| {
            let mut statistics = Statistics::new(DataType::Int64);
            statistics.add(Int64Array::from(numbers).data()).unwrap();
            statistics.histogram(12).map_or_else(String::new, |bins| sparkline(&bins))
        };
        assert_eq!(shown(vec![]), "");
        assert_eq!(shown(vec![5]), "█           ");
        assert_eq!(shown((0..1200).collect()), "████████████");
        let rising: Vec<i64> = (0..12).flat_map(|n| vec![n; (n + 1) as usize]).collect();
        assert_eq!(shown(rising), "▁▂▂▃▄▄▅▆▆▇██");
        assert_eq!(shown([vec![0; 1000], vec![11]].concat()), "█          ▁");
    }

    /// Values are written as `cat` writes them: text is quoted if it could be mistaken for a null, or begins with a
    /// quote. Names are not quoted.
    #[test]
    fn values_have_one_text_form() {
        let column = |name: &str, texts: [&str; 2]| {
            let mut statistics = Statistics::new(DataType::Utf8);
            statistics.add(Utf8Array::try_from_iter(texts).unwrap().data()).unwrap();
            ColumnSummary {
                field: Field::new(name, DataType::Utf8),
                statistics,
                n_bytes: None,
                n_decompressed_bytes: None,
            }
        };
        let all = vec![column("null", ["null", "x"]), column("", ["\"q", "r"])];
        let rows = StatsTable::try_new(&summary(all), None).unwrap().rows;
        let lines: Vec<Vec<&str>> =
            rows.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(lines[0][..6], ["null", "utf8", "0", "2", "\"null\"", "x"]);
        assert_eq!(lines[1][..6], ["\"\"", "utf8", "0", "2", "\"\\\"q\"", "r"]);
    }

    /// In a narrow table, a very long number is cut before any column is left out.
    #[test]
    fn one_long_number_takes_no_width_of_others() {
        let data_type = DataType::decimal256(76, 0).unwrap();
        let mut statistics = Statistics::new(data_type.clone());
        let least = Buffer::from(vec![0x01_u8; 32]);
        let parts = ArrayParts { buffers: [least, Buffer::new()], ..ArrayParts::new(data_type.clone(), 1) };
        statistics.add(&ArrayData::try_new(parts).unwrap()).unwrap();
        let all = summary(vec![ColumnSummary {
            field: Field::new("d", data_type),
            statistics,
            n_bytes: Some(32),
            n_decompressed_bytes: Some(32),
        }]);
        let table = StatsTable::try_new(&all, Some(128)).unwrap();
        assert_eq!(table.left_out, ["decompressed"], "{}{}", table.header, table.rows);
        assert!(table.rows.contains("…"), "{}", table.rows);
        assert_eq!(StatsTable::try_new(&all, Some(400)).unwrap().left_out, [""; 0]);
    }

    /// At any width, the table has all digits of a number, or leaves out its column.
    #[test]
    fn columns_are_left_out_whole() {
        let column = |name: &str, data_type: DataType, array: ArrayData| {
            let mut statistics = Statistics::new(data_type.clone());
            statistics.add(&array).unwrap();
            ColumnSummary {
                field: Field::new(name, data_type),
                statistics,
                n_bytes: Some(1_234_567),
                n_decompressed_bytes: Some(7_654_321),
            }
        };
        let numbers = Int64Array::from((0..70_000).map(|n| n * 1_000_003).collect::<Vec<i64>>());
        let words = Utf8Array::try_from_iter(["a".repeat(40), "z".repeat(40)]).unwrap();
        let all = summary(vec![
            column("a number with a long name", DataType::Int64, numbers.into()),
            column("word", DataType::Utf8, words.into()),
            column("nothing", DataType::Null, ArrayData::new_empty(&DataType::Null)),
        ]);
        let whole = StatsTable::try_new(&all, None).unwrap();
        assert!(
            whole.left_out.is_empty() && whole.rows.contains("nothing                    null  "),
            "{}",
            whole.rows
        );
        let numbers: Vec<&str> = whole.rows.lines().nth(1).unwrap().split("  ").map(str::trim).collect();
        let numbers: Vec<&str> = numbers.into_iter().filter(|text| !text.is_empty()).skip(1).collect();
        let mut n_before = usize::MAX;
        for width in 40..220 {
            let table = StatsTable::try_new(&all, Some(width)).unwrap();
            let lines = || table.rows.lines().chain([&*table.header]);
            assert!(lines().all(|line| line.chars().count() <= width), "{width}: {}", table.rows);
            assert!(
                table.left_out.len() <= n_before && !table.header.contains('…'),
                "{width}: {}",
                table.header
            );
            n_before = table.left_out.len();
            let row = table.rows.lines().nth(1).unwrap();
            let cells = row.split("  ").map(str::trim).filter(|text| !text.is_empty()).skip(1);
            for cell in cells {
                let is_blocks = cell.chars().all(|char| char == '█');
                assert!(numbers.contains(&cell) || is_blocks && cell.chars().count() >= 6, "{width}: {row}");
            }
            for (name, least) in [("mean length", 155), ("share", 130), ("type", 80), ("min", 50)] {
                let is_shown = table.header.contains(name);
                assert_eq!(is_shown, !table.left_out.contains(&name), "{width}: {}", table.header);
                assert!(is_shown || width < least, "{width}: {}", table.header);
            }
        }
        assert_eq!(n_before, 0);
        assert_eq!(
            StatsTable::try_new(&all, Some(80)).unwrap().left_out[..2],
            ["mean length", "decompressed"]
        );
    }
}
