//! The types of this crate for `object_store` 0.13.

#[path = "store/chunks.rs"]
mod chunks;
#[cfg(feature = "dataset")]
#[path = "store/files.rs"]
mod files;
#[cfg(all(feature = "fs", not(target_arch = "wasm32")))]
#[path = "store/local_file.rs"]
mod local_file;
#[cfg(not(all(feature = "fs", not(target_arch = "wasm32"))))]
#[path = "store/no_local_file.rs"]
mod local_file;
#[path = "store/source.rs"]
mod source;
#[path = "store/upload.rs"]
mod upload;
#[path = "store/version.rs"]
mod version;

use object_store_0_13 as object_store;

#[cfg(feature = "dataset")]
pub use self::files::{BlockingObject, ObjectFiles};
pub use self::{chunks::Chunks, source::ObjectSource, upload::ObjectUpload};
