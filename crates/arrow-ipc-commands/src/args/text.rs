//! How text is read: CSV and lines of JSON.

use std::{num::NonZero, path::PathBuf};

use clap::{Args, ValueEnum};

use super::show::Delimiter;

/// How text is read.
#[derive(Debug, Default, Args)]
pub(crate) struct TextArgs {
    /// Read text: CSV with a line of names, or JSON with one object on each line [default: by the content of a file; of a
    /// pipe it has to be said]. It may be compressed by gzip or Zstandard
    #[arg(long, help_heading = "Text", value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<TextForm>,
    /// Infer the schema of text from its first N rows, which are read even if fewer are wanted [default: 1000]
    #[arg(long, help_heading = "Text", value_name = "N")]
    pub(crate) infer_rows: Option<NonZero<usize>>,
    /// The separator of cells of CSV: one ASCII character, or '\t' for a tab [default: what the first line has most of: , ;
    /// tab |]
    #[arg(long, help_heading = "Text", value_name = "CHAR")]
    pub(crate) delimiter: Option<Delimiter>,
    /// CSV begins with a row, not with names; its columns are c0, c1 and so on
    #[arg(long, help_heading = "Text")]
    pub(crate) no_header: bool,
}

impl TextArgs {
    /// The first option that is given and that Arrow data has no use for.
    pub(crate) fn of_text(&self) -> Option<&'static str> {
        self.infer_rows.map(|_| "--infer-rows").or(self.of_csv())
    }

    /// The first option that is given and that only CSV has a use for.
    pub(crate) fn of_csv(&self) -> Option<&'static str> {
        self.delimiter.map(|_| "--delimiter").or(self.no_header.then_some("--no-header"))
    }
}

/// `--schema`, for text.
#[derive(Debug, Args)]
pub(crate) struct GivenSchemaArgs {
    /// The schema of text: a file with a schema as `schema` prints it, with or without --json, or an Arrow file or stream.
    /// Nothing is inferred then; with --no-header, its columns are in this order
    #[arg(long, help_heading = "Text", value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
}

/// A form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextForm {
    /// Comma-separated values
    Csv,
    /// One JSON object on each line
    #[value(alias = "json")]
    Jsonl,
}
