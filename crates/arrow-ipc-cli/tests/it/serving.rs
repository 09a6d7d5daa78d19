//! `serve` prints an address, and sends the page and its files there.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use flate2::{Compression, write::GzEncoder};
use tempfile::TempDir;

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
    let second = run(["serve", "--port", port, "--viewer", paths[0], paths[1]]);
    assert!(second.expect(&[4]).stderr.contains("without --port"), "{second:?}");
}

#[test]
fn only_files_of_arrow_data_are_served() {
    let folder = temporary_folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = at("page.html");
    fs::write(&page, "<!doctype html>").unwrap();
    fs::write(at("empty.arrow"), "").unwrap();
    fs::write(at("words.txt"), "one word\n").unwrap();
    fs::write(at("table.csv"), "id,name\n1,ada\n").unwrap();
    fs::write(at("table.parquet"), "PAR1 and more PAR1").unwrap();
    fs::write(at("table.zst"), b"\x28\xb5\x2f\xfd\0\0\0\0\0").unwrap();
    fs::write(at("table.lz4"), b"\x04\x22\x4d\x18\0\0\0\0\0").unwrap();
    let arrow = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrow")).unwrap();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&arrow).unwrap();
    fs::write(at("a b.arrow.gz"), gzip.finish().unwrap()).unwrap();
    let folder = folder.path().to_str().unwrap();
    let converted = |name: &str| format!("`arrow-ipc convert {name} OUT.arrow`");
    for (file, status, text, hint) in [
        (&page[..], 1, "neither an Arrow IPC file nor a stream", "read the page".to_owned()),
        (folder, 2, "a folder; only Arrow files and streams on a disk are served", converted(folder)),
        (&at("*.arrow"), 2, "a pattern of names; only", "name its files".to_owned()),
        ("-", 2, "standard input: a pipe or a device", converted("-")),
        ("https://example.org/a.arrow", 2, "a URL; only", "the page itself opens URLs".to_owned()),
        ("absent.arrow", 4, "absent.arrow", String::new()),
        (&at("empty.arrow"), 1, "the file is empty", String::new()),
        (
            &at("words.txt"),
            1,
            "neither an Arrow IPC file nor a stream",
            converted("--from csv")[..29].to_owned(),
        ),
        (&at("table.csv"), 1, "but text, perhaps CSV", converted(&at("table.csv"))),
        (&at("table.parquet"), 5, "found a Parquet file", "polars does".to_owned()),
        (&at("table.zst"), 5, "compressed by Zstandard as a whole", converted(&at("table.zst"))),
        (&at("table.lz4"), 5, "compressed by LZ4 as a whole", converted(&at("table.lz4"))),
        (
            &at("a b.arrow.gz"),
            5,
            "compressed by gzip as a whole, so no ranges of it can be read; only Arrow files",
            converted(&format!("'{}'", at("a b.arrow.gz"))),
        ),
    ] {
        let refused = run(["serve", "--viewer", &page, file]);
        let said = &refused.expect(&[status]).stderr;
        assert!(said.contains(text) && said.contains(&hint), "{refused:?}");
    }
    if cfg!(unix) {
        let device = run(["serve", "--viewer", &page, "/dev/null"]);
        assert!(device.expect(&[2]).stderr.contains("a pipe or a device"), "{device:?}");
    }
    let absent = run(["serve", "--viewer", "absent.html", &page]);
    assert!(absent.expect(&[4]).stderr.contains("absent.html"), "{absent:?}");
}

/// The program, in a folder of its own.
fn installed() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let program = folder.path().join("bin/arrow-ipc");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let own = command([""]).get_program().to_owned();
    if fs::hard_link(&own, &program).is_err() {
        fs::copy(&own, &program).unwrap();
    }
    (folder, program)
}

#[test]
fn the_page_is_found_beside_the_program() {
    let (folder, program) = installed();
    let file = corpus().join("golden/pyarrow-26.0.1/integers-full.arrow");
    let mut serve = Command::new(&program);
    serve.arg("serve").arg(&file);
    let none = serve.output().unwrap();
    let said = String::from_utf8(none.stderr).unwrap();
    assert_eq!(none.status.code(), Some(4), "{said}");
    for text in ["bin/viewer.html", "share/arrow-ipc/viewer.html", "--viewer PAGE", "cargo xtask wasm"] {
        assert!(said.contains(text), "{said}");
    }
    // The first place comes before the second.
    for location in ["share/arrow-ipc/viewer.html", "bin/viewer.html"] {
        let page = folder.path().join(location);
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        fs::write(&page, location).unwrap();
        let mut serve = Command::new(&program);
        serve.arg("serve").arg(&file).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running(serve.spawn().unwrap());
        let mut line = String::new();
        BufReader::new(running.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let base = line.strip_prefix("http://127.0.0.1:").unwrap().split_once('#').unwrap().0;
        let (port, token) = base.split_once('/').unwrap();
        assert!(get(port, token).ends_with(location.as_bytes()), "{location}");
    }
}
