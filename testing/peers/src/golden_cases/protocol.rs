//! Cases about how batches are written, not about their types: compression, and dictionaries that change.

use super::Case;
use super::families::{every_type_schema, field, item, list, map, structure};
use crate::format::Format;
use crate::seeded::{Dice, Seeded};
use rs_array::types::{ArrowDictionaryKeyType, Int8Type, Int64Type, UInt16Type};
use rs_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, FixedSizeBinaryArray, Int16Array,
    Int32Array, Int64Array, PrimitiveArray, RecordBatch, StringArray,
};
use rs_ipc::CompressionType;
use rs_ipc::writer::{DictionaryHandling, IpcWriteOptions};
use rs_schema::{DataType, Schema, SchemaRef};
use std::sync::Arc;

const CODECS: [(&str, CompressionType); 2] =
    [("lz4", CompressionType::LZ4_FRAME), ("zstd", CompressionType::ZSTD)];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = compression_cases();
    cases.extend(dictionary_cases());
    cases
}

fn compressed(codec: CompressionType, level: Option<i32>) -> IpcWriteOptions {
    let options = IpcWriteOptions::default().try_with_compression(Some(codec));
    options.and_then(|options| options.try_with_compression_level(level)).expect("the options go together")
}

fn compression_cases() -> Vec<Case> {
    let every = every_type_schema();
    let mut cases = Vec::new();
    for (k, (name, codec)) in CODECS.into_iter().enumerate() {
        let mut maker = Seeded::new(20_400 + 10 * k as u64, 3);
        let whole = maker.batch(&every, 13);
        let batches = vec![whole.clone(), maker.batch(&every, 0), whole.slice(5, 4)];
        let about = format!("{name}: one column of each type, a batch with rows and one without");
        let case = Case::new(format!("compressed-{name}"), about, &every, batches);
        cases.push(case.with_options(compressed(codec, None)));
        let (schema, batches) = long_batches();
        let about = format!("{name}: buffers of more than 64 KiB, in a batch and a dictionary");
        let case = Case::new(format!("compressed-{name}-long"), about, &schema, batches);
        cases.push(case.with_options(compressed(codec, None)));
        let levels = if codec == CompressionType::ZSTD { &[Some(-5), Some(19)][..] } else { &[None] };
        for level in levels {
            let (schema, batches) = with_noise();
            let (suffix, about) = match level {
                None => ("noise".to_owned(), String::new()),
                Some(level) => {
                    (format!("level-{level}").replace("--", "-minus-"), format!(" of level {level}"))
                }
            };
            let about = format!("{name}{about}: numbers, noise that is left as it is, text and bits");
            let case = Case::new(format!("compressed-{name}-{suffix}"), about, &schema, batches);
            cases.push(case.with_options(compressed(codec, *level)));
        }
    }
    cases
}

/// Numbers that grow by a little, and a long dictionary with few values in use.
fn long_batches() -> (SchemaRef, Vec<RecordBatch>) {
    let (mut dice, n) = (Dice::new(20_500), 8_400);
    let mut number = 0;
    let numbers = Int64Array::from_iter_values((0..n).map(|_| {
        number += dice.below(9) as i64;
        number
    }));
    let values: ArrayRef = Arc::new(StringArray::from_iter_values(
        (0..3_000).map(|k| format!("value {} of a dictionary, number {k}", dice.below(1000))),
    ));
    let words = |keys| DictionaryArray::new(keys, values.clone());
    let none = words(Int16Array::new_null(n));
    let some = words(Int16Array::from_iter_values((0..20).map(|k| 2_999 - k % 7)));
    let schema = Arc::new(Schema::new(vec![
        field("n", DataType::Int64),
        field("w", DataType::Dictionary(DataType::Int16.into(), DataType::Utf8.into())),
    ]));
    let batch = |numbers, words| {
        let columns: Vec<ArrayRef> = vec![Arc::new(numbers), Arc::new(words)];
        RecordBatch::try_new(schema.clone(), columns).expect("the columns fit")
    };
    let batches = vec![batch(numbers.clone(), none), batch(numbers.slice(0, 20), some)];
    (schema, batches)
}

fn with_noise() -> (SchemaRef, Vec<RecordBatch>) {
    let (mut dice, n) = (Dice::new(20_600), 150);
    let sorted = Int32Array::from_iter_values((0..n).map(|k| 3 * k + dice.below(3) as i32));
    let noise: Vec<Vec<u8>> = (0..n).map(|_| (0..24).map(|_| dice.below(256) as u8).collect()).collect();
    let noise = FixedSizeBinaryArray::try_from_iter(noise.into_iter()).expect("all are of one size");
    let text = StringArray::from_iter(
        (0..n).map(|_| (dice.below(7) > 0).then(|| format!("word {} of some", dice.below(20)))),
    );
    let bits = BooleanArray::from_iter((0..n).map(|k| Some(k % 5 > 0)));
    let columns: [(&str, ArrayRef); 4] = [
        ("sorted", Arc::new(sorted)),
        ("random", Arc::new(noise)),
        ("text", Arc::new(text)),
        ("bits", Arc::new(bits)),
    ];
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    let whole = RecordBatch::try_from_iter_with_nullable(columns).expect("the columns have one length");
    (whole.schema(), vec![whole.clone(), whole.slice(9, 77)])
}

