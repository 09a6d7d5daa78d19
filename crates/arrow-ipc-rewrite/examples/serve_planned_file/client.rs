//! A source of bytes on an HTTP server.

use std::{
    io::{self, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    ops::Range,
    thread,
    time::Duration,
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};

use super::http::Head;

/// The number of requests that run at the same time.
const N_IN_FLIGHT: usize = 4;

/// A file on an HTTP server; several connections at a time.
pub(super) struct HttpSource {
    address: SocketAddr,
    n_bytes: u64,
}

impl HttpSource {
    pub(super) fn open(address: SocketAddr) -> io::Result<HttpSource> {
        let (head, _) = request(address, "HEAD", "bytes=0-")?;
        let n_bytes = head.header("content-length").and_then(|value| value.parse().ok());
        Ok(HttpSource { address, n_bytes: n_bytes.ok_or(io::ErrorKind::InvalidData)? })
    }
}

impl Source for HttpSource {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.n_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let (start, end) = (range.start, range.end);
        if start >= end {
            return Ok(Buffer::new());
        }
        let range = format!("bytes {start}-{}/{}", end - 1, self.n_bytes);
        let (head, mut body) = request(self.address, "GET", &format!("bytes={start}-{}", end - 1))?;
        if !head.first_line.contains(" 206 ") || head.header("content-range") != Some(&range) {
            return Err(io::Error::other(format!("the server did not send {range}: {}", head.first_line)));
        }
        let mut bytes = vec![0; (end - start) as usize];
        body.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let failed = |_| Err(io::Error::other("a thread that fetches panicked"));
        thread::scope(|scope| {
            let mut found = Vec::with_capacity(ranges.len());
            for ranges in ranges.chunks(N_IN_FLIGHT) {
                let fetch = |range: &Range<u64>| {
                    scope.spawn({
                        let range = range.clone();
                        || self.fetch(range)
                    })
                };
                let threads: Vec<_> = ranges.iter().map(fetch).collect();
                for thread in threads {
                    found.push(thread.join().unwrap_or_else(failed)?);
                }
            }
            Ok(found)
        })
    }

    fn fetch_cost(&self) -> FetchCost {
        FetchCost::new(Duration::from_micros(100), 1_000_000_000).with_requests_in_flight(N_IN_FLIGHT as u32)
    }
}

/// Sends a request on a connection of its own. The body can be read from the returned connection.
fn request(address: SocketAddr, method: &str, range: &str) -> io::Result<(Head, impl Read + use<>)> {
    let mut connection = TcpStream::connect(address)?;
    let close = "Connection: close\r\n\r\n";
    let text = format!("{method} /planned.arrow HTTP/1.1\r\nHost: {address}\r\nRange: {range}\r\n{close}");
    connection.write_all(text.as_bytes())?;
    let mut reader = BufReader::new(connection);
    let head = Head::read(&mut reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok((head, reader))
}
