//! Writes the fields of a struct or the entries of a map: to the columns of a struct by name, or to a map.

use arrow_array::AnyBuilder;
use serde_core::ser::{Serialize, SerializeMap};

use super::{interval::Interval, leaf, open_value::OpenValue, slot::SlotWriter};
use crate::{
    compound::{name_of, parts},
    error::{Result, SerdeError, SerdeErrorKind},
};

/// A struct or map whose fields or entries are being written.
pub(super) struct MemberWriter<'a> {
    open: OpenValue<'a>,
    form: MembersForm,
    /// The key of the current entry, if entries become fields.
    key: String,
}

/// What the fields or entries become.
enum MembersForm {
    Columns(FilledColumns),
    Map,
    /// A value of a union. The map has a single entry, whose key is the name of the child.
    Union,
    Interval(Box<Interval>),
}

/// Which columns of a struct have a value.
struct FilledColumns {
    /// The number of slots that the columns had before this struct.
    n_before: usize,
    /// The index after the column that was written last.
    next: usize,
    /// Whether exactly the columns before `next` have a value.
    in_order: bool,
}

impl<'a> MemberWriter<'a> {
    pub(super) fn try_new(mut open: OpenValue<'a>, found: &'static str) -> Result<MemberWriter<'a>> {
        let (_, builder) = open.inner();
        let form = if let AnyBuilder::Struct(structs) = builder {
            MembersForm::Columns(FilledColumns { n_before: structs.len(), next: 0, in_order: true })
        } else if let AnyBuilder::Map(_) = builder {
            MembersForm::Map
        } else if let AnyBuilder::Union(_) = builder {
            MembersForm::Union
        } else if let Some(interval) = Interval::try_new(builder) {
            MembersForm::Interval(Box::new(interval))
        } else {
            return Err(leaf::wrong(builder, found));
        };
        Ok(MemberWriter { open, form, key: String::new() })
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        if let MembersForm::Columns(columns) = &mut self.form {
            return columns.field(&mut self.open, name, value);
        }
        self.key(name)?;
        self.value(value)
    }

    /// Writes a key, or stores it until its value is written.
    fn key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<()> {
        match self.form {
            MembersForm::Map => self.entry(0, key),
            MembersForm::Columns(_) | MembersForm::Union | MembersForm::Interval(_) => {
                name_of(key, &mut self.key)
            }
        }
    }

    /// Writes the value for the key that was written or stored before.
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match &mut self.form {
            MembersForm::Map => self.entry(1, value),
            MembersForm::Columns(columns) => columns.field(&mut self.open, &self.key, value),
            MembersForm::Interval(interval) => interval.field(&self.key, value, self.open.context),
            MembersForm::Union => {
                if self.open.variant.is_some() {
                    return Err(
                        SerdeErrorKind::Count { expected: 1, found: 2, unit: "variant of a union" }.into()
                    );
                }
                self.open.select(&self.key, 0)?;
                let context = self.open.context;
                let (node, builder) = self.open.outer();
                let result = value.serialize(SlotWriter { node, builder, context });
                result.map_err(|error| error.in_step(&node.step))
            }
        }
    }

    /// Writes a key or a value to a map. `position` says which.
    fn entry<T: Serialize + ?Sized>(&mut self, position: usize, value: &T) -> Result<()> {
        let context = self.open.context;
        let (node, AnyBuilder::Map(maps)) = self.open.inner() else {
            unreachable!("the form is that of the builder")
        };
        let Some(node) = node.children.get(position) else { unreachable!("maps have keys and values") };
        let (keys, values) = maps.entries_mut();
        let builder = if position == 0 { keys } else { values };
        let result = value.serialize(SlotWriter { node, builder, context });
        result.map_err(|error| self.open.located(error, &node.step))
    }

    fn finish(mut self) -> Result<()> {
        match &mut self.form {
            MembersForm::Columns(columns) => columns.finish(&mut self.open)?,
            MembersForm::Map => {}
            MembersForm::Interval(interval) => interval.append(self.open.inner().1)?,
            MembersForm::Union if self.open.variant.is_some() => {
                self.open.close_variant();
                return Ok(());
            }
            MembersForm::Union => {
                return Err(
                    SerdeErrorKind::Count { expected: 1, found: 0, unit: "variant of a union" }.into()
                );
            }
        }
        self.open.close();
        Ok(())
    }
}

impl FilledColumns {
    #[inline]
    fn field<T: Serialize + ?Sized>(
        &mut self,
        open: &mut OpenValue<'_>,
        name: &str,
        value: &T,
    ) -> Result<()> {
        let context = open.context;
        let (node, AnyBuilder::Struct(structs)) = open.inner() else {
            unreachable!("the form is that of the builder")
        };
        let Some(position) = node.find(name, self.next) else {
            return context.unknown(name);
        };
        let found = node.children.get(position).zip(structs.columns_mut().get_mut(position));
        let Some((node, builder)) = found else { unreachable!("there is a builder for each node") };
        self.in_order &= position == self.next;
        if !self.in_order && builder.len() != self.n_before {
            return Err(open.located(SerdeErrorKind::Repeated.into(), &node.step));
        }
        self.next = position.saturating_add(1);
        match value.serialize(SlotWriter { node, builder, context }) {
            Ok(()) => Ok(()),
            Err(error) => Err(open.located(error, &node.step)),
        }
    }

    /// Appends nulls to all columns without a value.
    fn finish(&self, open: &mut OpenValue<'_>) -> Result<()> {
        let context = open.context;
        let (node, AnyBuilder::Struct(structs)) = open.inner() else {
            unreachable!("the form is that of the builder")
        };
        if self.in_order && self.next == node.children.len() {
            return Ok(());
        }
        let members = node.children.iter().zip(structs.columns_mut());
        let mut missing = members.filter(|(_, builder)| builder.len() == self.n_before);
        let result = missing.try_for_each(|(node, builder)| SlotWriter { node, builder, context }.missing());
        result.map_err(|error| open.in_variant(error))
    }
}

parts! {
    SerializeStruct for MemberWriter: serialize_field(name) => field, MemberWriter::finish;
    SerializeStructVariant for MemberWriter: serialize_field(name) => field, MemberWriter::finish;
}

impl SerializeMap for MemberWriter<'_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.value(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
