//! Readers of streams that request only the bytes of the next message.

use std::{fs, io::Read, path::Path};

use arrow_ipc::{ReadOptions, StreamReader};
use testing_support::{ChunkedReader, Value, rows};

const FOLLOWS: &[u8] = b"what follows";
/// A hostile batch without columns has more.
const MANY: usize = 10_000;
const END_MARKER: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The length of a batch, and its rows up to [`MANY`].
type Rows = (usize, Vec<Vec<Value>>);

/// The batches up to the end or the first error, and the text of the error.
fn read(source: impl Read, options: ReadOptions) -> (Vec<Rows>, Option<String>) {
    let mut batches = Vec::new();
    let reader = match StreamReader::try_new_with(source, options) {
        Ok(reader) => reader,
        Err(error) => return (batches, Some(error.to_string())),
    };
    for batch in reader {
        match batch {
            Ok(batch) => batches.push((batch.n_rows(), rows(&batch.slice(0, batch.n_rows().min(MANY))))),
            Err(error) => return (batches, Some(error.to_string())),
        }
    }
    (batches, None)
}

fn streams(folder: &str, suffix: &str) -> Vec<(String, Vec<u8>)> {
    let folder = testing_support::corpus_dir().join(folder);
    let read = |path: &Path| (path.display().to_string(), fs::read(path).unwrap());
    testing_support::files_below(&folder, suffix).iter().map(|path| read(path)).collect()
}

fn exact() -> ReadOptions {
    let options = ReadOptions::new().with_exact_reads();
    assert!(options.has_exact_reads() && !ReadOptions::new().has_exact_reads());
    options
}

/// Streams of all other writers are tested. A source that returns few bytes at a time changes nothing.
#[test]
fn nothing_is_read_after_the_end_marker() {
    let (mut n_current, mut n_legacy) = (0, 0);
    for (name, stream) in streams("golden", ".arrows") {
        let is_current = stream.ends_with(&END_MARKER);
        if !is_current && !stream.ends_with(&[0; 4]) {
            continue;
        }
        let expected = read(&*stream, ReadOptions::new());
        if expected.1.is_some() {
            continue;
        }
        let connection = [&*stream, FOLLOWS].concat();
        let mut whole = &*connection;
        assert_eq!(read(&mut whole, exact()), expected, "{name}");
        let mut few = ChunkedReader::new(&*connection, 7).interrupted(5);
        assert_eq!(read(&mut few, exact()), expected, "{name}");
        if is_current {
            n_current += 1;
            assert_eq!((whole, few.into_inner()), (FOLLOWS, FOLLOWS), "{name}");
        } else {
            // The shorter marker of legacy framing: four bytes after it are read, unless the source gives fewer.
            n_legacy += 1;
            assert_eq!(whole, FOLLOWS.get(4..).unwrap(), "{name}");
        }
    }
    assert!(n_current > 100 && n_legacy > 0, "{n_current} and {n_legacy}");
}

/// Reads of several streams on one connection find the start of each. Streams whose codec this build lacks are left out, since
/// reading them stops early.
#[test]
fn streams_follow_each_other() {
    let streams = streams("golden/pyarrow-26.0.1", ".arrows");
    let is_read = |stream: &[u8]| {
        let (_, error) = read(stream, ReadOptions::new());
        !error.is_some_and(|error| error.contains("was built without the feature"))
    };
    let streams: Vec<_> =
        streams.iter().filter(|(_, stream)| stream.ends_with(&END_MARKER) && is_read(stream)).collect();
    let connection: Vec<u8> = streams.iter().flat_map(|(_, stream)| stream.iter().copied()).collect();
    let mut left = &*connection;
    for (name, stream) in &streams {
        assert_eq!(read(&mut left, exact()), read(&**stream, ReadOptions::new()), "{name}");
    }
    assert!(left.is_empty() && streams.len() > 50, "{}", streams.len());
}

/// The same batches, and the same error.
#[test]
fn damage_is_reported_as_by_other_reads() {
    let streams = streams("hostile", ".stream");
    assert!(streams.len() > 100, "{}", streams.len());
    for (name, stream) in streams {
        assert_eq!(read(&*stream, exact()), read(&*stream, ReadOptions::new()), "{name}");
    }
}
