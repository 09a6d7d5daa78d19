//! Adds up the lengths of the buffers of columns from the metadata of messages.

use std::{collections::HashMap, ops::ControlFlow};

use arrow_ipc::{IpcSchema, Projection};
use arrow_schema::{FieldPath, visit};

use crate::{
    error::ToolError,
    input::Input,
    inspect::{InspectItem, InspectOptions, InspectSink, inspect},
};

/// The total length of a column's buffers, including children and dictionaries, without padding. A dictionary of
/// several columns counts for the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ColumnSize {
    /// The stored length in bytes, including the prefixes of compressed buffers.
    pub(super) n_stored: u64,
    /// The decompressed length in bytes, according to the prefixes of the buffers; `None` if a prefix cannot be read.
    pub(super) n_decompressed: Option<u64>,
}

/// The sizes of the columns that a projection selects.
pub(super) fn sizes(
    input: Input,
    schema: &IpcSchema,
    projection: &Projection,
) -> Result<Vec<ColumnSize>, ToolError> {
    let paths: Vec<Vec<u32>> = match projection {
        Projection::Positions(positions) => {
            positions.iter().map(|position| vec![u32::try_from(*position).unwrap_or(u32::MAX)]).collect()
        }
        Projection::FieldPaths(paths) => paths.iter().map(|path| path.positions().collect()).collect(),
        // A `Selection` has no other projections than these two.
        Projection::All | Projection::Names(_) | Projection::Paths(_) | _ => {
            (0_u32..).take(schema.schema().fields().len()).map(|position| vec![position]).collect()
        }
    };
    let mut report = Sizes {
        sizes: vec![ColumnSize { n_stored: 0, n_decompressed: Some(0) }; paths.len()],
        root: SizedField::default(),
    };
    for (idx, path) in paths.into_iter().enumerate() {
        path.into_iter().fold(&mut report.root, SizedField::child).sizes.push(idx);
    }
    let options = InspectOptions::new().with_buffers();
    inspect(input, &options, &mut report, &mut ())?;
    Ok(report.sizes)
}

struct Sizes {
    sizes: Vec<ColumnSize>,
    root: SizedField,
}

/// A field whose buffers are counted, or a field on the path to one.
#[derive(Default)]
struct SizedField {
    /// The indices in `sizes` of the columns to which the field's buffers are added.
    sizes: Vec<usize>,
    children: HashMap<u32, SizedField>,
}

impl SizedField {
    fn child(&mut self, position: u32) -> &mut SizedField {
        self.children.entry(position).or_default()
    }
}

impl InspectSink for Sizes {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        let InspectItem::Message(view) = item else { return ControlFlow::Continue(()) };
        let is_compressed = view.compression.is_some();
        for (buffer, length) in view.buffers() {
            let n_stored = buffer.range.n_bytes();
            let n_decompressed =
                if is_compressed { length.map(|length| length.n_bytes()) } else { Some(n_stored) };
            self.add(&buffer.path, ColumnSize { n_stored, n_decompressed });
        }
        ControlFlow::Continue(())
    }
}

impl Sizes {
    /// Adds a buffer of the field at this path to the sizes of all selected fields on the path.
    fn add(&mut self, path: &FieldPath, size: ColumnSize) {
        let Sizes { sizes, root } = self;
        let mut node = Some(&*root);
        for position in path.positions() {
            node = node.and_then(|node| node.children.get(&position));
            let Some(node) = node else { return };
            visit(node.sizes.len());
            for idx in &node.sizes {
                let Some(sum) = sizes.get_mut(*idx) else { continue };
                sum.n_stored = sum.n_stored.saturating_add(size.n_stored);
                let both = sum.n_decompressed.zip(size.n_decompressed);
                sum.n_decompressed = both.map(|(sum, n_bytes)| sum.saturating_add(n_bytes));
            }
        }
    }
}
