//! The C stream interface, rows of serde types, plans, and messages that are not decoded.

use std::io;

use arrow_c_data::ArrowArrayStream;
use arrow_data::{DataError, Validation};
use arrow_ipc::{Limits, MessageKind, MessageStep, Messages, WriteOptions, WrittenContainer};
use arrow_ipc_rewrite::Transcoder;
use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::Schema;
use arrow_serde::{BatchRows, to_batch};
use serde::{Deserialize, Serialize};

use crate::HotPath;
use crate::data::{self, stream};

#[derive(Serialize, Deserialize)]
struct Person {
    id: i64,
    name: String,
    score: f64,
    tag: Option<String>,
}

pub(super) fn exchange() -> Vec<HotPath> {
    let small = data::small();
    let messages = stream(&vec![data::small(); 100], WriteOptions::default());
    let schema = small.schema().clone();
    vec![
        HotPath::new("export and import a batch of 10 rows × 4 columns", 100, move || {
            let batches = std::iter::repeat_n(small.clone(), 100).map(Ok::<_, DataError>);
            let stream = ArrowArrayStream::new(small.schema().clone(), batches);
            let batches = stream.into_batches(Validation::Content).expect("it has a schema");
            batches.map(|batch| batch.expect("it is valid").n_rows()).sum::<usize>()
        }),
        HotPath::new("copy a message of a stream to a file, not decoded", 100, move || {
            let mut input = Messages::new(Limits::default());
            input.feed(messages.clone());
            input.finish_input();
            let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::File).expect("it starts");
            while let MessageStep::Message(message) = input.step().expect("it is valid") {
                if message.kind() != MessageKind::Schema {
                    transcoder.copy(&message).expect("it fits").write_to(&mut io::sink()).expect("it fits");
                }
            }
        }),
    ]
    .into_iter()
    .chain(people())
    .chain(plans())
    .collect()
}

fn people() -> [HotPath; 2] {
    let person = |idx: usize| Person {
        id: idx as i64 * 7_919,
        name: format!("name {idx}"),
        score: idx as f64 / 3.0,
        tag: (!idx.is_multiple_of(4)).then(|| format!("tag {}", idx % 10)),
    };
    let people: Vec<Person> = (0..1_000).map(person).collect();
    let schema: Schema = "id: int64 not null\nname: utf8 not null\nscore: float64 not null\ntag: utf8"
        .parse()
        .expect("a schema");
    let batch = to_batch(schema.clone(), &people).expect("they fit");
    [
        HotPath::new("a row of a serde type to a batch", 1_000, move || {
            to_batch(schema.clone(), &people).expect("they fit")
        }),
        HotPath::new("a row of a batch to a serde type", 1_000, move || {
            let rows = BatchRows::try_new(&batch).expect("it is valid");
            rows.iter::<Person>().map(|row| row.expect("it fits").name.len()).sum::<usize>()
        }),
    ]
}

/// A plan of a file with 1,000 batches of 20 columns, which is not written.
fn plans() -> [HotPath; 2] {
    fn plan() -> Plan {
        let mut builder =
            PlanBuilder::try_new(data::wide(20).schema(), WrittenContainer::File).expect("it starts");
        let shape = BatchShape::new(65_536).with_column(3, ColumnShape::new().with_nulls(7));
        builder.push(&shape, 1_000).expect("it fits");
        builder.finish().expect("it fits")
    }
    let planned = plan();
    let provider = |_: &PlannedData<'_>, to: &mut [u8]| {
        to.fill(7);
        Ok(to.len())
    };
    let mut bytes = vec![0; 64 << 10];
    [
        HotPath::new("plan a file of 1,000 batches of 20 columns", 1, plan),
        HotPath::new("read 64 KiB of a planned file", 1, move || {
            planned.read_into(planned.len() / 3, &mut bytes, &provider).expect("it is inside")
        }),
    ]
}
