//! The code in the tables of `docs/GUIDE.md`: `cargo xtask tidy` looks for the right column of each row here. It is compiled, and does not run.
#![expect(dead_code, reason = "what compiles exists")]

use std::{fs::File, io::Write, sync::Arc};

use arrow::array::{
    AnyArray, AnyBuilder, BinaryArray, BinaryBuilder, BinaryViewArray, BooleanArray, BooleanBuilder, Builder,
    ColumnText, Decimal128Array, DictionaryArray, DictionaryBuilder, FixedSizeBinaryArray,
    FixedSizeBinaryBuilder, FixedSizeListArray, FixedSizeListBuilder, Float64Array, Float64Builder,
    Int32Array, Int32Builder, Int64Array, LargeBinaryArray, LargeListArray, LargeUtf8Array, LargeUtf8Builder,
    ListArray, ListBuilder, ListViewArray, MapArray, MapBuilder, NullArray, PrimitiveArray, PrimitiveBuilder,
    PrimitiveType, RunEndEncodedArray, RunEndEncodedBuilder, Scalar, StructArray, StructBuilder,
    TimestampArray, TimestampBuilder, TypedBatch, UnionArray, UnionBuilder, Utf8Array, Utf8Builder,
    Utf8ViewArray, Utf8ViewBuilder,
};
use arrow::buffer::{AllocationSet, Bitmap, BitmapBuilder, Buffer, BufferMut, Offsets, Values};
use arrow::c_data::{ArrowArray, ArrowArrayStream, ArrowSchema, BatchReader};
use arrow::compute::{Cast, Decode, Digits, Predicate, Statistics, cast};
use arrow::data::{ArrayData, ArrayParts, ChunkedArray, Comparer, RecordBatch, Table, Validation};
use arrow::ipc::{
    Compression, Container, DictionaryPolicy, Encoded, EncodedMessage, FileDecoder, FileReader, FileWriter,
    IpcError, IpcSchema, MessageDecoder, MessageEncoder, Projection, ReadOptions, SinkWriter, StreamDecoder,
    StreamReader, StreamWriter, WriteOptions,
};
use arrow::schema::{
    DataType, Field, IndexType, MergeOptions, Metadata, Nullability, Precision, RunEndType, Schema, TimeUnit,
    UnionMode,
};
use arrow::select::{GrowingArray, Select, UnusedValues, ValueBytes, concat, concat_batches};
use arrow::serde as arrow_serde;
use arrow::text as arrow_text;
use arrow_text::{CsvReader, JsonReader};

type AnyResult = Result<(), Box<dyn std::error::Error>>;

fn pyarrow(path: &str, sink: Vec<u8>, source: &[u8], text: &[u8], [a, b]: [&RecordBatch; 2]) -> AnyResult {
    let schema = a.schema();
    let options = WriteOptions::new().with_compression(Compression::zstd());
    let _ = StreamWriter::try_new_with(sink, schema, options)?;
    let options = WriteOptions::new();
    let _ = FileWriter::create_with(path, schema, options)?;
    let reader = FileReader::open(path)?;
    let _ = FileReader::open(path)?.batches();
    let (i, batch) = (0, a);
    let _ = (reader.batch(i)?, reader.schema(), reader.project(&Projection::Positions(vec![0]))?);
    let _ = StreamReader::try_new(source)?;
    let _ = (Buffer::map, Buffer::from(text.to_vec()));
    let _ = FileReader::try_from_buffer(Buffer::copy_from(source))?;
    let _ = Validation::Strict;
    let _ = batch.column_as::<Int64Array>("id")?.iter();
    let _ = (
        |schema: Schema| CsvReader::try_new(text, schema),
        |schema: Schema| JsonReader::try_new(text, schema),
    );
    let b = b.clone();
    let _ = a.same_values(&b)?;
    Ok(())
}

