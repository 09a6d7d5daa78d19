//! Where two columns differ.

use std::fmt;

use arrow_schema::{FieldPath, PathStep};

use crate::array::ArrayData;

/// The first place at which two columns differ: the slots, the field below the column, and both values.
///
/// It prints as that place: names as in a [`FieldPath`], items of lists by their position, as in
/// `phones[2].number`; [`in_column`](Difference::in_column) puts the name of the column before it.
#[derive(Debug, Clone)]
pub struct Difference {
    pub(super) left_slot: usize,
    pub(super) right_slot: usize,
    pub(super) path: FieldPath,
    pub(super) items: Vec<Option<usize>>,
    pub(super) kind: DifferenceKind,
    pub(super) left: ArrayData,
    pub(super) right: ArrayData,
}

/// How two values differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceKind {
    /// One is null, the other is not.
    Null,
    /// Values without children: numbers, utf8, binary.
    Value,
    /// Lists or maps of different lengths.
    Length {
        /// Items on the left.
        left: usize,
        /// Items on the right.
        right: usize,
    },
    /// Values of a union that are in different children.
    TypeId {
        /// The type id on the left.
        left: i8,
        /// The type id on the right.
        right: i8,
    },
}

impl Difference {
    /// The slot of the left column.
    pub fn left_slot(&self) -> usize {
        self.left_slot
    }

    /// The slot of the right column.
    pub fn right_slot(&self) -> usize {
        self.right_slot
    }

    /// The path from the column to the field that differs, with the names and positions of the left column; empty if
    /// the column itself differs.
    ///
    /// Dictionaries and runs are looked through and are no steps.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// For each step of the [`path`](Difference::path) the position in the list, if it leads to an item of a list or an
    /// entry of a map.
    pub fn items(&self) -> &[Option<usize>] {
        &self.items
    }

    /// How the values differ.
    pub fn kind(&self) -> DifferenceKind {
        self.kind
    }

    /// The value on the left that differs: an array of one slot.
    pub fn left(&self) -> &ArrayData {
        &self.left
    }

    /// The value on the right that differs: an array of one slot.
    pub fn right(&self) -> &ArrayData {
        &self.right
    }
}

impl Difference {
    /// The place with the name of its column: `tags[1]`, `address.zip`, or the name alone.
    pub fn in_column(&self, name: &str) -> impl fmt::Display {
        let column = PathStep::Child { position: 0, name: name.into() };
        InColumn { column, difference: self }
    }

    fn write_steps(&self, f: &mut fmt::Formatter<'_>, mut separator: &str) -> fmt::Result {
        for (step, item) in self.path.steps().iter().zip(&self.items) {
            match item {
                Some(item) => write!(f, "[{item}]")?,
                None => write!(f, "{separator}{step}")?,
            }
            separator = ".";
        }
        Ok(())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_steps(f, "")
    }
}

struct InColumn<'a> {
    /// Names print as the steps of paths do.
    column: PathStep,
    difference: &'a Difference,
}

impl fmt::Display for InColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.column)?;
        self.difference.write_steps(f, ".")
    }
}
