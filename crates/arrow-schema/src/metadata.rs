//! Key-value pairs that applications add to fields and schemas.

use std::{
    collections::{BTreeMap, HashMap},
    fmt, slice,
    sync::Arc,
};

use crate::{QuotedOrNull, work::visit};

/// An ordered list of key-value pairs; the format's `custom_metadata`.
///
/// Order and duplicates stay as they are. A key or a value may be absent, which is not the same as empty. So metadata
/// that was read can be written again unchanged. Empty metadata takes no allocation, and a clone shares the pairs.
/// Metadata is equal if the lists are equal, so order matters.
///
/// ```
/// use arrow_schema::Metadata;
///
/// let metadata = Metadata::from_iter([("unit", "mm"), ("source", "survey"), ("unit", "cm")]);
/// assert_eq!(metadata.get("unit"), Some("mm"));
/// assert_eq!(metadata.get_all("unit").count(), 2);
/// assert_eq!(metadata.to_string(), r#"{"unit": "mm", "source": "survey", "unit": "cm"}"#);
/// assert_eq!(Metadata::from([("unit", "mm")]), Metadata::new().with("unit", "mm"));
/// ```
///
/// Specification: columnar format, "Custom Application Metadata"; `Schema.fbs`, table `KeyValue`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Metadata {
    // `None` if and only if there are no pairs. The value takes only one word, since most fields have no metadata.
    pairs: Option<Arc<MetadataPairs>>,
}

type MetadataPair = (Option<Arc<str>>, Option<Arc<str>>);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MetadataPairs(Box<[MetadataPair]>);

impl Metadata {
    /// Makes metadata without pairs.
    pub const fn new() -> Self {
        Self { pairs: None }
    }

    /// Makes metadata of these pairs, in this order.
    pub fn from_pairs(pairs: Vec<MetadataPair>) -> Self {
        Self { pairs: if pairs.is_empty() { None } else { Some(Arc::new(MetadataPairs(pairs.into()))) } }
    }

    /// Returns the metadata with one more pair at the end.
    #[must_use]
    pub fn with(&self, key: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        let added = (Some(key.into()), Some(value.into()));
        Self::from_pairs(self.pairs().iter().cloned().chain([added]).collect())
    }

    /// Returns the metadata without the pairs that have this key.
    #[must_use]
    pub fn without(&self, key: &str) -> Self {
        Self::from_pairs(self.pairs().iter().filter(|pair| pair.0.as_deref() != Some(key)).cloned().collect())
    }

    /// The number of pairs, including those with equal keys.
    pub fn len(&self) -> usize {
        self.pairs().len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_none()
    }

    /// Iterates over the pairs in order.
    pub fn iter(&self) -> MetadataIter<'_> {
        MetadataIter { pairs: self.pairs().iter() }
    }

    /// The value of the first pair with this key and a value; `None` if there is no such pair. Takes time in proportion
    /// to the number of pairs.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.get_all(key).find_map(|value| value)
    }

    /// The values of all pairs with this key, in order. `None` stands for an absent value.
    pub fn get_all<'a, 'k>(&'a self, key: &'k str) -> impl Iterator<Item = Option<&'a str>> + use<'a, 'k> {
        self.pairs().iter().filter(move |pair| pair.0.as_deref() == Some(key)).map(|pair| pair.1.as_deref())
    }

    fn pairs(&self) -> &[MetadataPair] {
        self.pairs.as_deref().map_or(&[], |pairs| &pairs.0)
    }
}

impl<K: Into<Arc<str>>, V: Into<Arc<str>>> FromIterator<(K, V)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self::from_pairs(
            pairs.into_iter().map(|(key, value)| (Some(key.into()), Some(value.into()))).collect(),
        )
    }
}

impl<K: Into<Arc<str>>, V: Into<Arc<str>>, const N: usize> From<[(K, V); N]> for Metadata {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

/// The pairs are in the order of their keys.
///
/// ```
/// use std::collections::HashMap;
///
/// use arrow_schema::Metadata;
///
/// let pairs = HashMap::from([("unit", "mm"), ("source", "survey")]);
/// assert_eq!(Metadata::from(pairs).to_string(), r#"{"source": "survey", "unit": "mm"}"#);
/// ```
impl<K: Into<Arc<str>> + Ord, V: Into<Arc<str>>, S> From<HashMap<K, V, S>> for Metadata {
    fn from(pairs: HashMap<K, V, S>) -> Self {
        pairs.into_iter().collect::<BTreeMap<K, V>>().into_iter().collect()
    }
}

impl<'a> IntoIterator for &'a Metadata {
    type Item = (Option<&'a str>, Option<&'a str>);
    type IntoIter = MetadataIter<'a>;

    fn into_iter(self) -> MetadataIter<'a> {
        self.iter()
    }
}

/// Writes the pairs in braces, like a JSON object. An absent key or value is `null`.
impl fmt::Display for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (position, (key, value)) in self.iter().enumerate() {
            f.write_str(if position == 0 { "" } else { ", " })?;
            write!(f, "{}: {}", QuotedOrNull(key), QuotedOrNull(value))?;
        }
        f.write_str("}")
    }
}

/// The pairs of a [`Metadata`] in order; made by [`Metadata::iter`].
#[derive(Debug, Clone)]
pub struct MetadataIter<'a> {
    pairs: slice::Iter<'a, MetadataPair>,
}

impl<'a> MetadataIter<'a> {
    fn lend((key, value): &'a MetadataPair) -> (Option<&'a str>, Option<&'a str>) {
        (key.as_deref(), value.as_deref())
    }
}

impl<'a> Iterator for MetadataIter<'a> {
    type Item = (Option<&'a str>, Option<&'a str>);

    fn next(&mut self) -> Option<Self::Item> {
        visit(1);
        self.pairs.next().map(Self::lend)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pairs.size_hint()
    }
}

impl DoubleEndedIterator for MetadataIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.pairs.next_back().map(Self::lend)
    }
}

impl ExactSizeIterator for MetadataIter<'_> {}
