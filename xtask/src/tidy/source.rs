//! The text files of the repository. For Rust, also their code without comments, literals and tests.

use std::path::Path;

use crate::failure::Failure;
use crate::tree::files_below;

/// The names of files that people write end with one of these.
const TEXT: [&str; 8] = [".fbs", ".md", ".py", ".rs", ".sh", ".toml", ".yml", ".ci/run"];

/// The repository.
pub(super) struct Tree {
    /// The paths of all files, text or not.
    pub(super) paths: Vec<String>,
    /// The text files, without generated code.
    pub(super) texts: Vec<Source>,
}

/// One text file.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
    /// Only for Rust, otherwise empty: the text with spaces instead of comments and literals. Positions do not change.
    pub(super) code: String,
    /// The same code without tests; empty for test files.
    pub(super) untested_code: String,
}

impl Tree {
    /// Reads all text files below `root`.
    pub(super) fn load(root: &Path) -> Result<Tree, Failure> {
        let paths = files_below(root)?;
        let mut texts = Vec::new();
        for path in paths.iter().filter(|path| is_text(path)) {
            let text = std::fs::read_to_string(root.join(path)).map_err(|error| Failure::io(path, &error))?;
            texts.push(Source::new(path, text));
        }
        Ok(Tree { paths, texts })
    }

    /// A tree that exists only in memory.
    #[cfg(test)]
    pub(super) fn from_texts(files: &[(&str, &str)]) -> Tree {
        let paths = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        Tree {
            paths,
            texts: files.iter().map(|(path, text)| Source::new(path, (*text).to_owned())).collect(),
        }
    }

    /// The files whose names end with `end`.
    pub(super) fn ending_in(&self, end: &str) -> impl Iterator<Item = &Source> {
        self.texts.iter().filter(move |source| source.path.ends_with(end))
    }

    pub(super) fn text(&self, path: &str) -> Option<&Source> {
        self.texts.iter().find(|source| source.path == path)
    }
}

impl Source {
    fn new(path: &str, text: String) -> Source {
        let code = if path.ends_with(".rs") { mask(&text) } else { String::new() };
        let untested_code = if is_test(path) { String::new() } else { without_tests(&code) };
        Source { path: path.to_owned(), text, code, untested_code }
    }

    /// The line of a position in the text or in the code, counted from 1.
    pub(super) fn line_at(&self, position: usize) -> usize {
        self.text.bytes().take(position).filter(|byte| *byte == b'\n').count() + 1
    }
}

/// Whether a file is checked. Files that `codegen` writes are not.
fn is_text(path: &str) -> bool {
    TEXT.iter().any(|end| path.ends_with(end)) && !crate::codegen::OUTPUTS.contains(&path)
}

fn is_test(path: &str) -> bool {
    let in_folder = |name: &str| path.split('/').any(|part| part == name);
    in_folder("tests") || in_folder("benches") || path.ends_with("/tests.rs")
}

/// Replaces comments and the contents of literals by spaces, byte for byte. Line breaks stay.
fn mask(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let n_hidden = hidden_len(text, at).clamp(0, bytes.len() - at);
        let n_taken = n_hidden.max(1);
        for byte in &bytes[at..at + n_taken] {
            let is_visible = *byte == b'\n' || (n_hidden == 0 && byte.is_ascii());
            code.push(if is_visible { char::from(*byte) } else { ' ' });
        }
        at += n_taken;
    }
    code
}

/// The number of bytes from this position on that belong to a comment or a literal; 0 for code.
fn hidden_len(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[at..];
    let after_name = at > 0 && is_name_byte(text.as_bytes()[at - 1]);
    match bytes {
        [b'/', b'/', ..] => bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len()),
        [b'/', b'*', ..] => block_comment_len(bytes),
        [b'"', ..] => quoted_len(bytes, b'"'),
        [b'r' | b'b' | b'c', ..] if !after_name => raw_string_len(bytes),
        [b'\'', b'\\', ..] => quoted_len(bytes, b'\''),
        // A character, or else the name of a lifetime.
        [b'\'', ..] => match text.get(at + 1..).and_then(|rest| rest.chars().next()) {
            Some(char) if bytes.get(1 + char.len_utf8()) == Some(&b'\'') => 2 + char.len_utf8(),
            _ => 0,
        },
        _ => 0,
    }
}

fn block_comment_len(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    bytes.len()
}

fn quoted_len(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The length of a raw string such as `r"…"`, `r#"…"#` or `br"…"`; 0 if the letter starts a name. Strings with escapes
/// that begin with a letter are found at their quote.
fn raw_string_len(bytes: &[u8]) -> usize {
    let n_letters = if bytes.first() == Some(&b'r') { 1 } else { 2 };
    if bytes.get(n_letters - 1) != Some(&b'r') {
        return 0;
    }
    let n_hashes = bytes[n_letters..].iter().take_while(|byte| **byte == b'#').count();
    let start = n_letters + n_hashes;
    if bytes.get(start) != Some(&b'"') {
        return 0;
    }
    let mut end = vec![b'"'];
    end.resize(1 + n_hashes, b'#');
    let body = &bytes[start + 1..];
    let found = body.windows(end.len()).position(|window| window == end);
    found.map_or(bytes.len(), |position| start + 1 + position + end.len())
}

/// Whether a byte can be part of a name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Replaces every item after `#[cfg(test)]` by spaces.
fn without_tests(code: &str) -> String {
    let mut visible = code.as_bytes().to_vec();
    for (start, _) in code.match_indices("#[cfg(test)]").chain(code.match_indices("#[cfg(all(test")) {
        let end = item_end(code, start);
        visible[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(visible).unwrap_or_default()
}

/// The end of the item that starts here: a semicolon, or the brace that closes it.
fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_masked() {
        let cases = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("x\"y", z)"#, "f(      , z)"),
            (r##"f(r#"x"y"#, z)"##, "f(        , z)"),
            ("f(br\"x\", rest, b\"y\")", "f(     , rest, b   )"),
            ("for<'a> '{' '\\'' 'b: loop", "for<'a>          'b: loop"),
            ("'é' x", "     x"),
            ("\"open", "     "),
        ];
        for (text, code) in cases {
            assert_eq!(mask(text), code, "{text}");
        }
    }

    #[test]
    fn tests_are_blanked() {
        let text =
            "fn a() {}\n#[cfg(test)]\nmod tests { fn b() {} }\nfn c() {}\n#[cfg(test)]\nmod d;\nfn e() {}";
        let code = without_tests(text);
        assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), "fn a() {} fn c() {} fn e() {}");
        assert_eq!(code.len(), text.len());
    }
}
