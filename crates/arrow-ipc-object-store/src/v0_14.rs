//! For `object_store` 0.14.

#[path = "store/chunks.rs"]
mod chunks;
#[path = "store/source.rs"]
mod source;
#[path = "store/upload.rs"]
mod upload;
#[path = "store/version.rs"]
mod version;

use object_store_0_14 as object_store;

pub use self::{chunks::Chunks, source::ObjectSource, upload::ObjectUpload};
