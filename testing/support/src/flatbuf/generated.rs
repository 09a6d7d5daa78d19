// Written by `cargo xtask codegen` from format/*.fbs. Do not edit.
// CRC-32 of the schemas and the generator: 1aec0907, of the code below: 237b10c9.

use flatbuffers::{ForwardsUOffset, InvalidFlatbuffer, SimpleToVerifyInSlice, Vector, Verifiable, Verifier};

use super::strict::{Numbers, check_inside, number, unknown};

#[repr(transparent)]
pub(super) struct MetadataVersion(i16);

impl SimpleToVerifyInSlice for MetadataVersion {}

impl Verifiable for MetadataVersion {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<MetadataVersion>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 | 2 | 3 | 4 => Ok(()),
            _ => unknown("MetadataVersion"),
        }
    }
}

#[repr(transparent)]
pub(super) struct Feature(i64);

impl SimpleToVerifyInSlice for Feature {}

impl Verifiable for Feature {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<Feature>(pos)?;
        match i64::from_le_bytes(number(v, pos)?) {
            0 | 1 | 2 => Ok(()),
            _ => unknown("Feature"),
        }
    }
}

pub(super) struct Null;

impl Verifiable for Null {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct Struct_;

impl Verifiable for Struct_ {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct List;

impl Verifiable for List {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct LargeList;

impl Verifiable for LargeList {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct ListView;

impl Verifiable for ListView {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct LargeListView;

impl Verifiable for LargeListView {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct FixedSizeList;

impl Verifiable for FixedSizeList {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<i32>("listSize", 4, false)?.finish();
        check_inside(v, pos, &[(4, 4)])
    }
}

pub(super) struct Map;

impl Verifiable for Map {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<bool>("keysSorted", 4, false)?.finish();
        check_inside(v, pos, &[(4, 1)])
    }
}

#[repr(transparent)]
pub(super) struct UnionMode(i16);

impl SimpleToVerifyInSlice for UnionMode {}

impl Verifiable for UnionMode {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<UnionMode>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 => Ok(()),
            _ => unknown("UnionMode"),
        }
    }
}

pub(super) struct Union;

impl Verifiable for Union {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<UnionMode>("mode", 4, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, i32>>>("typeIds", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 4)])
    }
}

pub(super) struct Int;

impl Verifiable for Int {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<i32>("bitWidth", 4, false)?
            .visit_field::<bool>("is_signed", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 4), (6, 1)])
    }
}

#[repr(transparent)]
pub(super) struct Precision(i16);

impl SimpleToVerifyInSlice for Precision {}

impl Verifiable for Precision {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<Precision>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 | 2 => Ok(()),
            _ => unknown("Precision"),
        }
    }
}

pub(super) struct FloatingPoint;

impl Verifiable for FloatingPoint {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<Precision>("precision", 4, false)?.finish();
        check_inside(v, pos, &[(4, 2)])
    }
}

pub(super) struct Utf8;

impl Verifiable for Utf8 {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct Binary;

impl Verifiable for Binary {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct LargeUtf8;

impl Verifiable for LargeUtf8 {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct LargeBinary;

impl Verifiable for LargeBinary {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct Utf8View;

impl Verifiable for Utf8View {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct BinaryView;

impl Verifiable for BinaryView {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct FixedSizeBinary;

impl Verifiable for FixedSizeBinary {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<i32>("byteWidth", 4, false)?.finish();
        check_inside(v, pos, &[(4, 4)])
    }
}

pub(super) struct Bool;

impl Verifiable for Bool {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct RunEndEncoded;

impl Verifiable for RunEndEncoded {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.finish();
        check_inside(v, pos, &[])
    }
}

pub(super) struct Decimal;

impl Verifiable for Decimal {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<i32>("precision", 4, false)?
            .visit_field::<i32>("scale", 6, false)?
            .visit_field::<i32>("bitWidth", 8, false)?
            .finish();
        check_inside(v, pos, &[(4, 4), (6, 4), (8, 4)])
    }
}

#[repr(transparent)]
pub(super) struct DateUnit(i16);

impl SimpleToVerifyInSlice for DateUnit {}

impl Verifiable for DateUnit {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<DateUnit>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 => Ok(()),
            _ => unknown("DateUnit"),
        }
    }
}

pub(super) struct Date;

impl Verifiable for Date {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<DateUnit>("unit", 4, false)?.finish();
        check_inside(v, pos, &[(4, 2)])
    }
}

#[repr(transparent)]
pub(super) struct TimeUnit(i16);

impl SimpleToVerifyInSlice for TimeUnit {}

impl Verifiable for TimeUnit {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<TimeUnit>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 | 2 | 3 => Ok(()),
            _ => unknown("TimeUnit"),
        }
    }
}

