//! The members of objects, found by their names.

use std::collections::HashMap;

use arrow_schema::{Field, PathStep};

use super::kind::{Kind, Room};
use crate::read::error::RowError;

/// Names and the kinds of their values, in the order in which the names first occur.
#[derive(Debug, Clone, Default)]
pub(super) struct InferredMembers {
    kinds: Vec<(String, Kind)>,
    positions: HashMap<String, usize>,
}

impl InferredMembers {
    /// Adds the value of a member that has been counted.
    ///
    /// # Errors
    /// If no type fits both this and the earlier values.
    pub(super) fn add(&mut self, (name, kind): (String, Kind), room: &mut Room) -> Result<(), RowError> {
        let known = self.positions.get(&name).copied();
        match known.and_then(|position| Some((position, self.kinds.get_mut(position)?))) {
            Some((position, (_, known))) => {
                // The member is one of those that were counted before.
                room.give_back();
                known.merge(kind, room).map_err(|error| {
                    let position = u32::try_from(position).unwrap_or(u32::MAX);
                    error.in_step(&PathStep::Child { position, name: name.into() })
                })
            }
            None => {
                self.positions.insert(name.clone(), self.kinds.len());
                self.kinds.push((name, kind));
                Ok(())
            }
        }
    }

    /// Adds the members of another object.
    ///
    /// # Errors
    /// As for [`add`](InferredMembers::add).
    pub(super) fn merge(&mut self, other: InferredMembers, room: &mut Room) -> Result<(), RowError> {
        other.kinds.into_iter().try_for_each(|member| self.add(member, room))
    }

    pub(super) fn into_fields(self) -> Vec<Field> {
        let field = |(name, kind): (String, Kind)| Field::new(name, kind.into_type());
        self.kinds.into_iter().map(field).collect()
    }
}
