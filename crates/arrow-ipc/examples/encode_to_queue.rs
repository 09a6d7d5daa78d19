//! Encodes batches in one thread and writes them in another, like an asynchronous writer. Messages in the queue own
//! their bytes or share them with the columns.
//!
//! `cargo run -p arrow-ipc --example encode_to_queue`

use std::{
    error::Error,
    io::{IoSlice, Write},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use arrow_array::{Int64Array, TypedBatch};
use arrow_data::RecordBatch;
use arrow_ipc::{OwnedEncoded, StreamEncoder, StreamReader, WriteOptions};

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    // The encoder waits while this many calls' messages have not been written.
    let (queue, waiting) = sync_channel(2);
    let encoder = thread::spawn(move || encode(&queue));
    let stream = write(waiting, Vec::new())?;
    encoder.join().map_err(|_| "the encoder panicked")??;

    let mut n_rows = 0;
    for batch in StreamReader::try_new(&*stream)? {
        n_rows += batch?.column_as::<Int64Array>("id")?.len();
    }
    println!("{n_rows} rows in {} bytes", stream.len());
    assert_eq!(n_rows, 10 * 1_000);
    Ok(())
}

fn encode(queue: &SyncSender<OwnedEncoded>) -> Result<(), Failure> {
    let mut encoder = None;
    for batch_idx in 0..10 {
        let ids = Int64Array::from_iter(batch_idx * 1_000..(batch_idx + 1) * 1_000).into();
        let batch = RecordBatch::try_from_columns([("id", ids)])?;
        let encoder = match &mut encoder {
            Some(encoder) => encoder,
            None => encoder.insert(StreamEncoder::try_new(batch.schema(), WriteOptions::default())?),
        };
        queue.send(encoder.encode(&batch)?.into_owned())?;
    }
    if let Some(mut encoder) = encoder {
        queue.send(encoder.finish()?.into_owned())?;
    }
    Ok(())
}

/// With an asynchronous sink, the loop is the same with an `await`.
fn write<W: Write>(waiting: Receiver<OwnedEncoded>, mut sink: W) -> Result<W, Failure> {
    for encoded in waiting {
        let mut slices: Vec<IoSlice<'_>> = encoded.io_slices().collect();
        let mut left = &mut slices[..];
        while !left.is_empty() {
            let n_bytes = sink.write_vectored(left)?;
            IoSlice::advance_slices(&mut left, n_bytes);
        }
    }
    Ok(sink)
}

#[test]
fn runs() {
    main().unwrap();
}
