//! Converts what the accessors give to the owned types of planus.

use std::borrow::Cow;

use super::*;
use tables as t;

fn all<'a, T: TypedTable<'a>, U>(
    items: Option<Tables<'a, T>>,
    convert: impl Fn(T) -> Result<U>,
) -> Result<Option<Vec<U>>> {
    items.map(|items| items.iter().map(|item| convert(item?)).collect()).transpose()
}

fn boxed<T>(value: Result<T>) -> Result<Box<T>> {
    value.map(Box::new)
}

/// The member of planus with the same number.
macro_rules! same {
    ($value:expr, $number:ty) => {
        ($value as $number).try_into().expect("a member of both")
    };
}

pub(super) fn message(it: t::Message<'_>) -> Result<fb::Message> {
    Ok(fb::Message {
        version: same!(it.version()?, i16),
        header: it.header()?.map(header).transpose()?,
        body_length: it.body_length()?,
        custom_metadata: all(it.custom_metadata()?, key_value)?,
    })
}

pub(super) fn footer(it: t::Footer<'_>) -> Result<fb::Footer> {
    let block = |block: t::Block| fb::Block {
        offset: block.offset,
        meta_data_length: block.meta_data_length,
        body_length: block.body_length,
    };
    let blocks =
        |blocks: Option<Vector<'_, t::Block>>| blocks.map(|blocks| blocks.iter().map(block).collect());
    Ok(fb::Footer {
        version: same!(it.version()?, i16),
        schema: it.schema()?.map(schema).transpose()?.map(Box::new),
        dictionaries: blocks(it.dictionaries()?),
        record_batches: blocks(it.record_batches()?),
        custom_metadata: all(it.custom_metadata()?, key_value)?,
    })
}

fn header(header: t::MessageHeader<'_>) -> Result<fb::MessageHeader> {
    Ok(match header {
        t::MessageHeader::Schema(it) => fb::MessageHeader::Schema(boxed(schema(it))?),
        t::MessageHeader::RecordBatch(it) => fb::MessageHeader::RecordBatch(boxed(batch(it))?),
        t::MessageHeader::DictionaryBatch(it) => {
            fb::MessageHeader::DictionaryBatch(Box::new(fb::DictionaryBatch {
                id: it.id()?,
                data: it.data()?.map(batch).transpose()?.map(Box::new),
                is_delta: it.is_delta()?,
            }))
        }
        t::MessageHeader::Tensor(it) => fb::MessageHeader::Tensor(Box::new(fb::Tensor {
            type_: data_type(it.type_()?)?,
            shape: all(Some(it.shape()?), dim)?.unwrap_or_default(),
            strides: it.strides()?.map(|strides| strides.iter().collect()),
            data: buffer(it.data()?),
        })),
        t::MessageHeader::SparseTensor(it) => fb::MessageHeader::SparseTensor(Box::new(fb::SparseTensor {
            type_: data_type(it.type_()?)?,
            shape: all(Some(it.shape()?), dim)?.unwrap_or_default(),
            non_zero_length: it.non_zero_length()?,
            sparse_index: sparse_index(it.sparse_index()?)?,
            data: buffer(it.data()?),
        })),
    })
}

fn sparse_index(index: t::SparseTensorIndex<'_>) -> Result<fb::SparseTensorIndex> {
    let buffers = |buffers: Vector<'_, t::Buffer>| buffers.iter().map(buffer).collect();
    Ok(match index {
        t::SparseTensorIndex::SparseTensorIndexCoo(it) => {
            fb::SparseTensorIndex::SparseTensorIndexCoo(Box::new(fb::SparseTensorIndexCoo {
                indices_type: boxed(int(it.indices_type()?))?,
                indices_strides: it.indices_strides()?.map(|strides| strides.iter().collect()),
                indices_buffer: buffer(it.indices_buffer()?),
                is_canonical: it.is_canonical()?,
            }))
        }
        t::SparseTensorIndex::SparseMatrixIndexCsx(it) => {
            fb::SparseTensorIndex::SparseMatrixIndexCsx(Box::new(fb::SparseMatrixIndexCsx {
                compressed_axis: same!(it.compressed_axis()?, i16),
                indptr_type: boxed(int(it.indptr_type()?))?,
                indptr_buffer: buffer(it.indptr_buffer()?),
                indices_type: boxed(int(it.indices_type()?))?,
                indices_buffer: buffer(it.indices_buffer()?),
            }))
        }
        t::SparseTensorIndex::SparseTensorIndexCsf(it) => {
            fb::SparseTensorIndex::SparseTensorIndexCsf(Box::new(fb::SparseTensorIndexCsf {
                indptr_type: boxed(int(it.indptr_type()?))?,
                indptr_buffers: buffers(it.indptr_buffers()?),
                indices_type: boxed(int(it.indices_type()?))?,
                indices_buffers: buffers(it.indices_buffers()?),
                axis_order: it.axis_order()?.iter().collect(),
            }))
        }
    })
}

