//! Stores without a server, with both versions of `object_store`.

use std::sync::Arc;

use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_dataset::{FileStore, StoredFile};
use remote::{block_on, people};
use testing_support::rows;

/// Defines the same test for each version.
macro_rules! test_stores {
    ($name:ident, $object_store:ident, $ours:path) => {
        mod $name {
            use $object_store::{ObjectStore, ObjectStoreExt, local::LocalFileSystem, memory::InMemory};
            use $ours as ours;

            use super::*;

            #[test]
            fn files_are_read_and_changes_noticed() {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let local = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
                let stores: [Arc<dyn ObjectStore>; 2] = [Arc::new(InMemory::new()), Arc::new(local)];
                for store in stores {
                    block_on(check(store));
                }
            }

            #[test]
            fn versions_have_the_tag_of_the_object() {
                let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build();
                let runtime = runtime.expect("a runtime");
                let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
                let (_, file) = people(1, 10);
                runtime.block_on(store.put(&"a".into(), file.to_vec().into())).expect("an upload");
                let source = || ours::ObjectSource::new(Arc::clone(&store), "a".into());
                // Nothing is requested before the version.
                let object = ours::BlockingObject::new(source(), runtime.handle().clone());
                let versions = [(); 2].map(|()| object.version().expect("a version"));
                let opened =
                    ours::BlockingObject::open(source(), runtime.handle().clone()).expect("an object");
                assert_eq!(versions, [opened.version().expect("a version"); 2]);
            }

            /// A path with an empty name would be the path of another object.
            #[test]
            fn paths_of_files_are_those_of_objects() {
                let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build();
                let runtime = runtime.expect("a runtime");
                let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
                let (_, file) = people(1, 10);
                runtime.block_on(store.put(&"a/b".into(), file.to_vec().into())).expect("an upload");
                let files = ours::ObjectFiles::new(store, runtime.handle().clone());
                for path in ["a/b", "/a/b", "./a/b"] {
                    files.open(path.as_ref()).expect(path);
                }
                for path in ["a//b", "a/./b", "a/b/", "//a/b", "a/../a/b"] {
                    let error = files.open(path.as_ref()).expect_err(path);
                    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{path}: {error}");
                }
            }

            async fn check(store: Arc<dyn ObjectStore>) {
                let (batches, file) = people(3, 20_000);
                store.put(&"a/people.arrow".into(), file.to_vec().into()).await.expect("an upload");
                let source = ours::ObjectSource::new(Arc::clone(&store), "a/people.arrow".into());
                let reader = AsyncFileReader::try_new(source).await.expect("a file");
                for (batch_idx, expected) in batches.iter().enumerate() {
                    assert_eq!(rows(&reader.batch(batch_idx).await.expect("a batch")), rows(expected));
                }
                let meta = store.head(&"a/people.arrow".into()).await.expect("an object");
                let listed = ours::ObjectSource::try_from_meta(Arc::clone(&store), meta).expect("a tag");
                // The file is of another version now, with one more batch.
                let (_, longer) = people(4, 20_000);
                store.put(&"a/people.arrow".into(), longer.to_vec().into()).await.expect("an upload");
                let error = reader.batch(1).await.expect_err("it has changed");
                assert!(error.to_string().contains("changed while being read"), "{error}");
                let error = AsyncFileReader::try_new(listed).await.expect_err("it has changed");
                assert!(error.to_string().contains("changed while being read"), "{error}");
                let missing = ours::ObjectSource::new(store, "missing".into());
                let error = AsyncFileReader::try_new(missing).await.expect_err("there is none");
                assert!(error.to_string().contains("object \"missing\""), "{error}");
            }
        }
    };
}

test_stores!(newest, object_store_0_14, arrow_ipc_object_store::v0_14);
#[cfg(feature = "object-store-0-13")]
test_stores!(of_datafusion, object_store_0_13, arrow_ipc_object_store::v0_13);
