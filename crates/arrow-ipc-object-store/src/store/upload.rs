//! Writes an object in parts.

use std::{collections::VecDeque, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::OwnedEncoded;
use arrow_ipc_rewrite::plan::{BufferProvider, Plan};
use bytes::Bytes;
use tokio::task::JoinSet;

use super::{
    object_store::{
        Error, MultipartUpload, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult,
        path::Path,
    },
    version::cause,
};
use crate::{
    error::{ObjectError, ObjectErrorKind},
    options::UploadOptions,
};

/// Writes an object: the output of an encoder of `arrow-ipc`, or the bytes of a plan. It uploads parts of equal size,
/// and copies nothing.
///
/// The object appears in the store when [`finish`](ObjectUpload::finish) has completed. An object that is shorter than
/// one part is uploaded with one request, and a longer one as a multipart upload. Tokio tasks upload parts while you
/// encode the next ones.
///
/// A failed upload is [aborted](ObjectUpload::abort). Dropping an upload does not abort it: the store keeps the parts,
/// and charges for them, until a rule of the bucket removes them.
///
/// If you drop the future of a call, the next call uploads its bytes, so no bytes are lost or repeated, even if you never
/// polled it. The exception is [`put_plan`](ObjectUpload::put_plan), which computes bytes while it runs: if you drop its
/// future before it has completed, all later calls fail.
///
/// ```
/// # use std::sync::Arc;
/// # use object_store_0_14 as object_store;
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::FileEncoder;
/// use arrow_ipc_object_store::ObjectUpload;
/// use arrow_schema::DataType;
/// use object_store::{ObjectStore, memory::InMemory, path::Path};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = FileEncoder::try_new(batch.schema())?;
/// let mut upload = ObjectUpload::new(store, Path::from("people.arrow"));
/// upload.put(encoder.encode(&batch)?.into_owned()).await?;
/// upload.put(encoder.finish()?.into_owned()).await?;
/// let result = upload.finish().await?;
/// println!("{:?}", result.e_tag);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ObjectUpload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    options: UploadOptions,
    part_bytes: usize,
    /// The appended bytes that are in no part yet.
    waiting: VecDeque<Bytes>,
    n_waiting_bytes: usize,
    /// Whether a plan has been appended only in part.
    is_inside_plan: bool,
    /// Whether a call has failed, so that all later calls fail.
    has_failed: bool,
    /// The parts in the store. `None` before the first part, and after the store has removed them.
    parts: Option<UploadedParts>,
}

/// A multipart upload, and the tasks that upload its parts. The `WriteMultipart` of `object_store` would end with the first
/// failed request, so a failed abort could not be repeated.
#[derive(Debug)]
struct UploadedParts {
    upload: Box<dyn MultipartUpload>,
    tasks: JoinSet<Result<(), Error>>,
}

/// The maximum number of parts of an object in S3.
const MAX_PARTS_OF_OBJECT: u64 = 10_000;

impl ObjectUpload {
    /// Begins an object. Makes no request.
    pub fn new(store: Arc<dyn ObjectStore>, path: Path) -> ObjectUpload {
        ObjectUpload::new_with(store, path, UploadOptions::default())
    }

    /// Like [`new`](ObjectUpload::new), with options.
    pub fn new_with(store: Arc<dyn ObjectStore>, path: Path, options: UploadOptions) -> ObjectUpload {
        let part_bytes = options.part_bytes();
        ObjectUpload {
            store,
            path,
            options,
            part_bytes,
            waiting: VecDeque::new(),
            n_waiting_bytes: 0,
            is_inside_plan: false,
            has_failed: false,
            parts: None,
        }
    }

    /// Appends encoded messages. Waits while the maximum number of parts is being uploaded.
    ///
    /// # Errors
    /// If the store fails. The upload is then aborted.
    pub fn put(&mut self, encoded: OwnedEncoded) -> impl Future<Output = Result<(), ObjectError>> {
        encoded.segments().for_each(|segment| self.append(Bytes::from_owner(segment.to_buffer())));
        self.upload_waiting()
    }

    /// Appends the bytes of a plan. Calls the provider for each part in order, in the task that polls this future,
    /// while earlier parts are uploaded. If no part has been uploaded yet, parts become longer if the object would
    /// otherwise have more than 10,000.
    ///
    /// # Errors
    /// If the provider or the store fails. The upload is then aborted.
    pub fn put_plan(
        &mut self,
        plan: &Plan,
        provider: &(impl BufferProvider + ?Sized),
    ) -> impl Future<Output = Result<(), ObjectError>> {
        // Before the future is polled, since it may be dropped before.
        let was_inside_plan = std::mem::replace(&mut self.is_inside_plan, true);
        async move {
            if was_inside_plan {
                self.fail().await;
            }
            self.upload_parts().await?;
            self.grow_parts(plan.len());
            for part in plan.parts(self.part_bytes as u64, 1) {
                match plan.read_at(part, provider) {
                    Ok(bytes) => self.append(bytes.into()),
                    Err(error) => {
                        self.fail().await;
                        return Err(ObjectError::new(&self.path, None, ObjectErrorKind::Plan(error)));
                    }
                }
                self.upload_parts().await?;
            }
            self.is_inside_plan = false;
            Ok(())
        }
    }

    /// Appends a buffer, and shares its memory until it has been uploaded.
    ///
    /// # Errors
    /// The errors of [`put`](ObjectUpload::put).
    pub fn put_buffer(&mut self, bytes: Buffer) -> impl Future<Output = Result<(), ObjectError>> {
        self.append(Bytes::from_owner(bytes));
        self.upload_waiting()
    }

