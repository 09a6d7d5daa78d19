//! Requests of browsers, and hostile ones.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{files::ServedFile, server::Server, token};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const CONTENT: &[u8] = b"0123456789";
const NAME: &str = "a b#%.arrow";

struct Running {
    port: u16,
    folder: TempDir,
}

/// Starts a server with a file.
fn start(header_time: Duration) -> Running {
    start_as(None, header_time)
}

/// Starts a server that takes `shown_port` for its port; `None` for its true port.
fn start_as(shown_port: Option<u16>, header_time: Duration) -> Running {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(NAME), CONTENT).unwrap();
    fs::write(folder.path().join("secret"), "secret").unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let file = ServedFile::open(0, &folder.path().join(NAME)).unwrap();
    let shown_port = shown_port.unwrap_or(port);
    let server = Server::new(shown_port, TOKEN.to_owned(), b"<!doctype html>".to_vec(), vec![file]);
    let server = server.with_header_time(header_time);
    assert_eq!(server.url(), format!("http://127.0.0.1:{shown_port}/{TOKEN}/#{PATH}"));
    // It runs until the tests end.
    thread::spawn(move || server.run(&listener));
    Running { port, folder }
}

const PATH: &str = "0/a%20b%23%25.arrow";

impl Running {
    fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The answer to these bytes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may answer before it has read everything.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn ask(&self, method: &str, path: &str, headers: &str) -> String {
        let host = format!("127.0.0.1:{}", self.port);
        self.raw(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").as_bytes())
    }

    fn get(&self, headers: &str) -> String {
        self.ask("GET", &format!("/{TOKEN}/{PATH}"), headers)
    }
}

fn status(answer: &str) -> &str {
    answer.strip_prefix("HTTP/1.1 ").unwrap_or(answer).get(..3).unwrap_or(answer)
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// Browsers leave out port 80, which is that of HTTP.
#[test]
fn only_port_80_may_be_left_out() {
    for (port, with_port, without) in [(Some(80), "200", "200"), (Some(8080), "200", "403")] {
        let server = start_as(port, Duration::from_secs(10));
        for name in ["127.0.0.1", "LocalHost", "example.org"] {
            let is_other = name == "example.org";
            for (end, code) in [(format!(":{}", port.unwrap_or(0)), with_port), (String::new(), without)] {
                let request = format!("GET /{TOKEN}/{PATH} HTTP/1.1\r\nHost: {name}{end}\r\n\r\n");
                let answer = server.raw(request.as_bytes());
                assert_eq!(status(&answer), if is_other { "403" } else { code }, "{name}{end}");
            }
        }
    }
}

#[test]
fn ranges_of_a_version_are_sent() {
    let server = start(Duration::from_secs(10));
    let whole = server.get("");
    assert_eq!((status(&whole), body(&whole)), ("200", "0123456789"));
    assert_eq!(header(&whole, "Content-Length"), Some("10"));
    let etag = header(&whole, "ETag").unwrap();
    let cases = [
        ("bytes=0-0", "206", "0", "bytes 0-0/10"),
        ("bytes=2-4", "206", "234", "bytes 2-4/10"),
        ("bytes=7-", "206", "789", "bytes 7-9/10"),
        ("bytes=7-99999999999999999999999999", "206", "789", "bytes 7-9/10"),
        ("bytes=-3", "206", "789", "bytes 7-9/10"),
        ("bytes=-300", "206", "0123456789", "bytes 0-9/10"),
        ("bytes=10-", "416", "416 Range Not Satisfiable\n", "bytes */10"),
        ("bytes=99999999999999999999999999-", "416", "416 Range Not Satisfiable\n", "bytes */10"),
        ("bytes=-0", "416", "416 Range Not Satisfiable\n", "bytes */10"),
        ("bytes=0-1,3-4", "416", "416 Range Not Satisfiable\n", "bytes */10"),
    ];
    for (range, code, content, content_range) in cases {
        let answer = server.get(&format!("Range: {range}\r\nIf-Match: {etag}\r\n"));
        assert_eq!((status(&answer), body(&answer)), (code, content), "{range}");
        assert_eq!(header(&answer, "Content-Range"), Some(content_range), "{range}");
    }
    for range in ["bytes=4-2", "bytes=", "bytes=-", "bytes=+1-2", "bytes=a-b", "rows=1-2", "bytes = 1-2"] {
        let answer = server.get(&format!("Range: {range}\r\n"));
        assert_eq!((status(&answer), body(&answer)), ("200", "0123456789"), "{range}");
    }
    let answer = server.ask("HEAD", &format!("/{TOKEN}/{PATH}"), "Range: bytes=2-4\r\n");
    assert_eq!((status(&answer), body(&answer), header(&answer, "Content-Length")), ("206", "", Some("3")));
    let answer = server.ask("HEAD", &format!("/{TOKEN}/other"), "");
    assert_eq!((status(&answer), body(&answer), header(&answer, "Content-Length")), ("404", "", Some("14")));
    let other = server.get("Range: bytes=2-4\r\nIf-Range: \"other\"\r\n");
    assert_eq!((status(&other), body(&other)), ("200", "0123456789"));
    let many = server.get(&format!("Range: bytes={}\r\n", vec!["0-9"; 1000].join(",")));
    assert_eq!(status(&many), "416");

    assert_eq!(status(&server.get("If-Match: \"other\"\r\n")), "412");
    assert_eq!(status(&server.get(&format!("If-Match: \"other\", {etag}\r\n"))), "200");
    fs::write(server.path(), "0123456789ab").unwrap();
    assert_eq!(status(&server.get(&format!("If-Match: {etag}\r\n"))), "412");
    assert_eq!(body(&server.get("Range: bytes=-2\r\n")), "ab");
}

#[test]
fn the_page_is_of_this_address_alone() {
    let server = start(Duration::from_secs(10));
    let page = server.ask("GET", &format!("/{TOKEN}/"), "");
    assert_eq!((status(&page), body(&page)), ("200", "<!doctype html>"));
    assert_eq!(header(&page, "X-Frame-Options"), Some("DENY"));
    assert_eq!(header(&page, "Cross-Origin-Resource-Policy"), Some("same-origin"));
    assert_eq!(header(&page, "Access-Control-Allow-Origin"), None);
    let with_query = server.ask("GET", &format!("/{TOKEN}/?x=1"), "");
    assert_eq!(status(&with_query), "200");
}

#[test]
fn nothing_else_is_sent() {
    let server = start(Duration::from_secs(10));
    let near = format!("{}e", TOKEN.strip_suffix('f').unwrap());
    let mut paths = vec!["/".to_owned(), "//".to_owned(), "/favicon.ico".to_owned(), format!("/{TOKEN}")];
    for token in ["", "0", &near, &TOKEN[1..], &format!("{TOKEN}0"), &TOKEN.to_ascii_uppercase()] {
        paths.extend([format!("/{token}/"), format!("/{token}/{PATH}")]);
    }
    for rest in [
        "0",
        "0/",
        "1/a%20b%23%25.arrow",
        "secret",
        "0/secret",
        "0/../secret",
        "../secret",
        "..%2fsecret",
        "0/%2e%2e/secret",
        "//etc/passwd",
        "/etc/passwd",
        "0/a%20b%23%25.arrow/",
        "0/a%20b%23%25.arrow/../secret",
        "0\\..\\secret",
        "0/A%20B%23%25.arrow",
    ] {
        paths.push(format!("/{TOKEN}/{rest}"));
    }
    for path in paths {
        let answer = server.ask("GET", &path, "");
        assert_eq!((status(&answer), body(&answer)), ("404", "404 Not Found\n"), "{path}");
    }
}

#[test]
fn names_of_other_hosts_are_refused() {
    let server = start(Duration::from_secs(10));
    let port = server.port;
    let answer_to =
        |host: &str| server.raw(format!("GET /{TOKEN}/ HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("LOCALHOST:{port}")] {
        assert_eq!(status(&answer_to(&host)), "200", "{host}");
    }
    for host in [
        "evil.example",
        "127.0.0.1",
        "localhost",
        "",
        "127.0.0.1:1",
        &format!("evil.example:{port}"),
        &format!("127.0.0.1.evil.example:{port}"),
        &format!("x@localhost:{port}"),
    ] {
        assert_eq!(status(&answer_to(host)), "403", "{host}");
    }
}

#[test]
fn malformed_requests_are_refused() {
    let server = start(Duration::from_secs(10));
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    let cases = [
        (format!("GET /{TOKEN}/ HTTP/1.1\r\n\r\n"), "400"),
        (format!("GET /{TOKEN}/ HTTP/1.1\r\n{host}{host}\r\n"), "400"),
        (format!("GET /{TOKEN}/ HTTP/2.0\r\n{host}\r\n"), "400"),
        (format!("GET  /{TOKEN}/ HTTP/1.1\r\n{host}\r\n"), "400"),
        (format!("GET http://127.0.0.1/{TOKEN}/ HTTP/1.1\r\n{host}\r\n"), "400"),
        (format!("GET /{TOKEN}/ HTTP/1.1\r\n{host}Range : bytes=0-1\r\n\r\n"), "400"),
        (format!("GET /{TOKEN}/ HTTP/1.1\r\n{host} folded\r\n\r\n"), "400"),
        (format!("GET /{TOKEN}/ HTTP/1.1\r\n{host}A: b\nRange: bytes=0-1\r\n\r\n"), "400"),
        (format!("GET /{TOKEN}/ HTTP/1.1\r\n{host}Range: bytes=0-1\r\nRange: bytes=0-1\r\n\r\n"), "400"),
        ("\r\n\r\n".to_owned(), "400"),
        (format!("POST /{TOKEN}/ HTTP/1.1\r\n{host}Content-Length: 3\r\n\r\nabc"), "405"),
        (format!("OPTIONS /{TOKEN}/ HTTP/1.1\r\n{host}\r\n"), "405"),
        // Without the token, all methods have the same answer.
        (format!("OPTIONS / HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("POST /{}/ HTTP/1.1\r\n{host}\r\n", TOKEN.to_ascii_uppercase()), "404"),
        (format!("POST /{TOKEN}/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "403"),
        (format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(100_000)), "431"),
        (format!("GET / HTTP/1.1\r\n{host}{}\r\n", "A: b\r\n".repeat(10_000)), "431"),
        ("a".repeat(100_000), "431"),
    ];
    for (request, code) in cases {
        let answer = server.raw(request.as_bytes());
        assert_eq!(status(&answer), code, "{}", &request[..request.len().min(200)]);
    }
    assert_eq!(status(&server.raw(b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n")), "400");
    // A client that says nothing, or not all, gets no answer.
    assert_eq!(server.raw(b""), "");
    assert_eq!(server.raw(b"GET / HTTP/1.1\r\n"), "");
    assert_eq!(status(&server.get("")), "200");
}

#[test]
fn slow_clients_do_not_stop_others() {
    let server = start(Duration::from_secs(2));
    let begin = Instant::now();
    let mut slow: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(b"GET / HTTP/1.1\r\nA: ").unwrap());
    assert_eq!(status(&server.get("")), "200");
    for stream in &mut slow {
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert_eq!(status(&answer), "408", "{answer}");
    }
    assert!(begin.elapsed() < Duration::from_secs(50), "{:?}", begin.elapsed());
}

/// Anybody on the computer can connect.
#[test]
fn connections_without_the_token_keep_out_no_other() {
    let server = start(Duration::from_secs(60));
    let begin = Instant::now();
    let mut held: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    for n in 0..200 {
        assert_eq!(status(&server.get("")), "200", "{n}");
        held.push(server.connect());
    }
    // The oldest were closed, and the youngest wait for their requests.
    let read = |mut stream: &TcpStream| stream.read(&mut [0]);
    assert!(held[..64].iter().all(|stream| !matches!(read(stream), Ok(1..))));
    let last = held.last_mut().unwrap();
    write!(last, "GET /{TOKEN}/{PATH} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port).unwrap();
    let mut answer = String::new();
    last.read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), "200");
    assert!(begin.elapsed() < Duration::from_secs(40), "{:?}", begin.elapsed());
}

#[test]
fn tokens_differ() {
    let (a, b) = (token(), token());
    assert_eq!((a.len(), b.len()), (32, 32));
    assert!(a != b && a.bytes().all(|byte| byte.is_ascii_hexdigit()));
}
