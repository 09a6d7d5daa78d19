//! Converts indices and run ends to the integer type that an encoded type has.

use arrow_buffer::Buffer;
use arrow_schema::{IndexType, RunEndType};

/// The largest index that the index type can express.
pub(super) fn max_index(index: IndexType) -> u64 {
    match index {
        IndexType::Int8 => i8::MAX as u64,
        IndexType::Int16 => i16::MAX as u64,
        IndexType::Int32 => i32::MAX as u64,
        IndexType::Int64 => i64::MAX as u64,
        IndexType::UInt8 => u8::MAX.into(),
        IndexType::UInt16 => u16::MAX.into(),
        IndexType::UInt32 => u32::MAX.into(),
        IndexType::UInt64 => u64::MAX,
    }
}

pub(super) fn max_run_end(run_ends: RunEndType) -> u64 {
    match run_ends {
        RunEndType::Int16 => i16::MAX as u64,
        RunEndType::Int32 => i32::MAX as u64,
        RunEndType::Int64 => i64::MAX as u64,
    }
}

/// Makes a buffer of indices, in the given integer type. Each index is at most the [`max_index`] of the type.
pub(super) fn indices(positions: Vec<u32>, index: IndexType) -> Buffer {
    match index {
        IndexType::Int8 | IndexType::UInt8 => positions.into_iter().map(|index| index as u8).collect(),
        IndexType::Int16 | IndexType::UInt16 => positions.into_iter().map(|index| index as u16).collect(),
        IndexType::Int32 | IndexType::UInt32 => Buffer::from(positions),
        IndexType::Int64 | IndexType::UInt64 => positions.into_iter().map(u64::from).collect(),
    }
}

/// Makes a buffer of run ends, in the given integer type. Each run end is at most the [`max_run_end`] of the type.
pub(super) fn run_ends(ends: Vec<i64>, run_ends: RunEndType) -> Buffer {
    match run_ends {
        RunEndType::Int16 => ends.into_iter().map(|end| end as i16).collect(),
        RunEndType::Int32 => ends.into_iter().map(|end| end as i32).collect(),
        RunEndType::Int64 => Buffer::from(ends),
    }
}
