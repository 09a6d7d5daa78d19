//! Words for columns of text. The data that is not used for tuning has other words and lengths.

use super::{Column, Set};
use std::fmt::Write;
use testing_support::Rng;

/// A kind of text with a number at its end.
pub(super) struct Words {
    beginnings: &'static [&'static str],
    text: String,
}

impl Words {
    pub(super) fn new(column: Column, set: Set) -> Words {
        let beginnings: &[&str] = match (column, set) {
            (Column::MultiByte | Column::MultiByteViews, Set::Tuned) => {
                &["żółw 龍 🐉 mañana ", "größer als früher "]
            }
            (Column::MultiByte | Column::MultiByteViews, Set::HeldOut | Set::Published) => {
                &["Ελληνικά και άλλα ", "これは長い文章です", "Русский текст "]
            }
            (Column::Views, Set::Tuned) => &["short ", "a text of more than twelve bytes "],
            (Column::Views, Set::HeldOut | Set::Published) => &["x", "twelve b ", "GET /index.html?q="],
            (_, Set::Tuned) => &["a word of plain letters "],
            (_, Set::HeldOut | Set::Published) => {
                &["id-", "https://example.org/path/", "Lorem ipsum dolor sit amet, "]
            }
        };
        Words { beginnings, text: String::new() }
    }

    pub(super) fn next(&mut self, rng: &mut Rng) -> &str {
        self.text.clear();
        let number = rng.below(1_000);
        write!(self.text, "{}{number}", rng.pick(self.beginnings)).expect("memory takes all");
        &self.text
    }

    /// A word that is different for each number.
    pub(super) fn numbered(set: Set, number: usize) -> String {
        match set {
            Set::Tuned => format!("word number {number:08}"),
            Set::HeldOut | Set::Published => format!("{number:x} of {}", "many ".repeat(number % 7)),
        }
    }
}
