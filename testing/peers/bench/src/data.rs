//! The batches that are read and written. They are made from a seed, and are the same in every run.

mod changing;
mod columns;
mod generated;
mod published;
mod text;

use crate::format::Format;
use crate::{ours, theirs};
use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, WriteOptions};
use arrow_schema::Schema;
use rs_array::ArrayRef;
use rs_ipc::writer::IpcWriteOptions;
use std::fmt;
use std::sync::Arc;
use testing_support::Rng;

pub use self::{columns::Column, published::Published};

/// How batches are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipe {
    /// Ten rows of four columns: two of 64-bit numbers, one of 32-bit numbers with nulls, one of utf8.
    Tiny { n_batches: usize },
    /// Columns of ten 64-bit numbers.
    Wide { n_columns: usize, n_batches: usize },
    /// Columns of one kind. `name` is the name of the kind.
    Columns { name: &'static str, column: Column, n_columns: usize, n_rows: usize, n_batches: usize },
    /// Seven columns of many types, similar to tables of users.
    Mixed { n_rows: usize, n_batches: usize },
    /// A dictionary-encoded column. The dictionary of each batch has `n_words` values more than that of the previous
    /// batch.
    Growing { n_batches: usize, n_words: usize },
    /// A dictionary-encoded column. Each batch has a different dictionary.
    NewDictionaries { n_batches: usize, n_values: usize },
    /// A type of the format, by its name in the list that all tests use.
    Type { name: String },
    /// Batches of the shape of a bench that others have published.
    Public(Published),
}

/// Whether code may be tuned with the data, or the data is used to check that a change also helps with other data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    Tuned,
    HeldOut,
    /// The data of published benches, with which nobody tunes either.
    Published,
}

/// The batches, and a stream of them. The stream is written by another implementation if it supports the type.
pub struct Data {
    pub schema: Arc<Schema>,
    pub batches: Vec<RecordBatch>,
    pub plain: Vec<u8>,
    /// Whether our writer has written the stream.
    pub is_by_ours: bool,
}

impl Default for Data {
    fn default() -> Data {
        Data { schema: Arc::default(), batches: Vec::new(), plain: Vec::new(), is_by_ours: true }
    }
}

impl Set {
    /// The seed of the random numbers.
    pub fn seed(self) -> u64 {
        match self {
            Set::Tuned => 12,
            Set::HeldOut => 97,
            Set::Published => 20_261_129,
        }
    }
}

impl Data {
    /// Makes batches.
    ///
    /// # Errors
    /// If a writer or reader fails, which must not happen.
    pub fn make(recipe: &Recipe, set: Set) -> Result<Data, String> {
        let mut rng = Rng::new(set.seed());
        match recipe {
            Recipe::Growing { n_batches, n_words } => changing::growing(*n_batches, *n_words, set, &mut rng),
            Recipe::NewDictionaries { n_batches, n_values } => {
                changing::replaced(*n_batches, *n_values, set, &mut rng)
            }
            Recipe::Type { name } => generated::make(name, set),
            Recipe::Public(published) => published.make(set),
            _ => {
                let n_batches = recipe.n_batches();
                let batches: Vec<_> = (0..n_batches)
                    .map(|_| columns::batch(recipe, set, &mut rng))
                    .collect::<Result<_, _>>()?;
                Data::of_theirs(batches)
            }
        }
    }

    fn of_theirs(batches: Vec<rs_array::RecordBatch>) -> Result<Data, String> {
        let schema = batches.first().ok_or("there are no batches")?.schema();
        let options = IpcWriteOptions::default();
        let source = theirs::Source { schema, batches, options, footer_metadata: Vec::new() };
        let plain = theirs::write(&source, Format::Stream).map_err(|error| error.to_string())?;
        let (schema, batches) = ours::read(&plain, Format::Stream).map_err(|error| error.to_string())?;
        Ok(Data { schema, batches, plain, is_by_ours: false })
    }

    /// Data that arrow-rs cannot write.
    fn of_ours(schema: Arc<Schema>, batches: Vec<RecordBatch>) -> Result<Data, String> {
        let options = WriteOptions::default().with_dictionaries(DictionaryPolicy::Delta);
        let plain = ours::write_with_options(&schema, &batches, options, Format::Stream);
        let plain = plain.map_err(|error| error.to_string())?;
        Ok(Data { schema, batches, plain, is_by_ours: true })
    }
}

impl Recipe {
    pub fn n_batches(&self) -> usize {
        match self {
            Recipe::Tiny { n_batches }
            | Recipe::Wide { n_batches, .. }
            | Recipe::Columns { n_batches, .. }
            | Recipe::Mixed { n_batches, .. }
            | Recipe::Growing { n_batches, .. }
            | Recipe::NewDictionaries { n_batches, .. } => *n_batches,
            Recipe::Type { .. } => 1,
            Recipe::Public(published) => published.n_batches(),
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recipe::Tiny { n_batches } => write!(f, "{n_batches} batches of 10 rows × 4 columns"),
            Recipe::Wide { n_columns, n_batches: 1 } => write!(f, "{n_columns} columns"),
            Recipe::Wide { n_columns, n_batches } => write!(f, "{n_batches} batches of {n_columns} columns"),
            Recipe::Columns { name, .. } => f.write_str(name),
            Recipe::Mixed { n_batches: 1, .. } => f.write_str("mixed types, one batch"),
            Recipe::Mixed { .. } => f.write_str("mixed types"),
            Recipe::Growing { n_batches, n_words } => write!(f, "{n_batches} deltas of {n_words} words"),
            Recipe::NewDictionaries { n_values, .. } => {
                write!(f, "a new dictionary of {n_values} values each batch")
            }
            Recipe::Type { name } => f.write_str(name),
            Recipe::Public(published) => write!(f, "{published:?}"),
        }
    }
}

/// An arrow-rs batch of named columns, all nullable.
fn their_batch(columns: Vec<(String, ArrayRef)>) -> Result<rs_array::RecordBatch, String> {
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    rs_array::RecordBatch::try_from_iter_with_nullable(columns).map_err(|error| error.to_string())
}