fn batches(schema: Schema, columns: Vec<ArrayData>, batch: RecordBatch, structs: StructArray) -> AnyResult {
    let _ = RecordBatch::try_new(schema.clone(), columns.clone())?;
    let _ = RecordBatch::try_new_with_rows(schema.clone(), columns, 3)?;
    let _ = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1]).into())])?;
    let _ = ArrayData::new_empty(&DataType::Int8);
    let _: &Arc<Schema> = RecordBatch::schema(&batch);
    let _ = (RecordBatch::n_rows, RecordBatch::n_columns, RecordBatch::column_at);
    let _: &[ArrayData] = batch.columns();
    let _: Int64Array = TypedBatch::column_at_as(&batch, 0)?;
    let _: Int64Array = TypedBatch::column_as(&batch, "id")?;
    let _: Int64Array = TypedBatch::column_by_path_as(&batch, "a.b")?;
    let _ = (RecordBatch::column(&batch, "id")?, RecordBatch::column_by_path(&batch, "a.b")?);
    let _ = (batch.project(&[0, 2])?, RecordBatch::select(&batch, &["id"])?);
    let (offset, length) = (0, 1);
    let _ = (batch.slice(offset, length), RecordBatch::try_slice(&batch, offset, length)?);
    let _ = batch.with_schema(schema.clone())?;
    let _ = Table::try_from_batches(schema, [])?;
    let name = "id";
    let _ = RecordBatch::without_column(&batch, name)?;
    let _ = RecordBatch::with_column(&batch, Field::new("id", DataType::Int64), Int64Array::from_iter([1]))?;
    let _ = (RecordBatch::n_held_bytes(&batch), AllocationSet::new());
    let _ = StructArray::try_from(&batch)?;
    let _ = RecordBatch::try_from(structs)?;
    let other = batch.clone();
    let _ = (batch == other, RecordBatch::same_values(&batch, &other)?);
    Ok(())
}

fn tables(table: &Table, chunks: ChunkedArray, reader: BatchReader) -> AnyResult {
    let _ = reader.schema();
    let _ = (Table::batches(table), Table::concat(Schema::new([]), &[])?, chunks);
    Ok(())
}

fn schemas(
    fields: Vec<Field>,
    metadata: Metadata,
    schema: &Schema,
    schemas: &[Schema],
    field: Field,
) -> AnyResult {
    let _ = "id: int64 not null".parse::<Schema>()?;
    let mut changed = metadata.clone();
    let _ = Schema::new(fields).with_metadata(metadata);
    let _ = (Schema::with_metadata, Schema::fields, Schema::field, Schema::index_of, Schema::metadata);
    let name = "id";
    let _ = (schema.index_of(name)?, schema.project(&[0])?);
    let _ = Metadata::insert(&mut changed, "key", "value");
    let _ = (Metadata::get, Metadata::remove, Metadata::iter);
    let options = MergeOptions::new();
    let _ = (Schema::try_merge(schemas)?, Schema::try_merge_with(schemas, options)?);
    let _ = Schema::check_same_columns;
    let (data_type, extension) = (DataType::Int64, Field::extension);
    let _: Field = Field::new(name, data_type);
    let _ = (Field::required, Field::name, Field::data_type, Field::is_nullable, Field::metadata, extension);
    let _ = field.clone().with_name("a").with_data_type(DataType::Int8).with_metadata(Metadata::new());
    let _ = Field::with_nullability(field.clone(), Nullability::Required);
    let _ = Field::extension_type::<arrow::schema::Uuid>(&field);
    let _ = Arc::<Schema>::default();
    Ok(())
}

fn data_types(item: Field, fields: Vec<Field>, index: IndexType, value: DataType) -> AnyResult {
    let _ = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
    let _ = (DataType::list(item), DataType::struct_(fields), DataType::dictionary(index, value)?);
    let _ = |precision: Precision<38>| DataType::Decimal128(precision, 10);
    Ok(())
}

