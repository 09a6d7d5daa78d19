//! The end of the help of commands that read files and streams.

/// The end of a command's help: its inputs, and examples.
macro_rules! help_end {
    (text: $text:literal, $($example:literal),+) => {
        concat!($text, "Data sets, URLs, exit statuses: see `arrow-ipc --help`.\n\nExamples:", $("\n  ", $example),+)
    };
    (rows: $name:literal, $($example:literal),+) => {
        concat!(
            $name,
            " is an Arrow IPC file or stream, several streams one after the other, CSV or lines of \
             JSON, detected by its content, not its name; gzip or Zstandard may have compressed it. Of text \
             that comes through a pipe, --from says what it is. `-` is standard input.\n\
             Data sets, URLs, exit statuses: see `arrow-ipc --help`.\n\nExamples:",
            $("\n  ", $example),+
        )
    };
    ($name:literal, $($example:literal),+) => {
        concat!(
            $name,
            " is an Arrow IPC file or stream, detected by its content, not its name, or several streams \
             one after the other; gzip or Zstandard may have compressed it. `-` is standard input.\n\
             Data sets, URLs, exit statuses: see `arrow-ipc --help`.\n\nExamples:",
            $("\n  ", $example),+
        )
    };
}
pub(super) use help_end;
