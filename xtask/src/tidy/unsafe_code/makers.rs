//! Finds code that makes or changes a value of a proof type. The fields of these types are private, so only code of the
//! same crate can do this, and it names the type.

use super::words;
use crate::tidy::source::{Source, is_name_byte};

/// Types whose values are proofs on which unchecked reads rely, and the crates in which they are made.
const PROOFS: [(&str, &[&str]); 2] = [
    (
        "crates/arrow-buffer/",
        &[
            "Buffer",
            "GrowingBuffer",
            "GrowingText",
            "GrowingTextSlots",
            "GrowingTextViews",
            "Heap",
            "Memory",
            "Text",
            "TextSlots",
            "TextSlotsBuilder",
            "TextSlotsRef",
            "TextViews",
            "Values",
        ],
    ),
    ("crates/arrow-c-data/", &["TypedStructure", "TypedSlots"]),
];

/// A place that makes or changes a value of a proof type.
pub(super) struct Maker {
    pub(super) proof: &'static str,
    pub(super) at: usize,
    /// The trait, if the function is derived by the compiler.
    pub(super) derived: Option<String>,
}

/// All places in a file.
pub(super) fn makers(source: &Source) -> Vec<Maker> {
    let code = &source.untested_code;
    let proofs = PROOFS.iter().filter(|(home, _)| source.path.starts_with(home));
    let impls = impls(code);
    let mut makers = Vec::new();
    for &proof in proofs.flat_map(|(_, proofs)| *proofs) {
        let own = |at: &usize| type_of_impl(&impls, *at) == Some(proof);
        let named = words(code, proof)
            .filter(|at| is_made(code, *at, proof) || is_function(code, *at, proof) || is_changed(code, *at));
        let called_self =
            words(code, "Self").filter(|at| is_made(code, *at, "Self") || is_function(code, *at, "Self"));
        let receivers = words(code, "self").filter(|at| is_changing_receiver(code, *at));
        let in_impl = called_self.chain(receivers).filter(own);
        makers.extend(named.chain(in_impl).map(|at| Maker { proof, at, derived: None }));
        makers.extend(derived(code, proof));
    }
    makers
}

/// The code before a position, without spaces and references.
fn before(code: &str, at: usize) -> &str {
    code[..at].trim_end_matches(|char: char| char.is_whitespace() || char == '&')
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_suffix(word);
    rest.is_some_and(|rest| !rest.bytes().next_back().is_some_and(is_name_byte))
}

/// Whether the name of a type begins an expression that makes a value of the type. Fields must follow, and the name must
/// not be part of a declaration, a pattern or a variant of an enum.
fn is_made(code: &str, at: usize, name: &str) -> bool {
    let fields = code[at + name.len()..].trim_start();
    let before = before(code, at);
    // A variant of an enum has attributes or types where an expression has values.
    let in_parentheses = fields.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let is_variant = in_parentheses.is_some_and(|(first, _)| first.starts_with('#') || is_type_name(first));
    // `impl<T> Name<T> {` has generics between; `impl<T> Trait for Name {` is found by `for`.
    let statement = before.rsplit(['{', '}', ';']).next().unwrap_or_default();
    (fields.starts_with('{') || fields.starts_with('('))
        && !is_variant
        && !before.ends_with("::")
        && !before.ends_with("->")
        && !["struct", "enum", "impl", "for", "let", "fn"].iter().any(|word| ends_with_word(before, word))
        && !statement.trim_start().starts_with("impl")
}

/// Whether the name of a type is used as a function that makes values: as an argument of a call, or stored in a variable.
fn is_function(code: &str, at: usize, name: &str) -> bool {
    let (before, after) = (code[..at].trim_end(), code[at + name.len()..].trim_start());
    if before.ends_with('=') && after.starts_with(';') {
        let statement = before.rsplit(['{', '}', ';']).next().unwrap_or_default();
        return statement.trim_start().starts_with("let");
    }
    if !before.ends_with(['(', ',']) || !after.starts_with([')', ',']) {
        return false;
    }
    // What is called: a function or a method, which begin with small letters, and not declared.
    let Some(open) = innermost_parenthesis(before) else { return false };
    let called = before[..open].trim_end();
    let name_start = called.rfind(|char: char| !char.is_alphanumeric() && char != '_').map_or(0, |at| at + 1);
    let (rest, called) = called.split_at(name_start);
    called.starts_with(|first: char| first.is_ascii_lowercase())
        && !["fn", "let", "in", "if", "match", "return"].contains(&called)
        && !ends_with_word(rest.trim_end(), "fn")
}

