//! Compares flatbuffers of this encoder with those of planus.

use arrow_schema::{DataType, Field, FixedSize, IndexType};
use bindings::flatbuf as fb;
use planus::ReadAsRoot;
use testing_support::{Hunt, Rng, all_types, verify_message};

use super::*;
use crate::{
    message::{MessageFormat, MetadataEncoder},
    protocol::{Feature, MetadataVersion},
    schema::decode::tests::random_field,
};

fn written(schema: &IpcSchema, metadata: &Metadata) -> Vec<u8> {
    let format = MessageFormat { version: schema.version(), ..MessageFormat::default() };
    let mut to = BufferMut::new();
    let schema = SchemaPart::try_new(schema).unwrap();
    let n_bytes = MetadataEncoder::new(format).schema(&mut to, &schema, metadata, 0).unwrap();
    assert_eq!((to.len() as u64, to.len() % 64), (n_bytes, 0));
    to[8..].to_vec()
}

fn meaning(bytes: &[u8]) -> fb::Message {
    let message = fb::MessageRef::read_as_root(bytes).expect("a message");
    message.try_into().expect("all of it can be read")
}

/// Compares the two schema messages. Returns the length of ours and of that of planus.
fn compare(schema: &IpcSchema, metadata: &Metadata, name: &str) -> (usize, usize) {
    let by_hand = written(schema, metadata);
    verify_message(&by_hand).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let expected = owned::message(schema, metadata);
    assert!(meaning(&by_hand) == expected, "{name}");
    (by_hand.len(), planus::Builder::new().finish(&expected, None).len())
}

/// Keys and values that are absent, empty and long.
fn random_metadata(rng: &mut Rng) -> Metadata {
    let text = |rng: &mut Rng| (!rng.one_in(3)).then(|| "é".repeat(rng.below(4)).into());
    let n_pairs = rng.below(6).saturating_sub(2);
    Metadata::from_pairs((0..n_pairs).map(|_| (text(rng), text(rng))).collect())
}

#[test]
fn schemas_mean_what_they_contain() {
    let none = Metadata::new();
    let fields: Vec<Field> =
        all_types().into_iter().map(|(name, data_type)| Field::new(name, data_type)).collect();
    for field in &fields {
        compare(&Schema::new([field.clone()]).into(), &none, field.name());
    }
    compare(&Schema::new(fields).into(), &none, "all types");
    compare(&Schema::new([]).into(), &none, "no fields");
    let hunt = Hunt::from_env();
    let rng = &mut hunt.rng(53);
    for case in 0..hunt.count(300, 30_000) {
        let mut fields: Vec<Field> = (0..rng.below(12)).map(|_| random_field(rng, 0)).collect();
        for field in &mut fields {
            if rng.one_in(4) {
                *field = field.clone().with_metadata(random_metadata(rng));
            }
        }
        let features = [Feature::Unused, Feature::DictionaryReplacement, Feature::CompressedBody];
        let schema = IpcSchema::from(Schema::new(fields).with_metadata(random_metadata(rng)))
            .with_version(*rng.pick(&[MetadataVersion::V4, MetadataVersion::V5]))
            .with_endianness(*rng.pick(&[Endianness::Little, Endianness::Big]))
            .with_features(features[..rng.below(4)].to_vec());
        let metadata = random_metadata(rng);
        compare(&schema, &metadata, &format!("case {case}"));
    }
}

#[test]
fn what_fields_share_is_written_once() {
    let none = Metadata::new();
    let types = [
        DataType::Int64,
        DataType::Utf8,
        DataType::Date32,
        DataType::list(Field::new("item", DataType::Float64)),
    ];
    let columns = |n: usize| -> IpcSchema {
        let field = |idx: usize| Field::new(format!("{idx:07}"), types[idx % 4].clone());
        Schema::new((0..n).map(field).collect::<Vec<_>>()).into()
    };
    let [few, many] = [400, 4_400].map(|n| written(&columns(n), &none).len());
    // Each field has a reference, a table and a name of 12 bytes. Lists also have the list of one child, its table, and "item".
    let n_lists = 1_000;
    let n_field_bytes = 4 + 20 + 12;
    assert!(many - few <= 4_000 * n_field_bytes + n_lists * (4 + n_field_bytes) + 64, "{}", many - few);
    // Only a few previous types are compared with each type.
    let sizes = |n_bytes: u32| DataType::FixedSizeBinary(FixedSize::new(n_bytes).unwrap());
    let differ: Vec<Field> = (0..1_000).map(|n_bytes| Field::new("", sizes(n_bytes))).collect();
    compare(&Schema::new(differ).into(), &none, "sizes");
    // The length is about the same as with planus, which also shares vtables, but leaves out defaults.
    let dictionary = DataType::dictionary(IndexType::UInt16, DataType::Utf8).unwrap();
    for (data_type, n_more) in
        [(DataType::Int8, 0), (DataType::list(Field::new("item", DataType::Utf8)), 0), (dictionary, 4)]
    {
        let fields = (0..100).map(|_| Field::new("a name", data_type.clone()));
        let schema: IpcSchema = fields.collect::<Schema>().into();
        let (by_hand, by_planus) = compare(&schema, &none, "one type");
        assert!(by_hand <= by_planus + 100 * n_more + 128, "{data_type}: {by_hand}, planus {by_planus}");
    }
}