pub(super) struct Time;

impl Verifiable for Time {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<TimeUnit>("unit", 4, false)?
            .visit_field::<i32>("bitWidth", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 4)])
    }
}

pub(super) struct Timestamp;

impl Verifiable for Timestamp {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<TimeUnit>("unit", 4, false)?
            .visit_field::<ForwardsUOffset<&str>>("timezone", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 4)])
    }
}

#[repr(transparent)]
pub(super) struct IntervalUnit(i16);

impl SimpleToVerifyInSlice for IntervalUnit {}

impl Verifiable for IntervalUnit {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<IntervalUnit>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 | 2 => Ok(()),
            _ => unknown("IntervalUnit"),
        }
    }
}

pub(super) struct Interval;

impl Verifiable for Interval {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<IntervalUnit>("unit", 4, false)?.finish();
        check_inside(v, pos, &[(4, 2)])
    }
}

pub(super) struct Duration;

impl Verifiable for Duration {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?.visit_field::<TimeUnit>("unit", 4, false)?.finish();
        check_inside(v, pos, &[(4, 2)])
    }
}

pub(super) struct Type;

impl Type {
    fn run_verifier(tag: u8, v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        match tag {
            1 => v.verify_union_variant::<ForwardsUOffset<Null>>("Type::Null", pos),
            2 => v.verify_union_variant::<ForwardsUOffset<Int>>("Type::Int", pos),
            3 => v.verify_union_variant::<ForwardsUOffset<FloatingPoint>>("Type::FloatingPoint", pos),
            4 => v.verify_union_variant::<ForwardsUOffset<Binary>>("Type::Binary", pos),
            5 => v.verify_union_variant::<ForwardsUOffset<Utf8>>("Type::Utf8", pos),
            6 => v.verify_union_variant::<ForwardsUOffset<Bool>>("Type::Bool", pos),
            7 => v.verify_union_variant::<ForwardsUOffset<Decimal>>("Type::Decimal", pos),
            8 => v.verify_union_variant::<ForwardsUOffset<Date>>("Type::Date", pos),
            9 => v.verify_union_variant::<ForwardsUOffset<Time>>("Type::Time", pos),
            10 => v.verify_union_variant::<ForwardsUOffset<Timestamp>>("Type::Timestamp", pos),
            11 => v.verify_union_variant::<ForwardsUOffset<Interval>>("Type::Interval", pos),
            12 => v.verify_union_variant::<ForwardsUOffset<List>>("Type::List", pos),
            13 => v.verify_union_variant::<ForwardsUOffset<Struct_>>("Type::Struct_", pos),
            14 => v.verify_union_variant::<ForwardsUOffset<Union>>("Type::Union", pos),
            15 => v.verify_union_variant::<ForwardsUOffset<FixedSizeBinary>>("Type::FixedSizeBinary", pos),
            16 => v.verify_union_variant::<ForwardsUOffset<FixedSizeList>>("Type::FixedSizeList", pos),
            17 => v.verify_union_variant::<ForwardsUOffset<Map>>("Type::Map", pos),
            18 => v.verify_union_variant::<ForwardsUOffset<Duration>>("Type::Duration", pos),
            19 => v.verify_union_variant::<ForwardsUOffset<LargeBinary>>("Type::LargeBinary", pos),
            20 => v.verify_union_variant::<ForwardsUOffset<LargeUtf8>>("Type::LargeUtf8", pos),
            21 => v.verify_union_variant::<ForwardsUOffset<LargeList>>("Type::LargeList", pos),
            22 => v.verify_union_variant::<ForwardsUOffset<RunEndEncoded>>("Type::RunEndEncoded", pos),
            23 => v.verify_union_variant::<ForwardsUOffset<BinaryView>>("Type::BinaryView", pos),
            24 => v.verify_union_variant::<ForwardsUOffset<Utf8View>>("Type::Utf8View", pos),
            25 => v.verify_union_variant::<ForwardsUOffset<ListView>>("Type::ListView", pos),
            26 => v.verify_union_variant::<ForwardsUOffset<LargeListView>>("Type::LargeListView", pos),
            _ => unknown("Type"),
        }
    }
}