fn dictionary_cases() -> Vec<Case> {
    let deltas = |options: IpcWriteOptions| options.with_dictionary_handling(DictionaryHandling::Delta);
    let plain = IpcWriteOptions::default;
    let case = |name: &str, about: &str, (schema, batches): (SchemaRef, Vec<RecordBatch>), options| {
        let mut case = Case::new(name, about, &schema, batches).with_options(options);
        case.dictionaries_change = true;
        case
    };
    let in_streams = |mut case: Case| {
        case.formats = vec![Format::Stream];
        case
    };
    let steps = [2, 5, 5, 12, 13, 30];
    let mut cases = vec![
        case(
            "dictionary-deltas",
            "dictionaries of many types that grow four times",
            dictionaries(20_700, &steps, 0),
            deltas(plain()),
        ),
        case(
            "dictionary-deltas-from-empty",
            "dictionaries that are empty at first",
            dictionaries(20_701, &[0, 0, 3, 4], 0),
            deltas(plain()),
        ),
        in_streams(case(
            "dictionary-replaced",
            "dictionaries of many types, replaced by longer, shorter and empty ones",
            dictionaries(20_702, &[6, 4, 4, 9, 0, 2], 1),
            plain(),
        )),
        in_streams(case(
            "dictionary-grown-replaced",
            "dictionaries of many types that grow and are written anew as a whole",
            dictionaries(20_703, &[3, 4, 9], 0),
            plain(),
        )),
    ];
    for (name, codec) in CODECS {
        let options = compressed(codec, None);
        cases.push(case(
            &format!("dictionary-deltas-{name}"),
            &format!("{name}: dictionaries that grow"),
            dictionaries(20_704, &[9, 20, 33], 0),
            deltas(options.clone()),
        ));
        cases.push(in_streams(case(
            &format!("dictionary-replaced-{name}"),
            &format!("{name}: dictionaries that are replaced"),
            dictionaries(20_705, &[9, 1, 20], 1),
            options,
        )));
    }
    cases
}

/// A batch of seven rows for each number of values, of dictionaries of many types. Their values begin `shift` further on
/// in each batch.
fn dictionaries(seed: u64, n_values: &[usize], shift: usize) -> (SchemaRef, Vec<RecordBatch>) {
    use DataType::*;
    let point = structure(vec![field("x", Int16), field("y", Utf8)]);
    let pair = FixedSizeList(item(Int8), 2);
    let types =
        [Utf8, Int64, Boolean, LargeBinary, FixedSizeBinary(3), Decimal128(20, 3), Utf8View, list(Utf8)];
    let types = types.into_iter().chain([point, pair, map(Utf8, Int8, false)]);
    let value_fields = types.enumerate().map(|(k, value_type)| field(format!("c{k}"), value_type));
    let value_schema = Arc::new(Schema::new(value_fields.collect::<Vec<_>>()));
    let n_longest = n_values.iter().max().copied().unwrap_or_default() + shift * n_values.len();
    let longest = Seeded::new(seed, 3).batch(&value_schema, n_longest);
    let mut dice = Dice::new(seed);
    let mut batch = |(idx, &n): (usize, &usize)| {
        let mut column = |(k, values): (usize, &ArrayRef)| {
            let key = |dice: &mut Dice| (n > 0 && dice.below(5) > 0).then(|| dice.below(n as u64) as usize);
            let mut keys: Vec<_> = (0..7).map(|_| key(&mut dice)).collect();
            keys[3] = n.checked_sub(1);
            let values = values.slice(idx * shift, n);
            let column = match k % 3 {
                0 => encoded::<Int8Type>(&keys, values),
                1 => encoded::<UInt16Type>(&keys, values),
                _ => encoded::<Int64Type>(&keys, values),
            };
            (format!("c{k}"), column, true)
        };
        let columns: Vec<_> = longest.columns().iter().enumerate().map(&mut column).collect();
        RecordBatch::try_from_iter_with_nullable(columns).expect("the columns have one length")
    };
    let batches: Vec<_> = n_values.iter().enumerate().map(&mut batch).collect();
    (batches[0].schema(), batches)
}

fn encoded<K: ArrowDictionaryKeyType>(keys: &[Option<usize>], values: ArrayRef) -> ArrayRef
where
    <K as ArrowPrimitiveType>::Native: TryFrom<usize>,
{
    let keys = keys.iter().map(|key| key.and_then(|key| key.try_into().ok()));
    Arc::new(DictionaryArray::new(PrimitiveArray::<K>::from_iter(keys), values))
}
