//! Tests of the functions that the harness calls, called as C calls them.
//!
//! There is one test, since memory is counted for all threads.

mod documents;
