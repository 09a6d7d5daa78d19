//! Describes results of `arrow-ipc-tools`: as English text with the options of the program `arrow-ipc`, and as JSON.
//!
//! **Invariant:** nothing is printed here.
//!
//! - [`explain()`] describes an input: its layout, the size of its columns, its oddities, and what fixes these.
//! - Text: [`ExplanationText`], [`DifferenceText`] and [`DiffSummaryText`], [`NoteText`], [`StatsTable`] with [`stats_headline`] and [`suggest_dictionaries`], [`text_note`] about detected
//!   forms of text, and suggestions for names and values that could not be read.
//! - [`Advice`]: what helps after an error, for a door to say in its own words.
//! - [`TextColors`]: the colours of an explanation on a terminal.
//! - JSON, with the members that `JSON.md` of `arrow-ipc-cli` lists: [`JsonReport`], [`JsonLinesReport`], and [`JsonObject`] for single
//!   results, which implement [`JsonMembers`].
//! - [`ByteMap`]: where the bytes of an input are, as JSON for programs that draw it.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod advice;
mod byte_map;
mod describe;
mod diff_summary;
mod difference;
pub mod explain;
mod explanation_text;
mod json;
mod note;
mod salvage;
mod shell;
mod stats;
mod style;
mod suggest_names;
#[cfg(feature = "text")]
mod suggest_types;
#[cfg(feature = "text")]
mod text_note;
mod totals;
mod value_pair;

pub use self::{
    advice::{Advice, LostByCast},
    byte_map::ByteMap,
    describe::{container_name, feature_name, incomplete, ratio_of, tensor_note},
    diff_summary::DiffSummaryText,
    difference::DifferenceText,
    explain::{Explanation, explain},
    explanation_text::ExplanationText,
    json::{JsonLine, JsonLinesReport, JsonMembers, JsonObject, JsonReport, SchemaJson, WithInput},
    note::{NoteText, portability_note, statistics_note, unsupported_note},
    salvage::Salvage,
    shell::{option_name, quoted, shell_argument},
    stats::{StatsTable, stats_cells, stats_headline, suggest_dictionaries},
    style::{CELL_STYLE, TextColors},
    suggest_names::{suggest_names, suggest_no_header},
};
#[cfg(feature = "text")]
pub use self::{
    suggest_types::{
        OptionSuggestion, may_infer_with, suggest_json_syntax, suggest_options, suggest_type,
        suggest_type_of_large_number, suggest_type_of_mixed,
    },
    text_note::text_note,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
