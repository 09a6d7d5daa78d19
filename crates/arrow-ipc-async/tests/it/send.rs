//! All futures and streams are `Send`.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::ReadOptions;
use arrow_ipc_async::{
    AsyncBatches, AsyncFileReader, AsyncFileWriter, AsyncSource, AsyncStreamReader, AsyncStreamWriter,
    BlockingSource, UnorderedBatches,
};
use arrow_ipc_tensor::{EncodeTensor as _, TensorRef};
use arrow_schema::Metadata;

use crate::support::Store;

fn send<T: Send>(_: T) {}
fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}

/// Only has to compile, and is not run.
#[allow(dead_code)]
fn futures_are_send(
    file: &AsyncFileReader<Store>,
    reader: &mut AsyncStreamReader<&[u8]>,
    (streams, mut files): (&mut AsyncStreamWriter<Vec<u8>>, AsyncFileWriter<Vec<u8>>),
    (batch, tensor, store): (&RecordBatch, TensorRef<'_>, Store),
) {
    send(AsyncFileReader::try_new(store.clone()));
    send(AsyncFileReader::try_new_with(store.clone(), ReadOptions::new()));
    send(file.n_rows());
    send(file.n_rows_of(0));
    send(file.batch(0));
    send(file.batch_with_metadata(0));
    send(file.batch_rows(0, 0..1));
    send(file.check_dictionaries());
    send(file.load_dictionaries());
    send(file.dictionaries());
    send(file.schema_message_metadata());
    send(file.run(file.decoder().plan_n_rows()));
    send(file.batches().next_batch());
    send(file.batches().unordered().next_batch());
    send(reader.schema());
    send(reader.next_batch());
    send(reader.next_step());
    send(reader.next_stream());
    send(streams.write(batch));
    send(streams.write_with_metadata(batch, &Metadata::new()));
    send(streams.write_with(move |encoder| encoder.encode_tensor(tensor, &Metadata::new())));
    send(streams.flush());
    send(streams.write_end());
    send(files.write(batch));
    send(files.flush());
    send(files.finish());
    send(store.fetch_tail(8));
    send(Buffer::new().n_bytes());
    send(BlockingSource::new(Buffer::new()).fetch(0..1));
}

#[test]
fn readers_and_writers_are_send() {
    is_send::<AsyncBatches<Store>>();
    is_send::<UnorderedBatches<Store>>();
    is_send::<AsyncStreamReader<&[u8]>>();
    is_send::<AsyncStreamWriter<Vec<u8>>>();
    is_send::<AsyncFileWriter<Vec<u8>>>();
    is_send::<AsyncFileReader<Store>>();
    is_sync::<AsyncFileReader<Store>>();
}
