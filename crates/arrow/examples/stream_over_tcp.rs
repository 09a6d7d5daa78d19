//! Sends batches from one thread to another over TCP, as they are made.
//!
//! `cargo run -p fletching-arrow --example stream_over_tcp`

use std::{
    io,
    net::{TcpListener, TcpStream},
    thread,
};

use arrow::{
    Float64Builder, Int64Array, Int64Builder, StreamReader, StreamWriter, StructBuilder, TypedBatch,
};

fn main() -> arrow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let sender = thread::spawn(move || send(TcpStream::connect(address)?));

    let (connection, _) = listener.accept()?;
    let mut reader = StreamReader::try_new(connection)?;
    println!("receiving:\n{}", reader.schema());
    let mut n_rows = 0;
    // Each batch is there as soon as its bytes are, however the network cuts them.
    while let Some(next) = reader.next_batch()? {
        let ids = next.batch.column_as::<Int64Array>("id")?;
        println!("{} rows from id {:?} on", ids.len(), ids.get(0));
        n_rows += ids.len();
    }
    assert_eq!(n_rows, 5 * 100);
    sender.join().map_err(|_| io::Error::other("the sender panicked"))?
}

fn send(connection: TcpStream) -> arrow::Result<()> {
    let mut rows = StructBuilder::new((("id", Int64Builder::new()), ("root", Float64Builder::new())));
    let mut writer = None;
    for batch_idx in 0..5 {
        rows.extend((0..100).map(|k| batch_idx * 100 + k).map(|id| (id, (id as f64).sqrt())));
        let batch = rows.finish_batch()?;
        let writer = match &mut writer {
            Some(writer) => writer,
            None => writer.insert(StreamWriter::try_new(&connection, batch.schema())?),
        };
        writer.write(&batch)?;
    }
    if let Some(writer) = writer {
        writer.finish()?;
    }
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}
