//! Hints about inputs in other formats, with commands that read them.

use std::path::Path;

use arrow_ipc::WrittenContainer;
use arrow_ipc_report::{quoted, shell_argument};
use arrow_ipc_tools::{ForeignFormat, InputName, import::TextFormat};

use crate::names::{OutputName, is_url};

/// A hint for an input in the format `found`.
pub(super) fn foreign_advice(found: Option<ForeignFormat>, input: &InputName) -> String {
    let name = shell_argument(input);
    let other = |what: &str| format!("read it with a tool for {what}, and write it as an Arrow file");
    match found {
        Some(
            ForeignFormat::Gzip
            | ForeignFormat::Zstd
            | ForeignFormat::Lz4
            | ForeignFormat::Lz4Legacy
            | ForeignFormat::Xz
            | ForeignFormat::Bzip2
            | ForeignFormat::Json
            | ForeignFormat::Csv
            | ForeignFormat::Utf16,
        ) if is_url(input) => "download it first".to_owned(),
        Some(ForeignFormat::Gzip) => compressed(input),
        Some(ForeignFormat::Zstd) => compressed(input),
        Some(ForeignFormat::Lz4) => compressed(input),
        Some(ForeignFormat::Lz4Legacy) => decompressed(input, "lz4"),
        Some(ForeignFormat::Xz) => decompressed(input, "xz"),
        Some(ForeignFormat::Bzip2) => decompressed(input, "bzip2"),
        Some(ForeignFormat::Zip) => "unpack it first".to_owned(),
        Some(ForeignFormat::Workbook) => "save its sheet as CSV".to_owned(),
        Some(ForeignFormat::Avro) => other("Avro"),
        Some(ForeignFormat::Orc) => other("ORC"),
        Some(ForeignFormat::Hdf5) => other("HDF5"),
        Some(ForeignFormat::Sqlite) => other("SQLite"),
        Some(ForeignFormat::Html) => {
            "servers send a page instead of a file to report an error; read the page".to_owned()
        }
        Some(ForeignFormat::Json) => text(input, "jsonl"),
        Some(ForeignFormat::Csv) => text(input, "csv"),
        Some(ForeignFormat::Utf16) => {
            text(input, TextFormat::name_of_extension(&input.to_string()).unwrap_or("csv"))
        }
        Some(ForeignFormat::Xml) | Some(_) | None => {
            match TextFormat::name_of_extension(&input.to_string()) {
                // Text that begins with an object or an array was found to be JSON.
                Some("jsonl") if !is_url(input) => format!(
                    "rows of JSON are objects, such as {{\"a\":1}}: `arrow-ipc convert --from jsonl {name} OUT.arrow` says which row is none"
                ),
                Some(form) if !is_url(input) => {
                    format!("`arrow-ipc convert --from {form} {name} OUT.arrow` reads it, by its extension")
                }
                _ if is_url(input) => "a file begins with ARROW1, a stream with four bytes FF".to_owned(),
                _ => format!(
                    "a file begins with ARROW1, a stream with four bytes FF; `arrow-ipc convert --from csv {name} OUT.arrow` reads text of one \
                 column"
                ),
            }
        }
    }
}

/// The command that converts text. The format of a file is detected. The format of a pipe must be specified, because
/// a pipe cannot be read twice.
fn text(input: &InputName, form: &str) -> String {
    let name = shell_argument(input);
    if is_file(input) {
        format!("`arrow-ipc convert {name} OUT.arrow` reads it")
    } else {
        format!("`arrow-ipc convert --from {form} {name} OUT.arrow` reads it")
    }
}

/// A hint for a codec that `convert` can decompress.
fn compressed(input: &InputName) -> String {
    let name = shell_argument(input);
    if is_file(input) {
        return format!(
            "`arrow-ipc convert {name} OUT.arrow` decompresses CSV and lines of JSON, all commands Arrow data"
        );
    }
    format!("CSV: `arrow-ipc convert --from csv {name} OUT.arrow`; lines of JSON: --from jsonl")
}

