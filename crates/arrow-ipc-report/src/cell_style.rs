//! How the program shows values to people.

use arrow_array::{TextStyle, TimeZones};

/// Values as a table shows them, with times of named zones in local time.
#[cfg(feature = "text")]
pub const CELL_STYLE: TextStyle = TextStyle::LocalCell(TimeZones::database());
/// Values as a table shows them, with times of named zones in UTC.
#[cfg(not(feature = "text"))]
pub const CELL_STYLE: TextStyle = TextStyle::LocalCell(TimeZones::new(|_| None));
