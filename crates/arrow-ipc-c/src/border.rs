//! The border: catches panics, and reports errors in the structure of the caller.

use std::{
    any::Any,
    ffi::c_int,
    panic::{AssertUnwindSafe, catch_unwind},
};

use arrow_text::format::Escaped;

use crate::{
    failure::{Code, Failure, Result},
    pointers::SizedTarget,
};

/// The length of the text in [`ErrorReport`].
const TEXT_BYTES: usize = 1008;

/// `struct aipc_error` after its size
#[repr(C)]
pub(crate) struct ErrorReport {
    code: c_int,
    text: [u8; TEXT_BYTES],
}

impl ErrorReport {
    fn new(code: Code, text: &str) -> ErrorReport {
        let mut report = ErrorReport { code: code as c_int, text: [0; TEXT_BYTES] };
        let ends = (0..TEXT_BYTES.min(text.len().saturating_add(1))).rev();
        let end = ends.into_iter().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        // A C string ends at its first NUL, but `Escaped` leaves none.
        report.text.iter_mut().zip(text.as_bytes().iter().take(end)).for_each(|(to, byte)| *to = *byte);
        report
    }
}

/// Runs a function of the header. Its error, or panic, becomes a code, and is reported if the caller asks for it.
pub(crate) fn answer(mut report: SizedTarget<ErrorReport>, call: impl FnOnce() -> Result<()>) -> c_int {
    let failed = |failure: Failure| (failure.code, failure.to_string());
    // Handles that a panic has left half changed refuse to be used again: see `Turn`.
    let answered = catch_unwind(AssertUnwindSafe(|| call().map_err(failed)));
    let answered = answered.unwrap_or_else(|cause| Err((Code::Internal, text_of(cause))));
    let (code, text) = answered.err().unwrap_or((Code::Ok, String::new()));
    if let Some(target) = report.members_mut() {
        target.write(ErrorReport::new(code, &text));
    }
    code as c_int
}

/// Frees a handle. A panic ends here.
pub(crate) fn free<T>(handle: Option<Box<T>>) {
    drop(catch_unwind(AssertUnwindSafe(|| drop(handle))));
}

/// The text of a panic; empty if this panics, too.
fn text_of(cause: Box<dyn Any + Send>) -> String {
    let text = || {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or(cause.downcast_ref::<&str>().copied()).unwrap_or_default();
        format!("this library has panicked, please report it: {}", Escaped(text))
    };
    catch_unwind(AssertUnwindSafe(text)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;
    use crate::pointers::SizedStructure;

    /// What C passes, and finds after a call.
    struct Report(SizedStructure<MaybeUninit<ErrorReport>>);

    impl Report {
        fn new() -> Report {
            let unwritten = ErrorReport { code: -1, text: [b'?'; TEXT_BYTES] };
            Report(SizedStructure::new(MaybeUninit::new(unwritten)))
        }

        fn target(&mut self) -> SizedTarget<ErrorReport> {
            SizedTarget::from_structure(&raw mut self.0)
        }

        fn text(&mut self) -> String {
            let mut target = self.target();
            let written = target.members_mut().expect("its size");
            #[allow(unsafe_code)]
            // SAFETY: `new` has initialised it.
            let report = unsafe { written.assume_init_ref() };
            String::from_utf8(report.text.into_iter().take_while(|byte| *byte != 0).collect()).unwrap()
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut found = Report::new();
        let long = "é".repeat(TEXT_BYTES);
        let code = answer(found.target(), || Err(Failure::misuse(long.clone())));
        assert_eq!(code, Code::Misuse as c_int);
        assert_eq!(found.text(), "é".repeat((TEXT_BYTES - 1) / 2));
    }

    #[test]
    fn controls_of_terminals_and_nuls_are_escaped() {
        let mut found = Report::new();
        answer(found.target(), || Err(Failure::misuse("a\u{1b}b\0c")));
        assert_eq!(found.text(), "a\\u{1b}b\\u{0}c");
    }

    #[test]
    fn a_panic_is_a_code() {
        let mut found = Report::new();
        let code = answer(found.target(), || panic!("{}", "here".to_owned()));
        assert_eq!(code, Code::Internal as c_int);
        assert_eq!(found.text(), "this library has panicked, please report it: here");
        assert_eq!(answer(found.target(), || Ok(())), Code::Ok as c_int);
        assert_eq!(found.text(), "");
    }

    /// A call inside of a call, as a callback makes it, reports first.
    #[test]
    fn calls_inside_of_calls_report_to_the_same_structure() {
        let mut found = Report::new();
        let structure = &raw mut found.0;
        let code = answer(SizedTarget::from_structure(structure), || {
            assert_eq!(
                answer(SizedTarget::from_structure(structure), || Err(Failure::null("inner"))),
                Code::Misuse as c_int
            );
            Err(Failure::null("outer"))
        });
        assert_eq!(code, Code::Misuse as c_int);
        assert_eq!(found.text(), "`outer` is NULL");
    }

    /// There is no memory behind a small size.
    #[test]
    fn a_smaller_structure_is_not_written() {
        let mut small = size_of::<usize>();
        let target = SizedTarget::from_structure((&raw mut small).cast());
        assert_eq!(answer(target, || Err(Failure::null("out"))), Code::Misuse as c_int);
        assert_eq!(small, size_of::<usize>());
        let null = SizedTarget::from_structure(std::ptr::null_mut());
        assert_eq!(answer(null, || Err(Failure::null("out"))), Code::Misuse as c_int);
    }
}
