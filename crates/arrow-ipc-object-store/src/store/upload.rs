//! An object that is written in parts.

use std::{collections::VecDeque, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::{
    OwnedEncoded,
    plan::{BufferProvider, Image},
};
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
/// The object appears in the store as a whole, when [`finish`](ObjectUpload::finish) completes it. An object that is
/// shorter than one part is uploaded with one request, and a longer object as a multipart upload. Tasks of tokio upload
/// parts while the next parts are encoded.
///
/// An upload that fails is [aborted](ObjectUpload::abort). An upload that is dropped is not aborted: the store keeps
/// its parts, and charges for them, until a rule of the bucket removes them.
///
/// If the future of a call is dropped, no bytes are lost or repeated: the next call uploads the bytes that were passed
/// to the dropped call. The exception is [`put_plan`](ObjectUpload::put_plan), which makes its bytes while it runs: if
/// its future is dropped, all later calls fail.
///
/// ```
/// # use std::sync::Arc;
/// # use object_store_0_14 as object_store;
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{FileEncoder, WriteOptions};
/// use arrow_ipc_object_store::{ObjectUpload, UploadOptions};
/// use arrow_schema::DataType;
/// use object_store::{ObjectStore, memory::InMemory, path::Path};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = FileEncoder::try_new(batch.schema(), WriteOptions::new())?;
/// let mut upload = ObjectUpload::new(store, Path::from("people.arrow"), UploadOptions::new());
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
    /// The appended bytes that do not belong to a part.
    waiting: VecDeque<Bytes>,
    n_appended_bytes: u64,
    /// Whether some, but not all bytes of a plan have been appended.
    is_inside_plan: bool,
    state: UploadState,
}

#[derive(Debug)]
enum UploadState {
    /// The appended bytes are fewer than one part.
    Gathering,
    Uploading(WriteMultipart),
    /// An error has occurred, and all later calls fail.
    Failed,
}

/// The maximum number of parts of an object in S3.
const MAX_PARTS_OF_OBJECT: u64 = 10_000;

impl ObjectUpload {
    /// Begins an object. This call makes no request.
    pub fn new(store: Arc<dyn ObjectStore>, path: Path, options: UploadOptions) -> ObjectUpload {
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

    /// Appends the bytes of a plan. The provider makes the bytes of one part after the other, while earlier parts are
    /// uploaded. The task that polls this future calls the provider. If no part has been uploaded before, the size of
    /// parts grows until 10,000 parts are enough.
    ///
    /// # Errors
    /// If the provider or the store fails. The upload is then aborted.
    pub async fn put_plan(
        &mut self,
        image: &Image,
        provider: &(impl BufferProvider + ?Sized),
    ) -> Result<(), ObjectError> {
        self.upload_waiting().await?;
        self.grow_parts(image.len());
        self.is_inside_plan = true;
        for part in image.parts(self.part_bytes as u64, 1) {
            match image.read_at(part, provider) {
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

    /// Appends the bytes of a buffer. The upload shares the memory of the buffer until they have been uploaded.
    ///
    /// # Errors
    /// The errors of [`put`](ObjectUpload::put).
    pub async fn put_buffer(&mut self, bytes: Buffer) -> Result<(), ObjectError> {
        self.append(Bytes::from_owner(bytes));
        self.upload_waiting().await
    }

    /// Uploads the remaining bytes, and completes the object, which is then visible in the store.
    ///
    /// # Errors
    /// If the store fails. The upload is then aborted.
    pub async fn finish(mut self) -> Result<PutResult, ObjectError> {
        self.upload_waiting().await?;
        if let UploadState::Uploading(parts) = &mut self.state {
            // Waits until the last part may be uploaded.
            let waited = parts.wait_for_capacity(self.options.max_parts()).await;
            self.settle(waited).await?;
        }
        let finished = match std::mem::replace(&mut self.state, UploadState::Failed) {
            UploadState::Gathering => {
                let payload: PutPayload = std::mem::take(&mut self.waiting).into_iter().collect();
                self.store.put_opts(&self.path, payload, PutOptions::default()).await
            }
            // If this fails, it aborts the upload itself.
            UploadState::Uploading(parts) => parts.finish().await,
            UploadState::Failed => return Err(self.refused()),
        };
        finished.map_err(|error| self.error(error))
    }

    /// Ends the upload without an object, and removes the parts that have been uploaded.
    ///
    /// # Errors
    /// If the store fails. The store may then keep the uploaded parts.
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

    /// Uploads waiting bytes, even those of a call whose future was dropped. Fails if a plan is incomplete, since the
    /// remaining bytes of the plan were not made.
    async fn upload_waiting(&mut self) -> Result<(), ObjectError> {
        if self.is_inside_plan {
            self.fail().await;
        }
        self.upload_parts().await
    }

    /// Makes parts from the waiting bytes, one after the other, as soon as the options allow another simultaneous part.
    /// Bytes are only removed from the waiting ones between two awaits, so dropping the future loses no bytes.
    async fn upload_parts(&mut self) -> Result<(), ObjectError> {
        loop {
            match &mut self.state {
                UploadState::Gathering if self.n_appended_bytes < self.part_bytes as u64 => return Ok(()),
                UploadState::Gathering => {
                    let begun =
                        self.store.put_multipart_opts(&self.path, PutMultipartOptions::default()).await;
                    let upload = match begun {
                        Ok(upload) => upload,
                        Err(error) => return self.settle(Err(error)).await,
                    };
                    self.state =
                        UploadState::Uploading(WriteMultipart::new_with_chunk_size(upload, self.part_bytes));
                }
                UploadState::Uploading(parts) => {
                    let Some(bytes) = self.waiting.front_mut() else { return Ok(()) };
                    let waited = parts.wait_for_capacity(self.options.max_parts()).await;
                    if waited.is_ok() {
                        // Together with the bytes that `parts` has gathered, these bytes complete at most one part.
                        parts.put(bytes.split_to(bytes.len().min(self.part_bytes)));
                        if bytes.is_empty() {
                            self.waiting.pop_front();
                        }
                    }
                    self.settle(waited).await?;
                }
                UploadState::Failed => return Err(self.refused()),
            }
        }
    }

    /// Makes parts large enough for `n_more_bytes` bytes after the appended bytes, if no part has been uploaded.
    fn grow_parts(&mut self, n_more_bytes: u64) {
        if matches!(self.state, UploadState::Gathering) {
            let n_bytes = self.n_appended_bytes.saturating_add(n_more_bytes);
            let needed = usize::try_from(n_bytes.div_ceil(MAX_PARTS_OF_OBJECT)).unwrap_or(usize::MAX);
            self.part_bytes = self.part_bytes.max(needed);
        }
    }

    /// Handles the result of a call of the store. After an error, nothing more is uploaded, and the store removes the uploaded parts.
    async fn settle(&mut self, outcome: Result<(), Error>) -> Result<(), ObjectError> {
        let Err(error) = outcome else { return Ok(()) };
        self.fail().await;
        Err(self.error(error))
    }

    async fn fail(&mut self) {
        self.waiting.clear();
        if let UploadState::Uploading(parts) = std::mem::replace(&mut self.state, UploadState::Failed) {
            // The error of the failed call is returned, and not an error of `abort`.
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
