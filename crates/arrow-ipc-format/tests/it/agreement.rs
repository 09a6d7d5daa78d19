//! The accessors give what the bindings of planus give: for metadata with every table, field and member of the format, and
//! for the same metadata with each byte changed.

use arrow_ipc_format::{
    flatbuffer::{Enumeration, FlatbufferCause, FlatbufferError, Result, Tables, TypedTable, Vector},
    tables,
};
use bindings::flatbuf as fb;
use planus::ReadAsRoot;

mod owned;
mod samples;

use self::samples::{footers, messages};

/// How both readers judged changed bytes.
#[derive(Debug, Default)]
struct Counts {
    n_read: usize,
    n_refused: usize,
    /// Only planus refuses vtables before the tables that refer to their tables.
    n_refused_by_planus: usize,
}

impl Counts {
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, found: Result<T>, expected: planus::Result<T>) {
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found, expected);
                self.n_read += 1;
            }
            (Err(_), Err(_)) => self.n_refused += 1,
            (Ok(_), Err(_)) => self.n_refused_by_planus += 1,
            // Planus reads a union with a tag and without a value as absent; the official verifier refuses it.
            (Err(found), Ok(_)) if is_of_union(&found) => {}
            (Err(found), Ok(expected)) => panic!("{found}: planus reads {expected:?}"),
        }
    }
}

fn is_of_union(error: &FlatbufferError) -> bool {
    matches!(error.cause(), FlatbufferCause::UnionWithoutValue | FlatbufferCause::Union { .. })
}

fn message(bytes: &[u8]) -> (Result<fb::Message>, planus::Result<fb::Message>) {
    let found = tables::Message::root(bytes).and_then(owned::message);
    (found, fb::MessageRef::read_as_root(bytes).and_then(TryInto::try_into))
}

fn footer(bytes: &[u8]) -> (Result<fb::Footer>, planus::Result<fb::Footer>) {
    let found = tables::Footer::root(bytes).and_then(owned::footer);
    (found, fb::FooterRef::read_as_root(bytes).and_then(TryInto::try_into))
}

#[test]
fn every_field_is_read() {
    for sample in messages() {
        let bytes = planus::Builder::new().finish(&sample, None).to_vec();
        assert_eq!(message(&bytes).0, Ok(sample));
    }
    for sample in footers() {
        let bytes = planus::Builder::new().finish(&sample, None).to_vec();
        assert_eq!(footer(&bytes).0, Ok(sample));
    }
}

#[test]
fn damaged_metadata_is_read_alike() {
    let mut counts = Counts::default();
    let mut damage = |bytes: &[u8], compare: &dyn Fn(&mut Counts, &[u8])| {
        for at in 0..bytes.len() {
            for changed in [0, 1, bytes[at] ^ 4, bytes[at] ^ 0x80, 0xff] {
                let mut damaged = bytes.to_vec();
                damaged[at] = changed;
                compare(&mut counts, &damaged);
            }
            compare(&mut counts, &bytes[..at]);
        }
    };
    for sample in messages() {
        let bytes = planus::Builder::new().finish(&sample, None).to_vec();
        damage(&bytes, &|counts, damaged| {
            let (found, expected) = message(damaged);
            counts.compare(found, expected);
        });
    }
    for sample in footers() {
        let bytes = planus::Builder::new().finish(&sample, None).to_vec();
        damage(&bytes, &|counts, damaged| {
            let (found, expected) = footer(damaged);
            counts.compare(found, expected);
        });
    }
    let Counts { n_read, n_refused, n_refused_by_planus } = counts;
    assert!(n_read > 1000 && n_refused > 1000, "{n_read} {n_refused}");
    // It refuses text that is not UTF-8.
    assert!(n_refused_by_planus * 8 < n_read, "{n_refused_by_planus} {n_read}");
}
