//! Encodes batches in one thread and writes them in another, like an asynchronous writer. Messages in the queue own
//! their bytes or share them with the columns.
//!
//! `cargo run -p fletching-arrow --example encode_to_queue`

use std::{
    io::{self, IoSlice, Write},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use arrow::{
    Int64Array, RecordBatch, StreamReader, TypedBatch,
    ipc::{OwnedEncoded, StreamEncoder},
};

fn main() -> arrow::Result<()> {
    // The encoder waits while this many calls' messages have not been written.
    let (queue, waiting) = sync_channel(2);
    let encoder = thread::spawn(move || encode(&queue));
    let stream = write(waiting, Vec::new())?;
    encoder.join().map_err(|_| io::Error::other("the encoder panicked"))??;

    let mut n_rows = 0;
    for batch in StreamReader::try_new(&*stream)? {
        n_rows += batch?.column_as::<Int64Array>("id")?.len();
    }
    println!("{n_rows} rows in {} bytes", stream.len());
    assert_eq!(n_rows, 10 * 1_000);
    Ok(())
}

fn encode(queue: &SyncSender<OwnedEncoded>) -> arrow::Result<()> {
    let send = |encoded| queue.send(encoded).map_err(|_| io::Error::other("the writer stopped"));
    let mut encoder = None;
    for batch_idx in 0..10 {
        let ids = Int64Array::from_iter(batch_idx * 1_000..(batch_idx + 1) * 1_000).into();
        let batch = RecordBatch::try_from_columns([("id", ids)])?;
        let encoder = match &mut encoder {
            Some(encoder) => encoder,
            None => encoder.insert(StreamEncoder::try_new(batch.schema())?),
        };
        send(encoder.encode(&batch)?.into_owned())?;
    }
    if let Some(mut encoder) = encoder {
        send(encoder.finish()?.into_owned())?;
    }
    Ok(())
}

/// With an asynchronous sink, the loop is the same with an `await`.
fn write<W: Write>(waiting: Receiver<OwnedEncoded>, mut sink: W) -> arrow::Result<W> {
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
