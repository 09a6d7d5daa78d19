//! The server: one request for each connection, from this computer, with the token in its path.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    ops::Range,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    files::{ServedFile, Version},
    request::{MAX_HEADER_BYTES, Method, Refusal, Request},
};

/// The connections that are answered at once. Those that have not shown the token are closed if there would be more.
const MAX_CONNECTIONS: usize = 64;

/// The threads of connections, with those that end because their connections were closed.
const MAX_THREADS: usize = 2 * MAX_CONNECTIONS;

/// The time in which the header of a request arrives.
const HEADER_TIME: Duration = Duration::from_secs(10);

/// The time in which a client takes some bytes of the answer.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// What is read of a client after the answer, since it would lose the answer otherwise.
const MAX_REST_BYTES: usize = 1 << 20;
const REST_TIME: Duration = Duration::from_millis(500);

/// The port that addresses of HTTP mean if they have none.
const HTTP_PORT: u16 = 80;

/// The bytes that are read of a file at once.
const PART_BYTES: usize = 256 << 10;

/// For every answer: it is of this page alone, is not cached, and its address is not sent to others.
const COMMON: &str = "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n";

/// The page may not be a part of another one.
const OF_PAGE: &str = "Content-Type: text/html; charset=utf-8\r\nX-Frame-Options: DENY\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\nContent-Security-Policy: frame-ancestors 'none'\r\n";

/// The page and the files.
pub(super) struct Server(Arc<Served>);

struct Served {
    port: u16,
    token: String,
    page: Vec<u8>,
    files: Vec<ServedFile>,
    header_time: Duration,
    /// The open connections.
    connections: Connections,
    n_threads: AtomicUsize,
}

/// Connections, and which of them have not shown the token.
#[derive(Default)]
struct Connections(Mutex<OpenConnections>);

#[derive(Default)]
struct OpenConnections {
    /// The number of those that have shown the token.
    n_trusted: usize,
    /// The others, the oldest first.
    strangers: VecDeque<Arc<TcpStream>>,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. If there are too many, closes the oldest that has not shown the token: a client of this server sends
    /// its request at once. Returns `false` if all others have shown it.
    fn add(&self, stream: &Arc<TcpStream>) -> bool {
        let mut open = self.lock();
        if open.n_trusted.saturating_add(open.strangers.len()) >= MAX_CONNECTIONS {
            let Some(oldest) = open.strangers.pop_front() else { return false };
            // Its thread ends, because nothing more can be read.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        open.strangers.push_back(Arc::clone(stream));
        true
    }

    /// A connection has shown the token. Returns `false` if it was closed before.
    fn trust(&self, stream: &TcpStream) -> bool {
        let mut open = self.lock();
        let is_open = open.remove(stream);
        open.n_trusted = open.n_trusted.saturating_add(is_open.into());
        is_open
    }

    /// A connection has ended that had shown the token.
    fn end_trusted(&self) {
        let mut open = self.lock();
        open.n_trusted = open.n_trusted.saturating_sub(1);
    }

    /// A connection has ended that had not shown the token.
    fn end_stranger(&self, stream: &TcpStream) {
        self.lock().remove(stream);
    }
}

impl OpenConnections {
    /// Removes a connection that has not shown the token. Returns whether it was there.
    fn remove(&mut self, stream: &TcpStream) -> bool {
        let position = self.strangers.iter().position(|other| std::ptr::eq(&**other, stream));
        position.and_then(|position| self.strangers.remove(position)).is_some()
    }
}

impl Server {
    pub(super) fn new(port: u16, token: String, page: Vec<u8>, files: Vec<ServedFile>) -> Server {
        let (header_time, connections, n_threads) =
            (HEADER_TIME, Connections::default(), AtomicUsize::new(0));
        Server(Arc::new(Served { port, token, page, files, header_time, connections, n_threads }))
    }

    /// The same with another time for the heads of requests.
    #[cfg(test)]
    pub(super) fn with_header_time(mut self, time: Duration) -> Server {
        Arc::get_mut(&mut self.0).unwrap().header_time = time;
        self
    }

    /// The address of the page, which opens all files.
    pub(super) fn url(&self) -> String {
        let Served { port, token, files, .. } = &*self.0;
        let paths: Vec<&str> = files.iter().map(ServedFile::path).collect();
        format!("http://127.0.0.1:{port}/{token}/#{}", paths.join("&"))
    }

