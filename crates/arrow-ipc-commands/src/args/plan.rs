//! The command line of `plan`.

use std::str::FromStr;

use arrow_data::Role;
use arrow_ipc::{Compression, Endianness, MetadataVersion, WrittenContainer};
use clap::Args;

use super::{
    choices::one_of,
    convert::{CONTAINERS, CompressionArg, DictionariesArg, ORDERS, VERSIONS, WritingArgs},
};
use crate::names::InputArg;

// The form of the document, in short.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// A JSON document with the schema and the shapes of dictionaries and batches, as --print-shapes writes it; `-` is standard input
    #[arg(long, value_name = "SHAPES", required_unless_present = "of", conflicts_with = "of")]
    pub(crate) shapes: Option<InputArg>,
    /// Plan an uncompressed output with the batches of FILE, which is a file or a stream
    #[arg(long, value_name = "FILE")]
    pub(crate) of: Option<InputArg>,
    /// Print the shapes of FILE, for --shapes, instead of a plan
    #[arg(long, requires = "of", conflicts_with_all = ["locate", "at", "json"])]
    pub(crate) print_shapes: bool,
    /// The container
    #[arg(long, value_name = "FORMAT", default_value = "file", value_parser = one_of(CONTAINERS))]
    pub(crate) to: WrittenContainer,
    /// Print the position of a buffer. BATCH counts from 0, FIELD is a path, ROLE is validity, values, offsets, sizes,
    /// type-ids, views, bytes or variadic-data; variadic-data:2 is the third data buffer of views
    #[arg(long, num_args = 3, value_names = ["BATCH", "FIELD", "ROLE"], action = clap::ArgAction::Append)]
    pub(crate) locate: Vec<String>,
    /// Print which part of the output contains this byte, counted from 0
    #[arg(long, value_name = "BYTE", allow_negative_numbers = true)]
    pub(crate) at: Vec<u64>,
    /// Write JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
    /// The version of the metadata; 4 is for readers older than Arrow 1.0
    #[arg(long, value_name = "VERSION", default_value = "5", value_parser = one_of(VERSIONS))]
    metadata_version: MetadataVersion,
    /// Plan the legacy framing, for readers older than Arrow 0.15; needs --metadata-version 4
    #[arg(long)]
    legacy_framing: bool,
    /// Align bodies to BYTES, and every buffer of at least BYTES; a power of two from 8 to 65536
    #[arg(long, value_name = "BYTES", default_value_t = 64)]
    alignment: usize,
    /// Plan a footer with the number of rows of each batch
    #[arg(long)]
    row_counts: bool,
    /// Plan a footer with row counts and with the positions of the buffers of each batch
    #[arg(long)]
    layouts: bool,
    /// The byte order of bodies [default: that of this machine]
    #[arg(long, value_name = "ORDER", value_parser = one_of(ORDERS))]
    endian: Option<Endianness>,
}

/// A role of buffers, and for variadic buffers the index of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoleArg(pub(crate) Role, pub(crate) usize);

impl PlanArgs {
    /// The options for writing. `plan` has no options that depend on values.
    pub(crate) fn writing(&self) -> WritingArgs {
        WritingArgs {
            compression: CompressionArg(None::<Compression>),
            dictionaries: DictionariesArg::Replace,
            metadata_version: self.metadata_version,
            legacy_framing: self.legacy_framing,
            alignment: self.alignment,
            share_buffers: false,
            compact: false,
            keep_unused: false,
            zero_nulls: false,
            row_counts: self.row_counts,
            layouts: self.layouts,
            statistics: false,
            endian: self.endian,
        }
    }
}

impl FromStr for RoleArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RoleArg, &'static str> {
        let (name, idx) = text.split_once(':').map_or((text, None), |(name, idx)| (name, Some(idx)));
        // `inspect --buffers` and JSON write the name of this role with a space.
        let role = match name.replace(' ', "-").as_str() {
            "validity" => Role::Validity,
            "values" => Role::Values,
            "offsets" => Role::Offsets,
            "sizes" => Role::Sizes,
            "type-ids" => Role::TypeIds,
            "views" => Role::Views,
            "bytes" => Role::Bytes,
            "variadic-data" => Role::Variadic,
            _ => {
                return Err("validity, values, offsets, sizes, type-ids, views, bytes or variadic-data");
            }
        };
        match (role, idx.map(str::parse)) {
            (_, None) => Ok(RoleArg(role, 0)),
            (Role::Variadic, Some(Ok(idx))) => Ok(RoleArg(role, idx)),
            _ => Err("a number only after variadic-data: variadic-data:2"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_may_have_a_number() {
        let cases = [
            ("validity", Some(RoleArg(Role::Validity, 0))),
            ("type-ids", Some(RoleArg(Role::TypeIds, 0))),
            ("type ids", Some(RoleArg(Role::TypeIds, 0))),
            ("variadic data:1", Some(RoleArg(Role::Variadic, 1))),
            ("variadic-data", Some(RoleArg(Role::Variadic, 0))),
            ("variadic-data:2", Some(RoleArg(Role::Variadic, 2))),
            ("variadic-data:", None),
            ("variadic-data:-1", None),
            ("bytes:0", None),
            ("data", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
