//! `serve` prints an address, and sends the page and its files there.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

use crate::program::{command, corpus, run, temporary_folder};

/// Ends the server when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(port: &str, path: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

#[test]
fn the_address_has_the_page_and_the_files() {
    let folder = temporary_folder();
    let page = folder.path().join("page.html");
    fs::write(&page, "<!doctype html>").unwrap();
    let paths = ["integers-full.arrow", "list-views-full.arrows"]
        .map(|name| corpus().join("golden/pyarrow-26.0.1").join(name));
    let mut serve = command(["serve", "--viewer"]);
    serve.arg(&page).args(&paths).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(serve.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(running.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let (base, files) = line.trim_end().strip_prefix("http://127.0.0.1:").unwrap().split_once('#').unwrap();
    let (port, token) = base.split_once('/').unwrap();
    assert!(get(port, token).ends_with(b"\r\n\r\n<!doctype html>"));
    assert_eq!(files.split('&').count(), paths.len());
    for (file, path) in files.split('&').zip(&paths) {
        let answer = get(port, &format!("{token}{file}"));
        assert!(
            answer.starts_with(b"HTTP/1.1 200 OK\r\n") && answer.ends_with(&fs::read(path).unwrap()),
            "{file}"
        );
    }
    assert!(get(port, "").starts_with(b"HTTP/1.1 404 "));
    // The port is in use.
    let paths = [page.to_str().unwrap(), paths[0].to_str().unwrap()];
    let again = run(["serve", "--port", port, "--viewer", paths[0], paths[1]]);
    assert!(again.expect(&[4]).stderr.contains("without --port"), "{again:?}");
}

#[test]
fn only_files_of_arrow_data_are_served() {
    let folder = temporary_folder();
    let page = folder.path().join("page.html");
    fs::write(&page, "<!doctype html>").unwrap();
    let page = page.to_str().unwrap();
    let folder = folder.path().to_str().unwrap();
    for (file, status, text) in [
        (page, 1, "neither an Arrow IPC file nor a stream"),
        (folder, 2, "only files are served"),
        ("-", 2, "only files are served"),
        ("https://example.org/a.arrow", 2, "only files are served"),
        ("absent.arrow", 4, "absent.arrow"),
    ] {
        let refused = run(["serve", "--viewer", page, file]);
        assert!(refused.expect(&[status]).stderr.contains(text), "{refused:?}");
    }
    let absent = run(["serve", "--viewer", "absent.html", page]);
    assert!(absent.expect(&[4]).stderr.contains("absent.html"), "{absent:?}");
}
