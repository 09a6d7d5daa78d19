//! The output for a URL equals the output for a file.

use std::{fs, path::PathBuf, time::Duration};

use arrow_buffer::Buffer;
use remote::{CERTIFICATE, Fault, RangeServer, people, wide_stream, write_wide};

use crate::program::{Outcome, run, run_with};

fn corpus(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name)
}

/// Intact and damaged files and streams.
const INPUTS: [&str; 7] = [
    "golden/pyarrow-26.0.1/dictionary-nested.arrow",
    "golden/pyarrow-26.0.1/dictionary-nested.arrows",
    "golden/pyarrow-26.0.1/integers-full.arrow",
    "hostile/file-batch-offsets-past.arrow_file",
    "hostile/file-cut-40.arrow_file",
    "hostile/file-empty.arrow_file",
    TEXT,
];

const TEXT: &str = "hostile/manifest.tsv";

#[test]
fn commands_say_the_same_of_a_url() {
    let server = RangeServer::start(Duration::ZERO);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.arrow");
    let out = out.to_str().expect("a name");
    for input in INPUTS {
        let path = corpus(input);
        let bytes = fs::read(&path).expect("a file of the corpus");
        let url = server.put_tagged(input, Buffer::from(bytes), "1");
        let path = path.to_str().expect("a name");
        for command in [
            &["schema"][..],
            &["cat"],
            &["cat", "--offset", "1", "--limit", "2"],
            &["count"],
            &["validate"],
            &["convert"],
        ] {
            // `validate` does not read text. All other commands read text only from files.
            let is_text = input == TEXT;
            if is_text && command != ["validate"] {
                continue;
            }
            let run_on = |name: &str| {
                let tail: &[&str] = if command == ["convert"] { &[name, "-o", out] } else { &[name] };
                let mut outcome = run(&[command, tail].concat());
                if outcome.status == 0 && command == ["convert"] {
                    outcome.stdout = fs::read(out).expect("the output");
                }
                let stderr = outcome.stderr.replace(name, "IN");
                // For a damaged file, `count` reads the file again, and a note describes its content.
                let is_note = |line: &&str| line.starts_with("note: IN: ") && command == ["count"];
                let stderr: String =
                    stderr.lines().filter(|line| !is_note(line)).map(|line| format!("{line}\n")).collect();
                // The hints for files and URLs differ.
                let stderr = if is_text { stderr.lines().take(1).collect() } else { stderr };
                Outcome { stderr, ..outcome }
            };
            let [here, there] = [path, &url].map(|name| run_on(name).without_headline());
            assert_eq!(here, there, "{command:?} {input}");
        }
    }
}

#[test]
fn only_what_is_needed_is_read() {
    let server = RangeServer::start(Duration::ZERO);
    let url = server.put_tagged("wide.arrow", Buffer::from(write_wide(Vec::new(), 8, 2_000)), "1");
    let n_bytes = 8 * 2_000 * 100 * 8;
    let shown = run(&["cat", &url, "--columns", "c7", "--offset", "9000", "--limit", "1"]);
    assert_eq!(shown.stdout, b"{\"c7\":900007}\n", "{shown:?}");
    let counts = server.counts();
    assert!(counts.n_bytes < n_bytes / 20 && counts.n_requests < 14, "{counts:?}");
    server.reset();
    assert_eq!(run(&["count", &url]).stdout, b"16000\n");
    let counts = server.counts();
    assert!(counts.n_bytes < n_bytes / 50 && counts.n_requests <= 10, "{counts:?}");
}