/// A hint for a codec that another program must decompress.
fn decompressed(input: &InputName, program: &str) -> String {
    let name = shell_argument(input);
    let reads = match TextFormat::name_of_extension(&input.to_string()) {
        Some(form) => format!("arrow-ipc convert --from {form} - OUT.arrow"),
        None => "arrow-ipc cat -".to_owned(),
    };
    format!("decompress it first: {} | {reads}", fed(&name, &format!("{program} -dc")))
}

/// A command line that passes the input to a program.
fn fed(name: &str, program: &str) -> String {
    if name == "-" { format!("… | {program}") } else { format!("{program} {name}") }
}

/// A command line that passes the text of the input to a program. If the name of the input has the extension of a
/// codec, the command line decompresses it.
pub(super) fn piped(input: &InputName, program: &str) -> String {
    let (name, argument) = (input.to_string(), shell_argument(input));
    match [(".gz", "gzip"), (".zst", "zstd"), (".lz4", "lz4")].iter().find(|(end, _)| name.ends_with(end)) {
        Some((_, codec)) => format!("{codec} -dc {argument} | {program}"),
        None => fed(&argument, program),
    }
}

/// Whether the input is a regular file, which can be read twice.
fn is_file(input: &InputName) -> bool {
    matches!(input, InputName::Path(path) if path.is_file())
}

/// A hint for an output whose name does not say what to write.
pub(super) fn target_advice(output: &OutputName, input: Option<&InputName>) -> String {
    let OutputName::Path(path) = output else { return "add --to stream or --to file".to_owned() };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet")) {
        let input = match input {
            Some(InputName::Path(path)) => path,
            _ => Path::new("IN.arrow"),
        };
        let python = by_polars("A.sink_parquet(sys.argv[2])", &[input], &quoted(&path.to_string_lossy()));
        return format!("this program does not write Parquet; polars does: {python}");
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xlsx")) {
        let csv = quoted(&path.with_extension("csv").to_string_lossy());
        return format!(
            "this program does not write workbooks; `arrow-ipc convert IN {csv}` writes CSV, which spreadsheet programs open"
        );
    }
    if TextFormat::name_of_extension(&path.to_string_lossy()).is_some() && !output.is_packed() {
        let text = quoted(&path.to_string_lossy());
        return format!(
            "this command writes Arrow data; with `-` in place of {text}, `| arrow-ipc convert - {text}` writes text"
        );
    }
    if output.is_packed() { IN_BODIES } else { NO_TARGET }.to_owned()
}

const IN_BODIES: &str = "write OUT.arrow with --compression zstd, or text: OUT.csv.gz";

const NO_TARGET: &str = "add --to stream or --to file, or use .arrows, .arrow, .feather or .ipc; `convert` also writes text: OUT.csv, OUT.jsonl";

