//! The run-end encoded type: each run of equal values stored once.

use std::fmt;

use crate::{DataType, Field, TypeError};

/// A run-end encoded type: the field of the run ends, and the field of the values.
///
/// The format calls the fields `run_ends` and `values` and requires run ends without nulls; other names and nullability
/// are accepted and stay unchanged.
///
/// ```
/// use arrow_schema::{DataType, Field, RunEndEncodedType, RunEndType};
///
/// let run_ends = Field::new("run_ends", DataType::Int32).required();
/// let runs = RunEndEncodedType::try_new(run_ends, Field::new("values", DataType::Utf8))?;
/// assert_eq!(runs.run_end_type(), RunEndType::Int32);
/// # Ok::<(), arrow_schema::TypeError>(())
/// ```
///
/// Specification: columnar format, "Run-End Encoded Layout".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunEndEncodedType {
    // The run ends, followed by the values.
    children: [Field; 2],
    run_end_type: RunEndType,
}

/// The integer type of run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunEndType {
    /// 16 bits.
    Int16,
    /// 32 bits.
    Int32,
    /// 64 bits.
    Int64,
}

impl RunEndEncodedType {
    /// Makes a run-end encoded type with these children.
    ///
    /// # Errors
    ///
    /// [`TypeError::RunEnds`] when the run ends are not signed integers of 16, 32 or 64 bits.
    pub fn try_new(run_ends: Field, values: Field) -> Result<Self, TypeError> {
        let run_end_type = RunEndType::try_from(run_ends.data_type())?;
        Ok(Self { children: [run_ends, values], run_end_type })
    }

    /// Makes a run-end encoded type whose children have the names that the format uses. The values are nullable.
    pub fn from_values(run_end_type: RunEndType, values: DataType) -> Self {
        let run_ends = Field::new("run_ends", run_end_type.into()).required();
        Self { children: [run_ends, Field::new("values", values)], run_end_type }
    }

    /// The field of the run ends.
    pub fn run_ends(&self) -> &Field {
        &self.children[0]
    }

    /// The field of the values of the runs.
    pub fn values(&self) -> &Field {
        &self.children[1]
    }

    /// The integer type of the run ends.
    pub fn run_end_type(&self) -> RunEndType {
        self.run_end_type
    }

    /// The two children: run ends and values.
    pub fn children(&self) -> &[Field; 2] {
        &self.children
    }
}

impl RunEndType {
    /// All run end types.
    pub const ALL: [Self; 3] = [Self::Int16, Self::Int32, Self::Int64];

    /// The bit width of a run end.
    pub const fn n_bits(self) -> u32 {
        match self {
            Self::Int16 => 16,
            Self::Int32 => 32,
            Self::Int64 => 64,
        }
    }
}

impl From<RunEndType> for DataType {
    fn from(run_end_type: RunEndType) -> Self {
        match run_end_type {
            RunEndType::Int16 => Self::Int16,
            RunEndType::Int32 => Self::Int32,
            RunEndType::Int64 => Self::Int64,
        }
    }
}

impl TryFrom<&DataType> for RunEndType {
    type Error = TypeError;

    fn try_from(data_type: &DataType) -> Result<Self, TypeError> {
        Self::ALL
            .into_iter()
            .find(|&run_end_type| DataType::from(run_end_type) == *data_type)
            .ok_or_else(|| TypeError::RunEnds { found: data_type.clone() })
    }
}

impl fmt::Display for RunEndType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DataType::from(*self).name())
    }
}
