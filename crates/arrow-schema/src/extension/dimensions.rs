//! The metadata about the dimensions of tensors: their names and their logical order.

use std::fmt::{self, Write as _};

use crate::{
    ExtensionErrorKind, QuotedText,
    parse::{Cursor, ParseError},
};

/// The names and the logical order of dimensions. Each list is absent, or has one entry for each dimension.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Dimensions {
    names: Option<Vec<String>>,
    permutation: Option<Vec<usize>>,
}

impl Dimensions {
    pub(super) fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    pub(super) fn permutation(&self) -> Option<&[usize]> {
        self.permutation.as_deref()
    }

    pub(super) fn set_names(&mut self, names: Vec<String>, n_dims: usize) -> Result<(), ExtensionErrorKind> {
        expect_entries("dim_names", names.len(), n_dims)?;
        self.names = Some(names);
        Ok(())
    }

    /// Sets the logical order. Each number from 0 to the number of dimensions − 1 must occur exactly once.
    pub(super) fn set_permutation(
        &mut self,
        permutation: Vec<usize>,
        n_dims: usize,
    ) -> Result<(), ExtensionErrorKind> {
        // `n_dims` is a number in the input. After this check, memory is in proportion to the length of `permutation`.
        expect_entries("permutation", permutation.len(), n_dims)?;
        let mut is_there = vec![false; n_dims];
        for &index in &permutation {
            match is_there.get_mut(index) {
                Some(is_there) if !*is_there => *is_there = true,
                Some(_) | None => return Err(ExtensionErrorKind::PermutationIndex { found: index, n_dims }),
            }
        }
        self.permutation = Some(permutation);
        Ok(())
    }

    /// Writes the names and the order as members of a JSON object.
    pub(super) fn write_members(&self, object: &mut JsonObject) {
        if let Some(names) = &self.names {
            object.list("dim_names", names.iter().map(|name| QuotedText(name)));
        }
        if let Some(permutation) = &self.permutation {
            object.list("permutation", permutation);
        }
    }
}

/// The parsed metadata, before the number of dimensions is known.
#[derive(Debug, Default)]
pub(super) struct DimensionMembers {
    names: Option<Vec<String>>,
    permutation: Option<Vec<usize>>,
}

impl DimensionMembers {
    /// If the member `name` is about dimensions, reads its value and returns `true`. `null` counts as absent.
    pub(super) fn read(&mut self, name: &str, cursor: &mut Cursor<'_>) -> Result<bool, ParseError> {
        match name {
            "dim_names" => {
                self.names = cursor.json_optional(|cursor| {
                    cursor.json_list(|cursor| cursor.json_text().map(|name| name.into_owned()))
                })?;
            }
            "permutation" => {
                self.permutation = cursor.json_optional(|cursor| {
                    cursor.json_list(|cursor| {
                        let index = cursor.json_whole_number("dimension", 0..=i32::MAX.into())?;
                        Ok(usize::try_from(index).unwrap_or(usize::MAX))
                    })
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn for_dimensions(self, n_dims: usize) -> Result<Dimensions, ExtensionErrorKind> {
        let mut dimensions = Dimensions::default();
        if let Some(names) = self.names {
            dimensions.set_names(names, n_dims)?;
        }
        if let Some(permutation) = self.permutation {
            dimensions.set_permutation(permutation, n_dims)?;
        }
        Ok(dimensions)
    }
}

/// Refuses a list that does not have one entry for each dimension.
pub(super) fn expect_entries(
    name: &'static str,
    found: usize,
    n_dims: usize,
) -> Result<(), ExtensionErrorKind> {
    if found == n_dims { Ok(()) } else { Err(ExtensionErrorKind::DimensionCount { name, found, n_dims }) }
}

/// The text of a JSON object whose members are lists.
#[derive(Debug, Default)]
pub(super) struct JsonObject {
    members: String,
}

impl JsonObject {
    pub(super) fn list(&mut self, name: &str, items: impl IntoIterator<Item: fmt::Display>) {
        let separator = if self.members.is_empty() { "" } else { "," };
        self.members.push_str(separator);
        // Writing to a `String` never fails.
        let _always = write!(self.members, "{}:[", QuotedText(name));
        for (position, item) in items.into_iter().enumerate() {
            let separator = if position == 0 { "" } else { "," };
            let _always = write!(self.members, "{separator}{item}");
        }
        self.members.push(']');
    }

    pub(super) fn finish(self) -> String {
        format!("{{{}}}", self.members)
    }
}
