//! What is uploaded is what encoders write, whatever the parts.

use std::sync::Arc;

use arrow_ipc::{FileEncoder, WriteOptions};
use arrow_ipc_object_store::{ObjectUpload, UploadOptions};
use object_store_0_14::{
    ObjectStore, ObjectStoreExt, limit::LimitStore, local::LocalFileSystem, memory::InMemory, path::Path,
};
use remote::{block_on, people};

async fn upload(
    store: Arc<dyn ObjectStore>,
    options: UploadOptions,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (batches, file) = people(6, 3_000);
    let mut encoder = FileEncoder::try_new(batches[0].schema(), WriteOptions::new())?;
    let mut upload = ObjectUpload::new(Arc::clone(&store), "people.arrow".into(), options);
    for batch in &batches {
        upload.put(encoder.encode(batch)?.into_owned()).await?;
    }
    upload.put(encoder.finish()?.into_owned()).await?;
    assert!(store.head(&"people.arrow".into()).await.is_err(), "it appears when it is complete");
    upload.finish().await?;
    let found = store.get(&"people.arrow".into()).await?.bytes().await?;
    assert_eq!(found.len(), file.len());
    assert!(found == *file, "the same bytes as a writer writes");
    Ok(found.to_vec())
}

#[test]
fn parts_make_the_file() {
    for part_bytes in [1_000, 65_537, 10 << 20] {
        for max_parts in [1, 8] {
            let options = UploadOptions::new().with_part_bytes(part_bytes).with_max_parts(max_parts);
            let folder = tempfile::tempdir().expect("a temporary folder");
            let local = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
            let stores: [Arc<dyn ObjectStore>; 2] =
                [Arc::new(LimitStore::new(InMemory::new(), 20)), Arc::new(local)];
            for store in stores {
                block_on(upload(store, options.clone())).expect("an upload");
            }
        }
    }
}

#[test]
fn an_aborted_upload_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let local = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
    let (_, file) = people(1, 3_000);
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(1_000);
        let mut upload = ObjectUpload::new(Arc::new(local), Path::from("people.arrow"), options);
        upload.put_buffer(file.clone()).await.expect("parts");
        upload.put_buffer(file).await.expect("parts");
        upload.abort().await.expect("nothing is left");
    });
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
