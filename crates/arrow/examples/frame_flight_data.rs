//! Frames batches as Flight does, without a network: each message is a header and a body, and the application's own
//! bytes travel beside them. No message is longer than its limit.
//!
//! `cargo run -p fletching-arrow --example frame_flight_data`

use std::collections::VecDeque;

use arrow::{
    Buffer, DictionaryArray, Int32Array, Int64Array, RecordBatch, TypedBatch, Utf8Array,
    ipc::{Encoded, Limits, MessageDecoder, MessageEncoder, message::Message},
};

/// The fields of Flight's message of this name that belong to data.
struct FlightData {
    data_header: Vec<u8>,
    app_metadata: Vec<u8>,
    data_body: Buffer,
}

/// The longest header and body together.
const MAX_BYTES: u64 = 16 << 10;

fn main() -> arrow::Result<()> {
    let batch = rows(10_000)?;
    let mut queue = VecDeque::new();

    let mut encoder = MessageEncoder::try_new(batch.schema())?;
    frame(&encoder.encode_schema()?, b"", &mut queue);
    send(&mut encoder, &batch, &mut queue)?;
    assert!(queue.iter().all(|data| (data.data_header.len() + data.data_body.len()) as u64 <= MAX_BYTES));
    println!("{} messages", queue.len());

    let received = receive(queue)?;
    assert_eq!(received.iter().map(RecordBatch::n_rows).sum::<usize>(), batch.n_rows());
    let last = received.last().expect("there are rows");
    let cities = last.column_as::<DictionaryArray>("city")?.decoded::<Utf8Array>()?;
    assert_eq!(cities.get(last.n_rows() - 1), Some("Lima"));
    Ok(())
}

fn rows(n_rows: i32) -> arrow::Result<RecordBatch> {
    let cities = Utf8Array::try_from_iter(["Oslo", "Lima"])?;
    let cities = DictionaryArray::try_new(Int32Array::from_iter((0..n_rows).map(|row| row % 2)), cities)?;
    let ids = Int64Array::from_iter((0..n_rows).map(i64::from));
    Ok(RecordBatch::try_from_columns([("id", ids.into()), ("city", cities.into())])?)
}

/// Sends a batch, in two halves if its message would be too long. The sizes are known before anything is encoded: what
/// has been encoded counts as sent, and its dictionaries are not encoded again.
fn send(
    encoder: &mut MessageEncoder,
    batch: &RecordBatch,
    queue: &mut VecDeque<FlightData>,
) -> arrow::Result<()> {
    let sizes = encoder.message_sizes(batch)?;
    let n_rows = batch.n_rows();
    if n_rows > 1 && sizes.last().is_some_and(|size| size.n_bytes() > MAX_BYTES) {
        send(encoder, &batch.slice(0, n_rows / 2), queue)?;
        return send(encoder, &batch.slice(n_rows / 2, n_rows - n_rows / 2), queue);
    }
    frame(&encoder.encode(batch)?, b"from the application", queue);
    Ok(())
}

/// The messages of one call of the encoder: dictionaries first, then the batch.
fn frame(encoded: &Encoded<'_>, app_metadata: &[u8], queue: &mut VecDeque<FlightData>) {
    queue.extend(encoded.parts().map(|message| FlightData {
        data_header: message.metadata_bytes().to_vec(),
        app_metadata: app_metadata.to_vec(),
        // `message.body()` returns the segments of the body instead of a copy, for vectored writes.
        data_body: message.to_body(),
    }));
}

fn receive(queue: VecDeque<FlightData>) -> arrow::Result<Vec<RecordBatch>> {
    // Lengths and counts of a peer that you do not trust.
    let limits = Limits::default();
    let mut batches = Vec::new();
    let mut decoder = None;
    for data in queue {
        let message = Message::try_new(data.data_header.into(), data.data_body, &limits)?;
        let Some(decoder) = &mut decoder else {
            // Flight sends the schema first.
            decoder = Some(MessageDecoder::try_from_schema_message(&message)?);
            continue;
        };
        // A dictionary is no batch: the decoder keeps it.
        if let Some(next) = decoder.decode(&message)? {
            assert_eq!(data.app_metadata, b"from the application");
            batches.push(next.batch);
        }
    }
    Ok(batches)
}

#[test]
fn runs() {
    main().unwrap();
}
