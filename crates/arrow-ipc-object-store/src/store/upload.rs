//! Writes an object in parts.

use std::{collections::VecDeque, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::OwnedEncoded;
use arrow_ipc_rewrite::plan::{BufferProvider, Plan};
use bytes::Bytes;

use super::{
    object_store::{
        Error, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, WriteMultipart,
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
/// If you drop the future of a call, the next call uploads its bytes, so no bytes are lost or repeated. The exception
/// is [`put_plan`](ObjectUpload::put_plan), which computes bytes while it runs: if you drop its future, all later calls
/// fail.
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
    n_appended_bytes: u64,
    /// Whether a plan has been appended only in part.
    is_inside_plan: bool,
    state: UploadState,
}

#[derive(Debug)]
enum UploadState {
    /// The appended bytes do not fill a part yet.
    Gathering,
    Uploading(WriteMultipart),
    /// A call has failed, so all later calls fail.
    Failed,
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
            n_appended_bytes: 0,
            is_inside_plan: false,
            state: UploadState::Gathering,
        }
    }

    /// Appends encoded messages. Waits while the maximum number of parts is being uploaded.
    ///
    /// # Errors
    /// If the store fails. The upload is then aborted.
    pub async fn put(&mut self, encoded: OwnedEncoded) -> Result<(), ObjectError> {
        encoded.segments().for_each(|segment| self.append(Bytes::from_owner(segment.to_buffer())));
        self.upload_waiting().await
    }

    /// Appends the bytes of a plan. Calls the provider for each part in order, in the task that polls this future,
    /// while earlier parts are uploaded. If no part has been uploaded yet, parts become longer if the object would
    /// otherwise have more than 10,000.
    ///
    /// # Errors
    /// If the provider or the store fails. The upload is then aborted.
    pub async fn put_plan(
        &mut self,
        plan: &Plan,
        provider: &(impl BufferProvider + ?Sized),
    ) -> Result<(), ObjectError> {
        self.upload_waiting().await?;
        self.grow_parts(plan.len());
        self.is_inside_plan = true;
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

    /// Appends a buffer, and shares its memory until it has been uploaded.
    ///
    /// # Errors
    /// The errors of [`put`](ObjectUpload::put).
    pub async fn put_buffer(&mut self, bytes: Buffer) -> Result<(), ObjectError> {
        self.append(Bytes::from_owner(bytes));
        self.upload_waiting().await
    }

    /// Uploads the remaining bytes and completes the object. The store then shows the object.
    ///
    /// # Errors
    /// If the store fails. The upload is then aborted.
    pub async fn finish(mut self) -> Result<PutResult, ObjectError> {
        self.upload_waiting().await?;
        if let UploadState::Uploading(parts) = &mut self.state {
            // Waits until the options allow the last part.
            let waited = parts.wait_for_capacity(self.options.max_parts()).await;
            self.abort_on_error(waited).await?;
        }
        let finished = match std::mem::replace(&mut self.state, UploadState::Failed) {
            UploadState::Gathering => {
                let payload: PutPayload = std::mem::take(&mut self.waiting).into_iter().collect();
                self.store.put_opts(&self.path, payload, PutOptions::default()).await
            }
            // `finish` aborts the upload if it fails.
            UploadState::Uploading(parts) => parts.finish().await,
            UploadState::Failed => return Err(self.refused()),
        };
        finished.map_err(|error| self.error(error))
    }

    /// Ends the upload without an object. The store removes the parts.
    ///
    /// # Errors
    /// If the store fails. It may then keep the parts.
    pub async fn abort(mut self) -> Result<(), ObjectError> {
        match std::mem::replace(&mut self.state, UploadState::Failed) {
            UploadState::Uploading(parts) => parts.abort().await.map_err(|error| self.error(error)),
            UploadState::Gathering | UploadState::Failed => Ok(()),
        }
    }

    fn append(&mut self, bytes: Bytes) {
        self.n_appended_bytes = self.n_appended_bytes.saturating_add(bytes.len() as u64);
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
        loop {
            match &mut self.state {
                UploadState::Gathering if self.n_appended_bytes < self.part_bytes as u64 => return Ok(()),
                UploadState::Gathering => {
                    let begun =
                        self.store.put_multipart_opts(&self.path, PutMultipartOptions::default()).await;
                    let upload = match begun {
                        Ok(upload) => upload,
                        Err(error) => return self.abort_on_error(Err(error)).await,
                    };
                    self.state =
                        UploadState::Uploading(WriteMultipart::new_with_chunk_size(upload, self.part_bytes));
                }
                UploadState::Uploading(parts) => {
                    let Some(bytes) = self.waiting.front_mut() else { return Ok(()) };
                    let waited = parts.wait_for_capacity(self.options.max_parts()).await;
                    if waited.is_ok() {
                        // Together with the bytes gathered in `parts`, these bytes complete at most one part.
                        parts.put(bytes.split_to(bytes.len().min(self.part_bytes)));
                        if bytes.is_empty() {
                            self.waiting.pop_front();
                        }
                    }
                    self.abort_on_error(waited).await?;
                }
                UploadState::Failed => return Err(self.refused()),
            }
        }
    }

    /// Increases the length of parts for `n_more_bytes` more bytes, if no part has been uploaded.
    fn grow_parts(&mut self, n_more_bytes: u64) {
        if matches!(self.state, UploadState::Gathering) {
            let n_bytes = self.n_appended_bytes.saturating_add(n_more_bytes);
            let needed = usize::try_from(n_bytes.div_ceil(MAX_PARTS_OF_OBJECT)).unwrap_or(usize::MAX);
            self.part_bytes = self.part_bytes.max(needed);
        }
    }

    /// After an error of the store, aborts the upload.
    async fn abort_on_error(&mut self, outcome: Result<(), Error>) -> Result<(), ObjectError> {
        let Err(error) = outcome else { return Ok(()) };
        self.fail().await;
        Err(self.error(error))
    }

    async fn fail(&mut self) {
        self.waiting.clear();
        if let UploadState::Uploading(parts) = std::mem::replace(&mut self.state, UploadState::Failed) {
            // An error of `abort` is ignored, since the error of the failed call is returned.
            let _ = parts.abort().await;
        }
    }

    fn error(&self, error: Error) -> ObjectError {
        ObjectError::new(&self.path, None, cause(error))
    }

    fn refused(&self) -> ObjectError {
        ObjectError::new(&self.path, None, ObjectErrorKind::UploadFailed)
    }
}
