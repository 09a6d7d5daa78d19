//! Tests through the public interface, in one program.

mod dynamic;
mod errors;
mod hostile;
mod numbers;
mod pairs;
mod structs;
mod trace;
mod trip;

use arrow_data::RecordBatch;
use arrow_schema::Schema;
use arrow_text::JsonRows;
use testing_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn schema(text: &str) -> Schema {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The rows of a batch as lines of JSON.
fn json(batch: &RecordBatch) -> String {
    let mut out = Vec::new();
    JsonRows::try_new(batch).expect("it is valid").write_to(&mut out).expect("memory takes all");
    String::from_utf8(out).expect("JSON is text")
}
