//! A schema as flatbuffers, with its dictionary ids. Walks types as deep as they are: that has been checked.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{
    DataType, DictionaryType, Field, FieldPath, IntervalUnit, Schema, Time32Unit, Time64Unit, TimeUnit,
    UnionMode,
};
use planus::{Builder, Offset, UnionOffset};

use super::metadata::{encode_metadata, n_metadata_bytes};
use crate::{
    error::{Context, IpcError, IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    limits::Limits,
    protocol::{Endianness, Feature},
};

/// Checks that no type nests deeper than readers go, counted as they do.
///
/// # Errors
/// Names the top-level field.
pub(crate) fn check_depth(schema: &Schema) -> Result<()> {
    let limit = Limits::default().max_depth;
    match schema.fields().iter().position(|field| field.data_type().depth() > limit) {
        None => Ok(()),
        Some(position) => Err(IpcError::from(IpcErrorKind::TooDeep { limit })).in_field(|| {
            let name = schema.field(position).map(|field| field.shared_name().clone()).unwrap_or_default();
            FieldPath::root().child(u32::try_from(position).unwrap_or(u32::MAX), name)
        }),
    }
}

/// Writes a schema. Its ids are taken in pre-order, as they are listed.
pub(crate) fn encode_schema(builder: &mut Builder, schema: &IpcSchema) -> Offset<fb::Schema> {
    let endianness = match schema.endianness() {
        Endianness::Little => fb::Endianness::Little,
        Endianness::Big => fb::Endianness::Big,
    };
    let mut encoder = Encoder {
        // Old readers need the list of children also where it is empty; all leaves share one.
        no_children: builder.create_vector::<Offset<fb::Field>>(&[] as &[Offset<fb::Field>]),
        builder,
        ids: schema.dictionary_ids().iter(),
        last_leaf: None,
    };
    let fields = encoder.fields(schema.schema().fields());
    let metadata = encode_metadata(builder, schema.schema().metadata());
    let feature = |feature: &Feature| match feature {
        Feature::Unused => fb::Feature::Unused,
        Feature::DictionaryReplacement => fb::Feature::DictionaryReplacement,
        Feature::CompressedBody => fb::Feature::CompressedBody,
    };
    let features: Vec<fb::Feature> = schema.features().iter().map(feature).collect();
    let features = Some(features.as_slice()).filter(|features| !features.is_empty());
    fb::Schema::create(builder, endianness, fields, metadata, features)
}

/// Room for a schema, so that a builder need not grow often.
pub(crate) fn n_likely_schema_bytes(schema: &IpcSchema) -> usize {
    const BASE_BYTES: usize = 1 << 10;
    const FIELD_BYTES: usize = 64;
    schema.schema().fields().len().saturating_mul(FIELD_BYTES).saturating_add(BASE_BYTES)
}

struct Encoder<'a, 'b> {
    builder: &'b mut Builder,
    ids: std::slice::Iter<'a, i64>,
    no_children: Offset<[Offset<fb::Field>]>,
    /// Neighbours of one type share its table, which makes the schema of a wide table half as large.
    last_leaf: Option<(&'a DataType, UnionOffset<fb::Type>)>,
}

impl<'a> Encoder<'a, '_> {
    fn fields(&mut self, fields: &'a [Field]) -> Offset<[Offset<fb::Field>]> {
        if fields.is_empty() {
            return self.no_children;
        }
        let fields: Vec<Offset<fb::Field>> = fields.iter().map(|field| self.field(field)).collect();
        self.builder.create_vector(fields.as_slice())
    }

    fn field(&mut self, field: &'a Field) -> Offset<fb::Field> {
        let dictionary = field.data_type().as_dictionary();
        // The id comes before those of dictionaries inside the values: pre-order.
        let dictionary = dictionary.map(|dictionary| self.dictionary(dictionary));
        let value_type = field.data_type().value_type();
        let children = self.fields(value_type.children());
        let data_type = self.data_type(value_type);
        let metadata = encode_metadata(self.builder, field.metadata());
        let (name, nullable) = (field.name(), field.is_nullable());
        fb::Field::create(self.builder, name, nullable, data_type, dictionary, children, metadata)
    }

    fn dictionary(&mut self, dictionary: &DictionaryType) -> Offset<fb::DictionaryEncoding> {
        // There is an id for each: `IpcSchema` has compared the numbers.
        let id = self.ids.next().copied().unwrap_or_default();
        // No wider than 64.
        let bit_width = i32::try_from(dictionary.index().n_bits()).unwrap_or(i32::MAX);
        let index = fb::Int::create(self.builder, bit_width, dictionary.index().is_signed());
        let (ordered, kind) = (dictionary.is_ordered(), fb::DictionaryKind::DenseArray);
        fb::DictionaryEncoding::create(self.builder, id, index, ordered, kind)
    }

    fn data_type(&mut self, data_type: &'a DataType) -> UnionOffset<fb::Type> {
        match self.last_leaf {
            Some((last, encoded)) if last == data_type => encoded,
            _ => {
                let encoded = encode_type(self.builder, data_type);
                if data_type.children().is_empty() {
                    self.last_leaf = Some((data_type, encoded));
                }
                encoded
            }
        }
    }
}

/// One type without its children. Dictionaries have been replaced by their value types.
pub(crate) fn encode_type(b: &mut Builder, data_type: &DataType) -> UnionOffset<fb::Type> {
    use fb::Type;
    macro_rules! table {
        ($create:ident, $table:ident $(, $value:expr)*) => {{
            let table = fb::$table::create(b $(, $value)*);
            Type::$create(b, table)
        }};
    }
    match data_type {
        DataType::Null => table!(create_null, Null),
        DataType::Boolean => table!(create_bool, Bool),
        DataType::Int8 => table!(create_int, Int, 8i32, true),
        DataType::Int16 => table!(create_int, Int, 16i32, true),
        DataType::Int32 => table!(create_int, Int, 32i32, true),
        DataType::Int64 => table!(create_int, Int, 64i32, true),
        DataType::UInt8 => table!(create_int, Int, 8i32, false),
        DataType::UInt16 => table!(create_int, Int, 16i32, false),
        DataType::UInt32 => table!(create_int, Int, 32i32, false),
        DataType::UInt64 => table!(create_int, Int, 64i32, false),
        DataType::Float16 => table!(create_floating_point, FloatingPoint, fb::Precision::Half),
        DataType::Float32 => table!(create_floating_point, FloatingPoint, fb::Precision::Single),
        DataType::Float64 => table!(create_floating_point, FloatingPoint, fb::Precision::Double),
        DataType::Decimal32(precision, scale) => decimal(b, precision.get(), *scale, 32),
        DataType::Decimal64(precision, scale) => decimal(b, precision.get(), *scale, 64),
        DataType::Decimal128(precision, scale) => decimal(b, precision.get(), *scale, 128),
        DataType::Decimal256(precision, scale) => decimal(b, precision.get(), *scale, 256),
        DataType::Date32 => table!(create_date, Date, fb::DateUnit::Day),
        DataType::Date64 => table!(create_date, Date, fb::DateUnit::Millisecond),
        DataType::Time32(Time32Unit::Second) => table!(create_time, Time, fb::TimeUnit::Second, 32i32),
        DataType::Time32(Time32Unit::Millisecond) => {
            table!(create_time, Time, fb::TimeUnit::Millisecond, 32i32)
        }
        DataType::Time64(Time64Unit::Microsecond) => {
            table!(create_time, Time, fb::TimeUnit::Microsecond, 64i32)
        }
        DataType::Time64(Time64Unit::Nanosecond) => {
            table!(create_time, Time, fb::TimeUnit::Nanosecond, 64i32)
        }
        DataType::Timestamp(unit, zone) => {
            table!(create_timestamp, Timestamp, encode_unit(*unit), zone.as_deref())
        }
        DataType::Duration(unit) => table!(create_duration, Duration, encode_unit(*unit)),
        DataType::Interval(IntervalUnit::YearMonth) => {
            table!(create_interval, Interval, fb::IntervalUnit::YearMonth)
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            table!(create_interval, Interval, fb::IntervalUnit::DayTime)
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            table!(create_interval, Interval, fb::IntervalUnit::MonthDayNano)
        }
        DataType::FixedSizeBinary(size) => table!(create_fixed_size_binary, FixedSizeBinary, size.as_i32()),
        DataType::Binary => table!(create_binary, Binary),
        DataType::LargeBinary => table!(create_large_binary, LargeBinary),
        DataType::BinaryView => table!(create_binary_view, BinaryView),
        DataType::Utf8 => table!(create_utf8, Utf8),
        DataType::LargeUtf8 => table!(create_large_utf8, LargeUtf8),
        DataType::Utf8View => table!(create_utf8_view, Utf8View),
        DataType::List(_) => table!(create_list, List),
        DataType::LargeList(_) => table!(create_large_list, LargeList),
        DataType::ListView(_) => table!(create_list_view, ListView),
        DataType::LargeListView(_) => table!(create_large_list_view, LargeListView),
        DataType::FixedSizeList(_, size) => table!(create_fixed_size_list, FixedSizeList, size.as_i32()),
        DataType::Struct(_) => table!(create_struct, Struct),
        DataType::Map(map) => table!(create_map, Map, map.keys_sorted()),
        DataType::Union(union) => {
            let mode = match union.mode() {
                UnionMode::Sparse => fb::UnionMode::Sparse,
                UnionMode::Dense => fb::UnionMode::Dense,
            };
            let type_ids: Vec<i32> = union.type_ids().iter().map(|type_id| i32::from(*type_id)).collect();
            table!(create_union, Union, mode, type_ids.as_slice())
        }
        DataType::RunEndEncoded(_) => table!(create_run_end_encoded, RunEndEncoded),
        // `DictionaryType` refuses a dictionary as its value, so the walk never comes here.
        DataType::Dictionary(dictionary) => encode_type(b, dictionary.value()),
    }
}

fn decimal(builder: &mut Builder, precision: u8, scale: i32, bit_width: i32) -> UnionOffset<fb::Type> {
    let decimal = fb::Decimal::create(builder, i32::from(precision), scale, bit_width);
    fb::Type::create_decimal(builder, decimal)
}

fn encode_unit(unit: TimeUnit) -> fb::TimeUnit {
    match unit {
        TimeUnit::Second => fb::TimeUnit::Second,
        TimeUnit::Millisecond => fb::TimeUnit::Millisecond,
        TimeUnit::Microsecond => fb::TimeUnit::Microsecond,
        TimeUnit::Nanosecond => fb::TimeUnit::Nanosecond,
    }
}

/// The bytes of all names and metadata of a schema.
pub(crate) fn n_text_bytes(schema: &Schema) -> u64 {
    let of_field =
        |field: &Field| (field.name().len() as u64).saturating_add(n_metadata_bytes(field.metadata()));
    let fields = schema.fields_in_pre_order().map(of_field);
    fields.fold(n_metadata_bytes(schema.metadata()), u64::saturating_add)
}
