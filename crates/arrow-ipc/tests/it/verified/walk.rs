//! Batches written in every way there is, and each piece of metadata shown to the verifier.

use std::collections::BTreeMap;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, Encoded, Endianness, Feature, Framing, IpcError, IpcErrorKind, IpcSchema,
    Limits, MessageScan, MetadataVersion, SharedBuffers, UnusedValues, WriteOptions, file::Footer,
    message::Message,
};
use arrow_schema::Metadata;
use arrow_select::SelectErrorKind;
use testing_support::{verify_footer, verify_message};

use crate::containers::{Container, Encoder};

/// The bytes after the footer of a file: its length, and the magic.
pub(crate) const TAIL_BYTES: usize = 10;

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

const FEATURES: [Feature; 2] = [Feature::DictionaryReplacement, Feature::CompressedBody];

/// The ways to write that lead to other metadata. A new option of writing belongs here.
fn variants() -> Vec<(&'static str, WriteOptions)> {
    let new = WriteOptions::new;
    let old = || new().with_version(MetadataVersion::V4);
    let mut variants = vec![
        ("defaults", new()),
        ("file metadata", new().with_file_metadata(odd_metadata())),
        ("the other byte order", new().with_endianness(FOREIGN)),
        ("features", new().with_features(FEATURES).with_footer_metadata(odd_metadata())),
        ("pages", new().with_alignment(4096).with_shared_buffers(SharedBuffers::Once)),
        ("nothing unused", new().with_unused_items(UnusedValues::Remove)),
        ("V4", old().with_file_metadata(odd_metadata())),
        ("legacy framing", old().with_framing(Framing::Legacy)),
        ("legacy framing of V5", new().with_framing(Framing::Legacy)),
        ("deltas", new().with_dictionaries(DictionaryPolicy::Delta)),
        ("deltas of V4", old().with_framing(Framing::Legacy).with_dictionaries(DictionaryPolicy::Delta)),
    ];
    if cfg!(feature = "lz4") {
        variants.push(("LZ4", new().with_compression(Compression::lz4())));
        variants.push(("compressed V4", old().with_compression(Compression::lz4())));
    }
    if cfg!(feature = "zstd") {
        variants.push(("ZSTD", new().with_compression(Compression::zstd()).with_endianness(FOREIGN)));
    }
    variants
}

/// The number of combinations of options.
pub(crate) fn n_ways() -> usize {
    let always = [
        "defaults",
        "file metadata",
        "the other byte order",
        "features",
        "pages",
        "nothing unused",
        "V4",
        "legacy framing",
        "deltas",
        "deltas of V4",
    ];
    always.len() + usize::from(cfg!(feature = "lz4")) + usize::from(cfg!(feature = "zstd"))
}

/// The number of combinations of options that need V5.
pub(crate) fn n_ways_of_v5() -> usize {
    n_ways() - ["V4", "legacy framing", "deltas of V4"].len()
}

/// Whether a refusal of these options is correct: the version does not support the data, or the dictionaries cannot
/// grow.
fn may_be_refused(options: &WriteOptions, error: &IpcError) -> bool {
    match error.kind() {
        IpcErrorKind::NotInVersion { .. } => {
            options.version() < MetadataVersion::V5 || options.framing() == Framing::Legacy
        }
        IpcErrorKind::Select(error) => {
            matches!(options.dictionaries(), DictionaryPolicy::Delta)
                && matches!(
                    error.kind(),
                    SelectErrorKind::IndexOverflow { .. } | SelectErrorKind::OrderedDictionaries
                )
        }
        _ => false,
    }
}

/// Keys that repeat, and keys and values that are absent, empty, or long.
pub(crate) fn odd_metadata() -> Metadata {
    let long = "ключ ".repeat(100);
    let pairs = [
        (Some("key"), Some("value")),
        (Some("key"), None),
        (None, Some("")),
        (None, None),
        (Some(""), Some(&*long)),
        (Some(&*long), Some("\0")),
    ];
    Metadata::from_pairs(
        pairs.iter().map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect(),
    )
}

/// The number of verified pieces of metadata of each kind.
pub(crate) type Counts = BTreeMap<String, usize>;

