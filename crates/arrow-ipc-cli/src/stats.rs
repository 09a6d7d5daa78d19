//! `stats`: what is in the columns of files and streams.

use std::{fmt::Write as _, io::Write};

use arrow_array::{UInt64Array, Utf8Array};
use arrow_compute::{Distinct, Extreme};
use arrow_data::RecordBatch;
use arrow_ipc_tools::{
    ColumnSummary, Escaped, JsonLine, Summary, SummaryOptions, ToolError, ToolErrorKind, summarize,
    summary_as_json,
};
use arrow_text::{BatchTable, TableOptions};

use crate::{
    args::StatsArgs,
    exit::{Failure, Status, note},
    inputs::{each, n_threads},
    names::{InputName, OutputName},
    output::buffered_stdout,
    progress::Watcher,
    terminal::{counted, stdout_width},
};

/// Continues after an invalid input; returns the worst status.
pub(crate) fn run(args: &StatsArgs) -> Result<Status, Failure> {
    let options = SummaryOptions::new().with_threads(n_threads(args.threads));
    let options = match &args.columns {
        Some(columns) => options.with_columns(columns.0.clone()),
        None => options,
    };
    let mut separator = "";
    each(&args.files, |name| {
        let summary = summarize(name.open()?, &options, &mut Watcher::default())?;
        let head = match args.files.len() {
            1 => String::new(),
            _ => format!("{separator}{}:\n", Escaped(&name.to_string())),
        };
        separator = "\n";
        show(args, (name, &head), &summary)
    })
}

fn show(args: &StatsArgs, (name, head): (&InputName, &str), summary: &Summary) -> Result<Status, Failure> {
    let mut out = buffered_stdout();
    let written = if args.json {
        writeln!(out, "{}", JsonLine(&summary_as_json(&name.into(), summary)))
    } else {
        let table = table_of(summary, stdout_width());
        let table = table.map_err(|error| ToolError::new(name.into(), ToolErrorKind::Values(error)))?;
        write!(out, "{head}{table}{}", headline(summary))
    };
    written.and_then(|()| out.flush()).map_err(|error| Failure::Write { name: OutputName::Stdout, error })?;
    Ok(match summary.trailing_bytes {
        None => Status::Fine,
        Some(rest) => {
            note(&format!("{name}: {rest}"));
            Status::DataLost
        }
    })
}

/// One line for the whole.
fn headline(summary: &Summary) -> String {
    let rows = counted(summary.n_rows, ["row", "rows"]);
    let batches = counted(summary.n_batches, ["batch", "batches"]);
    match summary.n_bytes {
        Some(n_bytes) => format!("{rows} in {batches}, {}\n", counted(n_bytes, ["byte", "bytes"])),
        None => format!("{rows} in {batches}\n"),
    }
}

