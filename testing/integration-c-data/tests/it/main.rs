//! Calls the functions as the harness does, through the C interface.
//!
//! There is only one test, since memory is counted for all threads together.

mod documents;