/// Writes batches in every way that can carry them, as streams and as files, with and without metadata of their own. The
/// verifier must accept it all.
pub(crate) fn check(name: &str, schema: impl Into<IpcSchema>, batches: &[RecordBatch]) -> Counts {
    let schema = schema.into();
    let mut counts = check_streams(name, schema.clone(), batches);
    for (variant, options) in variants() {
        let name = format!("{name}, file, {variant}");
        let Some(file) = written(&name, &options, write(Container::File, &schema, batches, &options)) else {
            continue;
        };
        let end = file.bytes.len() - TAIL_BYTES;
        let footer = Footer::read(&file.bytes, &Limits::default()).unwrap();
        let start = usize::try_from(footer.position()).unwrap();
        verify_footer(&file.bytes[start..end]).unwrap_or_else(|error| panic!("{name}: footer: {error}"));
        *counts.entry("Footer".to_owned()).or_default() += 1;
        let scan = MessageScan::try_from_file(file.bytes.clone(), Limits::default()).unwrap();
        count(&name, &file, scan, &mut counts);
    }
    counts
}

/// The same for streams alone, which can replace dictionaries.
pub(crate) fn check_streams(name: &str, schema: impl Into<IpcSchema>, batches: &[RecordBatch]) -> Counts {
    let schema = schema.into();
    let mut counts = Counts::new();
    for (variant, options) in variants() {
        let name = format!("{name}, stream, {variant}");
        let Some(stream) = written(&name, &options, write(Container::Stream, &schema, batches, &options))
        else {
            continue;
        };
        let scan = MessageScan::try_new(stream.bytes.clone(), 0..u64::MAX, Limits::default()).unwrap();
        count(&name, &stream, scan, &mut counts);
    }
    counts
}

fn written(name: &str, options: &WriteOptions, written: Result<Written, IpcError>) -> Option<Written> {
    match written {
        Err(error) if may_be_refused(options, &error) => None,
        written => Some(written.unwrap_or_else(|error| panic!("{name}: {error}"))),
    }
}

fn count(name: &str, written: &Written, scan: MessageScan<Buffer>, counts: &mut Counts) {
    let messages = verified(name, scan);
    assert_eq!(messages.len(), written.n_messages, "{name}");
    for message in messages {
        *counts.entry(format!("{:?}", message.kind())).or_default() += 1;
    }
}

/// All messages. Their metadata has been accepted by the verifier.
pub(crate) fn verified(name: &str, mut scan: MessageScan<Buffer>) -> Vec<Message> {
    let mut messages = Vec::new();
    while let Some(message) = scan.next_message().unwrap_or_else(|error| panic!("{name}: {error}")) {
        let metadata = message.metadata_bytes();
        // The verifier counts from the flatbuffer's first byte; that one and the body have to be aligned, too.
        assert_eq!((message.position() % 8, message.n_metadata_bytes() % 8), (0, 0), "{name}");
        verify_message(metadata)
            .unwrap_or_else(|error| panic!("{name}: {:?} {}: {error}", message.kind(), messages.len()));
        messages.push(message);
    }
    messages
}

/// The output of an encoder, and its own count of the messages.
pub(crate) struct Written {
    pub(crate) bytes: Buffer,
    n_messages: usize,
}

/// Writes each batch twice, the second time with metadata.
pub(crate) fn write(
    container: Container,
    schema: &IpcSchema,
    batches: &[RecordBatch],
    options: &WriteOptions,
) -> Result<Written, IpcError> {
    let mut all = Pieces::default();
    let mut encoder = Encoder::try_new(container, schema, options.clone())?;
    if !options.file_metadata().is_empty() {
        for id in schema.dictionary_ids() {
            encoder.set_dictionary_metadata(*id, odd_metadata())?;
        }
    }
    for batch in batches {
        all.add(encoder.encode(batch)?);
        all.add(encoder.encode_with_metadata(batch, &odd_metadata())?);
    }
    all.add(encoder.finish()?);
    Ok(all.written())
}

#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    n_messages: usize,
}

impl Pieces {
    fn add(&mut self, encoded: Encoded<'_>) {
        self.bytes.extend_from_slice(&encoded.to_bytes());
        self.n_messages += encoded.messages().len();
    }

    fn written(self) -> Written {
        Written { bytes: Buffer::copy_from(&self.bytes), n_messages: self.n_messages }
    }
}
