//! The cases that arrow-rs writes: families of types in three variants each, then one case per peculiarity.

mod families;
mod peculiar;
mod protocol;

use crate::format::Format;
use crate::seeded::Seeded;
use crate::theirs::Source;
use families::{every_type_schema, families};
use rs_array::RecordBatch;
use rs_ipc::writer::IpcWriteOptions;
use rs_schema::{Schema, SchemaRef};
use std::sync::Arc;

/// What the files of one case are written from.
pub struct Case {
    pub name: String,
    pub about: String,
    pub source: Source,
    /// What it is written as.
    pub formats: Vec<Format>,
    /// Whether batches come with other dictionaries than those before, so that files cannot hold them without deltas.
    pub dictionaries_change: bool,
}

impl Case {
    fn new(
        name: impl Into<String>,
        about: impl Into<String>,
        schema: &SchemaRef,
        batches: Vec<RecordBatch>,
    ) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
            source: Source {
                schema: schema.clone(),
                batches,
                options: IpcWriteOptions::default(),
                footer_metadata: Vec::new(),
            },
            formats: Format::ALL.to_vec(),
            dictionaries_change: false,
        }
    }

    fn with_options(mut self, options: IpcWriteOptions) -> Self {
        self.source.options = options;
        self
    }
}

pub fn all_cases() -> Vec<Case> {
    let families = families().into_iter().enumerate();
    let mut cases: Vec<_> = families
        .flat_map(|(k, (name, about, fields))| {
            family_cases(name, about, &Arc::new(Schema::new(fields)), 10_000 + 100 * k as u64)
        })
        .collect();
    cases.extend(every_type_cases());
    cases.extend(peculiar::cases());
    cases.extend(protocol::cases());
    cases
}

fn family_cases(name: &str, about: &str, schema: &SchemaRef, seed: u64) -> [Case; 3] {
    let full = Seeded::new(seed, 0).batch(schema, 22);
    let mut maker = Seeded::new(seed + 1, 3);
    let nulls = vec![maker.batch(schema, 11), maker.batch(schema, 0)];
    let whole = Seeded::new(seed + 2, 3).batch(schema, 20);
    let slices = [(3, 7), (12, 8)].map(|(start, n)| whole.slice(start, n)).to_vec();
    [
        Case::new(format!("{name}-full"), format!("{about}: one batch without nulls"), schema, vec![full]),
        Case::new(
            format!("{name}-nulls"),
            format!("{about}: a batch with nulls, one without rows"),
            schema,
            nulls,
        ),
        Case::new(format!("{name}-sliced"), format!("{about}: slices of one batch"), schema, slices),
    ]
}

fn every_type_cases() -> [Case; 4] {
    let schema = every_type_schema();
    let batch = |seed, one_null_in, n_rows| vec![Seeded::new(seed, one_null_in).batch(&schema, n_rows)];
    let case = |name: &str, about: &str, batches| {
        Case::new(format!("every-type-{name}"), format!("one column of each type, {about}"), &schema, batches)
    };
    [
        case("no-batches", "no batch", vec![]),
        case("empty", "one batch without rows", batch(19_000, 3, 0)),
        case("all-null", "all null where that can be", batch(19_001, 1, 5)),
        case("one-row", "one row", batch(19_002, 0, 1)),
    ]
}
