//! Random documents of every case, through files and streams and back.

use arrow_buffer::Buffer;
use arrow_ipc::{Compression, Endianness, FileReader, Framing, IpcErrorKind, MetadataVersion, WriteOptions};
use integration::{
    Checks, Document, GeneratedCase, file_to_stream_with, generated_cases, json_to_file_with,
    stream_to_file_with, validate,
};
use testing_support::Hunt;

/// A way of writing.
struct Variant {
    name: String,
    options: WriteOptions,
}

/// Every way of writing that documents are sent through.
fn variants() -> Vec<Variant> {
    let versions = [
        ("V5", WriteOptions::new()),
        ("V4", WriteOptions::new().with_version(MetadataVersion::V4)),
        ("legacy V4", WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy)),
    ];
    let codecs = [("plain", None), ("LZ4", Some(Compression::lz4())), ("ZSTD", Some(Compression::zstd()))];
    let mut variants = Vec::new();
    for (version, options) in versions {
        for endianness in [Endianness::Little, Endianness::Big] {
            for (codec, compression) in codecs {
                let options = options.clone().with_endianness(endianness).with_compression(compression);
                variants.push(Variant { name: format!("{version}, {endianness}, {codec}"), options });
            }
        }
    }
    variants
}

/// The cases that metadata of version 4 cannot carry, since their layouts are younger; so are compressed bodies.
const SINCE_V5: [&str; 8] = [
    "generated_run_end_encoded",
    "generated_binary_view",
    "generated_list_view",
    "generated_views_in_dictionary",
    "generated_runs_in_dictionary",
    "generated_dictionary_in_runs",
    "generated_nested_runs",
    "generated_nested_views",
];

/// Whether a case cannot be written so.
fn is_refused(case: &GeneratedCase, variant: &Variant) -> bool {
    let is_new = SINCE_V5.contains(&case.name.as_str()) || variant.options.compression().is_some();
    variant.options.version() < MetadataVersion::V5 && is_new
}

#[test]
fn generated_documents_survive() {
    let variants = variants();
    let mut n_checked = 0;
    let hunt = Hunt::from_env();
    let n_seeds = hunt.count(2, 20);
    for seed in (0..n_seeds as u64).map(|seed| hunt.seed(seed)) {
        for case in generated_cases(seed) {
            let document = Document::parse(&case.text)
                .unwrap_or_else(|error| panic!("{}, seed {seed}: {error}", case.name));
            for variant in &variants {
                n_checked += 1;
                if is_refused(&case, variant) {
                    let error =
                        json_to_file_with(&document, Vec::new(), variant.options.clone()).unwrap_err();
                    assert!(
                        matches!(error.kind(), IpcErrorKind::NotInVersion { .. }),
                        "{}: {error}",
                        case.name
                    );
                    continue;
                }
                check(&case, &document, variant)
                    .unwrap_or_else(|error| panic!("{}, seed {seed}, {}: {error}", case.name, variant.name));
            }
        }
    }
    // Every seed has all cases of the public harness, and ours.
    assert!(n_checked >= 49 * 18 * n_seeds, "{n_checked}");
}

/// JSON to a file, to a stream, to a file; and from there to JSON.
fn check(
    case: &GeneratedCase,
    document: &Document,
    variant: &Variant,
) -> Result<(), Box<dyn std::error::Error>> {
    let options = || variant.options.clone();
    let file = Buffer::from(json_to_file_with(document, Vec::new(), options())?);
    validate(document, file.clone(), &Checks::all())?;
    let reader = FileReader::try_from_buffer(file)?;
    // Nothing is lost that a comparison of values would not see: names in maps, the order of metadata, ids.
    assert_eq!(reader.schema(), document.schema().schema());
    assert_eq!(reader.ipc_schema().dictionary_ids(), document.schema().dictionary_ids());
    let stream = file_to_stream_with(&reader, Vec::new(), options())?;
    let file = Buffer::from(stream_to_file_with(&*stream, Vec::new(), |_| options())?);
    validate(document, file.clone(), &Checks::all())?;

    let reader = FileReader::try_from_buffer(file.clone())?;
    let batches = reader.batches().collect::<Result<Vec<_>, _>>()?;
    let text = Document::write(reader.ipc_schema(), &batches)?;
    let again = Document::parse(&text)?;
    validate(&again, file, &Checks::all())?;
    assert_eq!(again.schema(), document.schema(), "{}", case.name);
    // What was written of what was read is the same text.
    assert_eq!(Document::write(again.schema(), again.batches())?, text);
    Ok(())
}

#[test]
fn seeds_give_other_values() {
    let (one, two) = (generated_cases(1), generated_cases(2));
    let n_equal = one.iter().zip(&two).filter(|(one, two)| one.text == two.text).count();
    // Cases without any values have nothing that differs.
    assert!(n_equal < one.len() / 2, "{n_equal} of {}", one.len());
}