/// A table with a row for each column.
fn table_of(summary: &Summary, width: Option<usize>) -> Result<String, arrow_array::ArrayError> {
    let texts = |text: fn(&ColumnSummary) -> String| {
        Utf8Array::try_from_iter(summary.columns.iter().map(text)).map(Into::into)
    };
    let size = |n_bytes: fn(&ColumnSummary) -> Option<u64>| {
        let sizes: Option<Vec<u64>> = summary.columns.iter().map(n_bytes).collect();
        match sizes {
            Some(sizes) => Ok(UInt64Array::from(sizes).into()),
            None => {
                let sizes = summary.columns.iter().map(n_bytes);
                let sizes =
                    sizes.map(|size| size.map_or_else(|| "unknown".to_owned(), |size| size.to_string()));
                Utf8Array::try_from_iter(sizes).map(Into::into)
            }
        }
    };
    let nulls = UInt64Array::from_iter(summary.columns.iter().map(|column| column.statistics.n_nulls()));
    let mut columns = vec![
        ("column", texts(|column| column.field.name().to_owned())?),
        ("type", texts(|column| column.field.data_type().to_string())?),
        ("nulls", nulls.into()),
        ("distinct", texts(|column| distinct(column.statistics.distinct()))?),
        ("min", texts(|column| extreme(column.statistics.min(), column))?),
        ("max", texts(|column| extreme(column.statistics.max(), column))?),
        (
            "mean length",
            texts(|column| column.statistics.mean_len().map_or_else(none, |mean| format!("{mean:.1}")))?,
        ),
    ];
    if summary.columns.iter().all(|column| column.size.is_some()) {
        let shares = summary.columns.iter().map(|column| {
            let (part, whole) = (column.size.map_or(0, |size| size.n_stored), summary.n_bytes.unwrap_or(0));
            format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
        });
        columns.push(("bytes", size(|column| column.size.map(|size| size.n_stored))?));
        columns.push(("decompressed", size(|column| column.size.and_then(|size| size.n_decompressed))?));
        columns.push(("share", Utf8Array::try_from_iter(shares)?.into()));
    }
    columns.push(("values", texts(sparkline)?));
    let batch = RecordBatch::try_from_columns(columns)?;
    let options = TableOptions::new();
    let options = width.map_or(options.clone(), |width| options.with_max_width(width));
    let table = BatchTable::try_new(&batch, &options)?.to_string();
    // The second line has the types of these columns, which mean nothing here.
    let lines = table.split_inclusive('\n').enumerate().filter(|(idx, _)| *idx != 1);
    Ok(lines.map(|(_, line)| line).collect())
}

fn none() -> String {
    "-".to_owned()
}

fn distinct(distinct: Distinct) -> String {
    match distinct {
        Distinct::Exact(n) => n.to_string(),
        Distinct::Estimate(n) => format!("about {n}"),
        Distinct::Unknown => none(),
    }
}

fn extreme(extreme: Option<Extreme>, column: &ColumnSummary) -> String {
    match extreme {
        Some(extreme) => extreme.to_string(),
        None if column.statistics.has_order() => none(),
        None => "no order".to_owned(),
    }
}

/// How often values are in each of some intervals, as blocks of that height.
fn sparkline(column: &ColumnSummary) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const N_BINS: usize = 12;
    let Some(bins) = column.statistics.histogram(N_BINS) else { return String::new() };
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let mut line = String::new();
    for bin in bins {
        // None at all is a space, and a few are seen.
        let height = bin.saturating_mul(BLOCKS.len() as u64).div_ceil(most);
        let block = usize::try_from(height).ok().and_then(|height| height.checked_sub(1));
        let _ = line.write_char(block.and_then(|block| BLOCKS.get(block)).copied().unwrap_or(' '));
    }
    line
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;
    use arrow_compute::Statistics;
    use arrow_ipc_tools::ColumnSize;
    use arrow_schema::{DataType, Field};

    use super::*;

    #[test]
    fn a_size_that_is_unknown_is_not_zero() {
        let column = |name: &str, n_decompressed| ColumnSummary {
            field: Field::new(name, DataType::Int64),
            statistics: Statistics::new(DataType::Int64),
            size: Some(ColumnSize { n_stored: 8, n_decompressed }),
        };
        let table = |sizes: [Option<u64>; 2]| {
            let [a, b] = sizes;
            let columns = vec![column("a", a), column("b", b)];
            let (n_rows, n_batches, n_bytes) = (0, 0, Some(100));
            table_of(&Summary { n_rows, n_batches, n_bytes, columns, trailing_bytes: None }, None).unwrap()
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
            sparkline(&ColumnSummary { field: Field::new("a", DataType::Int64), statistics, size: None })
        };
        assert_eq!(shown(vec![]), "");
        assert_eq!(shown(vec![5]), "█           ");
        assert_eq!(shown((0..1200).collect()), "████████████");
        let rising: Vec<i64> = (0..12).flat_map(|n| vec![n; (n + 1) as usize]).collect();
        assert_eq!(shown(rising), "▁▂▂▃▄▄▅▆▆▇██");
        assert_eq!(shown([vec![0; 1000], vec![11]].concat()), "█          ▁");
    }
}
