//! What an input has and the output does not.

use std::fmt;

use arrow_schema::{Metadata, QuotedName};

use crate::error::{Contradiction, name::InputName, trailing::TrailingBytes};

/// Something in an input that is not in the output.
#[derive(Debug, thiserror::Error)]
pub enum Loss {
    /// Trailing bytes after the last stream. They were not read.
    #[error("{0}")]
    TrailingBytes(TrailingBytes),
    /// Entries in the metadata of the schema message of a file that are not in the footer metadata. A stream gets the
    /// footer metadata.
    #[error("the metadata {0} of the schema message is not in the footer, and is lost")]
    SchemaMetadata(Metadata),
    /// The metadata of dictionary messages. Either the messages were joined, or they were not written because the
    /// output already had the dictionary.
    #[error("the custom metadata of {} is lost", several(*n_dictionaries, "a dictionary message", "dictionary messages"))]
    DictionaryMetadata {
        /// The number of dictionaries whose metadata is lost.
        n_dictionaries: usize,
    },
    /// Digits of numbers that were cut, because the new type of the column cannot store them.
    #[error("column `{column}`: {n_values} {} lost digits", if *n_values == 1 { "value" } else { "values" })]
    Digits {
        /// The name of the column in the output.
        column: String,
        /// The number of values that have lost digits. A value in a dictionary counts once, however many slots refer to
        /// it.
        n_values: u64,
        /// How many of them are values of dictionaries.
        n_in_dictionaries: u64,
    },
    /// The metadata of batches that were joined to batches with different metadata, or of batches without rows if rows are split by values.
    #[error("the custom metadata of {} joined to others is lost", several(*n_batches, "a batch that was", "batches that were"))]
    BatchMetadata {
        /// The number of batches whose metadata is lost.
        n_batches: usize,
    },
    /// The metadata of a column whose values are names of folders, so that no file has the column.
    #[error("the metadata of column {} is lost, since its values are names of folders", QuotedName(column))]
    FolderMetadata {
        /// The name of the column.
        column: String,
        /// Its metadata.
        metadata: Metadata,
    },
    /// Tensors between the batches, which files cannot have.
    #[error(
        "{} lost: files have no place for {}",
        several(*n_tensors, ONE_TENSOR, TENSORS),
        if *n_tensors == 1 { "it" } else { "them" }
    )]
    Tensors {
        /// The number of tensors.
        n_tensors: usize,
    },
    /// Tensors between the batches that were not written because only rows were selected: some of them, or those of several
    /// inputs with the columns of all.
    #[error("{} left out, because only rows were selected, and tensors are not rows", several(*n_tensors, ONE_TENSOR, TENSORS))]
    UnselectedTensors {
        /// The number of tensors.
        n_tensors: usize,
    },
    /// Metadata of later streams that differs from the metadata of the first stream.
    #[error("the metadata of a stream after the first differs, and is lost")]
    LaterMetadata,
    /// Metadata of an input that differs from the output metadata. The output has the metadata of the first input, or
    /// of the file to which rows are appended.
    #[error("the metadata of the input differs from that of the output, and is lost")]
    OtherMetadata,
    /// The metadata of files of a data set. If the schema metadata differs between files, the output has the schema
    /// metadata of the first file. The metadata of footers and batches is lost.
    #[error(
        "metadata of some files of the data set is lost: their schemas, footers or batches have other metadata than the output"
    )]
    FileMetadata,
    /// Messages of a file that the footer does not list, or lists twice. The output has the batches that the footer
    /// lists.
    #[error("{0}; the batches that the footer lists were written")]
    Contradiction(Contradiction),
    /// The same in files of a data set.
    #[error("{file}: {what}; the batches that the footer lists were written{}", AndMoreFiles(*n_more))]
    FileContradiction {
        /// The first file whose footer disagrees with the stream inside it.
        file: InputName,
        /// The first difference.
        what: Contradiction,
        /// The number of files after it whose footers disagree.
        n_more: usize,
    },
}

const ONE_TENSOR: &str = "a tensor between the batches is";
const TENSORS: &str = "tensors between the batches are";

impl Loss {
    /// Takes the number of another loss of the same kind, if that is greater.
    pub(crate) fn grow_to(&mut self, other: &Loss) {
        match (self, other) {
            (
                Loss::DictionaryMetadata { n_dictionaries: n },
                Loss::DictionaryMetadata { n_dictionaries: now },
            )
            | (Loss::UnselectedTensors { n_tensors: n }, Loss::UnselectedTensors { n_tensors: now }) => {
                *n = (*n).max(*now);
            }
            _ => {}
        }
    }
}

/// Names one thing with `one`, and several things with their number and `more`.
fn several(n: usize, one: &str, more: &str) -> String {
    if n == 1 { one.to_owned() } else { format!("{n} {more}") }
}

/// Says that the same was found in more files.
struct AndMoreFiles(usize);

impl fmt::Display for AndMoreFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AndMoreFiles(0) => Ok(()),
            AndMoreFiles(1) => f.write_str("; the footer of 1 more file disagrees"),
            AndMoreFiles(n) => write!(f, "; the footers of {n} more files disagree"),
        }
    }
}
