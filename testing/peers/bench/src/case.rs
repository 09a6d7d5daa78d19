//! A case: a name, data, and the work to measure. Every contestant does the same work.

use crate::clock::Time;
use crate::data::{Published, Recipe};
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
    pub n_threads: usize,
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
    /// A case of a bench that others have published: its name there, and the shape of its data.
    Public,
    /// Work for one thread or two, which is measured by the clock.
    Threads,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Lz4,
    /// Level 1, which is the default of Arrow C++.
    Zstd,
    /// Level 3, which is the default of arrow-rs and polars.
    Zstd3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Read(Read),
    Write(Write),
    /// Writes a stream or file in which each batch comes with a dictionary that has more values than the previous one.
    WriteGrowing(Memory, Format),
    /// Deals the batches of a stream to several streams, in turns.
    Shuffle {
        n_outputs: usize,
    },
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
    /// In the same file, which is mapped to memory each time.
    Map,
}

/// The part of the input that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Only the schema, and the footer of a file.
    Schema,
    Batch(usize),
    /// This column of one batch.
    Column(usize),
    /// The first column of each eight, of all batches.
    EachEighth,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batches {
    /// Each batch is dropped before the next one is read.
    Dropped,
    /// All batches are kept until the end.
    Retained,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// All content is validated; polars validates only some of it.
    Default,
    /// What each contestant does if nobody asks: ours and arrow-rs validate all content, pyarrow none. For data without text.
    Usual,
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
    /// A complete stream or file is written to memory that was written before.
    Cleared,
    /// A complete stream or file is written to new memory, which grows.
    New,
    /// A complete stream is encoded as slices of memory, which are written nowhere.
    Nowhere,
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
    /// Each batch is written in this number of parts, which are slices of it.
    Parts {
        n_parts: usize,
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
        matches!(self.data, Recipe::Growing { .. } | Recipe::Public(Published::GrowingDictionaries))
    }

    /// The time by which contestants are compared.
    pub fn measure(&self, time: Time) -> f64 {
        if self.group == Group::Threads { time.wall } else { time.processor }
    }

    /// The container of the case. The input of readers is compressed if there is a codec.
    pub fn container(&self) -> Format {
        match self.work {
            Work::Read(read) => read.container,
            Work::Write(write) => write.container,
            Work::WriteGrowing(_, container) => container,
            Work::Shuffle { .. } => Format::Stream,
        }
    }
}

/// The parts of `n_rows` rows: the first row and the number of rows of each.
pub fn parts(n_rows: usize, n_parts: usize) -> impl Iterator<Item = (usize, usize)> {
    let start = move |part: usize| n_rows * part / n_parts;
    (0..n_parts).map(move |part| (start(part), start(part + 1) - start(part)))
}

impl Codec {
    /// Those of the cases that are not of other projects.
    pub const ALL: [Self; 2] = [Self::Lz4, Self::Zstd];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lz4 => "LZ4",
            Self::Zstd => "ZSTD",
            Self::Zstd3 => "ZSTD, level 3",
        }
    }

    /// The level of Zstandard; `None` for LZ4.
    pub fn level(self) -> Option<i32> {
        match self {
            Self::Lz4 => None,
            Self::Zstd => Some(1),
            Self::Zstd3 => Some(3),
        }
    }
}
