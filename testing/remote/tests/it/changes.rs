//! An object that changes while it is read gives an error, and not a mix of two versions, for all tags that a store may
//! use.

use std::time::Duration;

use arrow_buffer::Buffer;
use arrow_ipc::{IpcError, ReadOptions};
use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_object_store::{ObjectOptions, ObjectSource};
use remote::{RangeServer, Tags, block_on, people, store};

fn tags(etag: Option<&str>, last_modified: Option<&str>) -> Tags {
    Tags { etag: etag.map(str::to_owned), last_modified: last_modified.map(str::to_owned) }
}

/// Two versions with the same length and different numbers.
fn versions() -> [Buffer; 2] {
    let (_, file) = people(2, 300);
    let mut other = file.to_vec();
    let id = 299i64.to_le_bytes();
    let at = other.windows(8).position(|bytes| bytes == id).expect("an id");
    other[at] = 7;
    [file, other.into()]
}

/// Reads the first batch of one version. Then replaces the object by the other version, and reads the second batch.
fn read_through_a_change(before: Tags, after: Tags, options: ObjectOptions) -> Result<(), IpcError> {
    let server = RangeServer::start(Duration::ZERO);
    let [old, new] = versions();
    server.put("people.arrow", old, before);
    block_on(async {
        let source = ObjectSource::new_with(store(&server.url()), "people.arrow".into(), options);
        let reading = ReadOptions::new().with_tail_bytes(64);
        let file = AsyncFileReader::try_new_with(source, reading).await?;
        file.batch(0).await?;
        server.put("people.arrow", new, after);
        file.batch(1).await?;
        Ok(())
    })
}

#[test]
fn changes_are_errors() {
    const EARLIER: &str = "Thu, 01 Jan 2026 00:00:00 GMT";
    const LATER: &str = "Thu, 01 Jan 2026 00:00:01 GMT";
    let cases = [
        (tags(Some("\"1\""), None), tags(Some("\"2\""), None), "etag is no longer \"1\""),
        (tags(Some("\"1\""), Some(EARLIER)), tags(Some("\"2\""), Some(EARLIER)), "etag is no longer \"1\""),
        // A weak etag is no condition; the answer is compared.
        (tags(Some("W/\"1\""), None), tags(Some("W/\"2\""), None), "etag was W/\"1\", and is W/\"2\""),
        (tags(None, Some(EARLIER)), tags(None, Some(LATER)), "time of modification is no longer 2026-01-01"),
        // The server goes over from one kind of tag to another.
        (tags(Some("W/\"1\""), None), tags(None, Some(LATER)), "etag is no longer W/\"1\""),
    ];
    for (before, after, words) in cases {
        let unchanged = read_through_a_change(before.clone(), before.clone(), ObjectOptions::new());
        assert!(unchanged.is_ok(), "{before:?}: {unchanged:?}");
        let error = read_through_a_change(before.clone(), after, ObjectOptions::new()).expect_err(words);
        let text = error.to_string();
        assert!(text.contains("changed while being read") && text.contains(words), "{before:?}: {text}");
        assert!(text.contains("record batch 1"), "{text}");
    }
}

/// A store without tags is refused, unless the caller promises that the object does not change.
#[test]
fn untagged_objects_are_refused() {
    let untagged = || tags(None, None);
    let error = read_through_a_change(untagged(), untagged(), ObjectOptions::new()).expect_err("no tag");
    assert!(error.to_string().contains("a change could not be detected"), "{error}");
    let allowed = ObjectOptions::new().with_untagged_objects();
    assert!(read_through_a_change(untagged(), untagged(), allowed).is_ok());
}
