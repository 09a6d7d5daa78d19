//! Validity buffers that messages have for columns whose layout has no validity bitmap. Metadata V4 has them for unions.
//! For other columns it depends on the writer, and the number of buffers in the message tells.
//!
//! **Invariant:** this file alone counts these buffers. `message/batch_view.rs` and `batch/union_nulls.rs` of `arrow-ipc`
//! know what else differs in bodies of V4.

use arrow_data::{Layout, Nulls, Physical};

use crate::{
    error::{FormatErrorKind, Result},
    protocol::MetadataVersion,
};

/// Which columns have an extra validity buffer in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtraValidity {
    /// V5, as specified.
    None,
    /// V5 as pyarrow wrote it up to 25: fields of an extension type over null, a union or runs.
    Extensions,
    /// As `Extensions`, and the values of a dictionary are of such an extension type, not its indices.
    ExtensionValues,
    /// V4, as specified: unions.
    Unions,
    /// V4 as pyarrow writes it: unions and runs, which V4 does not define.
    UnionsAndRuns,
    /// V4 as pyarrow wrote it up to 25: also fields of an extension type over null.
    V4Extensions,
    /// As `V4Extensions`, and the values of a dictionary are of such an extension type, not its indices.
    V4ExtensionValues,
}

/// What an extra validity buffer contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtraBuffer {
    /// The bitmap of a V4 union.
    Bitmap,
    /// No bytes: a union of V5, or runs.
    Empty,
    /// Any bytes, which mean nothing: each slot of a null column is null.
    Ignored,
}

impl ExtraBuffer {
    /// Checks the length of the buffer.
    ///
    /// # Errors
    /// If it must be empty and is not.
    pub fn check(self, n_bytes: u64) -> Result<()> {
        match self {
            ExtraBuffer::Empty if n_bytes > 0 => {
                Err(FormatErrorKind::ExtraValidity { found: n_bytes }.into())
            }
            ExtraBuffer::Empty | ExtraBuffer::Bitmap | ExtraBuffer::Ignored => Ok(()),
        }
    }
}

/// The properties of a column that decide whether it may have an extra validity buffer: a set of the constants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ExtraKinds(u8);

/// A column that may have an extra validity buffer.
#[derive(Debug)]
pub(super) struct ExtraColumn {
    position: u32,
    /// For each [`ExtraValidity`], how many columns up to this one have an extra buffer.
    n_buffers: [u32; ExtraValidity::ALL.len()],
}

impl ExtraKinds {
    const UNION: u8 = 1;
    const RUNS: u8 = 2;
    /// A field has an extension type over null, a union or runs.
    const EXTENSION: u8 = 4;
    /// The values of a dictionary are null, a union or runs, and the field of the dictionary has an extension type: of
    /// the indices or of the values.
    const VALUES: u8 = 8;

    /// The kinds of a column. `extension_level` returns whether its field has an extension type.
    pub(super) fn new(layout: &Layout, extension_level: impl FnOnce() -> ExtensionLevel) -> ExtraKinds {
        let layout_kinds = match layout.nulls() {
            Nulls::Bitmap => return ExtraKinds::default(),
            Nulls::All => 0,
            Nulls::InChildren if matches!(layout.physical(), Physical::Union(_)) => ExtraKinds::UNION,
            Nulls::InChildren => ExtraKinds::RUNS,
        };
        let field_kinds = match extension_level() {
            ExtensionLevel::None => 0,
            ExtensionLevel::Field => ExtraKinds::EXTENSION,
            ExtensionLevel::Dictionary => ExtraKinds::VALUES,
        };
        ExtraKinds(layout_kinds | field_kinds)
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The extra buffer of a column of these kinds.
    #[inline]
    pub(super) fn buffer(self, extra: ExtraValidity) -> Option<ExtraBuffer> {
        match self.0 & extra.kinds() {
            0 => None,
            common if common & ExtraKinds::UNION != 0 => Some(ExtraBuffer::Bitmap),
            _ if self.0 & (ExtraKinds::UNION | ExtraKinds::RUNS) == 0 => Some(ExtraBuffer::Ignored),
            _ => Some(ExtraBuffer::Empty),
        }
    }
}

/// Which field of an extension type a column belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtensionLevel {
    None,
    /// The field of the column has an extension type.
    Field,
    /// The column is the values of a dictionary, whose field has an extension type.
    Dictionary,
}

impl ExtraValidity {
    const ALL: [ExtraValidity; 7] = [
        ExtraValidity::None,
        ExtraValidity::Extensions,
        ExtraValidity::ExtensionValues,
        ExtraValidity::Unions,
        ExtraValidity::UnionsAndRuns,
        ExtraValidity::V4Extensions,
        ExtraValidity::V4ExtensionValues,
    ];

    /// As the specification says. Writers write this.
    #[inline]
    pub const fn specified(version: MetadataVersion) -> ExtraValidity {
        match version {
            MetadataVersion::V4 => ExtraValidity::Unions,
            MetadataVersion::V5 => ExtraValidity::None,
        }
    }

    /// What writers make of a version. The first one is as specified.
    pub(super) const fn for_version(version: MetadataVersion) -> &'static [ExtraValidity] {
        match version {
            MetadataVersion::V4 => &[
                ExtraValidity::Unions,
                ExtraValidity::UnionsAndRuns,
                ExtraValidity::V4Extensions,
                ExtraValidity::V4ExtensionValues,
            ],
            MetadataVersion::V5 => {
                &[ExtraValidity::None, ExtraValidity::Extensions, ExtraValidity::ExtensionValues]
            }
        }
    }

    /// The kinds of columns that have an extra buffer.
    #[inline]
    const fn kinds(self) -> u8 {
        use ExtraKinds as Kinds;
        match self {
            ExtraValidity::None => 0,
            ExtraValidity::Extensions => Kinds::EXTENSION,
            ExtraValidity::ExtensionValues => Kinds::EXTENSION | Kinds::VALUES,
            ExtraValidity::Unions => Kinds::UNION,
            ExtraValidity::UnionsAndRuns => Kinds::UNION | Kinds::RUNS,
            ExtraValidity::V4Extensions => Kinds::UNION | Kinds::RUNS | Kinds::EXTENSION,
            ExtraValidity::V4ExtensionValues => Kinds::UNION | Kinds::RUNS | Kinds::EXTENSION | Kinds::VALUES,
        }
    }
}

impl ExtraColumn {
    /// Adds a column to a list of the columns before it.
    pub(super) fn add(list: &mut Vec<ExtraColumn>, position: u32, kinds: ExtraKinds) {
        let mut n_buffers = list.last().map_or_else(Default::default, |last| last.n_buffers);
        for (n_buffers, extra) in n_buffers.iter_mut().zip(ExtraValidity::ALL) {
            // No overflow: `position` fits.
            *n_buffers += u32::from(kinds.buffer(extra).is_some());
        }
        list.push(ExtraColumn { position, n_buffers });
    }

    /// How many of the columns before `position` have an extra buffer.
    pub(super) fn n_before(list: &[ExtraColumn], position: usize, extra: ExtraValidity) -> usize {
        let n_columns = list.partition_point(|column| (column.position as usize) < position);
        let last = n_columns.checked_sub(1).and_then(|last| list.get(last));
        last.and_then(|last| last.n_buffers.get(extra as usize)).map_or(0, |n_buffers| *n_buffers as usize)
    }
}
