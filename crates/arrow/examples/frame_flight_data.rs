//! Frames batches as Flight does, and sends them over a socket and back: each message is a header and a body, and the
//! application's own bytes travel beside them. No message is longer than its limit.
//!
//! `cargo run -p fletching-arrow --example frame_flight_data` is both sides. If the variable PEER has the address of
//! another program, that is the other side.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use arrow::{
    Buffer, DictionaryArray, Int32Array, Int64Array, RecordBatch, TypedBatch, Utf8Array,
    ipc::{Encoded, Limits, MessageDecoder, MessageEncoder, WriteOptions, message::Message},
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
    if let Ok(address) = std::env::var("PEER") {
        return exchange(TcpStream::connect(address)?);
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let socket = TcpStream::connect(listener.local_addr()?)?;
    // The other side decodes what arrives, and sends it back.
    let other_side = thread::spawn(move || {
        let (mut socket, _) = listener.accept()?;
        let batches = receive(&mut socket)?;
        send(&mut socket, &batches)
    });
    exchange(socket)?;
    other_side.join().expect("the other side does not panic")
}

fn exchange(mut socket: TcpStream) -> arrow::Result<()> {
    let batch = rows(10_000)?;
    send(&mut socket, std::slice::from_ref(&batch))?;
    let received = receive(&mut socket)?;
    println!("{} batches", received.len());
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

/// Sends batches. The encoder splits those whose message would be too long.
fn send(socket: &mut TcpStream, batches: &[RecordBatch]) -> arrow::Result<()> {
    let Some(first) = batches.first() else { return Ok(()) };
    let options = WriteOptions::new().with_max_message_bytes(MAX_BYTES);
    let mut encoder = MessageEncoder::try_new_with(first.schema(), options)?;
    // Flight sends the schema first.
    put(socket, &encoder.encode_schema()?, b"")?;
    for batch in batches {
        put(socket, &encoder.encode(batch)?, b"from the application")?;
    }
    socket.shutdown(std::net::Shutdown::Write)?;
    Ok(())
}

/// Sends the messages of one call of the encoder: dictionaries first, then the batch or its pieces.
fn put(socket: &mut TcpStream, encoded: &Encoded<'_>, app_metadata: &[u8]) -> arrow::Result<()> {
    for message in encoded.parts() {
        let header = message.metadata_bytes();
        assert!(header.len() as u64 + message.n_body_bytes() <= MAX_BYTES);
        for n_bytes in [header.len() as u64, app_metadata.len() as u64, message.n_body_bytes()] {
            socket.write_all(&n_bytes.to_le_bytes())?;
        }
        socket.write_all(header)?;
        socket.write_all(app_metadata)?;
        // The segments share the memory of the arrays.
        message
            .body()
            .flat_map(|body| body.slices(usize::MAX))
            .try_for_each(|bytes| socket.write_all(bytes))?;
    }
    Ok(())
}

fn receive(socket: &mut TcpStream) -> arrow::Result<Vec<RecordBatch>> {
    // Lengths and counts of a peer that you do not trust.
    let limits = Limits::default();
    let mut batches = Vec::new();
    let mut decoder = None;
    while let Some(data) = take(socket)? {
        let Some(decoder) = &mut decoder else {
            // Flight sends the schema first.
            let message = Message::try_new(data.data_header.into(), data.data_body, &limits)?;
            decoder = Some(MessageDecoder::try_from_schema_message(&message)?);
            continue;
        };
        // A dictionary is no batch: the decoder keeps it.
        if let Some(next) = decoder.decode_parts(data.data_header.into(), data.data_body)? {
            assert_eq!(data.app_metadata, b"from the application");
            batches.push(next.batch);
        }
    }
    Ok(batches)
}

/// The next message; `None` at the end.
fn take(socket: &mut TcpStream) -> io::Result<Option<FlightData>> {
    let mut lengths = [[0; 8]; 3];
    match socket.read_exact(lengths.as_flattened_mut()) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        done => done?,
    }
    let lengths = lengths.map(u64::from_le_bytes);
    if lengths.iter().any(|n_bytes| *n_bytes > MAX_BYTES) {
        return Err(io::Error::other("a message is longer than agreed"));
    }
    let [data_header, app_metadata, data_body] = lengths.map(|n_bytes| vec![0; n_bytes as usize]);
    let mut data = FlightData { data_header, app_metadata, data_body: Buffer::new() };
    socket.read_exact(&mut data.data_header)?;
    socket.read_exact(&mut data.app_metadata)?;
    let mut body = data_body;
    socket.read_exact(&mut body)?;
    // Arrays share this memory.
    data.data_body = body.into();
    Ok(Some(data))
}

#[test]
fn runs() {
    main().unwrap();
}
