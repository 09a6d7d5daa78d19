//! Errors are data: an input, a kind and a position.

use arrow_ipc::ErrorClass;
use arrow_ipc_tools::{Contradiction, Input, ToolError, ToolErrorKind, ValidateOptions, validate};

use crate::samples::{ids, stream};

fn error_of(bytes: Vec<u8>) -> ToolError {
    let input = Input::try_from_buffer("memory", bytes.into()).unwrap();
    validate(input, &ValidateOptions::new(), &mut ()).unwrap_err()
}

#[test]
fn errors_say_where_they_are() {
    let one = stream(&[ids([1, 2, 3])]);
    let n_bytes = one.len() as u64;

    let cut = error_of(one[..one.len() - 20].to_vec());
    assert_eq!(cut.ipc_error().map(|error| error.class()), Some(ErrorClass::Truncated), "{cut}");

    let trailing = error_of([&one[..], b"words"].concat());
    assert!(matches!(trailing.kind(), ToolErrorKind::TrailingBytes(rest) if rest.n_bytes() == 5));
    assert_eq!(trailing.position(), Some(n_bytes));

    let later = error_of([&one[..], &one[..one.len() - 20]].concat());
    assert!(matches!(later.kind(), ToolErrorKind::LaterStream { position, .. } if *position == n_bytes));
    assert!(later.position() >= Some(n_bytes), "{later}");
}

#[test]
fn a_footer_that_contradicts_the_stream_is_an_error() {
    let corpus = testing_support::corpus_dir().join("hostile/file-footer-schema-differs.arrow_file");
    let error = error_of(std::fs::read(corpus).unwrap());
    assert!(matches!(error.kind(), ToolErrorKind::Contradiction(Contradiction::Columns(_))), "{error}");
}
