//! Key-value pairs that applications add to fields and schemas.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    ops::Index,
    slice,
    sync::Arc,
};

use crate::{QuotedOrNull, is_not_utf8, work::visit};

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
/// assert_eq!(metadata.all("unit").count(), 2);
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
struct MetadataPairs(Vec<MetadataPair>);

impl Metadata {
    /// Makes metadata without pairs.
    pub const fn new() -> Self {
        Self { pairs: None }
    }

    /// Makes metadata of these pairs, in this order.
    pub fn from_pairs(pairs: Vec<MetadataPair>) -> Self {
        Self { pairs: if pairs.is_empty() { None } else { Some(Arc::new(MetadataPairs(pairs))) } }
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

    /// Sets the value of the first pair with this key, or adds a pair at the end if there is none. Returns the value that
    /// was replaced. Later pairs with the same key stay. Takes time in proportion to the number of pairs; to add many pairs,
    /// [`extend`](Extend::extend) does not search.
    ///
    /// ```
    /// use arrow_schema::Metadata;
    ///
    /// let mut metadata = Metadata::new();
    /// assert_eq!(metadata.insert("unit", "mm"), None);
    /// assert_eq!(metadata.insert("unit", "cm").as_deref(), Some("mm"));
    /// metadata.extend([("source", "survey")]);
    /// assert_eq!(&metadata["unit"], "cm");
    /// assert_eq!(metadata.remove("unit").as_deref(), Some("cm"));
    /// assert_eq!(metadata, Metadata::from([("source", "survey")]));
    /// ```
    pub fn insert(&mut self, key: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Option<Arc<str>> {
        let key = key.into();
        self.edit(|pairs| match pairs.iter_mut().find(|pair| pair.0.as_ref() == Some(&key)) {
            Some(pair) => pair.1.replace(value.into()),
            None => {
                pairs.push((Some(key), Some(value.into())));
                None
            }
        })
    }

    /// Removes all pairs with this key, and returns the value of the first that has one. The other pairs keep their order.
    /// Takes time in proportion to the number of pairs.
    pub fn remove(&mut self, key: &str) -> Option<Arc<str>> {
        let is_removed = |pair: &MetadataPair| pair.0.as_deref() == Some(key);
        if !self.pairs().iter().any(is_removed) {
            return None;
        }
        self.edit(|pairs| {
            let removed = pairs.extract_if(.., |pair| is_removed(pair));
            removed.fold(None, |first, (_, value)| first.or(value))
        })
    }

    /// Changes the pairs. Copies them first if a clone shares them.
    fn edit<T>(&mut self, change: impl FnOnce(&mut Vec<MetadataPair>) -> T) -> T {
        let mut pairs = match self.pairs.take().map(Arc::try_unwrap) {
            Some(Ok(MetadataPairs(pairs))) => pairs,
            Some(Err(shared)) => shared.0.clone(),
            None => Vec::new(),
        };
        let result = change(&mut pairs);
        *self = Self::from_pairs(pairs);
        result
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
        self.all(key).find_map(|value| value)
    }

    /// The values of all pairs with this key, in order. `None` stands for an absent value.
    pub fn all<'a, 'k>(&'a self, key: &'k str) -> impl Iterator<Item = Option<&'a str>> + use<'a, 'k> {
        self.pairs().iter().filter(move |pair| pair.0.as_deref() == Some(key)).map(|pair| pair.1.as_deref())
    }

    /// Whether all keys and values are UTF-8, as the format requires. Readers [escape](crate::decode_text) what is not.
    pub fn is_utf8(&self) -> bool {
        self.pairs().iter().flat_map(|(key, value)| [key, value]).flatten().all(|text| !is_not_utf8(text))
    }

    fn pairs(&self) -> &[MetadataPair] {
        self.pairs.as_deref().map_or(&[], |pairs| &pairs.0)
    }
}

/// The value of the first pair with this key and a value.
impl Index<&str> for Metadata {
    type Output = str;

