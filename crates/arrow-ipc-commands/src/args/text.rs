//! How text is read: CSV and lines of JSON.

use std::{num::NonZero, path::PathBuf};

use arrow_text::{CsvOptions, NullTextError};
use clap::{Args, ValueEnum};

use super::{numbers::at_least_1, show::Delimiter};

/// Which text it is, and how far its schema is inferred.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FormArgs {
    /// Read text: CSV with a line of names, or JSON with one object on each line [default: by the content of a file; a
    /// pipe needs this option]. It may be compressed by gzip or Zstandard
    #[arg(long, help_heading = "Text", value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<TextForm>,
    /// Infer the schema of text from its first N rows, which are read even if fewer are wanted [default: 1000]
    #[arg(long, help_heading = "Text", value_name = "N", value_parser = at_least_1::<NonZero<usize>>)]
    pub(crate) infer_rows: Option<NonZero<usize>>,
    /// Memory for the nulls of text, of which JSON has many where members are missing: BYTES, or 256 times the text if that is
    /// more [default: 268435456]
    #[arg(long, help_heading = "Text", value_name = "BYTES", value_parser = at_least_1::<NonZero<u64>>)]
    pub(crate) max_null_bytes: Option<NonZero<u64>>,
    /// A cell of CSV without quotes that is null, besides an empty one, such as NA or NULL; at most 15 bytes
    #[arg(long, help_heading = "Text", value_name = "TEXT", value_parser = null_text)]
    pub(crate) null: Option<String>,
}

/// How text is read, for commands that write no text of rows.
#[derive(Debug, Default, Args)]
pub(crate) struct TextArgs {
    #[command(flatten)]
    form: FormArgs,
    /// The separator of cells of CSV: one ASCII character, or '\t' for a tab [default: what the first line has most of: , ;
    /// tab |]
    #[arg(long, help_heading = "Text", visible_alias = "from-delimiter", value_name = "CHAR")]
    delimiter: Option<Delimiter>,
    /// CSV begins with a row, not with names; its columns are c0, c1 and so on
    #[arg(long, help_heading = "Text", visible_alias = "from-no-header")]
    no_header: bool,
}

/// How text is read, for commands that read rows: `cat` writes CSV, too, so `--delimiter` is that of its output.
#[derive(Debug, Default, Args)]
pub(crate) struct RowTextArgs {
    #[command(flatten)]
    form: FormArgs,
    /// The separator of cells of CSV that is read: one ASCII character, or '\t' for a tab [default: what the first line has
    /// most of: , ; tab |]
    #[arg(long, help_heading = "Text", value_name = "CHAR")]
    from_delimiter: Option<Delimiter>,
    /// CSV that is read begins with a row, not with names; its columns are c0, c1 and so on
    #[arg(long, help_heading = "Text")]
    from_no_header: bool,
}

/// How text is read, as the options of a command say.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextOptions {
    pub(crate) form: FormArgs,
    pub(crate) delimiter: Option<Delimiter>,
    pub(crate) no_header: bool,
    /// The names of the two options above.
    names: [&'static str; 2],
    /// Whether there are several inputs, some of which may not be text.
    pub(crate) has_others: bool,
}

impl TextArgs {
    /// What the arguments say.
    pub(crate) fn options(&self) -> TextOptions {
        let (form, delimiter, no_header) = (self.form.clone(), self.delimiter, self.no_header);
        TextOptions { form, delimiter, no_header, names: ["--delimiter", "--no-header"], has_others: false }
    }
}

impl RowTextArgs {
    /// What the arguments say of one of several inputs. Some inputs may be text, and others Arrow data.
    pub(crate) fn options(&self, n_inputs: usize) -> TextOptions {
        let (delimiter, no_header) = (self.from_delimiter, self.from_no_header);
        let (names, has_others) = (["--from-delimiter", "--from-no-header"], n_inputs > 1);
        TextOptions { form: self.form.clone(), delimiter, no_header, names, has_others }
    }
}

impl TextOptions {
    /// The form of text, as far as it is given.
    pub(crate) fn text_form(&self) -> arrow_ipc_tools::GivenForm {
        arrow_ipc_tools::GivenForm {
            is_json: self.form.from.map(|form| form == TextForm::Jsonl),
            separator: self.delimiter.map(|delimiter| delimiter.0),
            null: self.form.null.clone(),
            no_header: self.no_header,
        }
    }

    /// The first given option that has no effect on Arrow data.
    pub(crate) fn of_text(&self) -> Option<&'static str> {
        let form = self.form.from.map(|_| "--from").or(self.form.infer_rows.map(|_| "--infer-rows"));
        let nulls = self.form.max_null_bytes.map(|_| "--max-null-bytes");
        form.or(nulls).or(self.of_csv())
    }

    /// The first given option that has an effect on CSV only.
    pub(crate) fn of_csv(&self) -> Option<&'static str> {
        let [delimiter, no_header] = self.names;
        let null = self.form.null.as_ref().map(|_| "--null");
        self.delimiter.map(|_| delimiter).or(self.no_header.then_some(no_header)).or(null)
    }
}

fn null_text(text: &str) -> Result<String, NullTextError> {
    CsvOptions::new().with_null_text(text).map(|_| text.to_owned())
}

/// The argument `--schema`, for text.
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
    Csv,
    // Lines of JSON.
    #[value(alias = "json")]
    Jsonl,
}
