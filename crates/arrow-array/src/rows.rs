//! Rows from text: the other way of `display`.

// What reads rows is to come; until then only tests call this.
#[cfg_attr(not(test), expect(dead_code))]
pub(crate) mod parse;