    /// Answers requests, without end.
    pub(super) fn run(&self, listener: &TcpListener) -> ! {
        loop {
            match listener.accept() {
                Ok((stream, _)) => self.begin(stream),
                // There are too many open files, or the client is gone.
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// Answers a request in a thread of its own.
    fn begin(&self, stream: TcpStream) {
        let served = Arc::clone(&self.0);
        let stream = Arc::new(stream);
        // If the client is gone, nobody needs an answer.
        if served.n_threads.load(Ordering::Relaxed) >= MAX_THREADS || !served.connections.add(&stream) {
            let _ = refuse(&stream, None, Refusal::Busy, "");
            return;
        }
        served.n_threads.fetch_add(1, Ordering::Relaxed);
        let shared = Arc::clone(&stream);
        let answer = move || {
            let mut is_trusted = false;
            let _ = served.answer(&shared, &mut is_trusted);
            if is_trusted {
                served.connections.end_trusted();
            } else {
                served.connections.end_stranger(&shared);
            }
            served.n_threads.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().name("request".to_owned()).spawn(answer).is_err() {
            self.0.connections.end_stranger(&stream);
            self.0.n_threads.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Served {
    /// `is_trusted` becomes true when the connection has shown the token.
    fn answer(&self, stream: &TcpStream, is_trusted: &mut bool) -> io::Result<()> {
        stream.set_write_timeout(Some(WRITE_TIME))?;
        let header = match read_header(stream, self.header_time) {
            Ok(header) => header,
            Err(None) => return Ok(()),
            Err(Some(refusal)) => return close(stream, refuse(stream, None, refusal, "")),
        };
        let answered = match Request::parse(&header) {
            Ok(request) => self.answer_to(stream, &request, is_trusted),
            Err(refusal) => refuse(stream, None, refusal, ""),
        };
        close(stream, answered)
    }

    fn answer_to(&self, stream: &TcpStream, request: &Request<'_>, is_trusted: &mut bool) -> io::Result<()> {
        // A name of another host is one that somebody has made an alias of this computer.
        let is_host = |name: &str| {
            // Browsers leave out the port of HTTP.
            request.host.eq_ignore_ascii_case(&format!("{name}:{}", self.port))
                || self.port == HTTP_PORT && request.host.eq_ignore_ascii_case(name)
        };
        if !["127.0.0.1", "localhost"].into_iter().any(is_host) {
            return refuse(stream, Some(request), Refusal::OtherHost, "");
        }
        let Some((token, path)) = request.path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
            return refuse(stream, Some(request), Refusal::NotFound, "");
        };
        if !is_same(token, &self.token) {
            return refuse(stream, Some(request), Refusal::NotFound, "");
        }
        *is_trusted = self.connections.trust(stream);
        // Who does not know the token does not learn which server this is.
        if request.method == Method::Other {
            return refuse(stream, Some(request), Refusal::Method, "");
        }
        if path.is_empty() {
            return self.send_page(stream, request);
        }
        match self.files.iter().find(|file| file.path() == path) {
            Some(file) => send_file(stream, request, file),
            None => refuse(stream, Some(request), Refusal::NotFound, ""),
        }
    }

    fn send_page(&self, mut stream: &TcpStream, request: &Request<'_>) -> io::Result<()> {
        let n_bytes = self.page.len();
        write!(stream, "HTTP/1.1 200 OK\r\n{COMMON}{OF_PAGE}Content-Length: {n_bytes}\r\n\r\n")?;
        if request.method == Method::Head { Ok(()) } else { stream.write_all(&self.page) }
    }
}

fn send_file(mut stream: &TcpStream, request: &Request<'_>, file: &ServedFile) -> io::Result<()> {
    let Ok(version) = file.version() else { return refuse(stream, Some(request), Refusal::Unreadable, "") };
    let Version { n_bytes, etag } = &version;
    let found = match request.range_of(*n_bytes, etag) {
        Ok(found) => found,
        Err(Refusal::Range) => {
            return refuse(
                stream,
                Some(request),
                Refusal::Range,
                &format!("Content-Range: bytes */{n_bytes}\r\n"),
            );
        }
        Err(refusal) => return refuse(stream, Some(request), refusal, ""),
    };
    let range = found.clone().unwrap_or(0..*n_bytes);
    let (status, range_header) = match &found {
        Some(Range { start, end }) => {
            let last = end.saturating_sub(1);
            ("206 Partial Content", format!("Content-Range: bytes {start}-{last}/{n_bytes}\r\n"))
        }
        None => ("200 OK", String::new()),
    };
    let length = range.end.saturating_sub(range.start);
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{COMMON}{range_header}Accept-Ranges: bytes\r\nETag: {etag}\r\n\
         Content-Type: application/octet-stream\r\nContent-Length: {length}\r\n\r\n"
    )?;
    if request.method == Method::Head { Ok(()) } else { send_range(stream, file, range, &version) }
}

/// Sends bytes of a version. If the file changes meanwhile, the answer ends too early, which the client sees.
fn send_range(
    mut stream: &TcpStream,
    file: &ServedFile,
    range: Range<u64>,
    version: &Version,
) -> io::Result<()> {
    let mut part = vec![0; PART_BYTES];
    let mut position = range.start;
    while position < range.end {
        let left = usize::try_from(range.end.saturating_sub(position)).unwrap_or(usize::MAX).min(PART_BYTES);
        let n_read = file.read(part.get_mut(..left).unwrap_or_default(), position)?;
        if n_read == 0 || file.version()? != *version {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        stream.write_all(part.get(..n_read).unwrap_or_default())?;
        position = position.saturating_add(n_read as u64);
    }
    Ok(())
}

/// Reads the header of a request. An error without a refusal means that there is no request.
fn read_header(mut stream: &TcpStream, time: Duration) -> Result<Vec<u8>, Option<Refusal>> {
    let end = Instant::now() + time;
    let mut header = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Some(Refusal::Slow));
        }
        stream.set_read_timeout(Some(left)).map_err(|_| None)?;
        let n_read = match stream.read(&mut part) {
            Ok(0) => return Err(None),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut].contains(&error.kind()) => {
                return Err(Some(Refusal::Slow));
            }
            Err(_) => return Err(None),
        };
        // The end may lie in two parts.
        let from = header.len().saturating_sub(3);
        header.extend_from_slice(part.get(..n_read).unwrap_or_default());
        let tail = header.get(from..).unwrap_or_default();
        if let Some(at) = tail.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            // A body has no meaning here.
            header.truncate(from.saturating_add(at).saturating_add(4));
            return if header.len() > MAX_HEADER_BYTES {
                Err(Some(Refusal::HeaderTooLong))
            } else {
                Ok(header)
            };
        }
        if header.len() > MAX_HEADER_BYTES {
            return Err(Some(Refusal::HeaderTooLong));
        }
    }
}

/// Answers with a refusal. A `HEAD` request gets no text. `request` is `None` if it cannot be understood.
fn refuse(
    mut stream: &TcpStream,
    request: Option<&Request<'_>>,
    refusal: Refusal,
    headers: &str,
) -> io::Result<()> {
    let status = refusal.status();
    let allowed = if refusal == Refusal::Method { "Allow: GET, HEAD\r\n" } else { "" };
    let text = format!("{status}\n");
    let n_bytes = text.len();
    let about = "Content-Type: text/plain; charset=utf-8\r\n";
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{COMMON}{headers}{allowed}{about}Content-Length: {n_bytes}\r\n\r\n"
    )?;
    if request.is_some_and(|request| request.method == Method::Head) {
        Ok(())
    } else {
        stream.write_all(text.as_bytes())
    }
}

/// Ends a connection, so that the client gets the whole answer.
fn close(mut stream: &TcpStream, answered: io::Result<()>) -> io::Result<()> {
    answered?;
    stream.shutdown(Shutdown::Write)?;
    let end = Instant::now() + REST_TIME;
    let mut part = [0; 4096];
    let mut n_rest = 0_usize;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || n_rest > MAX_REST_BYTES {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part)? {
            0 => return Ok(()),
            n_read => n_rest = n_rest.saturating_add(n_read),
        }
    }
}

/// Compares all bytes, so that the time does not tell how many are right.
fn is_same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && std::hint::black_box(differences) == 0
}