    /// # Panics
    /// If there is no such pair, as for a map of the standard library. [`get`](Metadata::get) returns an option.
    fn index(&self, key: &str) -> &str {
        self.get(key).expect("no pair has this key and a value")
    }
}

impl<K: Into<Arc<str>>, V: Into<Arc<str>>> Extend<(K, V)> for Metadata {
    /// Adds the pairs at the end, also those with keys that are already there.
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, added: I) {
        let added = added.into_iter().map(|(key, value)| (Some(key.into()), Some(value.into())));
        self.edit(|pairs| pairs.extend(added));
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

/// The pairs are in the order of their keys.
impl<K: Into<Arc<str>>, V: Into<Arc<str>>> From<BTreeMap<K, V>> for Metadata {
    fn from(pairs: BTreeMap<K, V>) -> Self {
        pairs.into_iter().collect()
    }
}

impl<K: Into<Arc<str>>, V: Into<Arc<str>>> From<Vec<(K, V)>> for Metadata {
    fn from(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}

/// The first value of each key. Pairs without a key or without a value are left out.
impl From<&Metadata> for HashMap<String, String> {
    fn from(metadata: &Metadata) -> Self {
        let mut map = HashMap::with_capacity(metadata.len());
        for (key, value) in named_values(metadata) {
            map.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        }
        map
    }
}

/// The first value of each key. Pairs without a key or without a value are left out.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use arrow_schema::Metadata;
///
/// let metadata = Metadata::from([("unit", "mm"), ("source", "survey"), ("unit", "cm")]);
/// let map = BTreeMap::from(&metadata);
/// assert_eq!(Metadata::from(map).to_string(), r#"{"source": "survey", "unit": "mm"}"#);
/// ```
impl From<&Metadata> for BTreeMap<String, String> {
    fn from(metadata: &Metadata) -> Self {
        let mut map = BTreeMap::new();
        for (key, value) in named_values(metadata) {
            map.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        }
        map
    }
}

fn named_values(metadata: &Metadata) -> impl Iterator<Item = (&str, &str)> {
    metadata.iter().filter_map(|(key, value)| Some((key?, value?)))
}

/// The pairs in order. Copies the list if a clone shares it, but no text.
impl IntoIterator for Metadata {
    type Item = (Option<Arc<str>>, Option<Arc<str>>);
    type IntoIter = std::vec::IntoIter<(Option<Arc<str>>, Option<Arc<str>>)>;

    fn into_iter(mut self) -> Self::IntoIter {
        self.edit(std::mem::take).into_iter()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(metadata: &Metadata) -> Vec<(Option<String>, Option<String>)> {
        metadata.iter().map(|(key, value)| (key.map(str::to_owned), value.map(str::to_owned))).collect()
    }

    /// Each edit is compared with the same edit of a list of pairs, and a clone that was made before does not change.
    #[test]
    fn edits_do_what_edits_of_a_list_do() {
        let mut metadata = Metadata::from_pairs(vec![(None, Some("x".into())), (Some("a".into()), None)]);
        let mut list = texts(&metadata);
        for (step, key) in ["a", "b", "c", "a", "b", "d", "a"].into_iter().cycle().take(40).enumerate() {
            let (before, unchanged) = (metadata.clone(), texts(&metadata));
            let (own_key, value) = (Some(key.to_owned()), Some(step.to_string()));
            let found = list.iter().position(|pair| pair.0 == own_key);
            match step % 4 {
                0 | 1 => {
                    let replaced = metadata.insert(key, step.to_string());
                    match found {
                        Some(at) => {
                            assert_eq!(replaced.as_deref(), list[at].1.as_deref());
                            list[at].1 = value;
                        }
                        None => list.push((own_key, value)),
                    }
                }
                2 => {
                    metadata.extend([(key, step.to_string())]);
                    list.push((own_key, value));
                }
                _ => {
                    let first = list.iter().find(|pair| pair.0 == own_key && pair.1.is_some());
                    assert_eq!(metadata.remove(key).as_deref(), first.and_then(|pair| pair.1.as_deref()));
                    list.retain(|pair| pair.0 != own_key);
                }
            }
            assert_eq!(texts(&metadata), list);
            assert_eq!(texts(&before), unchanged);
            assert_eq!(Metadata::from_pairs(metadata.clone().into_iter().collect()), metadata);
        }
        let mut one = Metadata::from([("a", "b")]);
        assert_eq!(one.remove("a").as_deref(), Some("b"));
        assert_eq!((one.remove("a"), &one), (None, &Metadata::new()));
    }

    #[test]
    fn many_pairs_are_added_in_linear_time() {
        let mut metadata = Metadata::new();
        (0..200_000).for_each(|n| metadata.extend([(format!("{n}"), "")]));
        assert_eq!(metadata.len(), 200_000);
    }
}
