//! Which top-level columns are decoded, and the schema of what comes out.

use std::sync::Arc;

use arrow_schema::{LookupError, Schema};

use crate::options::Projection;

/// A projection applied to a schema.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    /// Positions of top-level columns in the order asked for; `None` for all.
    positions: Option<Arc<[usize]>>,
    schema: Arc<Schema>,
}

impl Selection {
    pub(crate) fn try_new(projection: &Projection, schema: &Arc<Schema>) -> Result<Selection, LookupError> {
        Ok(match projection.positions(schema)? {
            None => Selection { positions: None, schema: Arc::clone(schema) },
            Some(positions) => {
                let projected = Arc::new(schema.project(&positions)?);
                Selection { positions: Some(positions.into()), schema: projected }
            }
        })
    }

    /// The schema of the batches that come out.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    pub(crate) fn is_all(&self) -> bool {
        self.positions.is_none()
    }

    /// The selected of `n_columns` top-level columns, in order.
    pub(crate) fn iter(&self, n_columns: usize) -> impl Iterator<Item = usize> + '_ {
        let all = if self.is_all() { 0..n_columns } else { 0..0 };
        self.positions.as_deref().unwrap_or_default().iter().copied().chain(all)
    }
}
