//! The C data, C stream and C device interfaces of Apache Arrow. They pass arrays, batches and streams to and from
//! other libraries in the same process without a copy.
//!
//! - [`ArrowSchema`] describes a type, a field or a schema; [`ArrowArray`] is an array or a record batch; an
//!   [`ArrowArrayStream`] returns several arrays or batches. [`ArrowDeviceArray`] and [`ArrowDeviceArrayStream`] do the
//!   same for the memory of a device, which must be the CPU. All of these types have the memory layout of the C
//!   structures in the specification.
//! - **Export** is safe: [`ArrowSchema::try_from_schema`], [`ArrowArray::try_from_batch`], [`ArrowArrayStream::new`].
//!   The structure shares the memory of the array until its release callback is called. Export checks all unchecked
//!   content, since other libraries trust it. [`into_raw`](ArrowArray::into_raw) and [`write_to`](ArrowArray::write_to)
//!   pass the structure to another library.
//! - **Import** moves a structure out of a pointer with `from_raw`. From then on the structure is a Rust value: it is
//!   released when it is dropped, also after errors and on other threads, and never twice. [`ArrowSchema::to_schema`],
//!   [`ArrowArray::import_batch`] and [`ArrowArrayStream::into_batches`] read structures, and check everything that the
//!   contract below does not promise.
//!
//! Two steps are `unsafe`, since this crate cannot check them: `from_raw` needs a valid pointer, and
//! [`ArrowArray::import`] needs an array of the type that the caller names. A stream contains the type of its arrays.
//!
//! ```
//! use arrow_buffer::Buffer;
//! use arrow_c_data::{ArrowArray, ArrowSchema};
//! use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
//! use arrow_schema::DataType;
//!
//! let ids = ArrayData::try_new(ArrayParts {
//!     buffers: [Buffer::from(vec![7_i64, 8, 9]), Buffer::new()],
//!     ..ArrayParts::new(DataType::Int64, 3)
//! })?;
//! let batch = RecordBatch::try_from_columns([("id", ids)])?;
//!
//! // To another library, as two pointers.
//! let schema = ArrowSchema::try_from_schema(batch.schema())?.into_raw();
//! let array = ArrowArray::try_from_batch(&batch)?.into_raw();
//!
//! // From another library: both were filled as the C data interface asks for.
//! // SAFETY: they were, just above.
//! let (schema, array) = unsafe { (ArrowSchema::take_box(schema), ArrowArray::take_box(array)) };
//! let schema = schema.to_schema()?;
//! // SAFETY: the schema is that of the array.
//! let same = unsafe { array.import_batch(schema, Validation::Content) }?;
//! assert!(same.columns()[0].same_memory(&batch.columns()[0]));
//! # Ok::<(), arrow_c_data::CDataError>(())
//! ```
//!
//! # The contract
//!
//! A pointer does not describe the memory to which it points. So the caller of an `unsafe` function promises that the
//! structure, and all memory to which it points, follow the rules of the C data interface:
//!
//! - **Pointers** are null or valid, and aligned as their types are in C. Names and formats end with a NUL. `children`
//!   points to `n_children` pointers, `buffers` to `n_buffers` pointers. Metadata has the length that its own numbers
//!   give.
//! - **Buffers** have at least the length that the type requires for `length + offset` slots. The data of binary and
//!   utf8 is at least as long as the last offset. For views, the last buffer has the lengths of the data buffers.
//!   Buffers need not be aligned.
//! - **Streams** return one schema, and arrays of this schema. If a callback fails, the structure that it should have
//!   filled is not read. Then the text of `get_last_error` is null or ends with a NUL. This text does not change, and
//!   is not freed, until another callback of the stream is called.
//! - **Memory does not change** and stays valid until the release callback is called.
//! - **Callbacks** have the type of the C function. They may be called from any thread, but only by one thread at a
//!   time, and do not unwind. The release callback of a structure also works after the structure was moved to another
//!   address.
//!
//! A structure whose release callback is null is released. For such a structure, the caller only promises that its
//! members are initialised; the memory to which they point is not read.
//!
//! Everything else is checked before it is used, so that errors of the producer are reported: numbers of children and
//! buffers, null pointers, negative and overflowing lengths and offsets, unknown formats, missing dictionaries, depth.
//! [`Validation`] decides whether the content of buffers is checked.
//!
//! What no slot of the array refers to is not checked, so that the slices of a table cost together what the table costs.
//! Streams, and an [`ArrayImporter`] for single structures, check a dictionary once that many arrays share.
//!
//! # What is copied
//!
//! Importing copies buffers of numbers that are not aligned. Array offsets become slices of the buffers. Of a slice whose
//! text or children are checked, the offsets into them are copied, too: they then begin at what the slots refer to. Exporting
//! copies a bitmap that starts inside a byte if the other buffers do not start at the same bit. [`CopyStats`] counts
//! these copies.
#![deny(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod error;
mod format;
mod metadata;
#[allow(unsafe_code)] // Moves and releases structures of other libraries.
mod raw;
mod stats;

#[allow(unsafe_code)] // Follows the pointers of schemas.
mod schema;

#[allow(unsafe_code)] // Follows the pointers of arrays.
mod array;

#[allow(unsafe_code)] // Calls the callbacks of streams, and is called back.
mod stream;

#[allow(unsafe_code)] // Moves structures of devices, by the macros of `raw`.
mod device;

pub use arrow_data::Validation;

pub use crate::{
    array::{ArrayImporter, ArrowArray},
    device::{ArrowDeviceArray, ArrowDeviceArrayStream},
    error::{CDataError, CDataErrorKind, Structure},
    schema::ArrowSchema,
    stats::CopyStats,
    stream::{ArrayReader, ArrowArrayStream, BatchReader},
};
