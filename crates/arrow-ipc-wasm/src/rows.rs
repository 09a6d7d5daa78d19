//! Columns and rows that JavaScript selects.

use std::ops::Range;

use arrow_ipc::{FetchCost, FileDecoder, Projection};
use arrow_schema::Field;

#[cfg(feature = "full")]
use crate::condition::Condition;
use crate::{failure::Result, file::File, plan::Plan};

/// The columns of a file that are read, and the rows that match a condition.
pub(crate) struct Rows {
    decoder: FileDecoder,
    cost: FetchCost,
    #[cfg(feature = "full")]
    pub(crate) condition: Option<Condition>,
}

impl Rows {
    /// Selects columns by their positions, or all, and rows by a condition, which is empty if there is none.
    pub(crate) fn try_new(file: &File, columns: Option<Vec<usize>>, condition: &str) -> Result<Rows> {
        let schema = file.decoder.ipc_schema();
        if columns.is_none() {
            schema.check_supported()?;
        }
        if !condition.is_empty() {
            return Rows::with_condition(file, columns, condition);
        }
        let columns = columns.unwrap_or_else(|| (0..schema.schema().fields().len()).collect());
        let decoder = file.decoder.project(&Projection::Positions(columns))?;
        Ok(Rows {
            decoder,
            cost: file.cost,
            #[cfg(feature = "full")]
            condition: None,
        })
    }

    #[cfg(not(feature = "full"))]
    fn with_condition(_: &File, _: Option<Vec<usize>>, _: &str) -> Result<Rows> {
        Err(crate::failure::Failure::misuse("this module knows no conditions"))
    }

    #[cfg(feature = "full")]
    fn with_condition(file: &File, columns: Option<Vec<usize>>, condition: &str) -> Result<Rows> {
        let condition = Condition::try_new(&file.decoder, columns, condition)?;
        let decoder = file.decoder.project(&Projection::Positions(condition.positions().to_vec()))?;
        Ok(Rows { decoder, cost: file.cost, condition: Some(condition) })
    }

    /// The fields of the returned columns.
    pub(crate) fn fields(&self) -> &[Field] {
        #[cfg(feature = "full")]
        if let Some(condition) = &self.condition {
            return condition.schema().fields();
        }
        self.decoder.schema().fields()
    }

    /// Reads a batch, or some of its rows.
    pub(crate) fn plan_batch(&self, batch_idx: usize, rows: Option<Range<u64>>) -> Result<Plan> {
        let plan = match rows {
            None => self.decoder.plan_batch(batch_idx)?,
            Some(rows) => self.decoder.plan_batch_rows(batch_idx, rows)?,
        };
        Ok(Plan::batch(plan, self.cost))
    }
}