/// Of a stream with long bodies, commands that need few of them read heads. The others make one request for all bytes.
#[test]
fn only_metadata_and_what_is_shown_is_read_of_a_stream() {
    let server = RangeServer::start(Duration::ZERO);
    let stream = wide_stream(20, 2_000);
    let n_bytes = stream.len() as u64;
    let url = server.put_tagged("wide.arrows", stream, "1");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let index = folder.path().join("index").to_str().expect("a name").to_owned();
    for (command, last_line, max_bytes, max_requests) in [
        (&["count", &url][..], "40000\n", n_bytes / 20, 60),
        (&["tail", "-n", "1", "--columns", "c0", &url], "{\"c0\":3999900}\n", n_bytes / 10, 80),
        (&["index", &url, &index], "", n_bytes / 20, 60),
        (&["inspect", &url], "where the end is marked\n", n_bytes / 10, 100),
        (
            &["tail", "-n", "1", "--columns", "c0", "--index", &index, &url],
            "{\"c0\":3999900}\n",
            n_bytes / 20,
            8,
        ),
    ] {
        server.reset();
        let shown = run(command);
        let stdout = String::from_utf8(shown.stdout.clone()).expect("text");
        assert!(shown.status == 0 && stdout.ends_with(last_line), "{command:?}: {shown:?}");
        let counts = server.counts();
        let is_little = counts.n_bytes < max_bytes && counts.n_requests <= max_requests;
        assert!(is_little, "{command:?}: {counts:?} of {n_bytes}");
    }
    server.reset();
    let all = run(&["cat", "--columns", "c0", "--format", "csv", &url]);
    assert_eq!(all.stdout.iter().filter(|byte| **byte == b'\n').count(), 40_001);
    let counts = server.counts();
    assert!(counts.n_requests == 3 && counts.n_bytes < n_bytes + n_bytes / 20, "{counts:?}");
}

#[test]
fn failures_have_the_statuses_of_local_ones() {
    let server = RangeServer::start(Duration::ZERO);
    let (_, file) = people(2, 20_000);
    let url = server.put_tagged("people.arrow", file, "1");
    let secret = format!("{}?signature=secret", url.replace("http://", "http://ada:secret@"));
    let missing = format!("{}/missing", server.url());
    let sound = [
        (&*url, 0, ""),
        (&secret, 0, ""),
        (&missing, 4, "404"),
        ("http://127.0.0.1:1/a", 4, "http://127.0.0.1:1/a"),
        ("s3://bucket", 4, "s3://BUCKET/KEY"),
    ];
    let faulty = [
        (&*secret, Fault::Status(416), "416"),
        (&url, Fault::OtherTag, "changed while being read"),
        (&url, Fault::WholeBody, "not supported"),
    ];
    let sound = sound.map(|(url, status, words)| (url, None, status, words));
    let faulty = faulty.map(|(url, fault, words)| (url, Some(fault), 4, words));
    for (url, fault, status, words) in sound.into_iter().chain(faulty) {
        server.reset();
        // The first two requests open the input; they are answered.
        fault.into_iter().for_each(|fault| server.misbehave_from(2, fault));
        let outcome = run(&["validate", url]);
        assert_eq!(outcome.status, status, "{url}: {outcome:?}");
        assert!(outcome.stderr.contains(words) && !outcome.stderr.contains("secret"), "{url}: {outcome:?}");
    }
}

/// No system can start a thread with a stack of this length.
#[test]
fn a_thread_that_cannot_be_started_is_an_error() {
    let refused = run_with(&["count", "http://127.0.0.1:1/a"], &[("RUST_MIN_STACK", "1152921504606846976")]);
    assert_eq!(refused.status, 4, "{refused:?}");
    assert!(refused.stderr.contains("no thread can be started, which URLs need"), "{refused:?}");
}

/// The program trusts the certificate of the server only if told to.
#[test]
fn certificates_are_checked() {
    let server = RangeServer::start_https();
    let (_, file) = people(2, 20_000);
    let url = server.put_tagged("people.arrow", file, "1");
    let trusted = run_with(&["count", &url], &[("SSL_CERT_FILE", CERTIFICATE)]);
    assert_eq!((trusted.status, &*trusted.stdout), (0, &b"40000\n"[..]), "{trusted:?}");
    server.reset();
    let refused = run(&["count", &url]);
    assert_eq!((refused.status, refused.stdout.is_empty()), (4, true), "{refused:?}");
    assert_eq!(server.counts().n_requests, 0, "nothing is sent to a server that nobody trusts");
}
