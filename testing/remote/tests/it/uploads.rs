//! The uploaded object is what the encoder writes, for any size of parts.

mod counted;

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{FileEncoder, FileReader, WrittenContainer};
use arrow_ipc_object_store::{ObjectErrorKind, ObjectUpload, UploadOptions};
use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::Schema;
use object_store_0_14::{
    ObjectStore, ObjectStoreExt, limit::LimitStore, local::LocalFileSystem, memory::InMemory, path::Path,
};
use remote::{block_on, people};
use testing_support::rows;

use self::counted::CountedParts;

async fn upload(
    store: Arc<dyn ObjectStore>,
    options: UploadOptions,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (batches, file) = people(6, 3_000);
    let mut encoder = FileEncoder::try_new(batches[0].schema())?;
    let mut upload = ObjectUpload::new_with(Arc::clone(&store), "people.arrow".into(), options);
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

/// A planned file of numbers, and a provider that counts the bytes that it returns.
fn planned(
    fails_at: Option<u64>,
) -> (Plan, impl Fn(&PlannedData<'_>, &mut [u8]) -> std::io::Result<usize> + Sync) {
    let schema: Schema = "id: int64 not null".parse().expect("a schema");
    let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File).expect("a schema");
    plan.push(&BatchShape::new(1_000), 50).expect("a shape");
    let provider = move |data: &PlannedData<'_>, to: &mut [u8]| {
        if fails_at.is_some_and(|start| data.range.start >= start) {
            return Err(std::io::Error::other("the numbers are gone"));
        }
        for (to, at) in to.iter_mut().zip(data.range.start..) {
            *to = (at / 8).to_le_bytes()[(at % 8) as usize];
        }
        Ok(to.len())
    };
    (plan.finish().expect("a plan"), provider)
}

#[test]
fn plans_are_uploaded_in_parts() {
    let (plan, provider) = planned(None);
    let numbers =
        RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1_000).into())]).expect("a batch");
    for part_bytes in [10_000, 100_001, 10 << 20] {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let found = block_on(async {
            let options = UploadOptions::new().with_part_bytes(part_bytes);
            let mut upload = ObjectUpload::new_with(Arc::clone(&store), "planned.arrow".into(), options);
            upload.put_plan(&plan, &provider).await.expect("parts");
            upload.finish().await.expect("an object");
            store.get(&"planned.arrow".into()).await.expect("an object").bytes().await.expect("its bytes")
        });
        assert_eq!(found.len() as u64, plan.len());
        let file = FileReader::try_from_buffer(found.to_vec().into()).expect("a file");
        assert_eq!(file.n_batches(), 50);
        assert_eq!(rows(&file.batch(49).expect("a batch")), rows(&numbers));
    }
}

#[test]
fn a_provider_that_fails_ends_the_upload() {
    let (plan, provider) = planned(Some(5_000));
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(1_000);
        let mut upload = ObjectUpload::new_with(Arc::clone(&store), "planned.arrow".into(), options);
        let error = upload.put_plan(&plan, &provider).await.expect_err("the numbers are gone");
        assert!(matches!(error.kind(), ObjectErrorKind::Plan(_)), "{error}");
        assert!(error.to_string().contains("the numbers are gone"), "{error}");
        let error = upload.finish().await.expect_err("it has failed");
        assert!(matches!(error.kind(), ObjectErrorKind::UploadFailed), "{error}");
        assert!(store.head(&"planned.arrow".into()).await.is_err());
    });
}

#[test]
fn an_aborted_upload_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let local = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
    let (_, file) = people(1, 3_000);
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(1_000);
        let mut upload = ObjectUpload::new_with(Arc::new(local), Path::from("people.arrow"), options);
        upload.put_buffer(file.clone()).await.expect("parts");
        upload.put_buffer(file).await.expect("parts");
        upload.abort().await.expect("nothing is left");
    });
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn no_more_parts_are_under_way_than_allowed() {
    let (_, file) = people(20, 3_000);
    for max_parts in [1, 3] {
        let store = Arc::new(CountedParts::default());
        let options = UploadOptions::new().with_part_bytes(10_000).with_max_parts(max_parts);
        let mut upload =
            ObjectUpload::new_with(Arc::clone(&store) as Arc<dyn ObjectStore>, "all".into(), options);
        block_on(async {
            upload.put_buffer(file.clone()).await.expect("parts");
            upload.put_buffer(file.clone()).await.expect("parts");
            upload.finish().await.expect("an object");
            let found = store.get(&"all".into()).await.expect("an object").bytes().await.expect("its bytes");
            assert!(found == [&file[..], &file[..]].concat());
        });
        assert_eq!(store.counts().n_started(), (2 * file.len()).div_ceil(10_000));
        assert_eq!(store.counts().most_under_way(), max_parts);
    }
}