pub(super) struct KeyValue;

impl Verifiable for KeyValue {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<ForwardsUOffset<&str>>("key", 4, false)?
            .visit_field::<ForwardsUOffset<&str>>("value", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 4), (6, 4)])
    }
}

#[repr(transparent)]
pub(super) struct DictionaryKind(i16);

impl SimpleToVerifyInSlice for DictionaryKind {}

impl Verifiable for DictionaryKind {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<DictionaryKind>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 => Ok(()),
            _ => unknown("DictionaryKind"),
        }
    }
}

pub(super) struct DictionaryEncoding;

impl Verifiable for DictionaryEncoding {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<i64>("id", 4, false)?
            .visit_field::<ForwardsUOffset<Int>>("indexType", 6, false)?
            .visit_field::<bool>("isOrdered", 8, false)?
            .visit_field::<DictionaryKind>("dictionaryKind", 10, false)?
            .finish();
        check_inside(v, pos, &[(4, 8), (6, 4), (8, 1), (10, 2)])
    }
}

pub(super) struct Field;

impl Verifiable for Field {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<ForwardsUOffset<&str>>("name", 4, false)?
            .visit_field::<bool>("nullable", 6, false)?
            .visit_union::<u8, _>("type_type", 8, "type", 10, false, Type::run_verifier)?
            .visit_field::<ForwardsUOffset<DictionaryEncoding>>("dictionary", 12, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<Field>>>>("children", 14, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<KeyValue>>>>(
                "custom_metadata",
                16,
                false,
            )?
            .finish();
        check_inside(v, pos, &[(4, 4), (6, 1), (8, 1), (10, 4), (12, 4), (14, 4), (16, 4)])
    }
}

#[repr(transparent)]
pub(super) struct Endianness(i16);

impl SimpleToVerifyInSlice for Endianness {}

impl Verifiable for Endianness {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<Endianness>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 => Ok(()),
            _ => unknown("Endianness"),
        }
    }
}

#[repr(C, align(8))]
pub(super) struct Buffer([u8; 16]);

impl SimpleToVerifyInSlice for Buffer {}

impl Verifiable for Buffer {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<Buffer>(pos)
    }
}

pub(super) struct Schema;

impl Verifiable for Schema {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<Endianness>("endianness", 4, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<Field>>>>("fields", 6, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<KeyValue>>>>(
                "custom_metadata",
                8,
                false,
            )?
            .visit_field::<ForwardsUOffset<Numbers<Feature>>>("features", 10, false)?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 4), (8, 4), (10, 4)])
    }
}

pub(super) struct TensorDim;

impl Verifiable for TensorDim {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<i64>("size", 4, false)?
            .visit_field::<ForwardsUOffset<&str>>("name", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 8), (6, 4)])
    }
}

pub(super) struct Tensor;

impl Verifiable for Tensor {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_union::<u8, _>("type_type", 4, "type", 6, true, Type::run_verifier)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<TensorDim>>>>("shape", 8, true)?
            .visit_field::<ForwardsUOffset<Vector<'_, i64>>>("strides", 10, false)?
            .visit_field::<Buffer>("data", 12, true)?
            .finish();
        check_inside(v, pos, &[(4, 1), (6, 4), (8, 4), (10, 4), (12, 16)])
    }
}

