//! The style of values in tables and texts for people.

use arrow_array::{TextStyle, TimeZones};

/// The style of values that people see. Timestamps are local times of their zone.
pub const CELL_STYLE: TextStyle = TextStyle::LocalCell(TimeZones::database());
