//! An object that is written in parts.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_ipc::{BufferProvider, Image, OwnedEncoded};
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

/// Writes an object: what encoders of `arrow-ipc` give, or a plan from shapes, in parts of one size and without a copy.
///
/// The object appears when [`finish`](ObjectUpload::finish) has returned, and as a whole. What is shorter than one part is
/// uploaded by one request, anything longer as a multipart upload. Parts are uploaded by tasks of tokio while the next ones
/// are encoded.
///
/// An upload that fails is [aborted](ObjectUpload::abort). One that is dropped is not: stores keep its parts, and charge
/// for them, until a rule of the bucket removes them.
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
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not as many bytes as one part has.
    Gathering {
        pieces: Vec<Bytes>,
        n_bytes: usize,
    },
    Uploading(WriteMultipart),
    /// After an error.
    Failed,
}

impl ObjectUpload {
    /// Begins an object. Requests nothing yet.
    pub fn new(store: Arc<dyn ObjectStore>, path: Path, options: UploadOptions) -> ObjectUpload {
        ObjectUpload { store, path, options, state: State::Gathering { pieces: Vec::new(), n_bytes: 0 } }
    }

    /// Appends encoded messages. Waits while as many parts are under way as the options allow.
    ///
    /// # Errors
    /// If the store fails; the upload is aborted then.
    pub async fn put(&mut self, encoded: OwnedEncoded) -> Result<(), ObjectError> {
        for segment in encoded.segments() {
            self.put_buffer(segment.to_buffer()).await?;
        }
        Ok(())
    }

    /// Appends the image of a plan from shapes. The provider gives the bytes of one part after the other, while earlier ones
    /// are uploaded.
    ///
    /// # Errors
    /// If the provider or the store fails; the upload is aborted then.
    pub async fn put_plan(
        &mut self,
        image: &Image,
        provider: &(impl BufferProvider + ?Sized),
    ) -> Result<(), ObjectError> {
        for part in image.parts(self.options.part_bytes() as u64, 1) {
            match image.read_at(part, provider) {
                Ok(bytes) => self.put_buffer(bytes.into()).await?,
                Err(error) => {
                    self.fail().await;
                    return Err(ObjectError::new(&self.path, None, ObjectErrorKind::Plan(error)));
                }
            }
        }
        Ok(())
    }

    /// Appends bytes; shares their memory until they have been uploaded.
    ///
    /// # Errors
    /// As [`put`](ObjectUpload::put).
    pub async fn put_buffer(&mut self, bytes: Buffer) -> Result<(), ObjectError> {
        let bytes = Bytes::from_owner(bytes);
        let max_parts = self.options.max_parts();
        match &mut self.state {
            State::Uploading(parts) => {
                // Waits first: what is appended may be several parts, and is in memory in any case.
                let waited = parts.wait_for_capacity(max_parts).await;
                if waited.is_ok() {
                    parts.put(bytes);
                }
                self.settle(waited).await
            }
            State::Gathering { pieces, n_bytes } => {
                *n_bytes = n_bytes.saturating_add(bytes.len());
                pieces.push(bytes);
                if *n_bytes >= self.options.part_bytes() {
                    return self.begin_parts().await;
                }
                Ok(())
            }
            State::Failed => Err(self.refused()),
        }
    }

    /// The last bytes have been appended: the object appears.
    ///
    /// # Errors
    /// If the store fails; the upload is aborted then.
    pub async fn finish(mut self) -> Result<PutResult, ObjectError> {
        let finished = match std::mem::replace(&mut self.state, State::Failed) {
            State::Gathering { pieces, .. } => {
                let payload: PutPayload = pieces.into_iter().collect();
                self.store.put_opts(&self.path, payload, PutOptions::default()).await
            }
            // Aborts by itself if it fails.
            State::Uploading(parts) => parts.finish().await,
            State::Failed => return Err(self.refused()),
        };
        finished.map_err(|error| self.error(error))
    }

    /// Removes what has been uploaded.
    ///
    /// # Errors
    /// If the store fails: it may keep what has been uploaded.
    pub async fn abort(mut self) -> Result<(), ObjectError> {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Uploading(parts) => parts.abort().await.map_err(|error| self.error(error)),
            State::Gathering { .. } | State::Failed => Ok(()),
        }
    }

    async fn begin_parts(&mut self) -> Result<(), ObjectError> {
        let State::Gathering { pieces, .. } = std::mem::replace(&mut self.state, State::Failed) else {
            return Ok(());
        };
        let begun = self.store.put_multipart_opts(&self.path, PutMultipartOptions::default()).await;
        let upload = begun.map_err(|error| self.error(error))?;
        let mut parts = WriteMultipart::new_with_chunk_size(upload, self.options.part_bytes());
        pieces.into_iter().for_each(|bytes| parts.put(bytes));
        self.state = State::Uploading(parts);
        Ok(())
    }

    /// After an error, nothing more is uploaded, and the store removes what has been.
    async fn settle(&mut self, outcome: Result<(), Error>) -> Result<(), ObjectError> {
        let Err(error) = outcome else { return Ok(()) };
        self.fail().await;
        Err(self.error(error))
    }

    async fn fail(&mut self) {
        if let State::Uploading(parts) = std::mem::replace(&mut self.state, State::Failed) {
            // The first error is told.
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
