//! The border to DuckDB: catches panics, and reports errors.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use arrow_text::format::Escaped;

/// A phase of a function, which can fail.
pub(crate) trait Reports {
    /// Makes DuckDB end the query with this error.
    fn report(&self, text: &str);
}

/// Runs the callback of a phase. Its error, or panic, becomes one of DuckDB.
pub(crate) fn answer<P: Reports>(mut phase: P, call: impl FnOnce(&mut P) -> Result<(), String>) {
    let answered = catch_unwind(AssertUnwindSafe(|| call(&mut phase)));
    if let Err(text) = answered.unwrap_or_else(|cause| Err(text_of(cause))) {
        // DuckDB shows it on terminals.
        end_panics(|| phase.report(&Escaped(&text).to_string()));
    }
}

/// Runs a callback that cannot fail. A panic ends here.
pub(crate) fn end_panics(call: impl FnOnce()) {
    drop(catch_unwind(AssertUnwindSafe(call)));
}

/// The text of a panic; empty if this panics, too.
fn text_of(cause: Box<dyn Any + Send>) -> String {
    let text = || {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or(cause.downcast_ref::<&str>().copied()).unwrap_or_default();
        format!("the extension arrow_ipc has panicked, please report it: {text}")
    };
    catch_unwind(AssertUnwindSafe(text)).unwrap_or_default()
}
