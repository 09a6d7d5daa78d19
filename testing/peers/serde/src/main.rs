//! Compares the conversion of rows of a serde type to a batch and back with `serde_arrow`. Both run in turns; the best of
//! many rounds is printed.
//!
//! `bench-serde ours|theirs write|read N` does the work N times with one of the libraries, for tools that count
//! instructions.

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use arrow_schema::Schema;
use arrow_serde::{BatchRows, to_batch};
use rs_schema::{DataType, Field, FieldRef};
use serde::{Deserialize, Serialize};

const N_ROWS: usize = 10_000;
const N_ROUNDS: usize = 200;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: i64,
    name: String,
    score: f64,
    active: bool,
    tag: Option<String>,
    count: Option<u32>,
}

/// The work of one library. It returns a number, so that the compiler cannot remove the work.
type Work<'a> = Box<dyn FnMut() -> usize + 'a>;

fn rows() -> Vec<Row> {
    let row = |idx: usize| Row {
        id: idx as i64 * 7_919,
        name: format!("name {idx}"),
        score: idx as f64 / 3.0,
        active: idx % 3 == 0,
        tag: (idx % 4 > 0).then(|| format!("tag {}", idx % 10)),
        count: (idx % 5 > 0).then_some(idx as u32),
    };
    (0..N_ROWS).map(row).collect()
}

fn main() {
    let rows = rows();
    let text = "id: int64 not null\nname: utf8 not null\nscore: float64 not null\nactive: bool not null\ntag: utf8\ncount: uint32";
    let schema: Arc<Schema> = Arc::new(text.parse().expect("it is a schema"));
    let field = |name: &str, data_type, is_nullable| -> FieldRef {
        Arc::new(Field::new(name, data_type, is_nullable))
    };
    let fields = [
        field("id", DataType::Int64, false),
        field("name", DataType::Utf8, false),
        field("score", DataType::Float64, false),
        field("active", DataType::Boolean, false),
        field("tag", DataType::Utf8, true),
        field("count", DataType::UInt32, true),
    ];
    let ours = to_batch(Arc::clone(&schema), &rows).expect("they fit");
    let theirs = serde_arrow::to_record_batch(&fields, &rows).expect("they fit");
    let read_ours = || -> Vec<Row> {
        let read = BatchRows::try_new(&ours).expect("it is valid");
        read.iter().collect::<Result<_, _>>().expect("they fit")
    };
    let read_theirs = || -> Vec<Row> { serde_arrow::from_record_batch(&theirs).expect("they fit") };
    assert_eq!(read_ours(), rows);
    assert_eq!(read_theirs(), rows);

    let write: [Work<'_>; 2] = [
        Box::new(|| to_batch(Arc::clone(&schema), &rows).expect("they fit").n_rows()),
        Box::new(|| serde_arrow::to_record_batch(&fields, &rows).expect("they fit").num_rows()),
    ];
    let read: [Work<'_>; 2] = [Box::new(|| read_ours().len()), Box::new(|| read_theirs().len())];

    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [side, what, n_times] = &words[..] {
        let [mut ours, mut theirs] = if what == "write" { write } else { read };
        let n_times: usize = n_times.parse().expect("a number");
        for _ in 0..n_times {
            black_box(if side == "ours" { ours() } else { theirs() });
        }
        return;
    }
    println!("| {N_ROWS} rows of 6 columns | ours | serde_arrow | serde_arrow / ours |\n|---|--:|--:|--:|");
    for (name, works) in [("rows to a batch", write), ("a batch to rows", read)] {
        let [ours, theirs] = best(works);
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        println!("| {name} | {ours:.2?} | {theirs:.2?} | {ratio:.2} |");
    }
}

/// The shortest of many rounds of each, run in turns.
fn best(mut works: [Work<'_>; 2]) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..N_ROUNDS {
        for (work, best) in works.iter_mut().zip(&mut best) {
            let start = Instant::now();
            black_box(work());
            *best = (*best).min(start.elapsed());
        }
    }
    best
}