/// Schema messages as owned types of planus.
mod owned {
    use arrow_schema::{
        DataType, Field, IndexType, IntervalUnit, Metadata, Time32Unit, Time64Unit, TimeUnit, UnionMode,
    };
    use bindings::flatbuf as fb;

    use crate::{
        protocol::{Endianness, Feature, MetadataVersion},
        schema::IpcSchema,
    };

    pub(super) fn message(schema: &IpcSchema, custom_metadata: &Metadata) -> fb::Message {
        let mut ids = schema.dictionary_ids().iter().copied();
        let feature = |feature: &Feature| match feature {
            Feature::Unused => fb::Feature::Unused,
            Feature::DictionaryReplacement => fb::Feature::DictionaryReplacement,
            Feature::CompressedBody => fb::Feature::CompressedBody,
        };
        let features: Vec<fb::Feature> = schema.features().iter().map(feature).collect();
        let table = fb::Schema {
            endianness: match schema.endianness() {
                Endianness::Little => fb::Endianness::Little,
                Endianness::Big => fb::Endianness::Big,
            },
            fields: Some(fields(schema.schema().fields(), &mut ids)),
            custom_metadata: metadata(schema.schema().metadata()),
            features: Some(features).filter(|features| !features.is_empty()),
        };
        fb::Message {
            version: match schema.version() {
                MetadataVersion::V4 => fb::MetadataVersion::V4,
                MetadataVersion::V5 => fb::MetadataVersion::V5,
            },
            header: Some(fb::MessageHeader::Schema(Box::new(table))),
            body_length: 0,
            custom_metadata: metadata(custom_metadata),
        }
    }

    fn metadata(metadata: &Metadata) -> Option<Vec<fb::KeyValue>> {
        let pair = |(key, value): (Option<&str>, Option<&str>)| fb::KeyValue {
            key: key.map(str::to_owned),
            value: value.map(str::to_owned),
        };
        Some(metadata.iter().map(pair).collect::<Vec<_>>()).filter(|pairs| !pairs.is_empty())
    }

    fn fields(fields: &[Field], ids: &mut impl Iterator<Item = i64>) -> Vec<fb::Field> {
        fields.iter().map(|it| field(it, ids)).collect()
    }

    fn field(field: &Field, ids: &mut impl Iterator<Item = i64>) -> fb::Field {
        let index = |index: IndexType| fb::Int {
            bit_width: index.n_bits().cast_signed(),
            is_signed: index.is_signed(),
        };
        // In pre-order, the id of a dictionary precedes the ids of dictionaries inside its values.
        let dictionary = field.data_type().as_dictionary().map(|dictionary| {
            Box::new(fb::DictionaryEncoding {
                id: ids.next().expect("an id for each"),
                index_type: Some(Box::new(index(dictionary.index()))),
                is_ordered: dictionary.is_ordered(),
                dictionary_kind: fb::DictionaryKind::DenseArray,
            })
        });
        let value_type = field.data_type().value_type();
        fb::Field {
            name: Some(field.name().to_owned()),
            nullable: field.is_nullable(),
            type_: Some(data_type(value_type)),
            dictionary,
            children: Some(fields(value_type.children(), ids)),
            custom_metadata: metadata(field.metadata()),
        }
    }