/// The last open parenthesis at the end of the code; `None` if a block or an index begins after it.
fn innermost_parenthesis(code: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'(' => return Some(at),
            b'[' | b'{' | b';' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a function can change a value of the type: the name of the type follows `&mut`.
fn is_changed(code: &str, at: usize) -> bool {
    let before = code[..at].trim_end();
    ends_with_word(before, "mut") && before[..before.len() - "mut".len()].trim_end().ends_with('&')
}

/// Whether a function can change `self`.
fn is_changing_receiver(code: &str, at: usize) -> bool {
    let (before, after) = (code[..at].trim_end(), code[at + "self".len()..].trim_start());
    ends_with_word(before, "mut") && after.starts_with([',', ')'])
}

/// The derived traits of a proof type that make further values of it.
fn derived(code: &str, proof: &'static str) -> Vec<Maker> {
    let declared = words(code, proof).find(|at| ends_with_word(before(code, *at), "struct"));
    let Some(at) = declared else { return Vec::new() };
    let attributes = code[..at].rsplit(['}', ';']).next().unwrap_or_default();
    let traits = attributes.split("derive(").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let traits = traits.flat_map(|list| list.split(',')).map(str::trim);
    let made = traits.filter(|name| matches!(*name, "Clone" | "Default"));
    made.map(|name| Maker { proof, at, derived: Some(format!("derived {name}")) }).collect()
}

/// An implementation: where it begins and ends, and its type.
struct Impl<'a> {
    start: usize,
    end: usize,
    of: &'a str,
}

fn impls(code: &str) -> Vec<Impl<'_>> {
    let is_item = |at: &usize| {
        let before = code[..*at].trim_end();
        before.is_empty() || before.ends_with(['{', '}', ';', ']']) || ends_with_word(before, "unsafe")
    };
    let found = words(code, "impl").filter(is_item).filter_map(|start| {
        let header = &code[start + "impl".len()..start + code[start..].find('{')?];
        let open = start + "impl".len() + header.len();
        Some(Impl { start, end: open + end_of_block(&code[open..]), of: implemented(header) })
    });
    found.collect()
}

/// The type of the innermost implementation around a position.
fn type_of_impl<'a>(impls: &[Impl<'a>], at: usize) -> Option<&'a str> {
    impls.iter().rev().find(|block| block.start <= at && at < block.end).map(|block| block.of)
}

