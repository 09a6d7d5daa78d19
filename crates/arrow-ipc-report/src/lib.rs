//! Describes results of `arrow-ipc-tools`: as English text with the options of the program `arrow-ipc`, as JSON, and
//! as an HTML page.
//!
//! **Invariant:** nothing is printed here, and nothing is read.
//!
//! - Text: [`ExplanationText`], [`StatsTable`] with [`headline`] and [`dictionary_advice`], [`text_note`] about detected
//!   forms of text, and suggestions for names and values that could not be read.
//! - JSON, with the members that `docs/JSON.md` lists: [`JsonReport`], [`JsonLinesReport`], and functions for single
//!   results. [`schema_from_json`] reads a schema again.
//! - HTML: [`HtmlReport`] shows an inspection.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod describe;
mod explain;
mod json;
mod lookup;
mod numbers;
mod page;
mod schema_json;
mod shell;
mod stats;
mod text_advice;

pub use crate::{
    describe::{feature_name, tensor_note},
    explain::ExplanationText,
    json::{
        JsonLine, JsonLinesReport, JsonReport, diff_summary_as_json, difference_as_json, explanation_as_json,
        schema_as_json, summary_as_json, tensor_as_json,
    },
    lookup::{or_first_row, other_names},
    numbers::{incomplete, ratio_of},
    page::HtmlReport,
    schema_json::{SchemaFromJsonError, SchemaFromJsonErrorKind, schema_from_json},
    shell::{as_argument, name_of_option, quoted},
    stats::{StatsTable, cells_of, dictionary_advice, headline, table_of},
    text_advice::{
        OptionsReading, advice_on_json, column_of_large_number, mixed_column, options_reading, text_note,
        type_that_takes,
    },
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
