//! A server with faults. Either a repeated request gives the correct data, or the error says where the fault was. Wrong
//! answers never become data.

use std::{error::Error, sync::Arc, time::Duration};

use arrow_ipc::{IpcError, ReadOptions};
use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_object_store::{ObjectError, ObjectErrorKind, ObjectSource, Tag};
use remote::{Fault, RangeServer, block_on, people, store};
use testing_support::{Value, rows};

/// Opens the file and reads all batches. The end is read in two pieces, so that there are several requests of each kind.
async fn read(source: ObjectSource) -> Result<Vec<Vec<Vec<Value>>>, IpcError> {
    let options = ReadOptions::new().with_tail_bytes(64);
    let file = AsyncFileReader::try_new_with(source, options).await?;
    let mut batches = Vec::new();
    for batch_idx in 0..file.n_batches() {
        batches.push(rows(&file.batch(batch_idx).await?));
    }
    Ok(batches)
}

fn source_of(server: &RangeServer) -> ObjectSource {
    ObjectSource::new(store(&server.url()), "people.arrow".into())
}

/// The error of the store that caused an error of a reader.
fn object_error(error: &IpcError) -> Option<&ObjectError> {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<ObjectError>() {
            return Some(found);
        }
        // The error of the system, which has ours inside.
        let inner = error.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        if let Some(found) = inner.and_then(|inner| inner.downcast_ref::<ObjectError>()) {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// The result of a fault in one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The store repeats the request, and the data is correct.
    Right,
    /// An error of the store, whose text contains this word.
    Error(&'static str),
    /// The bytes have the right length and tags, so the fault is found by the checks of the content, as in any file.
    Malformed,
}

use Outcome::{Error as Fails, Malformed, Right};

/// The results of a fault in the first request (for the end of the file), in a later request, and in all later requests.
const CASES: [(Fault, [Outcome; 3]); 14] = [
    (Fault::OtherBytes, [Malformed, Malformed, Malformed]),
    (
        Fault::FewerBytes,
        [Fails("the answer has 117 bytes; 127 were"), Fails("the answer has"), Fails("the answer has")],
    ),
    (
        Fault::MoreBytes,
        [Fails("the answer has 137 bytes; 127 were"), Fails("the answer has"), Fails("the answer has")],
    ),
    // The length is asked for by another request, and then the range.
    (Fault::ShorterRange, [Right, Fails("Requested"), Fails("Requested")]),
    (Fault::ClosedInBody, [Right, Right, Fails("body")]),
    (Fault::NoAnswer, [Right, Right, Fails("error sending request")]),
    // The first answer decides; the server then says that it has no such version.
    (Fault::OtherTag, [Fails("etag is no longer \"another\""), Fails("etag was"), Fails("etag was")]),
    (Fault::NoTag, [Fails("could not be detected"), Fails("no longer"), Fails("no longer")]),
    (Fault::OtherRange, [Right, Fails("Requested"), Fails("Requested")]),
    (Fault::NoRange, [Right, Fails("Content-Range"), Fails("Content-Range")]),
    (Fault::OtherLength, [Right, Fails("its length was"), Fails("its length was")]),
    (Fault::WholeBody, [Right, Fails("not supported"), Fails("not supported")]),
    (Fault::Status(416), [Right, Fails("416"), Fails("416")]),
    (Fault::Status(503), [Right, Right, Fails("503")]),
];

#[test]
fn wrong_answers_never_become_data() {
    assert_eq!(CASES.map(|(fault, _)| fault), Fault::ALL);
    let server = RangeServer::start(Duration::ZERO);
    let (batches, file) = people(3, 200);
    let batches: Vec<Vec<Vec<Value>>> = batches.iter().map(rows).collect();
    server.put_tagged("people.arrow", file, "1");
    assert_eq!(block_on(read(source_of(&server))).expect("nothing is wrong"), batches);
    let n_requests = server.counts().n_requests;
    assert!(n_requests >= 5, "{n_requests} requests");
    let mut n_right = 0;
    for (fault, [first, later, all]) in CASES {
        let once = (0..n_requests).map(|idx| (idx, false, if idx == 0 { first } else { later }));
        for (request_idx, is_always, expected) in once.chain([(1, true, all)]) {
            server.reset();
            if is_always {
                server.misbehave_from(request_idx, fault);
            } else {
                server.misbehave_at(request_idx, fault);
            }
            let case = format!("{fault:?} in request {request_idx}, all that follow: {is_always}");
            match (block_on(read(source_of(&server))), expected) {
                (Ok(found), Right) => {
                    assert_eq!(found, batches, "{case}");
                    n_right += 1;
                }
                (Err(error), Fails(words)) => {
                    let found = object_error(&error).unwrap_or_else(|| panic!("{case}: {error}"));
                    let text = found.to_string();
                    assert!(text.contains(words), "{case}: {text}");
                    // The end of a file of unknown length has no range.
                    assert_eq!(
                        found.range().is_none(),
                        request_idx == 0 && first == Fails("could not be detected"),
                        "{case}: {text}"
                    );
                    assert!(error.to_string().contains(&text), "{case}: {error}");
                }
                (Err(error), Malformed) => assert!(object_error(&error).is_none(), "{case}: {error}"),
                (found, expected) => panic!("{case}: {expected:?} expected, {found:?}"),
            }
        }
    }
    assert!(n_right > 20, "{n_right} answers were right");
}

#[test]
fn retries_are_counted_and_end() {
    let server = RangeServer::start(Duration::ZERO);
    let (_, file) = people(1, 10);
    server.put_tagged("people.arrow", file, "1");
    for (fault, n_requests) in [
        // The end, and then the length alone: each once, and three times again.
        (Fault::Status(503), 8),
        (Fault::NoAnswer, 8),
        // The end once, and three times the rest of it.
        (Fault::ClosedInBody, 4),
        // It would be the same answer again.
        (Fault::Status(416), 2),
    ] {
        server.reset();
        server.misbehave_from(0, fault);
        let error = block_on(read(source_of(&server))).expect_err("nothing is answered");
        assert_eq!(server.counts().n_requests, n_requests, "{fault:?}: {error}");
        let found = object_error(&error).expect("an error of the store");
        assert!(matches!(found.kind(), ObjectErrorKind::Store(_)), "{fault:?}: {error}");
        assert_eq!(found.path(), "people.arrow");
    }
}

#[test]
fn no_such_object() {
    let server = RangeServer::start(Duration::ZERO);
    let error = block_on(read(source_of(&server))).expect_err("it is not there");
    let found = object_error(&error).expect("an error of the store");
    assert!(matches!(found.kind(), ObjectErrorKind::NotFound(_)), "{error}");
    assert_eq!(server.counts().n_requests, 1);
}

/// A body without an etag that ends early cannot be continued, since the rest may be that of another version.
#[test]
fn bodies_without_etag_are_not_continued() {
    let server = RangeServer::start(Duration::ZERO);
    let (_, file) = people(1, 200);
    let tags = remote::Tags { etag: None, last_modified: Some("Thu, 01 Jan 2026 00:00:00 GMT".to_owned()) };
    server.put("people.arrow", file, tags);
    let source = source_of(&server);
    assert!(block_on(read(source.clone())).is_ok());
    assert_eq!(source.tag(), Some(Tag::Modified));
    server.reset();
    server.misbehave_at(1, Fault::ClosedInBody);
    let error = block_on(read(source_of(&server))).expect_err("the answer ends too soon");
    assert!(object_error(&error).is_some(), "{error}");
}

#[test]
fn one_version_is_shared_by_clones() {
    let server = RangeServer::start(Duration::ZERO);
    let (batches, file) = people(2, 50);
    let batches: Vec<Vec<Vec<Value>>> = batches.iter().map(rows).collect();
    server.put_tagged("people.arrow", file.clone(), "1");
    let source = Arc::new(source_of(&server));
    assert_eq!(source.tag(), None);
    assert_eq!(block_on(read((*source).clone())).expect("nothing is wrong"), batches);
    assert_eq!(source.tag(), Some(Tag::ETag));
    server.put_tagged("people.arrow", file, "2");
    let error =
        block_on(read((*source).clone())).expect_err("it is another version, although the same bytes");
    assert!(
        matches!(object_error(&error).map(ObjectError::kind), Some(ObjectErrorKind::Changed { .. })),
        "{error}"
    );
}
