//! Files of other writers: golden files pass, and for hostile files the verifier gives the results in the table.

use std::{collections::BTreeMap, fs};

use arrow_buffer::Buffer;
use arrow_ipc::{Limits, MessageScan};
use testing_support::{corpus_dir, files_below, verify_message};

/// The results of the verifier for the messages of a stream, as long as the next message can be found: the kinds of its
/// errors.
fn verdicts(stream: &[u8]) -> Vec<Option<String>> {
    let mut verdicts = Vec::new();
    let mut position = 0;
    while let Some(prefix) = stream.get(position..).and_then(|rest| rest.first_chunk::<8>()) {
        // A marker and the length, or the length alone as before Arrow 0.15.
        let (n_prefix_bytes, length) =
            if prefix.starts_with(&[0xff; 4]) { (8, &prefix[4..]) } else { (4, &prefix[..4]) };
        let n_bytes = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let start = position + n_prefix_bytes;
        let metadata = stream.get(start..start + n_bytes);
        let Some(metadata) = metadata.filter(|metadata| !metadata.is_empty()) else { break };
        let error = verify_message(metadata).err().map(|error| format!("{error:?}"));
        verdicts.push(error.map(|text| text.split(' ').next().unwrap_or_default().to_owned()));
        let rest = Buffer::copy_from(&stream[position..]);
        let message = MessageScan::try_new(rest, 0..u64::MAX, Limits::default()).unwrap().next_message();
        let Ok(Some(message)) = message else { break };
        position = start + n_bytes + usize::try_from(message.n_body_bytes()).unwrap();
    }
    verdicts
}

/// The descriptions of tables match the format; otherwise the output of other libraries would not pass.
#[test]
fn golden_files_pass() {
    let mut n_messages = 0;
    let mut refused = BTreeMap::new();
    for path in files_below(&corpus_dir().join("golden"), ".arrows") {
        let verdicts = verdicts(&fs::read(&path).unwrap());
        n_messages += verdicts.len();
        if let Some(kind) = verdicts.into_iter().flatten().next() {
            refused.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), kind);
        }
    }
    // pyarrow does not align a vector of structs that is empty. No reader needs that, but ours are aligned.
    let expected = [("no-columns.arrows".to_owned(), "Unaligned".to_owned())];
    assert_eq!(refused, BTreeMap::from(expected));
    assert!(n_messages > 500, "{n_messages} messages");
}

/// The results of the verifier for files with crafted flatbuffers.
const CRAFTED: [(&str, Option<&str>); 24] = [
    ("fb-dag-10^12.stream", Some("TooManyTables")),
    ("fb-dag-2^30.stream", Some("TooManyTables")),
    // Its limits are those of tables, ours also those of memory.
    ("fb-dag-metadata.stream", None),
    ("fb-name-empty.stream", None),
    ("fb-name-missing.stream", None),
    ("fb-name-nul.stream", None),
    ("fb-nest-1000-list.stream", Some("DepthLimitReached")),
    ("fb-nest-40.stream", None),
    ("fb-nest-600.stream", Some("DepthLimitReached")),
    ("fb-nest-deepest.stream", Some("DepthLimitReached")),
    ("fb-nodes-len-max.stream", Some("RangeOutOfBounds")),
    ("fb-nodes-len-over.stream", Some("RangeOutOfBounds")),
    ("fb-nodes-mul-overflow.stream", Some("RangeOutOfBounds")),
    // The official compiler's descriptions do not ask.
    ("fb-object-size.stream", Some("RangeOutOfBounds")),
    ("fb-root-out.stream", Some("RangeOutOfBounds")),
    ("fb-root-unaligned.stream", Some("Unaligned")),
    ("fb-string-len-over.stream", Some("RangeOutOfBounds")),
    ("fb-string-no-nul.stream", Some("MissingNullTerminator")),
    ("fb-tiny.stream", Some("RangeOutOfBounds")),
    ("fb-vtable-after.stream", Some("SignedOffsetOutOfBounds")),
    ("fb-vtable-before.stream", Some("SignedOffsetOutOfBounds")),
    ("fb-vtable-huge.stream", Some("RangeOutOfBounds")),
    ("fb-vtable-odd-size.stream", Some("Unaligned")),
    ("fb-zeros.stream", Some("RangeOutOfBounds")),
];

/// The files that we read although the verifier refuses them: what is wrong there misleads no reader of ours.
const READ: [&str; 6] = [
    "fb-object-size.stream",
    "fb-string-no-nul.stream",
    "meta-not-utf8-batch.stream",
    "meta-not-utf8-key.stream",
    "name-not-utf8.stream",
    "timestamp-tz-utf8.stream",
];

#[test]
fn hostile_files_are_refused() {
    let folder = corpus_dir().join("hostile");
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let rows = manifest.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let mut crafted = Vec::new();
    let mut read = Vec::new();
    for row in rows.filter(|row| row[1] == "stream") {
        let (file, here, class) = (row[0], row[3], row[4]);
        let refused = verdicts(&fs::read(folder.join(file)).unwrap()).into_iter().flatten().next();
        if refused.is_some() && here == "ok" {
            read.push(file);
        }
        if class == "flatbuffer" {
            crafted.push((file, refused));
        }
    }
    assert_eq!(read, READ);
    let crafted: Vec<_> = crafted.iter().map(|(file, kind)| (*file, kind.as_deref())).collect();
    assert_eq!(crafted, CRAFTED);
}