/// A command line that runs polars code on files. In the code, `A` and `B` are the rows of the first and the second
/// file.
pub(crate) fn by_polars(code: &str, files: &[&Path], output: &str) -> String {
    let mut line = String::new();
    let mut code = code.to_owned();
    for ((placeholder, argument), file) in
        [("A.", "sys.argv[1]"), ("B,", "sys.argv[2]")].into_iter().zip(files)
    {
        let name = file.to_string_lossy();
        let rows = match (TextFormat::name_of_extension(&name), WrittenContainer::from_file_name(file)) {
            (Some("csv"), _) => format!("polars.scan_csv({argument})"),
            (Some(_), _) => format!("polars.scan_ndjson({argument})"),
            (None, Some(WrittenContainer::Stream)) => format!("polars.read_ipc_stream({argument}).lazy()"),
            (None, Some(WrittenContainer::File) | None) => format!("polars.scan_ipc({argument})"),
        };
        code = code.replace(placeholder, &(rows + placeholder.trim_start_matches(['A', 'B'])));
        line = format!("{line} {}", quoted(&name));
    }
    let end = if output.is_empty() { String::new() } else { format!(" {output}") };
    format!("python3 -c 'import polars, sys; {code}'{line}{end}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn hints_are_commands_that_read_the_input() {
        let convert = |rest: &str| format!("`arrow-ipc convert {rest} OUT.arrow` reads it");
        let cases = [
            (Some(ForeignFormat::Csv), "-", convert("--from csv -")),
            // Neither `/dev/null` nor a named pipe is a regular file.
            (Some(ForeignFormat::Json), "/dev/null", convert("--from jsonl /dev/null")),
            (Some(ForeignFormat::Csv), "Cargo.toml", convert("Cargo.toml")),
            (
                Some(ForeignFormat::Gzip),
                "Cargo.toml",
                "`arrow-ipc convert Cargo.toml OUT.arrow` decompresses".to_owned(),
            ),
            (None, "a.bin.gz", "a file begins with ARROW1".to_owned()),
            (Some(ForeignFormat::Utf16), "a.csv", convert("--from csv a.csv")),
            (Some(ForeignFormat::Utf16), "https://a/b.csv", "download it first".to_owned()),
            (
                Some(ForeignFormat::Gzip),
                "-",
                "CSV: `arrow-ipc convert --from csv - OUT.arrow`; lines".to_owned(),
            ),
            (
                Some(ForeignFormat::Xz),
                "a.arrows.xz",
                "decompress it first: xz -dc a.arrows.xz | arrow-ipc cat -".to_owned(),
            ),
            (
                Some(ForeignFormat::Xz),
                "a.JSON.xz",
                "decompress it first: xz -dc a.JSON.xz | arrow-ipc convert --from jsonl - OUT.arrow"
                    .to_owned(),
            ),
            (Some(ForeignFormat::Gzip), "https://a/b.gz", "download it first".to_owned()),
            (Some(ForeignFormat::Utf16), "-", convert("--from csv -")),
            (None, "it's.csv", "`arrow-ipc convert --from csv \"it's.csv\" OUT.arrow` reads it".to_owned()),
            (None, "a b.csv", "`arrow-ipc convert --from csv 'a b.csv' OUT.arrow` reads it".to_owned()),
            (
                None,
                "a.ndjson",
                "rows of JSON are objects, such as {\"a\":1}: `arrow-ipc convert --from jsonl a.ndjson"
                    .to_owned(),
            ),
            (None, "a.bin", "a file begins with ARROW1".to_owned()),
        ];
        for (found, name, expected) in cases {
            let input = if name == "-" { InputName::from(name) } else { InputName::from(Path::new(name)) };
            let hint = foreign_advice(found, &input);
            assert!(hint.starts_with(&expected), "{name}: {hint}");
        }
    }

    #[test]
    fn names_in_the_hint_for_parquet_are_arguments() {
        let cases = [
            ("a.arrow", "b.parquet", " a.arrow b.parquet"),
            ("f/$(id).arrow", "`id`.parquet", " 'f/$(id).arrow' '`id`.parquet'"),
            ("it's.feather", "\"b\".parquet", " \"it's.feather\" '\"b\".parquet'"),
            ("a.csv", "b.parquet", "scan_csv(sys.argv[1]).sink_parquet(sys.argv[2])' a.csv b.parquet"),
            ("a.tmp", "b.parquet", "scan_ipc(sys.argv[1]).sink_parquet(sys.argv[2])' a.tmp b.parquet"),
            (
                "a.arrows",
                "b.parquet",
                "read_ipc_stream(sys.argv[1]).lazy().sink_parquet(sys.argv[2])' a.arrows b.parquet",
            ),
            ("-", "b.parquet", " IN.arrow b.parquet"),
        ];
        for (input, output, expected) in cases {
            let name = if input == "-" { InputName::from(input) } else { InputName::from(Path::new(input)) };
            let hint = target_advice(&OutputName::Path(output.into()), Some(&name));
            assert!(
                hint.contains(".sink_parquet(sys.argv[2])' ") && hint.ends_with(expected),
                "{input}: {hint}"
            );
        }
    }

    #[test]
    fn compressed_text_is_piped_through_its_codec() {
        for (name, expected) in [
            ("it's.jsonl.gz", "gzip -dc \"it's.jsonl.gz\" | jq"),
            ("a.zst", "zstd -dc a.zst | jq"),
            ("a.jsonl", "jq a.jsonl"),
        ] {
            assert_eq!(piped(&InputName::from(Path::new(name)), "jq"), expected);
        }
    }
}