/// The result of a future if it ends within `n_polls` polls; then the future is dropped.
async fn within<T>(n_polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut n_left = n_polls;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(found) => Poll::Ready(Some(found)),
        Poll::Pending if n_left == 0 => Poll::Ready(None),
        Poll::Pending => {
            n_left -= 1;
            Poll::Pending
        }
    })
    .await
}

#[test]
fn calls_that_are_dropped_lose_and_repeat_nothing() {
    let (batches, file) = people(6, 3_000);
    let mut n_dropped = 0;
    for n_polls in 0..30 {
        let store: Arc<dyn ObjectStore> = Arc::new(CountedParts::default());
        let options = UploadOptions::new().with_part_bytes(10_000).with_max_parts(2);
        let mut upload = ObjectUpload::new_with(Arc::clone(&store), "people".into(), options);
        let mut encoder = FileEncoder::try_new(batches[0].schema()).expect("a schema");
        block_on(async {
            for batch in &batches {
                let encoded = encoder.encode(batch).expect("a batch").into_owned();
                match within(n_polls, upload.put(encoded)).await {
                    Some(done) => done.expect("parts"),
                    None => n_dropped += 1,
                }
            }
            upload.put(encoder.finish().expect("a footer").into_owned()).await.expect("parts");
            upload.finish().await.expect("an object");
            let found =
                store.get(&"people".into()).await.expect("an object").bytes().await.expect("its bytes");
            assert!(found == *file, "{n_polls} polls of each call");
        });
    }
    assert!(n_dropped > 20, "{n_dropped}");
}

#[test]
fn calls_that_are_never_polled_lose_nothing() {
    let (batches, file) = people(6, 3_000);
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let mut upload = ObjectUpload::new(Arc::clone(&store), "people".into());
    let mut encoder = FileEncoder::try_new(batches[0].schema()).expect("a schema");
    for batch in &batches {
        drop(upload.put(encoder.encode(batch).expect("a batch").into_owned()));
    }
    drop(upload.put(encoder.finish().expect("a footer").into_owned()));
    drop(upload.put_buffer(file.clone()));
    block_on(async {
        upload.finish().await.expect("an object");
        let found = store.get(&"people".into()).await.expect("an object").bytes().await.expect("its bytes");
        assert!(found == [&file[..], &file[..]].concat());
    });
}

#[test]
fn nothing_follows_a_plan_that_is_never_polled() {
    let (plan, provider) = planned(None);
    let store: Arc<dyn ObjectStore> = Arc::new(CountedParts::default());
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(1_000).with_max_parts(1);
        let mut upload = ObjectUpload::new_with(Arc::clone(&store), "planned".into(), options);
        // Leaves full parts, for which the plan would wait.
        assert!(within(1, upload.put_buffer(vec![7; 5_000].into())).await.is_none(), "it is dropped");
        drop(upload.put_plan(&plan, &provider));
        let error = upload.finish().await.expect_err("the plan is missing");
        assert!(matches!(error.kind(), ObjectErrorKind::UploadFailed), "{error}");
        assert!(store.head(&"planned".into()).await.is_err());
    });
}

#[test]
fn nothing_follows_a_part_of_a_plan() {
    let (plan, provider) = planned(None);
    let store: Arc<dyn ObjectStore> = Arc::new(CountedParts::default());
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(1_000).with_max_parts(1);
        let mut upload = ObjectUpload::new_with(Arc::clone(&store), "planned".into(), options);
        assert!(within(3, upload.put_plan(&plan, &provider)).await.is_none(), "it is dropped");
        let error = upload.put_plan(&plan, &provider).await.expect_err("the rest is missing");
        assert!(matches!(error.kind(), ObjectErrorKind::UploadFailed), "{error}");
        let error = upload.finish().await.expect_err("the rest is missing");
        assert!(matches!(error.kind(), ObjectErrorKind::UploadFailed), "{error}");
        assert!(store.head(&"planned".into()).await.is_err());
    });
}

#[test]
fn parts_of_a_large_plan_grow() {
    let (plan, provider) = planned(None);
    let store = Arc::new(CountedParts::default());
    block_on(async {
        let options = UploadOptions::new().with_part_bytes(7);
        let mut upload =
            ObjectUpload::new_with(Arc::clone(&store) as Arc<dyn ObjectStore>, "planned".into(), options);
        upload.put_plan(&plan, &provider).await.expect("parts");
        upload.finish().await.expect("an object");
        assert_eq!(store.head(&"planned".into()).await.expect("an object").size, plan.len());
    });
    assert!(plan.len() > 7 * 10_000 && store.counts().n_started() <= 10_000);
}
