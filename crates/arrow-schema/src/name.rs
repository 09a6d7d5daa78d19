//! The names of fields. A name is a whole text, or a range of a text that several names share.

use std::{
    fmt,
    hash::{Hash, Hasher},
    ops::{Deref, Range},
    sync::Arc,
};

/// The name of a field: a whole text, or a range of a text that many names share.
///
/// The field names of a schema that was read are ranges of one text, so a name needs no allocation. A clone increments
/// one reference count, and keeps the whole text in memory. Names compare, hash and print like strings.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_schema::Name;
///
/// let names: Arc<str> = "idprice".into();
/// let price = Name::part_of(&names, 2..7).expect("a part of the text");
/// assert_eq!(price, Name::from("price"));
/// assert!(Name::part_of(&names, 2..8).is_none());
/// ```
#[derive(Clone)]
pub struct Name {
    text: Arc<str>,
    start: u32,
    // `TO_END` stands for the end of the text, since the text may be longer than these numbers can hold.
    end: u32,
}

const TO_END: u32 = u32::MAX;

impl Name {
    /// Makes a name from a range of a text, without a copy.
    ///
    /// `None` if the text does not have this range, or if the range is not in the first 4 GiB.
    pub fn part_of(text: &Arc<str>, range: Range<usize>) -> Option<Name> {
        text.get(range.clone())?;
        let (start, end) = (u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?);
        (end < TO_END).then(|| Name { text: Arc::clone(text), start, end })
    }

    /// The name as a borrowed string.
    #[inline]
    pub fn as_str(&self) -> &str {
        if self.is_all() {
            return &self.text;
        }
        // Both casts lose nothing, since the text is in memory.
        let (start, end) = (self.start as usize, self.end as usize);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The name as a string that contains nothing else. Shares the memory if the name is a whole text, and copies it
    /// otherwise.
    pub fn to_shared(&self) -> Arc<str> {
        if self.is_all() { Arc::clone(&self.text) } else { self.as_str().into() }
    }

    fn is_all(&self) -> bool {
        self.start == 0 && self.end == TO_END
    }
}

impl From<Arc<str>> for Name {
    fn from(text: Arc<str>) -> Name {
        Name { text, start: 0, end: TO_END }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Arc::<str>::from(text).into()
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Arc::<str>::from(text).into()
    }
}

impl Default for Name {
    /// The empty name.
    fn default() -> Name {
        Arc::<str>::default().into()
    }
}

impl Deref for Name {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Name {
    #[inline]
    fn eq(&self, other: &Name) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::*;

    #[test]
    fn a_part_is_as_a_text_of_its_own() {
        let text: Arc<str> = "aé名b".into();
        let states = RandomState::new();
        for start in 0..=text.len() + 1 {
            for end in 0..=text.len() + 1 {
                let expected = (start <= end).then(|| text.get(start..end)).flatten();
                let part = Name::part_of(&text, start..end);
                assert_eq!(part.as_deref(), expected, "{start}..{end}");
                let (Some(part), Some(expected)) = (part, expected) else { continue };
                let own = Name::from(expected);
                assert_eq!((&part, states.hash_one(&part)), (&own, states.hash_one(&own)));
                assert_eq!((part.to_string(), format!("{part:?}")), (own.to_string(), format!("{own:?}")));
                assert_eq!((&*part.to_shared(), &*own.to_shared()), (expected, expected));
            }
        }
    }

    #[test]
    fn a_name_of_its_own_is_shared() {
        let text: Arc<str> = "id".into();
        assert!(Arc::ptr_eq(&text, &Name::from(Arc::clone(&text)).to_shared()));
        assert_eq!(Name::default().as_str(), "");
    }
}