/// The type in `<T> Trait for Type<T> where …`, which is the text after `impl`.
fn implemented(header: &str) -> &str {
    let mut depth = 0_i32;
    let is_end = |(_, char): &(usize, char)| {
        depth += match char {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        depth == 0
    };
    // Generics first, if there are any.
    let end = header.starts_with('<').then(|| header.char_indices().find(is_end)).flatten();
    let header = end.map_or(header, |(at, _)| &header[at + 1..]);
    let header = header.split_once(" for ").map_or(header, |(_, of)| of).trim_start();
    let end = header.find(|char: char| !char.is_alphanumeric() && char != '_');
    &header[..end.unwrap_or(header.len())]
}

/// The length of the block that begins with this brace.
fn end_of_block(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// Whether the text is a single name of a type. Names of constants have no lower-case letters.
fn is_type_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(is_name_byte)
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use crate::tidy::tests::locations;
    use crate::tidy::unsafe_code::check_inventory;

    const A: &str = "crates/arrow-buffer/src/a.rs";

    /// The lines of this file that must be listed.
    fn found(code: &str) -> Vec<String> {
        let rows = "| `Text` | `a.rs` | `listed` | 1 | why |\n";
        let found = locations(check_inventory, &[(A, code), ("docs/UNSAFE.md", rows)]);
        found.into_iter().filter(|location| !location.starts_with("docs")).collect()
    }

    #[test]
    fn makers_of_proofs_are_listed() {
        let cases: [(&str, &[usize]); 26] = [
            ("fn new() -> Text {\n Text(bytes) }", &[2]),
            ("fn new() {\n let text = Text { bytes }; }", &[2]),
            ("fn f(a: Text) { let Text { bytes } = a; }", &[]),
            ("enum Error {\n Text(TextError),\n}", &[]),
            ("fn new() -> Text {\n Text(EMPTY) }", &[2]),
            ("pub struct Text(Buffer);\nimpl Text {\n fn f(&self) -> Text { self.g() } }", &[]),
            ("impl<T: Native> Values<T> {}\nimpl<T> Deref for Values<T> {}", &[]),
            ("impl Default for Text {\n fn default() -> Text {\n Text(b) } }", &[3]),
            ("enum Owner { Memory(Memory), Heap(#[expect(dead_code)] Heap) }", &[]),
            ("fn f(o: Owner) { match o { Owner::Memory(_) => g() } }\nfn g(&self) -> &Text { &self.0 }", &[]),
            ("fn listed() { Text(bytes) }", &[]),
            // By another name.
            ("impl Text {\n fn f(b: Buffer) -> Self {\n Self(b) } }", &[3]),
            ("impl<T: Native> From<Vec<T>> for Values<T> {\n fn f() -> Self {\n Self { bytes } } }", &[3]),
            ("impl TextError {\n fn f(b: Buffer) -> Self {\n Self(b) } }", &[]),
            ("impl Text {\n fn f(self) -> Buffer { let Self(b) = self; b } }", &[]),
            // As a function.
            ("fn f() {\n b.map(Text) }", &[2]),
            ("fn f() {\n b.map_or_else(g, Text) }", &[2]),
            ("fn f() {\n let make = Text; }", &[2]),
            ("impl Text {\n fn f() {\n b.map(Self) } }", &[3]),
            ("fn f(a: Text, b: (u8, Text)) -> (Text, Text) { g::<Text>(a) }", &[]),
            ("type Alias = Text;\nstruct Pair(Text, u8);", &[]),
            // By the compiler.
            ("#[derive(Clone, Debug, Default)]\npub struct Text(Buffer);", &[2, 2]),
            ("#[derive(Debug, PartialEq)]\npub struct Text(Buffer);\n#[derive(Clone)]\nstruct B;", &[]),
            // In their place.
            ("impl Text {\n fn f(&mut self, b: u8) {}\n fn g(mut self) {}\n fn h(&self) {} }", &[2, 3]),
            ("impl TextError {\n fn f(&mut self) {} }\nfn f(&mut self.text) {}", &[]),
            ("fn f(a: &Text,\n b: &mut Text) {}", &[2]),
        ];
        for (code, lines) in cases {
            let wanted: Vec<String> = lines.iter().map(|line| format!("{A}:{line}")).collect();
            assert_eq!(found(code), wanted, "{code}");
        }
    }

    #[test]
    fn makers_are_counted() {
        let check = |code: &str, n: &str| {
            let rows = format!("| `Text` | `a.rs` | `listed` | {n} | why |\n");
            locations(check_inventory, &[(A, code), ("docs/UNSAFE.md", &rows)])
        };
        let once = "fn listed() { Text(bytes) }";
        let twice = "fn listed() { if a { return Text(bytes); } Text(other) }";
        assert_eq!((check(once, "1"), check(twice, "2")), (Vec::new(), Vec::new()));
        for (code, n) in [(twice, "1"), (once, "2"), (once, "why"), ("fn f() {}", "1")] {
            assert_eq!(check(code, n), ["docs/UNSAFE.md:1"], "{code} {n}");
        }
    }

    #[test]
    fn proofs_of_other_homes_are_listed() {
        let path = "crates/arrow-c-data/src/a.rs";
        let code = "fn f() { TypedSlots { base, read_as } }";
        assert_eq!(locations(check_inventory, &[(path, code)]), [format!("{path}:1")]);
        assert_eq!(locations(check_inventory, &[(A, code)]), Vec::<String>::new());
    }
}
