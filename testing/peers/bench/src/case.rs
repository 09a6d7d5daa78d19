//! A case: a name, data, and the work to measure. Every contestant does the same work.

use crate::data::Recipe;
use crate::format::Format;

/// A row of the table.
#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub data: Recipe,
    pub codec: Option<Codec>,
    pub work: Work,
    /// The number by which times are divided, and the unit: a batch, a column, or the whole work.
    pub per: (u32, &'static str),
    pub group: Group,
}

/// The part of the page in which a case is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The most frequent operations.
    Main,
    /// The same work with an increasing number of batches, columns or values. The cost of each must stay the same.
    Growth { family: &'static str, size: u32 },
    /// Each type separately.
    Types,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Lz4,
    /// Validation 1, which is the default of Arrow C++.
    Zstd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Read(Read),
    Write(Write),
    /// Writes a stream in which each batch comes with a dictionary that has more values than the previous one.
    WriteGrowing(Memory),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    pub from: From,
    pub container: Format,
    pub take: Take,
    pub batches: Batches,
    pub checks: Checks,
}

/// Where the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// In memory that batches may share.
    Memory,
    /// In memory that can be read only through `std::io::Read`.
    Reader,
    /// In a file that is in the cache of the system.
    Disk,
}

/// The part of the input that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Only the schema, and the footer of a file.
    Schema,
    Batch(usize),
    /// This column of one batch.
    Column(usize),
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batches {
    /// Each batch is dropped before the next one is read.
    Dropped,
    /// All batches are kept until the end.
    Kept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// All content is validated; polars validates only some of it.
    Default,
    /// No content is validated, if the contestant allows this.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    pub to: To,
    pub container: Format,
    pub what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// Only the batches are written, by an open writer, to memory that was written before.
    Reused,
    /// A complete stream or file is written to new memory, which grows.
    New,
    /// A complete stream or file is written to a file without a buffer.
    Disk,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Batches,
    /// Slices of the batches without their first rows are written.
    Slices {
        n_skipped: usize,
    },
    Schema,
}

/// Whether a growing dictionary keeps its earlier values in the same memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    Same,
    Other,
}

/// The greatest number of batches with growing dictionaries that are compared. Some readers copy all values of the
/// dictionary for each batch.
const MAX_COMPARED_GROWING: usize = 500;

impl Case {
    /// The number of batches that are compared with the data.
    pub fn max_compared(&self) -> usize {
        if self.is_growing() { MAX_COMPARED_GROWING } else { usize::MAX }
    }

    /// Whether the dictionary of each batch extends that of the previous batch.
    pub fn is_growing(&self) -> bool {
        matches!(self.data, Recipe::Growing { .. })
    }

    /// The container of the case. The input of readers is compressed if there is a codec.
    pub fn container(&self) -> Format {
        match self.work {
            Work::Read(read) => read.container,
            Work::Write(write) => write.container,
            Work::WriteGrowing(_) => Format::Stream,
        }
    }
}

impl Codec {
    pub const ALL: [Self; 2] = [Self::Lz4, Self::Zstd];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lz4 => "LZ4",
            Self::Zstd => "ZSTD",
        }
    }
}