fn arrays() {
    let _ = |data: ArrayData| AnyArray::try_from(data);
    let _ = |data: ArrayData| Int64Array::try_from(data);
    let _ = |data: ArrayData| Utf8Array::try_from(data);
    let _ = |data: ArrayData| StructArray::try_from(data);
    let _ = |data: ArrayData| ListArray::try_from(data);
    fn is_array<A: arrow::array::Array>() {}
    let _ = (is_array::<Int32Array>, is_array::<Float64Array>, is_array::<TimestampArray>);
    let _ = (is_array::<Decimal128Array>, is_array::<LargeUtf8Array>, is_array::<Utf8ViewArray>);
    let _ = (is_array::<BinaryArray>, is_array::<LargeBinaryArray>, is_array::<BinaryViewArray>);
    let _ = (is_array::<FixedSizeBinaryArray>, is_array::<BooleanArray>, is_array::<NullArray>);
    let _ = (is_array::<MapArray>, is_array::<UnionArray>, is_array::<LargeListArray>);
    let _ = (is_array::<FixedSizeListArray>, is_array::<ListViewArray>);
    let _ = |indices: Int32Array, values: Utf8Array| DictionaryArray::try_new(indices, values);
    let _ = |ends: Int32Array, values: Utf8Array| RunEndEncodedArray::try_new(ends, values);
}

fn generic<T: PrimitiveType>(array: &PrimitiveArray<T>, i: usize) {
    let _ = (array.value(i), array.get(i), array.iter(), PrimitiveArray::values(array), array.values());
}

fn slots(array: &Int32Array, data: &ArrayData) -> AnyResult {
    let _ = (Int32Array::from(vec![1, 2]), Int32Array::from(vec![Some(1), None]));
    let _ = Int32Array::from_iter([1, 2]);
    let _ = (array.len(), array.is_empty(), array.is_null(0), array.is_valid(0), array.null_count());
    let _ = (data.len(), data.is_empty(), data.is_valid(0), data.null_count());
    let _ = (array.data_type(), data.data_type(), array.validity(), ArrayData::validity(data));
    let _ = (ArrayData::logical_validity(data)?, ArrayData::logical_null_count(data)?);
    let _ = (array.slice(0, 1), data.slice(0, 1), ArrayData::try_slice(data, 0, 1)?);
    let _ = (array.data(), array.clone().into_data());
    Ok(())
}

fn nested(lists: &ListArray, structs: &StructArray, maps: &MapArray, union: &UnionArray) -> AnyResult {
    let _ = ListArray::items_as::<Int32Array>(lists)?;
    let _ = (StructArray::column(structs, "a")?, StructArray::column_as::<Int32Array>(structs, "a")?);
    let _ = (StructArray::column_at(structs, 0), StructArray::column_at_as::<Int32Array>(structs, 0)?);
    let _ = MapArray::entries_as::<Utf8Array, Int32Array>(maps)?;
    let _ = UnionArray::child_as::<Int32Array>(union, "a")?;
    let _ = UnionArray::child_at_as::<Int32Array>(union, 0)?;
    let _ = UnionArray::type_ids(union);
    Ok(())
}

fn parts(dictionary: &DictionaryArray, data: &ArrayData) -> AnyResult {
    let _ = DictionaryArray::decoded::<Utf8Array>(dictionary)?;
    let _ = Decode::decoded(data)?;
    let data = ArrayData::try_new(ArrayParts::new(DataType::Null, 3))?;
    let _ = data.validate(Validation::Strict)?;
    let _ = (ArrayData::children, ArrayData::buffer, ArrayData::variadic);
    let mut nulls = AnyBuilder::new(&DataType::Int8);
    nulls.append_nulls(3);
    let _: Option<Scalar> = None;
    Ok(())
}

