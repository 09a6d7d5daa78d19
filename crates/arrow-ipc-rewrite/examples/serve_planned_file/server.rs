//! A server of a planned file: some threads, which answer one connection each.

use std::{
    io::{self, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::Duration,
};

use arrow_ipc_rewrite::plan::Plan;

use super::{
    Failure,
    http::{Head, RequestedRange},
    table::Table,
};

/// The number of connections that are served at the same time.
pub(super) const N_THREADS: usize = 4;
/// A connection on which nothing moves for so long is closed.
const PATIENCE: Duration = Duration::from_secs(10);
/// So much of a response is in memory at a time.
const N_PIECE_BYTES: u64 = 1 << 20;

/// Answers `GET` and `HEAD` for any path.
pub(super) struct Server<'a> {
    plan: &'a Plan,
    values: &'a Table,
    n_sent: AtomicU64,
}

impl<'a> Server<'a> {
    pub(super) fn new(plan: &'a Plan, values: &'a Table) -> Server<'a> {
        Server { plan, values, n_sent: AtomicU64::new(0) }
    }

    /// The bytes of all bodies.
    pub(super) fn n_sent(&self) -> u64 {
        self.n_sent.load(Ordering::Relaxed)
    }

    /// Serves on an address of this machine until the work is done.
    pub(super) fn run<T>(&self, work: impl FnOnce(SocketAddr) -> Result<T, Failure>) -> Result<T, Failure> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let stops = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..N_THREADS {
                scope.spawn(|| {
                    while let Ok((connection, _)) = listener.accept() {
                        if stops.load(Ordering::Acquire) {
                            break;
                        }
                        // What goes wrong on a connection concerns its client only, who sees that it ends.
                        let _ = self.answer_all(&connection);
                    }
                });
            }
            let _stop = StopOnDrop { stops: &stops, address };
            work(address)
        })
    }

    fn answer_all(&self, connection: &TcpStream) -> io::Result<()> {
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        connection.set_nodelay(true)?;
        let mut reader = BufReader::new(connection);
        while let Some(request) = Head::read(&mut reader)? {
            self.answer(&request, connection)?;
            if request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")) {
                break;
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Head, mut to: impl Write) -> io::Result<()> {
        let n_bytes = self.plan.len();
        let method = request.first_line.split(' ').next().unwrap_or_default();
        let (status, range) = match (method, request.range_of(n_bytes)) {
            ("HEAD", _) | ("GET", RequestedRange::All) => ("200 OK", 0..n_bytes),
            ("GET", RequestedRange::Part(range)) => ("206 Partial Content", range),
            ("GET", RequestedRange::Nothing) => ("416 Range Not Satisfiable", 0..0),
            _ => ("405 Method Not Allowed", 0..0),
        };
        let Range { start, end } = range;
        let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", end - start);
        head += match status.get(..3) {
            Some("206") => format!("Content-Range: bytes {start}-{}/{n_bytes}\r\n", end - 1),
            Some("416") => format!("Content-Range: bytes */{n_bytes}\r\n"),
            Some("405") => "Allow: GET, HEAD\r\n".to_owned(),
            _ => "Accept-Ranges: bytes\r\nContent-Type: application/vnd.apache.arrow.file\r\n".to_owned(),
        }
        .as_str();
        to.write_all((head + "\r\n").as_bytes())?;
        if method != "GET" {
            return Ok(());
        }
        let mut piece = vec![0; N_PIECE_BYTES.min(end - start) as usize];
        for start in (start..end).step_by(N_PIECE_BYTES as usize) {
            let piece = &mut piece[..N_PIECE_BYTES.min(end - start) as usize];
            self.plan.read_into(start, piece, self.values).map_err(io::Error::other)?;
            to.write_all(piece)?;
            self.n_sent.fetch_add(piece.len() as u64, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Wakes the threads that wait for a connection, also after a panic.
struct StopOnDrop<'a> {
    stops: &'a AtomicBool,
    address: SocketAddr,
}

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::Release);
        (0..N_THREADS).for_each(|_| drop(TcpStream::connect(self.address)));
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Read, net::Shutdown};

    use super::*;

    #[test]
    fn answers_ranges() {
        let table = Table { n_batches: 2, n_rows: 30, n_columns: 5 };
        let plan = table.plan().unwrap();
        let file = plan.read_at(0..plan.len(), &table).unwrap();
        let n = plan.len();
        let head =
            |status: &str, more: String| format!("HTTP/1.1 {status}\r\nContent-Length: {more}\r\n\r\n");
        let all = "\r\nAccept-Ranges: bytes\r\nContent-Type: application/vnd.apache.arrow.file";
        let whole = |body| (head("200 OK", format!("{n}{all}")), body);
        let part = |range: Range<u64>| {
            let more = format!(
                "{}\r\nContent-Range: bytes {}-{}/{n}",
                range.end - range.start,
                range.start,
                range.end - 1
            );
            (head("206 Partial Content", more), range)
        };
        let nothing =
            || (head("416 Range Not Satisfiable", format!("0\r\nContent-Range: bytes */{n}")), 0..0);
        let cases = [
            ("GET / HTTP/1.1\r\n", whole(0..n)),
            ("HEAD / HTTP/1.1\r\n", whole(0..0)),
            ("HEAD / HTTP/1.1\r\nRange: bytes=1-2\r\n", whole(0..0)),
            ("GET / HTTP/1.1\r\nrange: Bytes=0-0\r\n", part(0..1)),
            ("GET / HTTP/1.1\r\nRange: bytes=5-9\r\n", part(5..10)),
            ("GET / HTTP/1.1\r\nRange: bytes=5-99999999999999999999\r\n", nothing()),
            ("GET / HTTP/1.1\r\nRange: bytes=5-18446744073709551615\r\n", part(5..n)),
            ("GET / HTTP/1.1\r\nRange: bytes=500-\r\n", part(500..n)),
            ("GET / HTTP/1.1\r\nRange: bytes=-6\r\n", part(n - 6..n)),
            ("GET / HTTP/1.1\r\nRange: bytes=-18446744073709551615\r\n", part(0..n)),
            ("GET / HTTP/1.1\r\nRange: bytes=-0\r\n", nothing()),
            ("GET / HTTP/1.1\r\nRange: bytes=9-5\r\n", nothing()),
            ("GET / HTTP/1.1\r\nRange: bytes=0-1,5-9\r\n", nothing()),
            ("GET / HTTP/1.1\r\nRange: bytes=+1-5\r\n", nothing()),
            ("GET / HTTP/1.1\r\nRange: bytes=18446744073709551615-\r\n", nothing()),
            ("GET / HTTP/1.1\r\nRange: rows=1-5\r\n", whole(0..n)),
            (
                "PUT / HTTP/1.1\r\n",
                (head("405 Method Not Allowed", "0\r\nAllow: GET, HEAD".to_owned()), 0..0),
            ),
        ];
        let server = Server::new(&plan, &table);
        let ask = |address, request: &str| {
            let mut connection = TcpStream::connect(address).unwrap();
            connection.write_all(request.as_bytes()).unwrap();
            // The server may have answered, and ended the connection, already.
            let _ = connection.shutdown(Shutdown::Write);
            let mut answer = Vec::new();
            connection.read_to_end(&mut answer).map(|_| answer)
        };
        let work = |address| {
            for (request, (head, body)) in &cases {
                let expected = [head.as_bytes(), &file[body.start as usize..body.end as usize]].concat();
                let answer = ask(address, &format!("{request}Connection: close\r\n\r\n")).unwrap();
                assert_eq!(answer, expected, "{request}");
            }
            // Two requests on one connection; what is no request has no answer.
            let twice = format!("{}\r\n{}Connection: close\r\n\r\n", cases[4].0, cases[8].0);
            let answer = ask(address, &twice).unwrap();
            assert_eq!(answer.windows(4).filter(|window| window == b"206 ").count(), 2);
            let long = format!("GET / HTTP/1.1\r\nLong: {}\r\n\r\n", "x".repeat(9_000));
            for request in ["no request\r\n", "GET / HTTP/1.1\r\nNo header\r\n\r\n", "\u{0}\r\n\r", &long] {
                // The connection may be reset, where not all was read.
                assert!(ask(address, request).unwrap_or_default().is_empty(), "{request}");
            }
            Ok(())
        };
        server.run(work).unwrap();
    }
}
