//! Making a type like another one with other children.

use crate::{DataType, Field, MapType, RunEndEncodedType, TypeError, UnionType};

impl DataType {
    /// The same kind of type, with the same parameters, and these children in place of [`DataType::children`].
    ///
    /// A flat type and a dictionary take no children; a struct takes any number; a union keeps its type ids and
    /// so takes as many as it has.
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
    /// [`TypeError::ChildCount`] when the kind does not take this number of children, and otherwise what the
    /// constructor of the kind refuses.
    pub fn with_children(&self, children: Vec<Field>) -> Result<DataType, TypeError> {
        match self {
            Self::Null
            | Self::Boolean
            | Self::Int8
            | Self::Int16
            | Self::Int32
            | Self::Int64
            | Self::UInt8
            | Self::UInt16
            | Self::UInt32
            | Self::UInt64
            | Self::Float16
            | Self::Float32
            | Self::Float64
            | Self::Decimal32(..)
            | Self::Decimal64(..)
            | Self::Decimal128(..)
            | Self::Decimal256(..)
            | Self::Date32
            | Self::Date64
            | Self::Time32(_)
            | Self::Time64(_)
            | Self::Timestamp(..)
            | Self::Duration(_)
            | Self::Interval(_)
            | Self::FixedSizeBinary(_)
            | Self::Binary
            | Self::LargeBinary
            | Self::BinaryView
            | Self::Utf8
            | Self::LargeUtf8
            | Self::Utf8View
            | Self::Dictionary(_) => self.exactly(children).map(|[]| self.clone()),
            Self::List(_) => self.exactly(children).map(|[item]| Self::list(item)),
            Self::LargeList(_) => self.exactly(children).map(|[item]| Self::large_list(item)),
            Self::ListView(_) => self.exactly(children).map(|[item]| Self::list_view(item)),
            Self::LargeListView(_) => self.exactly(children).map(|[item]| Self::large_list_view(item)),
            Self::FixedSizeList(_, size) => {
                self.exactly(children).map(|[item]| Self::FixedSizeList(item.into(), *size))
            }
            Self::Struct(_) => Ok(Self::struct_(children)),
            Self::Map(map) => {
                let [entries] = self.exactly(children)?;
                Ok(MapType::new(entries, map.order())?.into())
            }
            Self::Union(union) => Ok(UnionType::new(children, Some(union.type_ids()), union.mode())?.into()),
            Self::RunEndEncoded(_) => {
                let [run_ends, values] = self.exactly(children)?;
                Ok(RunEndEncodedType::new(run_ends, values)?.into())
            }
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
