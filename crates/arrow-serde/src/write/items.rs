//! Writes sequences and tuples: as lists, as the columns of a struct in order, or as bytes.

use arrow_array::{AnyBuilder, UInt8Builder};
use serde_core::ser::Serialize;

use super::{
    leaf::{self, Value},
    open_value::{OpenValue, items_of},
    slot::SlotWriter,
};
use crate::{
    compound::parts,
    error::{Result, SerdeErrorKind},
};

/// A sequence whose items are being written.
pub(super) struct SequenceWriter<'a> {
    open: OpenValue<'a>,
    form: SequenceForm,
}

enum SequenceForm {
    List,
    /// The items become the columns of a struct. Contains the index of the next column.
    Columns(usize),
    /// The items become bytes, which are collected in this builder.
    Bytes(Box<AnyBuilder>),
}

impl<'a> SequenceWriter<'a> {
    /// Starts a sequence. `n_items` is the number of items if it is a tuple.
    pub(super) fn try_new(mut open: OpenValue<'a>, n_items: Option<usize>) -> Result<SequenceWriter<'a>> {
        let (node, builder) = open.inner();
        let form = if items_of(builder).is_some() {
            SequenceForm::List
        } else if builder.data_type().is_binary_like() {
            SequenceForm::Bytes(Box::new(UInt8Builder::new().into()))
        } else if let (AnyBuilder::Struct(_), Some(n_items)) = (&*builder, n_items) {
            let n_columns = node.children.len();
            if n_items != n_columns {
                let (expected, found) = (n_columns as u64, n_items as u64);
                return Err(SerdeErrorKind::Count { expected, found, unit: "values of a tuple" }.into());
            }
            SequenceForm::Columns(0)
        } else {
            return Err(leaf::wrong(builder, if n_items.is_some() { "a tuple" } else { "a sequence" }));
        };
        Ok(SequenceWriter { open, form })
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let context = self.open.context;
        let (node, builder) = self.open.inner();
        let item = match (&mut self.form, builder) {
            (SequenceForm::List, builder) => node.children.first().zip(items_of(builder)),
            (SequenceForm::Columns(next), AnyBuilder::Struct(structs)) => {
                let position = *next;
                *next = position.saturating_add(1);
                node.children.get(position).zip(structs.columns_mut().get_mut(position))
            }
            (SequenceForm::Bytes(bytes), _) => Some((&context.byte, &mut **bytes)),
            (SequenceForm::Columns(_), _) => None,
        };
        let Some((node, builder)) = item else {
            return Err(SerdeErrorKind::Custom("a tuple has more values than it said".into()).into());
        };
        match value.serialize(SlotWriter { node, builder, context }) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.open.located(error, &node.step)),
        }
    }

    fn finish(mut self) -> Result<()> {
        let (node, builder) = self.open.inner();
        match &self.form {
            SequenceForm::List => {}
            SequenceForm::Columns(next) => {
                let (expected, found) = (node.children.len() as u64, *next as u64);
                if expected != found {
                    return Err(SerdeErrorKind::Count { expected, found, unit: "values of a tuple" }.into());
                }
            }
            SequenceForm::Bytes(bytes) => {
                if let AnyBuilder::UInt8(bytes) = &**bytes {
                    leaf::append(builder, Value::Bytes(bytes.values()))?;
                }
            }
        }
        self.open.close();
        Ok(())
    }
}

parts! {
    SerializeSeq for SequenceWriter: serialize_element() => item, SequenceWriter::finish;
    SerializeTuple for SequenceWriter: serialize_element() => item, SequenceWriter::finish;
    SerializeTupleStruct for SequenceWriter: serialize_field() => item, SequenceWriter::finish;
    SerializeTupleVariant for SequenceWriter: serialize_field() => item, SequenceWriter::finish;
}
