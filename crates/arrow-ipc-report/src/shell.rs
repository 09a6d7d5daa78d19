//! Writes names as arguments of a shell command.

use arrow_ipc_tools::InputName;
use arrow_schema::{HiddenChars, QuotedText};

/// The name of an input as an argument of a shell command; `-` for standard input.
pub fn shell_argument(name: &InputName) -> String {
    // In the program, only standard input has no path.
    let InputName::Path(path) = name else { return "-".to_owned() };
    let path = path.to_string_lossy();
    // A path that begins with a hyphen would be an option.
    if path.starts_with('-') { quoted(&format!("./{path}")) } else { quoted(&path) }
}

/// The name of a column in the form that `--cast` and `--rename` accept before `=`.
pub fn option_name(name: &str) -> String {
    let mut hidden = HiddenChars::new();
    // A name that begins with a hyphen would be an option.
    let is_plain =
        !name.starts_with(['"', '-']) && !name.chars().any(|char| char == '=' || hidden.is_next(char));
    if is_plain { name.to_owned() } else { QuotedText(name).to_string() }
}

/// A text as an argument of a shell command, in quotes if necessary.
pub fn quoted(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+,:@%=".contains(char);
    let is_plain_in_double = |char: char| !"\"\\$`!".contains(char);
    if text.chars().all(is_plain) {
        text.to_owned()
    } else if text.contains('\'') && text.chars().all(is_plain_in_double) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn arguments_are_names_for_a_shell_and_no_options() {
        let cases = [
            ("a.arrow", "a.arrow"),
            ("-a.arrow", "./-a.arrow"),
            ("--all the", "'./--all the'"),
            ("it's", "\"it's\""),
            ("$(a)", "'$(a)'"),
        ];
        for (path, expected) in cases {
            assert_eq!(shell_argument(&InputName::from(Path::new(path))), expected);
        }
        assert_eq!(shell_argument(&InputName::Other("standard input".to_owned())), "-");
    }
}
