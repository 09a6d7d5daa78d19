//! S3 tests: `run.sh` starts `moto` on loopback, and sets the environment variables with its credentials.

use std::{io::Write, sync::Arc};

use arrow_ipc::FileEncoder;
use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_object_store::{ObjectSource, ObjectUpload, Tag, UploadOptions};
use object_store_0_14::{ObjectStore, ObjectStoreExt, aws::AmazonS3Builder, path::Path};
use remote::{block_on, install_tls, people};
use testing_support::rows;

/// The bucket; `None` if no S3 server is configured.
fn bucket() -> Option<Arc<dyn ObjectStore>> {
    if std::env::var_os("ARROW_TEST_S3").is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: tests with S3: ARROW_TEST_S3 is not set");
        return None;
    }
    install_tls();
    let store = AmazonS3Builder::from_env().with_bucket_name("arrow").build();
    Some(Arc::new(store.expect("a bucket")))
}

#[test]
fn uploads_in_parts_are_read_and_changes_noticed() {
    let Some(store) = bucket() else { return };
    // Parts of S3 have 5 MiB.
    let (batches, _) = people(4, 150_000);
    let path = Path::from("people.arrow");
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(5 << 20);
        let mut upload = ObjectUpload::new_with(Arc::clone(&store), path.clone(), options);
        let mut encoder = FileEncoder::try_new(batches[0].schema()).expect("a schema");
        for batch in &batches {
            upload.put(encoder.encode(batch).expect("a batch").into_owned()).await.expect("parts");
        }
        upload.put(encoder.finish().expect("a footer").into_owned()).await.expect("parts");
        assert!(encoder.position() > 10 << 20, "{} bytes are several parts", encoder.position());
        let uploaded = upload.finish().await.expect("an object");
        // The etag of S3 tells how many parts there were.
        assert!(uploaded.e_tag.is_some_and(|etag| etag.ends_with("-3\"")), "three parts");

        let source = ObjectSource::new(Arc::clone(&store), path.clone());
        let file = AsyncFileReader::try_new(source.clone()).await.expect("a file");
        assert_eq!(source.tag(), Some(Tag::ETag));
        assert_eq!(rows(&file.batch(3).await.expect("a batch")), rows(&batches[3]));

        let (_, other) = people(4, 150_000);
        store.put(&path, other.to_vec().into()).await.expect("another version");
        let error = file.batch(1).await.expect_err("it has changed");
        assert!(error.to_string().contains("changed while being read: its etag is"), "{error}");
    });
}
