//! Azure does not support ranges that are counted from the end, so the length is requested first, with `HEAD`.

use std::{sync::Arc, time::Duration};

use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_object_store::{ObjectError, ObjectSource, Tag};
use object_store_0_14::{ObjectStore, azure::MicrosoftAzureBuilder};
use remote::{Fault, RangeServer, Tags, block_on, install_tls, people, retry};
use testing_support::{Value, rows};

fn azure(server: &RangeServer) -> Arc<dyn ObjectStore> {
    install_tls();
    let store = MicrosoftAzureBuilder::new()
        .with_account("account")
        .with_access_key("a2V5")
        .with_container_name("container")
        .with_endpoint(server.url())
        .with_allow_http(true)
        .with_retry(retry());
    Arc::new(store.build().expect("a store"))
}

async fn read(source: ObjectSource) -> Result<Vec<Vec<Vec<Value>>>, arrow_ipc::IpcError> {
    let file = AsyncFileReader::try_new(source).await?;
    let mut batches = Vec::new();
    for batch_idx in 0..file.n_batches() {
        batches.push(rows(&file.batch(batch_idx).await?));
    }
    Ok(batches)
}

/// The result of a fault in one request.
enum Outcome {
    /// The data is correct after this number of requests.
    Right(u64),
    Error(&'static str),
}

use Outcome::{Error as Fails, Right};

#[test]
fn the_length_is_requested_first() {
    let server = RangeServer::start(Duration::ZERO);
    let (batches, file) = people(2, 100);
    let batches: Vec<_> = batches.iter().map(rows).collect();
    let last_modified = Some("Thu, 01 Jan 2026 00:00:00 GMT".to_owned());
    server.put("container/people.arrow", file, Tags { etag: Some("\"1\"".to_owned()), last_modified });
    let new = || ObjectSource::new(azure(&server), "people.arrow".into());
    // The length, and then all of a small file.
    let source = new();
    assert_eq!(block_on(read(source.clone())).expect("a file"), batches);
    assert_eq!((server.counts().n_requests, source.tag()), (2, Some(Tag::ETag)));
    for (request_idx, fault, expected) in [
        (0, Fault::Status(503), Right(3)),
        (0, Fault::NoAnswer, Right(3)),
        (1, Fault::Status(503), Right(3)),
        (1, Fault::ClosedInBody, Right(3)),
        // The first answer decides; the server then says that it has no such version.
        (0, Fault::OtherTag, Fails("etag is no longer \"another\"")),
        (1, Fault::OtherTag, Fails("etag was")),
        (1, Fault::OtherLength, Fails("its length was")),
        (0, Fault::Status(416), Fails("416")),
    ] {
        server.reset();
        server.misbehave_at(request_idx, fault);
        let case = format!("{fault:?} in request {request_idx}");
        match (block_on(read(new())), expected) {
            (Ok(found), Right(n_requests)) => {
                assert!(found == batches, "{case}");
                assert_eq!(server.counts().n_requests, n_requests, "{case}");
            }
            (Err(error), Fails(words)) => assert!(error.to_string().contains(words), "{case}: {error}"),
            (found, _) => panic!("{case}: {found:?}"),
        }
    }
    let missing = ObjectSource::new(azure(&server), "missing".into());
    let error: std::io::Error = block_on(arrow_ipc_async::AsyncSource::n_bytes(&missing)).expect_err("none");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(error.get_ref().is_some_and(|error| error.is::<ObjectError>()));
}
