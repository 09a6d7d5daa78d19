//! Validates many arrays that share dictionaries.

use std::sync::Arc;

use arrow_data::{ArrayData, ArrayParts, DataError, Validation};
use arrow_schema::FieldPath;

use crate::{array_cache::ArrayCache, error::ArrayError};

/// Validates arrays. A dictionary that several arrays share is validated only once.
///
/// Batches of a stream share dictionaries. If the stream was read without validation, each typed array would validate the same
/// dictionary again. This type replaces the dictionary in each array by a copy that is marked as validated. Dictionaries that
/// nothing else uses are dropped.
///
/// ```
/// use arrow_array::{DictionaryArray, DictionaryBuilder, DictionaryProofs, Utf8Builder};
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_schema::IndexType;
///
/// let colors = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new())?;
/// let colors = colors.with_values(["red", "blue"]).finish()?;
/// // Columns with other indices, not validated yet.
/// let column = |indices: [i8; 2]| {
///     let buffers = [Buffer::from(indices.to_vec()), Buffer::new()];
///     ArrayData::try_new(ArrayParts { buffers, ..colors.data().clone().into_parts() })
/// };
/// let mut proofs = DictionaryProofs::new();
/// for indices in [[0, 1], [1, 1]] {
///     let array = DictionaryArray::try_from(proofs.prove(&column(indices)?)?)?;
///     assert_eq!(array.index(1), Some(1));
/// }
/// assert!(proofs.prove(&column([2, 0])?).is_err());
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Default)]
pub struct DictionaryProofs {
    /// The result of validating each dictionary.
    proven: ArrayCache<Result<Arc<ArrayData>, DataError>>,
}

impl DictionaryProofs {
    /// Makes an empty cache, which has validated no dictionaries yet.
    pub fn new() -> DictionaryProofs {
        DictionaryProofs::default()
    }

    /// Returns the array with its content marked as validated, for a typed array. Copies no buffers.
    ///
    /// # Errors
    /// If the content of `data` is invalid.
    pub fn prove(&mut self, data: &ArrayData) -> Result<ArrayData, ArrayError> {
        Ok(self.validated(data)?)
    }

    fn validated(&mut self, data: &ArrayData) -> Result<ArrayData, DataError> {
        match self.with_proven_dictionaries(data)? {
            Some(data) => data.validate(Validation::Content),
            None => data.clone().validate(Validation::Content),
        }
    }

    /// Replaces the dictionaries by validated ones, at all levels. `None` if nothing changes.
    fn with_proven_dictionaries(&mut self, data: &ArrayData) -> Result<Option<ArrayData>, DataError> {
        if data.checked() >= Validation::Content {
            return Ok(None);
        }
        if let Some(dictionary) = data.dictionary() {
            let proven = self.proven(dictionary);
            return proven.and_then(|proven| with_dictionary(data, proven)).map(Some);
        }
        let mut children = Vec::new();
        for (position, child) in data.children().iter().enumerate() {
            let proven = self.with_proven_dictionaries(child);
            if let Some(proven) = proven.map_err(|error| error.in_child(data.data_type(), position))? {
                children.push((position, proven));
            }
        }
        if children.is_empty() { Ok(None) } else { with_children(data, children).map(Some) }
    }

    fn proven(&mut self, dictionary: &Arc<ArrayData>) -> Result<Arc<ArrayData>, DataError> {
        if dictionary.checked() >= Validation::Content {
            return Ok(Arc::clone(dictionary));
        }
        if let Some(known) = self.proven.get(dictionary) {
            return known.clone();
        }
        let proven = self.validated(dictionary).map(Arc::new).map_err(|mut error| {
            error.prefix_path(&FieldPath::root().dictionary());
            error
        });
        self.proven.insert(dictionary, proven.clone());
        proven
    }
}

// This is a separate function, so that the recursive function above uses little stack.
#[inline(never)]
fn with_dictionary(data: &ArrayData, dictionary: Arc<ArrayData>) -> Result<ArrayData, DataError> {
    ArrayData::try_new(ArrayParts { dictionary: Some(dictionary), ..data.clone().into_parts() })
}

#[inline(never)]
fn with_children(data: &ArrayData, changed: Vec<(usize, ArrayData)>) -> Result<ArrayData, DataError> {
    let mut children = data.children().to_vec();
    for (position, child) in changed {
        if let Some(old) = children.get_mut(position) {
            *old = child;
        }
    }
    ArrayData::try_new(ArrayParts { children: Some(children.into()), ..data.clone().into_parts() })
}
