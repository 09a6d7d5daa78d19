//! How text is read: CSV and lines of JSON.

use std::{num::NonZero, path::PathBuf};

use clap::{Args, ValueEnum};

use super::show::Delimiter;

/// How text is read.
#[derive(Debug, Args)]
pub(crate) struct TextArgs {
    /// Read text: CSV with a line of names, or JSON with one object on each line [default: by the content of a file; of a
    /// pipe it has to be said]. It may be compressed by gzip or Zstandard
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<TextForm>,
    /// Infer the schema of text from its first N rows, unless --schema gives one
    #[arg(long, value_name = "N", default_value_t = NonZero::new(1000).unwrap_or(NonZero::<usize>::MIN))]
    pub(crate) infer_rows: NonZero<usize>,
    /// The separator of cells of CSV: one ASCII character, or '\t' for a tab [default: what the first line has most of: , ;
    /// tab |]
    #[arg(long, value_name = "CHAR")]
    pub(crate) delimiter: Option<Delimiter>,
    /// CSV begins with a row, not with names; its columns are c0, c1 and so on, or those of --schema in order
    #[arg(long)]
    pub(crate) no_header: bool,
}

/// `--schema`, for text.
#[derive(Debug, Args)]
pub(crate) struct GivenSchemaArgs {
    /// The schema of text: a file with a schema as `schema` prints it, with or without --json, or an Arrow file or stream
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
}

/// A form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextForm {
    /// Comma-separated values
    Csv,
    /// One JSON object on each line
    Jsonl,
}
