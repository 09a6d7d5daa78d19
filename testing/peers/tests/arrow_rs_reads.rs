//! arrow-rs reads what we write, with the same content.

use arrow_ipc::{Container, IpcErrorKind};
use arrow_schema::{Field, Schema};
use peers::content::Content;
use peers::format::Format;
use peers::{ours, theirs};
use samples::{Sample, planned, samples, variants};
use std::collections::BTreeSet;
use std::sync::Arc;
use testing_support::{Generator, Nulls, all_types};

const SEEDS: [u64; 6] = [1, 2, 3, 4, 5, 6];

/// Samples that arrow-rs refuses with some seeds, and parts of its errors. All samples are valid: slots below nulls may
/// have any values, but arrow-rs also checks text and views there.
const REFUSED: [(&str, &str); 13] = [
    ("binary-view-garbage", VIEW),
    ("large-utf8-garbage", TEXT),
    ("list-of-structs-garbage", VIEW),
    ("list-view-of-dense-unions-garbage", VIEW),
    ("list-view-of-utf8-garbage", TEXT),
    ("map-garbage", TEXT),
    ("runs-of-lists-garbage", TEXT),
    ("runs-of-utf8-garbage", TEXT),
    ("sparse-union-of-nested-types-garbage", TEXT),
    ("sparse-union-of-nested-types-garbage", VIEW),
    ("struct-with-repeated-names-garbage", TEXT),
    ("utf8-garbage", TEXT),
    ("utf8-view-garbage", VIEW),
];
/// Variants that arrow-rs does not support: it reads numbers of the other byte order unchanged, without an error.
const VARIANTS_NOT_READ: [&str; 2] = ["foreign-endian", "foreign-lz4"];
const TEXT: &str = "Invalid UTF8 sequence";
const VIEW: &str = "Invalid buffer index";

#[test]
fn arrow_rs_reads_every_type() {
    let mut n_read = 0;
    let mut refused = BTreeSet::new();
    for sample in SEEDS.into_iter().flat_map(samples) {
        let expected = Content::of_ours_as_stored(&sample.schema, &sample.batches);
        for &format in formats(!sample.dictionaries_change) {
            let location = format!("{} as a {}", sample.name, format.name());
            let bytes = ours::write(&sample.schema, &sample.batches, format)
                .unwrap_or_else(|error| panic!("{location}: {error}"));
            match theirs::read(&bytes, format) {
                Ok((schema, batches)) => {
                    Content::of_theirs(&schema, &batches).assert_is(&expected, &location);
                    n_read += 1;
                }
                Err(error) => {
                    let is_it = |(name, message): &&(&str, &str)| {
                        *name == sample.name && error.to_string().contains(message)
                    };
                    let listed = REFUSED.iter().find(is_it);
                    refused.insert(*listed.unwrap_or_else(|| panic!("{location}: {error}")));
                }
            }
        }
    }
    assert!(n_read > 4_000, "{n_read} streams and files");
    assert_eq!(refused, BTreeSet::from(REFUSED), "what arrow-rs has learned to read need not be listed");
}

fn formats(is_for_files: bool) -> &'static [Format] {
    if is_for_files { &Format::ALL } else { &[Format::Stream] }
}

#[test]
fn arrow_rs_reads_all_variants() {
    for variant in variants() {
        let name = variant.name;
        let (mut n_shown, mut n_read, mut n_wrong) = (0, 0, 0);
        // What lies beneath nulls is looked at above; zeros are text and views that anybody accepts.
        let is_shown =
            |sample: &Sample| variant.is_about(sample) && (sample.nulls != Nulls::Garbage || name == "zeros");
        for sample in samples(7).into_iter().filter(is_shown) {
            let options = variant.options(&sample).unwrap_or_else(|error| panic!("{name}: {error}"));
            for &format in formats(variant.is_for_files(&sample)) {
                let location = format!("{} as a {}, {name}", sample.name, format.name());
                let options = options.clone();
                let written = ours::write_with_options(&sample.schema, &sample.batches, options, format);
                n_shown += 1;
                let bytes = match written {
                    Err(error) if matches!(error.kind(), IpcErrorKind::NotInVersion { .. }) => continue,
                    written => written.unwrap_or_else(|error| panic!("{location}: {error}")),
                };
                let expected = Content::of_ours_as_stored(&sample.schema, &sample.batches);
                match theirs::read(&bytes, format) {
                    found if VARIANTS_NOT_READ.contains(&name) => {
                        let found = found.map(|(schema, batches)| Content::of_theirs(&schema, &batches));
                        n_wrong += usize::from(!found.is_ok_and(|found| found == expected));
                    }
                    Ok((schema, batches)) => {
                        Content::of_theirs(&schema, &batches).assert_is(&expected, &location);
                        n_read += 1;
                    }
                    Err(error) => panic!("{location}: {error}"),
                }
            }
        }
        let n_wanted = if variant.has_few_samples() { 4 } else { 100 };
        assert!(n_shown >= n_wanted, "{name}: {n_shown} shown");
        if VARIANTS_NOT_READ.contains(&name) {
            assert!(n_wrong > n_shown / 2, "{name}: arrow-rs has learned to read it, {n_wrong} are wrong");
        } else {
            assert!(n_read > n_shown / 2, "{name}: {n_read} of {n_shown} read");
        }
    }
}

#[test]
fn arrow_rs_reads_planned_images() {
    let mut n_read = 0;
    // What lies beneath nulls is looked at above.
    for sample in samples(3).into_iter().filter(|it| !it.dictionaries_change && it.nulls == Nulls::Some) {
        // Their batches bring others, so they are not planned from the first one.
        if sample.name == "late-dictionaries" || sample.name == "unused-dictionaries" {
            continue;
        }
        let expected = Content::of_ours_as_stored(&sample.schema, &sample.batches);
        for format in Format::ALL {
            let location = format!("{} as a planned {}", sample.name, format.name());
            let container = match format {
                Format::Stream => Container::Stream,
                Format::File => Container::File,
            };
            let image = planned(&sample, container).unwrap_or_else(|error| panic!("{location}: {error}"));
            let (schema, batches) =
                theirs::read(&image, format).unwrap_or_else(|error| panic!("{location}: {error}"));
            Content::of_theirs(&schema, &batches).assert_is(&expected, &location);
            n_read += 1;
        }
    }
    assert!(n_read > 200, "{n_read} streams and files");
}

#[test]
fn arrow_rs_reads_other_dictionaries() {
    let mut n_read = 0;
    for (name, data_type) in all_types() {
        if !data_type.to_string().contains("dictionary<") {
            continue;
        }
        let schema = Arc::new(Schema::new([Field::new("column", data_type)]));
        for seed in SEEDS {
            // Each batch has dictionaries of its own, which streams may replace.
            let batches = Generator::new(seed).batches(&schema, &[20, 0, 7]);
            let bytes = ours::write(&schema, &batches, Format::Stream)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let (found_schema, found) = theirs::read(&bytes, Format::Stream)
                .unwrap_or_else(|error| panic!("{name}: arrow-rs: {error}"));
            let expected = Content::of_ours(&schema, &batches);
            Content::of_theirs(&found_schema, &found).assert_is(&expected, &name);
            let (found_schema, found) =
                ours::read(&bytes, Format::Stream).unwrap_or_else(|error| panic!("{name}: ours: {error}"));
            Content::of_ours(&found_schema, &found).assert_is(&expected, &name);
            n_read += 1;
        }
    }
    assert!(n_read > 100, "{n_read} streams");
}
