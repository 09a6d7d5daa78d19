//! The union type: each slot has a value of one of several types.

use std::{fmt, sync::Arc};

use crate::{Field, TypeError};

/// A union type: its child fields, a type id for each of them, and whether it is sparse or dense.
///
/// Type ids are unique and lie in 0 to 127, so a union has at most 128 children.
///
/// ```
/// use arrow_schema::{DataType, Field, UnionMode, UnionType};
///
/// let fields = [Field::new("number", DataType::Int64), Field::new("text", DataType::Utf8)];
/// let union = UnionType::try_new(fields, Some(&[3, 7]), UnionMode::Dense)?;
/// assert_eq!(union.child_of(7), Some(1));
/// assert_eq!(union.child_of(0), None);
/// # Ok::<(), arrow_schema::TypeError>(())
/// ```
///
/// Specification: columnar format, "Union Layout"; `Schema.fbs`, table `Union`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct UnionType {
    fields: Arc<[Field]>,
    type_ids: Box<[i8]>,
    mode: UnionMode,
    // The index of the child of each type id, or `NO_CHILD`. Derived from `type_ids`.
    child_of: [u8; N_TYPE_IDS],
}

/// How the values of a union are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnionMode {
    /// Every child has a slot for every slot of the union.
    Sparse,
    /// Each child has only its own values. For each slot of the union, an offset selects a slot of the child.
    Dense,
}

const N_TYPE_IDS: usize = 128;
const NO_CHILD: u8 = u8::MAX;

impl UnionType {
    /// Makes a union with these children. If `type_ids` is `None`, the children are numbered from 0.
    ///
    /// # Errors
    ///
    /// [`TypeError::UnionChildren`] if there are more than 128 children, [`TypeError::UnionTypeIdCount`] if there is
    /// not one type id for each child, [`TypeError::UnionTypeId`] if a type id is negative, and
    /// [`TypeError::UnionTypeIdRepeated`] if a type id occurs twice.
    pub fn try_new(
        fields: impl Into<Arc<[Field]>>,
        type_ids: Option<&[i8]>,
        mode: UnionMode,
    ) -> Result<Self, TypeError> {
        let fields = fields.into();
        let n_fields = fields.len();
        if n_fields > N_TYPE_IDS {
            return Err(TypeError::UnionChildren { found: n_fields });
        }
        let type_ids: Box<[i8]> = match type_ids {
            Some(type_ids) => type_ids.into(),
            None => (0..=i8::MAX).take(n_fields).collect(),
        };
        if type_ids.len() != n_fields {
            return Err(TypeError::UnionTypeIdCount { n_fields, n_type_ids: type_ids.len() });
        }
        let child_of = index_children(&type_ids)?;
        Ok(Self { fields, type_ids, mode, child_of })
    }

    /// The children, in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The type id of each child.
    pub fn type_ids(&self) -> &[i8] {
        &self.type_ids
    }

    /// How the values are stored.
    pub fn mode(&self) -> UnionMode {
        self.mode
    }

    /// The index of the child with this type id, if there is one. Takes constant time.
    pub fn child_of(&self, type_id: i8) -> Option<usize> {
        let slot = usize::try_from(type_id).ok()?;
        match *self.child_of.get(slot)? {
            NO_CHILD => None,
            position => Some(usize::from(position)),
        }
    }
}

/// Makes the table that contains the index of the child for each type id.
fn index_children(type_ids: &[i8]) -> Result<[u8; N_TYPE_IDS], TypeError> {
    let mut child_of = [NO_CHILD; N_TYPE_IDS];
    for (position, &type_id) in (0..NO_CHILD).zip(type_ids) {
        let entry = usize::try_from(type_id).ok().and_then(|slot| child_of.get_mut(slot));
        let entry = entry.ok_or(TypeError::UnionTypeId { found: type_id })?;
        if *entry != NO_CHILD {
            return Err(TypeError::UnionTypeIdRepeated { type_id });
        }
        *entry = position;
    }
    Ok(child_of)
}

impl fmt::Debug for UnionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnionType")
            .field("fields", &self.fields)
            .field("type_ids", &self.type_ids)
            .field("mode", &self.mode)
            .finish()
    }
}

impl fmt::Display for UnionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sparse => "sparse",
            Self::Dense => "dense",
        })
    }
}
