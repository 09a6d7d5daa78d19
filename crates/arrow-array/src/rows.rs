//! Rows from text: the other way of `display`.

// What reads rows is to come; until then only tests call these.
#[cfg_attr(not(test), expect(dead_code))]
pub(crate) mod lines;
#[cfg_attr(not(test), expect(dead_code))]
pub(crate) mod parse;
#[cfg_attr(not(test), expect(dead_code))]
pub(crate) mod records;