fn buffers(vec: Vec<i32>, owner: Vec<u8>, buffer: Buffer, bitmap: &Bitmap) -> AnyResult {
    let _ = Buffer::from(vec);
    let _ = (Buffer::copy_from(b"abc"), Buffer::from_owner(owner));
    let _ = (Buffer::slice(&buffer, ..2), Buffer::as_slice(&buffer), Buffer::view::<i32>(&buffer)?);
    if let Ok(buffer) = Buffer::try_recycle(buffer) {
        let buffer: BufferMut = buffer;
        let _ = BufferMut::freeze(buffer);
    }
    let (_, _): (Option<Values<i32>>, Option<Offsets<i32>>) = (None, None);
    let _ = (Bitmap::get(bitmap, 0), Bitmap::count_set(bitmap), Bitmap::iter_set(bitmap));
    let _ = BitmapBuilder::new();
    Ok(())
}

fn builders(data_type: DataType, v: i32) -> AnyResult {
    let _ = (Float64Builder::new(), BooleanBuilder::new(), BinaryBuilder::new(), Utf8Builder::new());
    let _ = (LargeUtf8Builder::new(), Utf8ViewBuilder::new());
    let _ = TimestampBuilder::try_new(data_type)?;
    let mut numbers: Int32Builder = PrimitiveBuilder::try_new(DataType::Int32)?;
    numbers.append(v);
    numbers.append(Some(v));
    let n = 3;
    numbers.append_null();
    numbers.append_nulls(n);
    PrimitiveBuilder::append_slice(&mut numbers, &[1, 2]);
    Extend::extend(&mut numbers, [1, 2]);
    let _: Int32Array = numbers.finish()?;
    Ok(())
}

fn nested_builders(items: Int32Builder, schema: &Schema, n: u32) -> AnyResult {
    let mut lists = ListBuilder::new(items);
    lists.append([1, 2]);
    ListBuilder::append_with(&mut lists, |items| items.append(3));
    ListBuilder::items_mut(&mut lists).append(4);
    ListBuilder::close(&mut lists);
    let items = Int32Builder::new();
    let _ = (FixedSizeListBuilder::try_new(items, n)?, FixedSizeBinaryBuilder::try_new(n)?);
    let mut rows = StructBuilder::from_schema(schema);
    let _ = StructBuilder::column_mut(&mut rows, 0);
    StructBuilder::close(&mut rows);
    let mut rows = StructBuilder::new((("id", Int32Builder::new()), ("name", Utf8Builder::new())));
    rows.append((1, "ada"));
    let (keys, values) = (Utf8Builder::new(), Int32Builder::new());
    let _ = MapBuilder::new(keys, values);
    let (index, values) = (IndexType::Int32, Utf8Builder::new());
    let _ = DictionaryBuilder::try_new(index, values)?;
    let (run_end_type, values) = (RunEndType::Int32, Utf8Builder::new());
    let _ = RunEndEncodedBuilder::new(run_end_type, values);
    let (mode, children) = (UnionMode::Dense, (("a", Int32Builder::new()), ("b", Utf8Builder::new())));
    let _ = UnionBuilder::try_new(mode, children)?;
    Ok(())
}

fn any_builder(data_type: DataType) {
    let mut builder = AnyBuilder::new(&data_type);
    let _: &mut dyn Builder = &mut builder;
}

fn reading(path: &str, file: File, read: &[u8], i: usize) -> AnyResult {
    let options = ReadOptions::new().with_validation(Validation::Structure);
    let _ = ReadOptions::with_limits;
    let _ = FileReader::open_with(path, options)?;
    let reader = FileReader::try_new(file)?;
    let _ = FileReader::project(&reader, &Projection::Positions(vec![0]))?;
    let _ = (FileReader::n_batches(&reader), FileReader::schema(&reader));
    let _ = (
        FileReader::footer_metadata(&reader),
        FileReader::batch(&reader, i)?,
        FileReader::batches(&reader),
        FileReader::ipc_schema(&reader),
    );
    let plan = FileDecoder::plan_open(1000);
    let _ = (plan, FileDecoder::plan_batch);
    let mut stream = StreamReader::try_new(read)?;
    StreamReader::project(&mut stream, &Projection::Positions(vec![0]))?;
    let _ = StreamReader::next_stream(stream)?;
    let _ = (StreamDecoder::feed, StreamDecoder::step, StreamDecoder::finish_input);
    let _ = (MessageDecoder::try_new, Container::detect(b"ARROW1\0\0"));
    Ok(())
}

