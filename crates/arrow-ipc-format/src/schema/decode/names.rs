//! Joins the names of a list of fields into one text, before the fields are read.

use std::{ops::Range, sync::Arc};

use crate::tables as fb;
use arrow_buffer::Budget;
use arrow_schema::{NOT_UTF8_MARK, Name};

use super::Fields;
use crate::error::Result;

/// The bytes charged for each byte of a name: a growing vector takes up to two, and the copy takes one.
pub(super) const BYTES_PER_BYTE: u64 = 3;

#[derive(Debug, Default)]
pub(super) struct NameDecoder {
    text: Vec<u8>,
    /// The end of each name in the text of its list. Inner lists append their ends after the ends of the outer list.
    ends: Vec<usize>,
}

/// The names of the fields of one list.
#[derive(Debug)]
pub(super) struct Names {
    text: Arc<str>,
    /// Where the ends of these names are in `NameDecoder::ends`; empty for a list with one field.
    ends: Range<usize>,
}

impl NameDecoder {
    /// Reads the names of all fields of a list.
    pub(super) fn names(&mut self, fields: Fields<'_>, budget: &mut Budget) -> Result<Names> {
        let first = self.ends.len();
        let mut charge = |name: &[u8]| {
            budget.spend("bytes of decoded schema", (name.len() as u64).saturating_mul(BYTES_PER_BYTE))
        };
        if fields.len() == 1 {
            let name = fields.get(0)?.name()?.unwrap_or_default();
            charge(name.as_bytes())?;
            return Ok(Names { text: name.into(), ends: first..first });
        }
        self.text.clear();
        self.ends.reserve(fields.len());
        let mut is_plain = true;
        for idx in 0..fields.len() {
            let name = fields.get(idx)?.0.text_bytes(&fb::Field::NAME)?;
            charge(name)?;
            is_plain &= !name.starts_with(NOT_UTF8_MARK.as_bytes());
            self.text.extend_from_slice(name);
            self.ends.push(self.text.len());
        }
        let are_between_characters =
            |text: &str| self.ends.iter().skip(first).all(|end| text.is_char_boundary(*end));
        let text = match str::from_utf8(&self.text) {
            Ok(text) if is_plain && are_between_characters(text) => text.into(),
            // A name is not UTF-8, so all of them are read one by one.
            Ok(_) | Err(_) => {
                self.ends.truncate(first);
                let mut text = String::new();
                for field in fields.iter() {
                    text.push_str(&field?.name()?.unwrap_or_default());
                    self.ends.push(text.len());
                }
                // The bytes were charged above, but not their escapes.
                charge(text.as_bytes().get(self.text.len()..).unwrap_or_default())?;
                text.into()
            }
        };
        Ok(Names { text, ends: first..self.ends.len() })
    }

    #[inline]
    pub(super) fn name(&self, names: &Names, idx: usize) -> Name {
        let ends = self.ends.get(names.ends.clone()).unwrap_or_default();
        if ends.is_empty() {
            return Arc::clone(&names.text).into();
        }
        let start = idx.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
        let range = start..ends.get(idx).copied().unwrap_or(start);
        // If the range is too great for a shared name, the name is copied.
        let own = || names.text.get(range.clone()).unwrap_or_default().into();
        Name::part_of(&names.text, range.clone()).unwrap_or_else(own)
    }

    /// Removes the ends of a list. The ends of inner lists must have been removed before.
    pub(super) fn forget(&mut self, names: Names) {
        self.ends.truncate(names.ends.start);
    }
}
