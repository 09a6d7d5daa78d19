//! Stores without a server, with both versions of `object_store`.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_dataset::{FileStore, StoredFile};
use arrow_ipc_object_store::UploadOptions;
use async_trait::async_trait;
use futures_util::stream::BoxStream;
use remote::{block_on, people};
use testing_support::rows;

/// Defines the same test for each version.
macro_rules! test_stores {
    ($name:ident, $object_store:ident, $ours:path) => {
        mod $name {
            use $object_store::{
                CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
                ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
                UploadPart, local::LocalFileSystem, memory::InMemory, path::Path,
            };
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

            /// A store of which requests fail.
            #[derive(Debug, Default)]
            struct FailingStore {
                inner: InMemory,
                uploads: Arc<Uploads>,
            }

            #[derive(Debug, Default)]
            struct Uploads {
                /// The index of the part that fails.
                failing_part: Option<usize>,
                completion_fails: bool,
                /// The number of aborts that fail.
                n_failing_aborts: AtomicUsize,
                n_parts: AtomicUsize,
                /// The number of uploads whose parts the store keeps.
                n_retained: AtomicUsize,
            }

            #[derive(Debug)]
            struct FailingUpload {
                inner: Box<dyn MultipartUpload>,
                uploads: Arc<Uploads>,
            }

            fn refused() -> Error {
                Error::Generic { store: "failing", source: "the store is busy".into() }
            }

            impl std::fmt::Display for FailingStore {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("FailingStore")
                }
            }

            #[async_trait]
            impl MultipartUpload for FailingUpload {
                fn put_part(&mut self, data: PutPayload) -> UploadPart {
                    let part_idx = self.uploads.n_parts.fetch_add(1, Ordering::Relaxed);
                    let is_refused = self.uploads.failing_part == Some(part_idx);
                    let part = self.inner.put_part(data);
                    Box::pin(async move { if is_refused { Err(refused()) } else { part.await } })
                }

                async fn complete(&mut self) -> Result<PutResult> {
                    if self.uploads.completion_fails {
                        return Err(refused());
                    }
                    self.uploads.n_retained.fetch_sub(1, Ordering::Relaxed);
                    self.inner.complete().await
                }

                async fn abort(&mut self) -> Result<()> {
                    let n_failing = self.uploads.n_failing_aborts.load(Ordering::Relaxed);
                    if n_failing > 0 {
                        self.uploads.n_failing_aborts.store(n_failing - 1, Ordering::Relaxed);
                        return Err(refused());
                    }
                    self.uploads.n_retained.fetch_sub(1, Ordering::Relaxed);
                    self.inner.abort().await
                }
            }

            #[async_trait]
            impl ObjectStore for FailingStore {
                async fn put_opts(
                    &self,
                    path: &Path,
                    payload: PutPayload,
                    options: PutOptions,
                ) -> Result<PutResult> {
                    self.inner.put_opts(path, payload, options).await
                }

                async fn put_multipart_opts(
                    &self,
                    path: &Path,
                    options: PutMultipartOptions,
                ) -> Result<Box<dyn MultipartUpload>> {
                    let inner = self.inner.put_multipart_opts(path, options).await?;
                    self.uploads.n_retained.fetch_add(1, Ordering::Relaxed);
                    Ok(Box::new(FailingUpload { inner, uploads: Arc::clone(&self.uploads) }))
                }

                async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
                    self.inner.get_opts(path, options).await
                }

                fn delete_stream(
                    &self,
                    paths: BoxStream<'static, Result<Path>>,
                ) -> BoxStream<'static, Result<Path>> {
                    self.inner.delete_stream(paths)
                }

                fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
                    self.inner.list(prefix)
                }

                async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
                    self.inner.list_with_delimiter(prefix).await
                }

                async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
                    self.inner.copy_opts(from, to, options).await
                }
            }

            fn start_upload(uploads: Uploads) -> (Arc<Uploads>, ours::ObjectUpload) {
                let uploads = Arc::new(uploads);
                let store = FailingStore { uploads: Arc::clone(&uploads), ..FailingStore::default() };
                let options = UploadOptions::new().with_part_bytes(1_000).with_max_parts(3);
                (uploads, ours::ObjectUpload::new_with(Arc::new(store), "a".into(), options))
            }

            #[test]
            fn the_store_keeps_no_parts_of_a_failed_upload() {
                block_on(async {
                    for (n_bytes, n_parts) in [(999, 0), (1_000, 1), (5_500, 6), (6_000, 6)] {
                        let failures = (0..n_parts).map(Some).map(|failing_part| (failing_part, false));
                        let last = [(None, n_parts > 0), (None, false)];
                        for (failing_part, completion_fails) in failures.chain(last) {
                            let failing = Uploads { failing_part, completion_fails, ..Uploads::default() };
                            let (uploads, mut upload) = start_upload(failing);
                            let put = upload.put_buffer(vec![7_u8; n_bytes].into()).await;
                            let finished = upload.finish().await;
                            let is_whole = failing_part.is_none() && !completion_fails;
                            assert_eq!(
                                put.is_ok() && finished.is_ok(),
                                is_whole,
                                "{n_bytes} {failing_part:?}"
                            );
                            let n_retained = uploads.n_retained.load(Ordering::Relaxed);
                            assert_eq!(n_retained, 0, "{n_bytes} {failing_part:?} {completion_fails}");
                        }
                    }
                });
            }

            #[test]
            fn a_failed_abort_is_repeated() {
                block_on(async {
                    for n_failing in [0, 1, 2] {
                        let n_failing_aborts = AtomicUsize::new(n_failing);
                        let failing =
                            Uploads { failing_part: Some(0), n_failing_aborts, ..Uploads::default() };
                        let (uploads, mut upload) = start_upload(failing);
                        upload.put_buffer(vec![7_u8; 10_000].into()).await.expect_err("a part fails");
                        assert_eq!(uploads.n_retained.load(Ordering::Relaxed), n_failing.min(1));
                        // `abort` says whether the store has removed the parts.
                        let aborted = upload.abort().await;
                        let n_retained = uploads.n_retained.load(Ordering::Relaxed);
                        assert_eq!(
                            (aborted.is_err(), n_retained),
                            (n_failing == 2, usize::from(n_failing == 2))
                        );
                    }
                });
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
