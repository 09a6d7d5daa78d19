//! Returns and replaces the child fields of a type.

use std::slice;

use super::table::Shape;
use crate::{DataType, Field, MapType, PreOrder, RunEndEncodedType, TypeError, UnionType};

impl DataType {
    /// The child fields of this type, in the order of the format; empty for flat types.
    ///
    /// A list has one child. A map has one child: its entries. A run-end encoded type has two children. A dictionary
    /// has no children, since its values are separate: see [`DataType::as_dictionary`] and
    /// [`DataType::value_children`].
    pub fn children(&self) -> &[Field] {
        match self.row().shape {
            Shape::Plain
            | Shape::Decimal(..)
            | Shape::Unit(_)
            | Shape::Timestamp(..)
            | Shape::FixedSizeBinary(_)
            | Shape::Dictionary(_) => &[],
            Shape::List(item, _) | Shape::FixedSizeList(item, _) => slice::from_ref(item),
            Shape::Struct(fields) => fields,
            Shape::Map(map) => slice::from_ref(map.entries()),
            Shape::Union(union) => union.fields(),
            Shape::RunEndEncoded(runs) => runs.children(),
        }
    }

    /// The children of this type. For a dictionary, the children of its value type.
    ///
    /// These are the fields that a schema message nests below a field of this type.
    pub fn value_children(&self) -> &[Field] {
        self.value_type().children()
    }

    /// The value type of a dictionary-encoded type; every other type unchanged.
    pub fn value_type(&self) -> &DataType {
        match self.as_dictionary() {
            Some(dictionary) => dictionary.value(),
            None => self,
        }
    }

    /// The number of levels: 1 for a flat type, otherwise the depth of the deepest child plus 1.
    ///
    /// A dictionary is as deep as its value type. Does not recurse.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field};
    ///
    /// assert_eq!(DataType::Int32.depth(), 1);
    /// assert_eq!(DataType::list(Field::new("item", DataType::Int32)).depth(), 2);
    /// ```
    pub fn depth(&self) -> usize {
        let mut below = PreOrder::new(self.value_children());
        let mut deepest = 0;
        while below.next().is_some() {
            deepest = deepest.max(below.depth());
        }
        deepest + 1
    }

    /// Replaces the child fields, and keeps the kind of the type and its parameters.
    ///
    /// A flat type or a dictionary has no children. A struct may have any number. A union keeps its type ids, so the
    /// number of its children must stay the same.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field};
    ///
    /// let list = DataType::large_list(Field::new("item", DataType::Int8));
    /// let renamed = list.with_children(vec![Field::new("element", DataType::Int8)])?;
    /// assert_eq!(renamed.to_string(), "large_list<element: int8>");
    /// # Ok::<(), arrow_schema::TypeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TypeError::ChildCount`] if a type of this kind cannot have this number of children, and otherwise the errors of the
    /// constructor of the kind.
    pub fn with_children(&self, children: Vec<Field>) -> Result<DataType, TypeError> {
        match self.row().shape {
            Shape::Plain
            | Shape::Decimal(..)
            | Shape::Unit(_)
            | Shape::Timestamp(..)
            | Shape::FixedSizeBinary(_)
            | Shape::Dictionary(_) => self.exactly(children).map(|[]| self.clone()),
            Shape::List(_, new) => self.exactly(children).map(|[item]| new(item)),
            Shape::FixedSizeList(_, size) => {
                self.exactly(children).map(|[item]| Self::FixedSizeList(item.into(), size))
            }
            Shape::Struct(_) => Ok(Self::struct_(children)),
            Shape::Map(map) => {
                let [entries] = self.exactly(children)?;
                Ok(MapType::try_new(entries, map.order())?.into())
            }
            Shape::Union(union) => {
                Ok(UnionType::try_new(children, Some(union.type_ids()), union.mode())?.into())
            }
            Shape::RunEndEncoded(_) => {
                let [run_ends, values] = self.exactly(children)?;
                Ok(RunEndEncodedType::try_new(run_ends, values)?.into())
            }
        }
    }

    /// The type of the same values without dictionaries and run-end encoding, at any depth. Keeps names, nullability and
    /// metadata of children. Recurses once for each level.
    ///
    /// ```
    /// use arrow_schema::DataType;
    ///
    /// let encoded: DataType = "list<item: dictionary<int8, utf8>>".parse()?;
    /// assert_eq!(encoded.to_decoded().to_string(), "list<item: utf8>");
    /// # Ok::<(), arrow_schema::ParseError>(())
    /// ```
    #[must_use]
    pub fn to_decoded(&self) -> DataType {
        let plain = self.decoded();
        let children = plain.children();
        if children.is_empty() {
            return plain.clone();
        }
        let decoded = |field: &Field| field.clone().with_data_type(field.data_type().to_decoded());
        match plain.with_children(children.iter().map(decoded).collect()) {
            Ok(decoded) => decoded,
            Err(error) => unreachable!("a type may have children of any type that is not encoded: {error}"),
        }
    }

    fn exactly<const N: usize>(&self, children: Vec<Field>) -> Result<[Field; N], TypeError> {
        children.try_into().map_err(|children: Vec<Field>| TypeError::ChildCount {
            kind: self.name(),
            expected: N,
            found: children.len(),
        })
    }
}