fn batch(it: t::RecordBatch<'_>) -> Result<fb::RecordBatch> {
    let node = |node: t::FieldNode| fb::FieldNode { length: node.length, null_count: node.null_count };
    let compression = |it: t::BodyCompression<'_>| {
        Ok(fb::BodyCompression { codec: same!(it.codec()?, i8), method: same!(it.method()?, i8) })
    };
    Ok(fb::RecordBatch {
        length: it.length()?,
        nodes: it.nodes()?.map(|nodes| nodes.iter().map(node).collect()),
        buffers: it.buffers()?.map(|buffers| buffers.iter().map(buffer).collect()),
        compression: it.compression()?.map(compression).transpose()?.map(Box::new),
        variadic_buffer_counts: it.variadic_buffer_counts()?.map(|counts| counts.iter().collect()),
    })
}

fn schema(it: t::Schema<'_>) -> Result<fb::Schema> {
    // Planus leaves out numbers that it does not know.
    let feature = |number: i64| t::Feature::from_number(number).map(|feature| same!(feature, i64));
    Ok(fb::Schema {
        endianness: same!(it.endianness()?, i16),
        fields: all(it.fields()?, field)?,
        custom_metadata: all(it.custom_metadata()?, key_value)?,
        features: it.features()?.map(|features| features.iter().filter_map(feature).collect()),
    })
}

fn field(it: t::Field<'_>) -> Result<fb::Field> {
    let dictionary = |it: t::DictionaryEncoding<'_>| {
        Ok(fb::DictionaryEncoding {
            id: it.id()?,
            index_type: it.index_type()?.map(int).transpose()?.map(Box::new),
            is_ordered: it.is_ordered()?,
            dictionary_kind: same!(it.dictionary_kind()?, i16),
        })
    };
    Ok(fb::Field {
        name: it.name()?.map(Cow::into_owned),
        nullable: it.nullable()?,
        type_: it.type_()?.map(data_type).transpose()?,
        dictionary: it.dictionary()?.map(dictionary).transpose()?.map(Box::new),
        children: all(it.children()?, field)?,
        custom_metadata: all(it.custom_metadata()?, key_value)?,
    })
}

fn key_value(it: t::KeyValue<'_>) -> Result<fb::KeyValue> {
    Ok(fb::KeyValue { key: it.key()?.map(Cow::into_owned), value: it.value()?.map(Cow::into_owned) })
}

fn dim(it: t::TensorDim<'_>) -> Result<fb::TensorDim> {
    Ok(fb::TensorDim { size: it.size()?, name: it.name()?.map(Cow::into_owned) })
}

fn buffer(it: t::Buffer) -> fb::Buffer {
    fb::Buffer { offset: it.offset, length: it.length }
}

fn int(it: t::Int<'_>) -> Result<fb::Int> {
    Ok(fb::Int { bit_width: it.bit_width()?, is_signed: it.is_signed()? })
}

fn data_type(data_type: t::Type<'_>) -> Result<fb::Type> {
    macro_rules! types {
        ($it:ident: $($empty:ident)* ; $($full:ident { $($field:ident: $value:expr),* })*) => {
            match data_type {
                t::Type::Int(it) => fb::Type::Int(boxed(int(it))?),
                $(t::Type::$empty(_) => fb::Type::$empty(Box::new(fb::$empty {})),)*
                $(t::Type::$full($it) => fb::Type::$full(Box::new(fb::$full { $($field: $value),* })),)*
            }
        };
    }
    Ok(types! {
        it: Null Binary Utf8 Bool List Struct LargeBinary LargeUtf8 LargeList RunEndEncoded BinaryView Utf8View
        ListView LargeListView;
        FloatingPoint { precision: same!(it.precision()?, i16) }
        Decimal { precision: it.precision()?, scale: it.scale()?, bit_width: it.bit_width()? }
        Date { unit: same!(it.unit()?, i16) }
        Time { unit: same!(it.unit()?, i16), bit_width: it.bit_width()? }
        Timestamp { unit: same!(it.unit()?, i16), timezone: it.timezone()?.map(Cow::into_owned) }
        Interval { unit: same!(it.unit()?, i16) }
        Duration { unit: same!(it.unit()?, i16) }
        Union { mode: same!(it.mode()?, i16), type_ids: it.type_ids()?.map(|ids| ids.iter().collect()) }
        FixedSizeBinary { byte_width: it.byte_width()? }
        FixedSizeList { list_size: it.list_size()? }
        Map { keys_sorted: it.keys_sorted()? }
    })
}