    fn data_type(data_type: &DataType) -> fb::Type {
        macro_rules! table {
            ($name:ident $($fields:tt)*) => { fb::Type::$name(Box::new(fb::$name { $($fields)* })) };
        }
        let int = |bit_width, is_signed| table!(Int bit_width, is_signed);
        let float = |precision| table!(FloatingPoint precision);
        let decimal =
            |precision: u8, scale, bit_width| table!(Decimal precision: precision.into(), scale, bit_width);
        let time = |unit, bit_width| table!(Time unit, bit_width);
        let unit = |unit: &TimeUnit| match unit {
            TimeUnit::Second => fb::TimeUnit::Second,
            TimeUnit::Millisecond => fb::TimeUnit::Millisecond,
            TimeUnit::Microsecond => fb::TimeUnit::Microsecond,
            TimeUnit::Nanosecond => fb::TimeUnit::Nanosecond,
        };
        match data_type {
            DataType::Null => table!(Null),
            DataType::Boolean => table!(Bool),
            DataType::Int8 => int(8, true),
            DataType::Int16 => int(16, true),
            DataType::Int32 => int(32, true),
            DataType::Int64 => int(64, true),
            DataType::UInt8 => int(8, false),
            DataType::UInt16 => int(16, false),
            DataType::UInt32 => int(32, false),
            DataType::UInt64 => int(64, false),
            DataType::Float16 => float(fb::Precision::Half),
            DataType::Float32 => float(fb::Precision::Single),
            DataType::Float64 => float(fb::Precision::Double),
            DataType::Decimal32(precision, scale) => decimal(precision.get(), *scale, 32),
            DataType::Decimal64(precision, scale) => decimal(precision.get(), *scale, 64),
            DataType::Decimal128(precision, scale) => decimal(precision.get(), *scale, 128),
            DataType::Decimal256(precision, scale) => decimal(precision.get(), *scale, 256),
            DataType::Date32 => table!(Date unit: fb::DateUnit::Day),
            DataType::Date64 => table!(Date unit: fb::DateUnit::Millisecond),
            DataType::Time32(Time32Unit::Second) => time(fb::TimeUnit::Second, 32),
            DataType::Time32(Time32Unit::Millisecond) => time(fb::TimeUnit::Millisecond, 32),
            DataType::Time64(Time64Unit::Microsecond) => time(fb::TimeUnit::Microsecond, 64),
            DataType::Time64(Time64Unit::Nanosecond) => time(fb::TimeUnit::Nanosecond, 64),
            DataType::Timestamp(of, zone) => {
                table!(Timestamp unit: unit(of), timezone: zone.as_deref().map(str::to_owned))
            }
            DataType::Duration(of) => table!(Duration unit: unit(of)),
            DataType::Interval(IntervalUnit::YearMonth) => table!(Interval unit: fb::IntervalUnit::YearMonth),
            DataType::Interval(IntervalUnit::DayTime) => table!(Interval unit: fb::IntervalUnit::DayTime),
            DataType::Interval(IntervalUnit::MonthDayNano) => {
                table!(Interval unit: fb::IntervalUnit::MonthDayNano)
            }
            DataType::FixedSizeBinary(size) => table!(FixedSizeBinary byte_width: size.as_i32()),
            DataType::Binary => table!(Binary),
            DataType::LargeBinary => table!(LargeBinary),
            DataType::BinaryView => table!(BinaryView),
            DataType::Utf8 => table!(Utf8),
            DataType::LargeUtf8 => table!(LargeUtf8),
            DataType::Utf8View => table!(Utf8View),
            DataType::List(_) => table!(List),
            DataType::LargeList(_) => table!(LargeList),
            DataType::ListView(_) => table!(ListView),
            DataType::LargeListView(_) => table!(LargeListView),
            DataType::FixedSizeList(_, size) => table!(FixedSizeList list_size: size.as_i32()),
            DataType::Struct(_) => table!(Struct),
            DataType::Map(map) => table!(Map keys_sorted: map.keys_sorted()),
            DataType::Union(union) => table! {
                Union
                mode: match union.mode() {
                    UnionMode::Sparse => fb::UnionMode::Sparse,
                    UnionMode::Dense => fb::UnionMode::Dense,
                },
                type_ids: Some(union.type_ids().iter().map(|type_id| i32::from(*type_id)).collect())
            },
            DataType::RunEndEncoded(_) => table!(RunEndEncoded),
            DataType::Dictionary(_) => unreachable!("no value is a dictionary"),
        }
    }
}