fn writing(path: &str, schema: &Arc<Schema>, batch: &RecordBatch) -> AnyResult {
    let sink = Vec::new();
    let _ = FileWriter::create(path, schema)?;
    let mut writer = FileWriter::try_new(sink, schema)?;
    writer.write(batch)?;
    let _: Vec<u8> = writer.finish()?;
    let _ = FileWriter::try_new_with(Vec::new(), schema, WriteOptions::new())?;
    let _ = (WriteOptions::with_footer_metadata, WriteOptions::with_alignment, WriteOptions::with_framing);
    let _ = WriteOptions::with_version;
    let _ = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = StreamWriter::try_new(Vec::new(), schema)?;
    SinkWriter::write(&mut writer, batch)?;
    let _ = SinkWriter::finish(writer)?;
    let mut encoder = MessageEncoder::try_new(schema)?;
    let _: Encoded<'_> = MessageEncoder::encode_schema(&mut encoder)?;
    let _ = MessageEncoder::encode(&mut encoder, batch)?;
    Ok(())
}

fn messages(_: EncodedMessage, _: IpcSchema, error: IpcError) -> arrow::Error {
    arrow::Error::from(error)
}

fn interfaces(schema: &Schema, batches: Vec<Result<RecordBatch, IpcError>>, data: &ArrayData) -> AnyResult {
    let _ = (ArrowArray::try_from_array(data)?, ArrowSchema::try_from_data_type(data.data_type())?);
    let _ = (ArrowArray::try_from_batch, ArrowArray::import, ArrowSchema::to_data_type);
    let _: unsafe fn(_, Arc<Schema>, _) -> _ = ArrowArray::import_batch;
    let _ = (ArrowSchema::to_field, ArrowSchema::to_schema, ArrowArrayStream::into_batches);
    let schema = schema.clone();
    let _ = ArrowArrayStream::new(schema, batches);
    Ok(())
}

fn compute(data: &ArrayData, batch: &RecordBatch, mask: &Bitmap, chosen: &BooleanArray) -> AnyResult {
    let _ = (Select::take(data, &[0])?, Select::take(batch, &[0])?, Select::filter(data, mask)?);
    let _ = TypedBatch::filter_by(batch, chosen)?;
    let _ = (concat(std::slice::from_ref(data))?, concat_batches(batch.schema().clone(), &[])?);
    let _ = GrowingArray::append(GrowingArray::new(data.data_type()), data, u64::MAX)?;
    let _ = (Select::compact(data)?, Select::with_used_values(data, UnusedValues::Remove)?);
    let array = data;
    let _ = (cast(array, &DataType::Int64, Digits::Keep)?, Cast::new(DataType::Int64, Digits::Keep));
    let _ = (Predicate::and, Predicate::or, Predicate::not);
    let _ = (Statistics::min, Statistics::max, Statistics::distinct);
    let _ = (Comparer::try_new(data, data)?, ValueBytes::try_new(data)?);
    Ok(())
}

fn text(batch: &RecordBatch, out: &mut dyn Write) -> AnyResult {
    write!(out, "{}", arrow_text::BatchTable::try_new(batch)?)?;
    let _ = ColumnText::try_new;
    let _ = (arrow_text::JsonRows::try_new(batch)?, arrow_text::CsvRows::try_new(batch)?);
    let _: Option<arrow_text::CsvReader<&[u8]>> = None;
    let _: Option<arrow_text::JsonReader<&[u8]>> = None;
    let _ = arrow_serde::to_batch(batch.schema().clone(), [(1, 2)])?;
    let _ = arrow_serde::BatchRows::try_new(batch)?;
    Ok(())
}
