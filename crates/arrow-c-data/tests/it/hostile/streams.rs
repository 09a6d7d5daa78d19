//! Streams that fail or return invalid structures.

use arrow_data::Validation;

use crate::foreign::{Answer, Ledger, SchemaSketch, Sketch, StreamSketch, is_garbage_left_alone};

fn rows(n_rows: i64) -> Sketch {
    let bytes = Sketch { length: n_rows, buffers: vec![None, Some(vec![7; 10])], ..Sketch::default() };
    Sketch { length: n_rows, buffers: vec![None], children: vec![Some(bytes)], ..Sketch::default() }
}

fn stream(arrays: impl IntoIterator<Item = Answer<Sketch>>) -> StreamSketch {
    StreamSketch {
        schema: Answer::Filled(SchemaSketch::new("+s", "").with_children([SchemaSketch::new("C", "n")])),
        arrays: arrays.into_iter().collect(),
        has_callbacks: true,
        has_last_error: true,
    }
}

/// The results of reading the schema, and of reading each batch.
fn read(sketch: &StreamSketch) -> Vec<Result<usize, String>> {
    let ledger = Ledger::default();
    let read = match sketch.give(&ledger).into_batches(Validation::Content) {
        Ok(reader) => reader.map(|batch| batch.map(|batch| batch.n_rows())).collect(),
        Err(error) => vec![Err(error)],
    };
    ledger.check_all_released();
    read.into_iter().map(|result| result.map_err(|error| error.to_string())).collect()
}

fn error(text: &str) -> Result<usize, String> {
    Err(text.to_owned())
}

#[test]
fn failures_end_a_stream() {
    use Answer::{Failure, Filled, Nothing};
    assert_eq!(read(&stream([Filled(rows(3)), Filled(rows(0))])), [Ok(3), Ok(0)]);
    // After the end or an error, the reader does not call the stream again.
    assert_eq!(read(&stream([Filled(rows(3)), Nothing, Filled(rows(1))])), [Ok(3)]);
    let failing = [Filled(rows(3)), Failure(5, Some(b"no disk")), Filled(rows(1))];
    assert_eq!(read(&stream(failing)), [Ok(3), error("the stream failed with the error number 5: no disk")]);
    assert_eq!(read(&stream([Failure(-3, None)])), [error("the stream failed with the error number -3")]);
    let no_utf8 = read(&stream([Failure(22, Some(b"a\xff"))]));
    assert_eq!(no_utf8, [error("the stream failed with the error number 22: a\u{fffd}")]);
    let silent = StreamSketch { has_last_error: false, ..stream([Failure(22, Some(b"unheard"))]) };
    assert_eq!(read(&silent), [error("the stream failed with the error number 22")]);
}

#[test]
fn wrong_streams_are_refused() {
    use Answer::{Failure, Filled, Nothing};
    let schema = |schema| StreamSketch { schema, ..stream([]) };
    assert_eq!(read(&schema(Failure(12, None))), [error("the stream failed with the error number 12")]);
    assert_eq!(read(&schema(Nothing)), [error("the ArrowSchema is released")]);
    let unknown = schema(Filled(SchemaSketch::new("?", "")));
    assert_eq!(read(&unknown), [error("the format \"?\" is not a type of the C data interface")]);
    let no_callbacks = StreamSketch { has_callbacks: false, ..stream([]) };
    assert_eq!(read(&no_callbacks), [error("`get_schema` of the ArrowArrayStream is null")]);
    let wrong = Sketch { children: Vec::new(), ..rows(1) };
    let read_wrong = read(&stream([Filled(wrong), Filled(rows(1))]));
    assert_eq!(read_wrong, [error("expected 1 child, found 0")]);
}

/// If a callback fails, the content of its target is unspecified. The reader must not use the target, and must not
/// release it.
#[test]
fn what_a_failing_callback_leaves_is_not_released() {
    use Answer::{Filled, Garbage};
    let failed = || error("the stream failed with the error number 5: half done");
    assert_eq!(read(&StreamSketch { schema: Garbage(5), ..stream([]) }), [failed()]);
    assert_eq!(read(&stream([Filled(rows(2)), Garbage(5), Filled(rows(1))])), [Ok(2), failed()]);
    assert!(is_garbage_left_alone());
}
