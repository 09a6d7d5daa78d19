//! Compares the decoder with one that reads field by field, for valid and damaged schemas.

use std::{fs, ops::Range};

use crate::{flatbuffer::TypedTable, tables as fb};
use arrow_schema::Metadata;
use testing_support::{Hunt, Rng, all_types, corpus_dir, files_below};

use super::*;
use crate::{error::FormatError, prefix::Prefix};

mod oracle;

/// The metadata of a message, or a footer.
#[derive(Clone)]
enum Holder {
    Message(Vec<u8>),
    Footer(Vec<u8>),
}

impl Holder {
    fn bytes(&mut self) -> &mut Vec<u8> {
        match self {
            Holder::Message(bytes) | Holder::Footer(bytes) => bytes,
        }
    }

    /// Reads the schema; `None` if there is none.
    fn read(&self, limits: &Limits) -> Option<Result<IpcSchema>> {
        let (schema, n_bytes) = self.schema()?;
        Some(decode_schema(schema, limits, limits.schema_budget(n_bytes)))
    }

    fn schema(&self) -> Option<(fb::Schema<'_>, usize)> {
        match self {
            Holder::Message(bytes) => {
                let header = fb::Message::root(bytes).ok()?.header().ok()??;
                let fb::MessageHeader::Schema(schema) = header else { return None };
                Some((schema, bytes.len()))
            }
            Holder::Footer(bytes) => Some((fb::Footer::root(bytes).ok()?.schema().ok()??, bytes.len())),
        }
    }

    fn read_one_by_one(&self, limits: &Limits) -> Option<Result<IpcSchema>> {
        let (schema, n_bytes) = self.schema()?;
        Some(oracle::decode_schema(schema, limits, limits.schema_budget(n_bytes)))
    }
}

#[derive(Debug, Default)]
struct Counts {
    n_read: usize,
    n_refused: usize,
    n_of_another_error: usize,
}

impl Counts {
    fn compare(&mut self, holder: &Holder, name: &str) {
        for limits in [Limits::default(), Limits::default().with_max_depth(2).with_max_fields(20)] {
            let text = |error: FormatError| error.to_string();
            let found = holder.read(&limits).map(|read| read.map_err(text));
            let expected = holder.read_one_by_one(&limits).map(|read| read.map_err(text));
            match (found, expected) {
                (Some(Ok(found)), Some(Ok(expected))) => {
                    // The other decoder does not look for them.
                    let regular = found.clone().with_irregularities(Vec::new());
                    assert_eq!(regular, expected, "{name}");
                    assert_eq!(found.unsupported_columns(), expected.unsupported_columns(), "{name}");
                    let ids = found.dictionary_ids();
                    IpcSchema::try_with_dictionary_ids(Arc::clone(found.schema()), ids)
                        .expect("an id for each");
                    self.n_read += 1;
                }
                (Some(Err(found)), Some(Err(expected))) => {
                    self.n_refused += 1;
                    self.n_of_another_error += usize::from(found != expected);
                }
                (None, None) => {}
                (found, expected) => panic!("{name}: {found:?}\none by one: {expected:?}"),
            }
        }
    }
}

/// The first message of a stream or file, and the footer of a file.
fn holders_in(bytes: &[u8]) -> Vec<Holder> {
    let stream = bytes.strip_prefix(b"ARROW1\0\0").unwrap_or(bytes);
    let message = match Prefix::parse(stream) {
        Ok(Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes })) => {
            let rest = stream.get(n_prefix_bytes as usize..).unwrap_or_default();
            Some(Holder::Message(rest[..rest.len().min(n_metadata_bytes as usize)].to_vec()))
        }
        Ok(_) | Err(_) => None,
    };
    let footer = || {
        let (rest, length) = bytes.strip_suffix(b"ARROW1")?.split_last_chunk::<4>()?;
        let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
        Some(Holder::Footer(rest[start..].to_vec()))
    };
    message.into_iter().chain(footer()).collect()
}

/// The schemas of all files of the corpus.
fn corpus() -> Vec<(String, Holder)> {
    let suffixes = [".arrows", ".arrow", ".stream", ".arrow_file"];
    let files = suffixes.iter().flat_map(|suffix| files_below(&corpus_dir(), suffix));
    let schemas_in_file = |path: std::path::PathBuf| {
        let bytes = fs::read(&path).unwrap();
        holders_in(&bytes).into_iter().map(move |holder| (path.display().to_string(), holder))
    };
    files.flat_map(schemas_in_file).collect()
}

