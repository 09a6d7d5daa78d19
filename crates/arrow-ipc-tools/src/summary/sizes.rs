//! What the buffers of columns take, by the metadata of messages.

use std::{collections::HashMap, ops::ControlFlow};

use arrow_ipc::{IpcSchema, Limits, Projection};
use arrow_schema::FieldPath;

use crate::{
    error::ToolError,
    input::Input,
    inspect::{InspectOptions, InspectReport, MessageView, inspect},
};

/// What the buffers of a column take in an input, those of children and dictionaries included, padding left out. A dictionary that
/// several columns share counts for the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnSize {
    /// The bytes that are stored, with the lengths that precede compressed buffers.
    pub n_stored: u64,
    /// The bytes when decompressed, by these lengths; `None` if one cannot be read.
    pub n_decompressed: Option<u64>,
}

/// The sizes of the columns of a projection.
pub(super) fn sizes(
    input: Input,
    schema: &IpcSchema,
    projection: &Projection,
    limits: &Limits,
) -> Result<Vec<ColumnSize>, ToolError> {
    let paths: Vec<Vec<u32>> = match projection {
        Projection::Positions(positions) => {
            positions.iter().map(|position| vec![u32::try_from(*position).unwrap_or(u32::MAX)]).collect()
        }
        Projection::FieldPaths(paths) => paths.iter().map(|path| path.positions().collect()).collect(),
        // Selections have no other projections.
        Projection::All | Projection::Names(_) | Projection::Paths(_) | _ => {
            (0_u32..).take(schema.schema().fields().len()).map(|position| vec![position]).collect()
        }
    };
    let mut report = Sizes {
        sizes: vec![ColumnSize { n_stored: 0, n_decompressed: Some(0) }; paths.len()],
        by_column: HashMap::new(),
    };
    for (idx, path) in paths.into_iter().enumerate() {
        let below = path.get(1..).unwrap_or_default().to_vec();
        report.by_column.entry(path.first().copied()).or_default().push((below, idx));
    }
    let options = InspectOptions::new().with_buffers().with_limits(limits.clone());
    inspect(input, &options, &mut report)?;
    Ok(report.sizes)
}

struct Sizes {
    sizes: Vec<ColumnSize>,
    /// By the position of a column: paths inside of it, and the positions of their sizes.
    by_column: HashMap<Option<u32>, Vec<(Vec<u32>, usize)>>,
}

impl InspectReport for Sizes {
    fn message(&mut self, view: &MessageView<'_>) -> ControlFlow<()> {
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
    fn add(&mut self, path: &FieldPath, size: ColumnSize) {
        let mut positions = path.positions();
        let Some(columns) = self.by_column.get(&positions.next()) else { return };
        let below: Vec<u32> =
            if columns.iter().all(|(path, _)| path.is_empty()) { Vec::new() } else { positions.collect() };
        for (path, idx) in columns {
            if below.starts_with(path)
                && let Some(sum) = self.sizes.get_mut(*idx)
            {
                sum.n_stored = sum.n_stored.saturating_add(size.n_stored);
                let both = sum.n_decompressed.zip(size.n_decompressed);
                sum.n_decompressed = both.map(|(sum, n_bytes)| sum.saturating_add(n_bytes));
            }
        }
    }
}
