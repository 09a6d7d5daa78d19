//! Serves a file that exists nowhere by byte ranges over HTTP/1.1, and reads a little of it back.
//!
//! The plan knows every header and the position of each buffer. The bytes of buffers are computed from their position
//! when a range of them is requested. So a file of 1 TB takes some kilobytes, and can be read from any position.
//!
//! `cargo run --release -p fletching-arrow-ipc-rewrite --example serve_planned_file`; with ` -- --serve` after it, the program prints the
//! address and serves until its standard input ends.

mod table;

mod http;

mod client;
mod server;

use std::{env, error::Error, io, time::Instant};

use arrow_array::{BooleanArray, Int64Array, TypedBatch, Utf8Array};
use arrow_ipc::{FileReader, Projection};

use self::{client::HttpSource, server::Server, table::Table};

type Failure = Box<dyn Error + Send + Sync>;

/// 20,000 batches of 50 MB each.
const TABLE: Table = Table { n_batches: 20_000, n_rows: 62_500, n_columns: 100 };

fn main() -> Result<(), Failure> {
    if env::args().nth(1).as_deref() == Some("--serve") { serve_until_stdin_ends() } else { read_back() }
}

fn serve_until_stdin_ends() -> Result<(), Failure> {
    let start = Instant::now();
    let plan = TABLE.plan()?;
    eprintln!("planned {} bytes in {:?}", plan.len(), start.elapsed());
    let server = Server::new(&plan, &TABLE);
    server.run(|address| {
        println!("http://{address}/planned.arrow");
        io::copy(&mut io::stdin(), &mut io::sink())?;
        Ok(())
    })
}

fn read_back() -> Result<(), Failure> {
    let plan = TABLE.plan()?;
    println!("{} batches, {} bytes", plan.n_batches(), plan.len());
    let server = Server::new(&plan, &TABLE);
    server.run(|address| {
        let file = FileReader::try_new(HttpSource::open(address)?)?;
        let columns = file.project(&Projection::names(["id", "name", "flag"]))?;
        // Some rows in the middle of the last batch.
        let batch = columns.batch_rows(TABLE.n_batches - 1, 50_000..50_003)?;
        let first_row = 62_500 * 19_999 + 50_000;
        let ids = batch.column_as::<Int64Array>("id")?;
        assert_eq!(ids.iter().collect::<Vec<_>>(), [0, 1, 2].map(|row| Some(first_row + row)));
        let names = batch.column_as::<Utf8Array>("name")?;
        assert_eq!(names.get(1), Some("row 001249987501"));
        let flags = batch.column_as::<BooleanArray>("flag")?;
        assert_eq!(flags.iter().collect::<Vec<_>>(), [None, Some(true), Some(false)]);
        let n_sent = server.n_sent();
        println!("three rows of the last batch, read with {n_sent} bytes");
        assert!(n_sent < 10_000_000);
        Ok(())
    })
}

#[test]
fn runs() {
    main().unwrap();
}
