//! What is measured: a name, data, and the work to be done with it. Every contestant does the same work.

use crate::data::Recipe;
use crate::format::Format;

/// A row of the table.
#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub data: Recipe,
    pub codec: Option<Codec>,
    pub work: Work,
    /// What times are divided by, and its name: a batch, a column, or the whole work.
    pub per: (u32, &'static str),
    pub group: Group,
}

/// The part of the page in which a case is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// What users do most.
    Main,
    /// The same work on more and more batches, columns or values: costs for each must stay what they are.
    Growth { family: &'static str, size: u32 },
    /// Each type by itself.
    Types,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Lz4,
    /// At level 1, which is the default of C++.
    Zstd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Read(Read),
    Write(Write),
    /// A stream in which each batch comes with a dictionary that has more values than before.
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

/// Where the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// In memory, which batches may share.
    Memory,
    /// In memory that is seen through `std::io::Read` only.
    Reader,
    /// In a file, which is in the cache of the system.
    Disk,
}

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Nothing but the schema, and the footer of a file.
    Schema,
    Batch(usize),
    /// This column of one batch.
    Column(usize),
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batches {
    /// Each is dropped before the next is read.
    Dropped,
    /// All are there at the end.
    Kept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// Of all content; polars checks some of it.
    Default,
    /// Of none, by those that can leave them out.
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
    /// The batches alone, by a writer that has begun, to memory that was written before.
    Reused,
    /// All of it to new memory, which grows.
    New,
    /// All of it to a file, which is not buffered.
    Disk,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Batches,
    /// Each batch without its first rows, as a slice.
    Slices {
        n_skipped: usize,
    },
    Schema,
}

/// Whether dictionaries that grow have the values that they had before in the same memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    Same,
    Other,
}

/// Each batch of a dictionary that grows is compared as far as this: some readers copy all of its values for each.
const MAX_COMPARED_GROWING: usize = 500;

impl Case {
    /// How many of the batches that were read are compared with the data.
    pub fn max_compared(&self) -> usize {
        if self.is_growing() { MAX_COMPARED_GROWING } else { usize::MAX }
    }

    /// Whether each batch has the dictionary of the one before, and more.
    pub fn is_growing(&self) -> bool {
        matches!(self.data, Recipe::Growing { .. })
    }

    /// Bytes of the input of readers are compressed if there is a codec.
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