pub(in crate::schema) fn random_field(rng: &mut Rng, depth: usize) -> Field {
    let types = all_types();
    let name: String = (0..rng.below(6)).map(|_| *rng.pick(&['a', 'é', '名', '.'])).collect();
    let data_type = match rng.below(8) {
        0 if depth < 4 => {
            DataType::struct_((0..rng.below(5)).map(|_| random_field(rng, depth + 1)).collect::<Vec<_>>())
        }
        1 if depth < 4 => DataType::list(random_field(rng, depth + 1)),
        _ => rng.pick(&types).1.clone(),
    };
    let metadata =
        Metadata::from_iter((0..rng.below(8).saturating_sub(5)).map(|idx| (format!("key {idx}"), "value")));
    let nullability = Nullability::from(rng.one_in(2));
    Field::new(name, data_type).with_metadata(metadata).with_nullability(nullability)
}

fn written(schema: &Schema) -> Holder {
    let message = IpcSchema::from(schema.clone()).to_message(&Metadata::new()).unwrap();
    holders_in(&message).swap_remove(0)
}

const WORDS: [u32; 8] = [0, 1, 4, 8, 0x40, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0];

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let position = rng.below(bytes.len());
    let word: Range<usize> = position / 4 * 4..(position / 4 * 4 + 4).min(bytes.len());
    match rng.below(6) {
        0 => bytes[position] ^= 1 << rng.below(8),
        1 => bytes[position] = rng.bits().to_le_bytes()[0],
        2 => {
            let value = rng.pick(&WORDS).to_le_bytes();
            bytes[word.clone()].copy_from_slice(&value[..word.len()]);
        }
        // Changes a reference, or some of its target.
        3 => bytes[position] = bytes[position].wrapping_add(4),
        4 => {
            let from = rng.below(bytes.len());
            let n_bytes = 4.min(bytes.len() - position.max(from));
            bytes.copy_within(from..from + n_bytes, position);
        }
        _ => bytes.truncate(position.max(4)),
    }
}

#[test]
fn schemas_of_the_corpus_are_read_as_one_by_one() {
    let mut counts = Counts::default();
    for (name, holder) in corpus() {
        counts.compare(&holder, &name);
    }
    assert!(counts.n_read > 500 && counts.n_refused > 50, "{counts:?}");
    // Names are read before types. So for a schema with two errors, the error may differ; this happens once for each
    // limit.
    assert_eq!(counts.n_of_another_error, 2, "{counts:?}");
}

#[test]
fn random_and_mutated_schemas_are_read_as_one_by_one() {
    let rng = &mut Hunt::from_env().rng(40);
    let mut seeds = corpus();
    for idx in 0..60 {
        let fields = (0..rng.below(12)).map(|_| random_field(rng, 0)).collect::<Vec<_>>();
        seeds.push((format!("random schema {idx}"), written(&Schema::new(fields))));
    }
    let wide = (0..3000).map(|idx| Field::new(format!("column {}", idx % 700), DataType::Int32));
    seeds.push(("a wide schema".to_owned(), written(&wide.collect())));
    let mut counts = Counts::default();
    let hunt = Hunt::from_env();
    for case in 0..hunt.count(10_000, 1_000_000) {
        let (name, seed) = rng.pick(&seeds);
        let mut holder = seed.clone();
        for _ in 0..1 + rng.below(3) {
            if !holder.bytes().is_empty() {
                mutate(holder.bytes(), rng);
            }
        }
        counts.compare(&holder, &format!("case {case}, {name}"));
    }
    assert!(counts.n_read > 1_800 && counts.n_refused > 2_000, "{counts:?}");
    assert!(counts.n_of_another_error * 20 < counts.n_refused, "{counts:?}");
}

#[test]
fn every_byte_of_a_small_schema_may_have_any_value() {
    // Both fields share the table of their type.
    let fields = [Field::new("a", DataType::Int8), Field::new("b", DataType::Int8)];
    let Holder::Message(bytes) = written(&fields.into_iter().collect()) else { panic!("a message") };
    let mut counts = Counts::default();
    for position in 0..bytes.len() {
        for value in 0..=255 {
            let mut damaged = bytes.clone();
            damaged[position] = value;
            counts.compare(&Holder::Message(damaged), &format!("byte {position} is {value}"));
        }
    }
    assert!(counts.n_read > 1_000 && counts.n_refused > 1_000, "{counts:?}");
}
