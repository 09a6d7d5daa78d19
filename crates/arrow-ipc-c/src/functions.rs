//! The functions of the header. A test compares each with its prototype there.
//!
//! **Contract of the header**, which the types of the arguments stand for: a pointer is NULL or valid for what it points to,
//! and aligned; results are in memory that no other argument refers to; a handle comes from this library and was not freed;
//! structures of the C data interface keep its contract. Only handles and results are references: these are valid for the whole
//! call. What callbacks may free or use during a call arrives as a pointer.

use std::ffi::{CStr, c_char, c_int};

use arrow_c_data::{ArrowArray, ArrowArrayStream, ArrowSchema};

use crate::{
    border::{ErrorReport, answer, free},
    callbacks::{SinkCallbacks, SourceCallbacks},
    decoder::{self, Decoder},
    encoder::{self, Encoder},
    pointers::{ListPointer, Memory, MovedPointer, NamedText, Out, SizedPointer, SizedTarget, TextPointer},
    reader::{self, LentBytes, Reader},
    writer::{self, Writer},
};

/// A handle that is made.
type Made<'a, T> = Out<'a, Option<Box<T>>>;

/// The version of the header to which the functions keep.
const ABI_VERSION: u32 = 1;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no NUL"),
};

/// Handles are used and freed on any thread.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Reader>();
    is_send_and_sync::<Decoder>();
    is_send_and_sync::<Encoder>();
    is_send_and_sync::<Writer>();
};

/// Exports functions under their names: those that answer with a code and may report an error, those that free a handle, and
/// those that return a value.
macro_rules! export {
    (
        fallible { $(fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $function:path;)* }
        freeing { $(fn $free:ident($handle:ident: $freed:ty);)* }
        plain { $(fn $plain:ident() -> $value:ty = $result:expr;)* }
    ) => {
        $(
            // SAFETY: no other function of a program has this name: names that begin with `aipc_` are those of this library.
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $type,)* error: SizedTarget<ErrorReport>) -> c_int {
                answer(error, || $function($($argument),*))
            }
        )*
        $(
            // SAFETY: as above.
            #[unsafe(no_mangle)]
            extern "C" fn $free($handle: Option<Box<$freed>>) {
                free($handle);
            }
        )*
        $(
            // SAFETY: as above.
            #[unsafe(no_mangle)]
            extern "C" fn $plain() -> $value {
                $result
            }
        )*
    };
}

export! {
    fallible {
        fn aipc_reader_open(path: TextPointer, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Reader>) = reader::open;
        fn aipc_reader_open_memory(memory: SizedPointer<Memory>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Reader>) = reader::open_memory;
        fn aipc_reader_open_source(source: SizedPointer<SourceCallbacks>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Reader>) = reader::open_source;
        fn aipc_reader_select(reader: Option<&Reader>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Reader>) = reader::select;
        fn aipc_reader_schema(reader: Option<&Reader>, out: Out<'_, ArrowSchema>) = reader::schema;
        fn aipc_reader_stream(reader: Option<&Reader>, out: Out<'_, ArrowArrayStream>) = reader::stream;
        fn aipc_reader_batch(reader: Option<&Reader>, index: u64, out: Out<'_, ArrowArray>) = reader::batch;
        fn aipc_reader_n_batches(reader: Option<&Reader>, out: Out<'_, u64>) = reader::n_batches;
        fn aipc_reader_n_rows(reader: Option<&Reader>, out: Out<'_, u64>) = reader::n_rows;
        fn aipc_reader_batch_n_rows(reader: Option<&Reader>, index: u64, out: Out<'_, u64>) = reader::batch_n_rows;
        fn aipc_reader_is_file(reader: Option<&Reader>, out: Out<'_, i32>) = reader::is_file;
        fn aipc_reader_unreferenced_bytes(reader: Option<&Reader>, start: Out<'_, u64>, n_bytes: Out<'_, u64>, has_second_file: Out<'_, i32>) = reader::unreferenced_bytes;
        fn aipc_reader_n_metadata(reader: Option<&Reader>, out: Out<'_, u64>) = reader::n_metadata;
        fn aipc_reader_metadata(reader: Option<&Reader>, index: u64, key: Out<'_, LentBytes>, value: Out<'_, LentBytes>) = reader::metadata;
        fn aipc_reader_find_metadata(reader: Option<&Reader>, key: TextPointer, out: Out<'_, LentBytes>) = reader::find_metadata;
        fn aipc_decoder_new(options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Decoder>) = decoder::new;
        fn aipc_decoder_feed(decoder: Option<&Decoder>, bytes: ListPointer<u8>, n_bytes: usize) = decoder::feed;
        fn aipc_decoder_feed_memory(decoder: Option<&Decoder>, memory: SizedPointer<Memory>) = decoder::feed_memory;
        fn aipc_decoder_end_input(decoder: Option<&Decoder>) = decoder::end_input;
        fn aipc_decoder_step(decoder: Option<&Decoder>, event: Out<'_, i32>, batch: Out<'_, ArrowArray>) = decoder::step;
        fn aipc_decoder_schema(decoder: Option<&Decoder>, out: Out<'_, ArrowSchema>) = decoder::schema;
        fn aipc_encoder_new(schema: MovedPointer<ArrowSchema>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Encoder>) = encoder::new;
        fn aipc_encoder_write(encoder: Option<&Encoder>, batch: MovedPointer<ArrowArray>) = encoder::write;
        fn aipc_encoder_finish(encoder: Option<&Encoder>) = encoder::finish;
        fn aipc_encoder_next(encoder: Option<&Encoder>, out: Out<'_, LentBytes>) = encoder::next;
        fn aipc_writer_create(path: TextPointer, schema: MovedPointer<ArrowSchema>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Writer>) = writer::create;
        fn aipc_writer_to_sink(sink: SizedPointer<SinkCallbacks>, schema: MovedPointer<ArrowSchema>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Writer>) = writer::to_sink;
        fn aipc_writer_to_memory(schema: MovedPointer<ArrowSchema>, options: ListPointer<NamedText>, n_options: usize, out: Made<'_, Writer>) = writer::to_memory;
        fn aipc_writer_write(writer: Option<&Writer>, batch: MovedPointer<ArrowArray>) = writer::write;
        fn aipc_writer_write_stream(writer: Option<&Writer>, stream: MovedPointer<ArrowArrayStream>) = writer::write_stream;
        fn aipc_writer_finish(writer: Option<&Writer>) = writer::finish;
        fn aipc_writer_bytes(writer: Option<&Writer>, out: Out<'_, LentBytes>) = writer::bytes;
    }
    freeing {
        fn aipc_reader_free(reader: Reader);
        fn aipc_decoder_free(decoder: Decoder);
        fn aipc_encoder_free(encoder: Encoder);
        fn aipc_writer_free(writer: Writer);
    }
    plain {
        fn aipc_abi_version() -> u32 = ABI_VERSION;
        fn aipc_version() -> *const c_char = VERSION.as_ptr();
    }
}