pub(super) struct SparseTensorIndexCOO;

impl Verifiable for SparseTensorIndexCOO {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<ForwardsUOffset<Int>>("indicesType", 4, true)?
            .visit_field::<ForwardsUOffset<Vector<'_, i64>>>("indicesStrides", 6, false)?
            .visit_field::<Buffer>("indicesBuffer", 8, true)?
            .visit_field::<bool>("isCanonical", 10, false)?
            .finish();
        check_inside(v, pos, &[(4, 4), (6, 4), (8, 16), (10, 1)])
    }
}

#[repr(transparent)]
pub(super) struct SparseMatrixCompressedAxis(i16);

impl SimpleToVerifyInSlice for SparseMatrixCompressedAxis {}

impl Verifiable for SparseMatrixCompressedAxis {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<SparseMatrixCompressedAxis>(pos)?;
        match i16::from_le_bytes(number(v, pos)?) {
            0 | 1 => Ok(()),
            _ => unknown("SparseMatrixCompressedAxis"),
        }
    }
}

pub(super) struct SparseMatrixIndexCSX;

impl Verifiable for SparseMatrixIndexCSX {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<SparseMatrixCompressedAxis>("compressedAxis", 4, false)?
            .visit_field::<ForwardsUOffset<Int>>("indptrType", 6, true)?
            .visit_field::<Buffer>("indptrBuffer", 8, true)?
            .visit_field::<ForwardsUOffset<Int>>("indicesType", 10, true)?
            .visit_field::<Buffer>("indicesBuffer", 12, true)?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 4), (8, 16), (10, 4), (12, 16)])
    }
}

pub(super) struct SparseTensorIndexCSF;

impl Verifiable for SparseTensorIndexCSF {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<ForwardsUOffset<Int>>("indptrType", 4, true)?
            .visit_field::<ForwardsUOffset<Vector<'_, Buffer>>>("indptrBuffers", 6, true)?
            .visit_field::<ForwardsUOffset<Int>>("indicesType", 8, true)?
            .visit_field::<ForwardsUOffset<Vector<'_, Buffer>>>("indicesBuffers", 10, true)?
            .visit_field::<ForwardsUOffset<Vector<'_, i32>>>("axisOrder", 12, true)?
            .finish();
        check_inside(v, pos, &[(4, 4), (6, 4), (8, 4), (10, 4), (12, 4)])
    }
}

pub(super) struct SparseTensorIndex;

impl SparseTensorIndex {
    fn run_verifier(tag: u8, v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        match tag {
            1 => v.verify_union_variant::<ForwardsUOffset<SparseTensorIndexCOO>>(
                "SparseTensorIndex::SparseTensorIndexCOO",
                pos,
            ),
            2 => v.verify_union_variant::<ForwardsUOffset<SparseMatrixIndexCSX>>(
                "SparseTensorIndex::SparseMatrixIndexCSX",
                pos,
            ),
            3 => v.verify_union_variant::<ForwardsUOffset<SparseTensorIndexCSF>>(
                "SparseTensorIndex::SparseTensorIndexCSF",
                pos,
            ),
            _ => unknown("SparseTensorIndex"),
        }
    }
}

pub(super) struct SparseTensor;

impl Verifiable for SparseTensor {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_union::<u8, _>("type_type", 4, "type", 6, true, Type::run_verifier)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<TensorDim>>>>("shape", 8, true)?
            .visit_field::<i64>("non_zero_length", 10, false)?
            .visit_union::<u8, _>(
                "sparseIndex_type",
                12,
                "sparseIndex",
                14,
                true,
                SparseTensorIndex::run_verifier,
            )?
            .visit_field::<Buffer>("data", 16, true)?
            .finish();
        check_inside(v, pos, &[(4, 1), (6, 4), (8, 4), (10, 8), (12, 1), (14, 4), (16, 16)])
    }
}

#[repr(C, align(8))]
pub(super) struct FieldNode([u8; 16]);

impl SimpleToVerifyInSlice for FieldNode {}

impl Verifiable for FieldNode {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<FieldNode>(pos)
    }
}

