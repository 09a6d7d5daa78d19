//! The border: catches panics, and reports errors in the structure of the caller.

use std::{
    any::Any,
    ffi::c_int,
    mem::MaybeUninit,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::failure::{Code, Failure, Result};

/// The length of the text in [`ErrorReport`].
const TEXT_BYTES: usize = 1008;

/// `struct aipc_error`
#[repr(C)]
pub(crate) struct ErrorReport {
    /// The caller sets it to the size of this structure.
    size: usize,
    code: MaybeUninit<c_int>,
    text: [MaybeUninit<u8>; TEXT_BYTES],
}

impl ErrorReport {
    fn write(&mut self, code: Code, text: &str) {
        // Of another version of the header, or not initialised.
        if self.size < size_of::<ErrorReport>() {
            return;
        }
        self.code.write(code as c_int);
        let ends = (0..TEXT_BYTES.min(text.len().saturating_add(1))).rev();
        let end = ends.into_iter().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        // A C string ends at its first NUL, but `Escaped` leaves none.
        let bytes = text.as_bytes().iter().take(end).copied().chain([0]);
        self.text.iter_mut().zip(bytes).for_each(|(place, byte)| {
            place.write(byte);
        });
    }
}

/// Runs a function of the header. Its error, or panic, becomes a code, and is reported if the caller asks for it.
pub(crate) fn answer(report: Option<&mut ErrorReport>, call: impl FnOnce() -> Result<()>) -> c_int {
    let panicked = |cause| {
        let text = format!("this library has panicked, please report it: {}", text_of(cause));
        Err(Failure { code: Code::Internal, text })
    };
    // Handles that a panic has left half changed refuse to be used again: see `Turn`.
    let answered = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(panicked);
    let (code, text) = match &answered {
        Ok(()) => (Code::Ok, String::new()),
        Err(failure) => (failure.code, failure.to_string()),
    };
    if let Some(report) = report {
        report.write(code, &text);
    }
    code as c_int
}

/// Frees a handle. A panic ends here.
pub(crate) fn free<T>(handle: Option<Box<T>>) {
    drop(catch_unwind(AssertUnwindSafe(|| drop(handle))));
}

fn text_of(cause: Box<dyn Any + Send>) -> String {
    match cause.downcast::<String>() {
        Ok(text) => *text,
        Err(cause) => cause.downcast_ref::<&str>().copied().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> ErrorReport {
        ErrorReport {
            size: size_of::<ErrorReport>(),
            code: MaybeUninit::new(-1),
            text: [MaybeUninit::new(b'?'); TEXT_BYTES],
        }
    }

    fn text(report: &ErrorReport) -> String {
        #[allow(unsafe_code)]
        // SAFETY: `report` has initialised all bytes.
        let bytes = report.text.iter().map(|byte| unsafe { byte.assume_init() });
        String::from_utf8(bytes.take_while(|byte| *byte != 0).collect()).unwrap()
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut found = report();
        let long = "é".repeat(TEXT_BYTES);
        let code = answer(Some(&mut found), || Err(Failure::misuse(long.clone())));
        assert_eq!(code, Code::Misuse as c_int);
        assert_eq!(text(&found), "é".repeat((TEXT_BYTES - 1) / 2));
    }

    #[test]
    fn controls_of_terminals_and_nuls_are_escaped() {
        let mut found = report();
        answer(Some(&mut found), || Err(Failure::misuse("a\u{1b}b\0c")));
        assert_eq!(text(&found), "a\\u{1b}b\\u{0}c");
    }

    #[test]
    fn a_panic_is_a_code() {
        let mut found = report();
        let code = answer(Some(&mut found), || panic!("{}", "here".to_owned()));
        assert_eq!(code, Code::Internal as c_int);
        assert_eq!(text(&found), "this library has panicked, please report it: here");
        assert_eq!(answer(Some(&mut found), || Ok(())), Code::Ok as c_int);
        assert_eq!(text(&found), "");
    }

    #[test]
    fn a_structure_of_another_size_is_not_written() {
        let mut found = ErrorReport { size: 8, ..report() };
        assert_eq!(answer(Some(&mut found), || Err(Failure::null("out"))), Code::Misuse as c_int);
        assert!(text(&found).starts_with("??"));
        assert_eq!(answer(None, || Err(Failure::null("out"))), Code::Misuse as c_int);
    }
}
