//! Options whose values are words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses one of several words. Each choice is the word, its value, and its description in the help.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    choices: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let words = choices.iter().map(|(word, _, help)| match *help {
        "" => PossibleValue::new(*word),
        help => PossibleValue::new(*word).help(help),
    });
    PossibleValuesParser::new(words).try_map(|found| {
        let choice = choices.iter().find(|(word, ..)| *word == found);
        choice.map(|(_, value, _)| value.clone()).ok_or("the word is not listed")
    })
}