    /// Uploads the remaining bytes and completes the object. The store then shows the object.
    ///
    /// # Errors
    /// If the store fails. The upload is then aborted. If an earlier call has failed, and the store could not remove the
    /// parts, it is asked again.
    pub async fn finish(mut self) -> Result<PutResult, ObjectError> {
        let finished = self.try_finish().await;
        if finished.is_err() {
            self.fail().await;
        }
        finished
    }

    async fn try_finish(&mut self) -> Result<PutResult, ObjectError> {
        self.upload_waiting().await?;
        let rest = self.take_waiting(usize::MAX);
        let finished = match &mut self.parts {
            None => self.store.put_opts(&self.path, rest, PutOptions::default()).await,
            Some(parts) => parts.finish(rest, self.options.max_parts()).await,
        };
        finished.map_err(|error| self.error(error))
    }

    /// Ends the upload without an object. The store removes the parts. After a failed call, this asks the store again if it
    /// could not remove them.
    ///
    /// # Errors
    /// If the store fails. It may then keep the parts.
    pub async fn abort(mut self) -> Result<(), ObjectError> {
        self.remove_parts().await.map_err(|error| self.error(error))
    }

    fn append(&mut self, bytes: Bytes) {
        self.n_waiting_bytes = self.n_waiting_bytes.saturating_add(bytes.len());
        if !bytes.is_empty() {
            self.waiting.push_back(bytes);
        }
    }

    /// Uploads waiting bytes, including the bytes of a call whose future was dropped. Fails if a plan was appended only
    /// in part.
    async fn upload_waiting(&mut self) -> Result<(), ObjectError> {
        if self.is_inside_plan {
            self.fail().await;
        }
        self.upload_parts().await
    }

    /// Uploads the waiting bytes part by part, with as many parts at the same time as the options allow. Bytes are
    /// removed from `waiting` only between two awaits, so dropping the future loses no bytes.
    async fn upload_parts(&mut self) -> Result<(), ObjectError> {
        if self.has_failed {
            return Err(ObjectError::new(&self.path, None, ObjectErrorKind::UploadFailed));
        }
        while self.n_waiting_bytes >= self.part_bytes {
            if let Err(error) = self.prepare_part().await {
                self.fail().await;
                return Err(self.error(error));
            }
            let part = self.take_waiting(self.part_bytes);
            if let Some(parts) = &mut self.parts {
                parts.put(part);
            }
        }
        Ok(())
    }

    /// Waits until the options allow another part.
    async fn prepare_part(&mut self) -> Result<(), Error> {
        if let Some(parts) = &mut self.parts {
            return parts.wait_for_fewer_than(self.options.max_parts()).await;
        }
        let upload = self.store.put_multipart_opts(&self.path, PutMultipartOptions::default()).await?;
        self.parts = Some(UploadedParts { upload, tasks: JoinSet::new() });
        Ok(())
    }

    /// Takes the first `n_bytes` of the waiting bytes, or all.
    fn take_waiting(&mut self, n_bytes: usize) -> PutPayload {
        let mut taken = Vec::new();
        let mut n_left = n_bytes.min(self.n_waiting_bytes);
        self.n_waiting_bytes -= n_left;
        while let Some(bytes) = self.waiting.front_mut().filter(|_| n_left > 0) {
            let first = bytes.split_to(bytes.len().min(n_left));
            n_left -= first.len();
            taken.push(first);
            if bytes.is_empty() {
                self.waiting.pop_front();
            }
        }
        taken.into_iter().collect()
    }

    /// Increases the length of parts for `n_more_bytes` more bytes, if no part has been uploaded.
    fn grow_parts(&mut self, n_more_bytes: u64) {
        if self.parts.is_none() {
            let n_bytes = (self.n_waiting_bytes as u64).saturating_add(n_more_bytes);
            let needed = usize::try_from(n_bytes.div_ceil(MAX_PARTS_OF_OBJECT)).unwrap_or(usize::MAX);
            self.part_bytes = self.part_bytes.max(needed);
        }
    }

    /// Makes all later calls fail, and aborts the upload.
    async fn fail(&mut self) {
        self.has_failed = true;
        self.take_waiting(usize::MAX);
        // This error is ignored, since the error of the failed call is returned. `abort` tries again.
        let _ = self.remove_parts().await;
    }

    /// Makes the store remove the parts, if it has not done so before.
    async fn remove_parts(&mut self) -> Result<(), Error> {
        if let Some(parts) = &mut self.parts {
            parts.tasks.shutdown().await;
            parts.upload.abort().await?;
            self.parts = None;
        }
        Ok(())
    }

    fn error(&self, error: Error) -> ObjectError {
        ObjectError::new(&self.path, None, cause(error))
    }
}

impl UploadedParts {
    /// Begins to upload a part.
    fn put(&mut self, part: PutPayload) {
        self.tasks.spawn(self.upload.put_part(part));
    }

    /// Waits until fewer than this number of parts, at least one, are being uploaded.
    async fn wait_for_fewer_than(&mut self, n_parts: usize) -> Result<(), Error> {
        while self.tasks.len() >= n_parts {
            let Some(uploaded) = self.tasks.join_next().await else { break };
            uploaded??;
        }
        Ok(())
    }

    /// Uploads the last part, and completes the object.
    async fn finish(&mut self, last: PutPayload, max_parts: usize) -> Result<PutResult, Error> {
        if last.content_length() > 0 {
            self.wait_for_fewer_than(max_parts).await?;
            self.put(last);
        }
        self.wait_for_fewer_than(1).await?;
        self.upload.complete().await
    }
}