#[repr(transparent)]
pub(super) struct CompressionType(i8);

impl SimpleToVerifyInSlice for CompressionType {}

impl Verifiable for CompressionType {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<CompressionType>(pos)?;
        match i8::from_le_bytes(number(v, pos)?) {
            0 | 1 => Ok(()),
            _ => unknown("CompressionType"),
        }
    }
}

#[repr(transparent)]
pub(super) struct BodyCompressionMethod(i8);

impl SimpleToVerifyInSlice for BodyCompressionMethod {}

impl Verifiable for BodyCompressionMethod {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<BodyCompressionMethod>(pos)?;
        match i8::from_le_bytes(number(v, pos)?) {
            0 => Ok(()),
            _ => unknown("BodyCompressionMethod"),
        }
    }
}

pub(super) struct BodyCompression;

impl Verifiable for BodyCompression {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<CompressionType>("codec", 4, false)?
            .visit_field::<BodyCompressionMethod>("method", 6, false)?
            .finish();
        check_inside(v, pos, &[(4, 1), (6, 1)])
    }
}

pub(super) struct RecordBatch;

impl Verifiable for RecordBatch {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<i64>("length", 4, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, FieldNode>>>("nodes", 6, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, Buffer>>>("buffers", 8, false)?
            .visit_field::<ForwardsUOffset<BodyCompression>>("compression", 10, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, i64>>>("variadicBufferCounts", 12, false)?
            .finish();
        check_inside(v, pos, &[(4, 8), (6, 4), (8, 4), (10, 4), (12, 4)])
    }
}

pub(super) struct DictionaryBatch;

impl Verifiable for DictionaryBatch {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<i64>("id", 4, false)?
            .visit_field::<ForwardsUOffset<RecordBatch>>("data", 6, false)?
            .visit_field::<bool>("isDelta", 8, false)?
            .finish();
        check_inside(v, pos, &[(4, 8), (6, 4), (8, 1)])
    }
}

pub(super) struct MessageHeader;

impl MessageHeader {
    fn run_verifier(tag: u8, v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        match tag {
            1 => v.verify_union_variant::<ForwardsUOffset<Schema>>("MessageHeader::Schema", pos),
            2 => v.verify_union_variant::<ForwardsUOffset<DictionaryBatch>>(
                "MessageHeader::DictionaryBatch",
                pos,
            ),
            3 => v.verify_union_variant::<ForwardsUOffset<RecordBatch>>("MessageHeader::RecordBatch", pos),
            4 => v.verify_union_variant::<ForwardsUOffset<Tensor>>("MessageHeader::Tensor", pos),
            5 => v.verify_union_variant::<ForwardsUOffset<SparseTensor>>("MessageHeader::SparseTensor", pos),
            _ => unknown("MessageHeader"),
        }
    }
}

pub(super) struct Message;

impl Verifiable for Message {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<MetadataVersion>("version", 4, false)?
            .visit_union::<u8, _>("header_type", 6, "header", 8, false, MessageHeader::run_verifier)?
            .visit_field::<i64>("bodyLength", 10, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<KeyValue>>>>(
                "custom_metadata",
                12,
                false,
            )?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 1), (8, 4), (10, 8), (12, 4)])
    }
}

pub(super) struct Footer;

impl Verifiable for Footer {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.visit_table(pos)?
            .visit_field::<MetadataVersion>("version", 4, false)?
            .visit_field::<ForwardsUOffset<Schema>>("schema", 6, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, Block>>>("dictionaries", 8, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, Block>>>("recordBatches", 10, false)?
            .visit_field::<ForwardsUOffset<Vector<'_, ForwardsUOffset<KeyValue>>>>(
                "custom_metadata",
                12,
                false,
            )?
            .finish();
        check_inside(v, pos, &[(4, 2), (6, 4), (8, 4), (10, 4), (12, 4)])
    }
}

#[repr(C, align(8))]
pub(super) struct Block([u8; 24]);

impl SimpleToVerifyInSlice for Block {}

impl Verifiable for Block {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        v.in_buffer::<Block>(pos)
    }
}
