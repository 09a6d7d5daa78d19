//! Random batches whose dictionaries have values in common, by every policy and in every form: what is read is what was
//! written, and a refused batch leaves no trace.

use std::{collections::HashMap, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, Endianness, IpcError, IpcErrorKind, IpcSchema, NullSlots, StreamEncoder,
    WriteOptions, dictionary::UnifiedDictionaries,
};
use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, RunEndType, Schema, UnionMode,
};
use arrow_select::{Select, SelectErrorKind};
use testing_support::{Generator, Hunt, Nulls, Rng, rows};

use super::harness::{CONTAINERS, Encoder, options, read};

/// Makes batches, and the dictionaries of each type out of the same few values.
struct Batches {
    generator: Generator,
    pools: HashMap<String, Vec<Arc<ArrayData>>>,
}

fn random_type(rng: &mut Rng, depth: usize) -> DataType {
    let leaves = [
        DataType::Utf8,
        DataType::Int8,
        DataType::Boolean,
        DataType::Null,
        DataType::Utf8View,
        DataType::LargeBinary,
        DataType::Float64,
    ];
    let Some(below) = depth.checked_sub(1) else { return rng.pick(&leaves).clone() };
    let mut field = |name: &str| Field::new(name, random_type(rng, below));
    let (x, y) = (field("x"), field("y"));
    match rng.below(9) {
        0 => DataType::list(x),
        1 => DataType::large_list_view(x),
        2 => DataType::fixed_size_list(x, 2).unwrap(),
        3 => DataType::struct_([x, y]),
        4 => DataType::union(UnionMode::Dense, [(5, x), (0, y)]).unwrap(),
        5 => DataType::union(UnionMode::Sparse, [(0, x), (1, y)]).unwrap(),
        6 => DataType::run_end_encoded(RunEndType::Int32, x.data_type().clone()),
        _ => random_dictionary(rng, x.data_type().clone()),
    }
}

/// A dictionary of these values. If the values are a dictionary themselves, its values are used.
fn random_dictionary(rng: &mut Rng, value: DataType) -> DataType {
    let value = value.as_dictionary().map_or(value.clone(), |of| of.value().clone());
    let order = if rng.one_in(10) { DictionaryOrder::Ordered } else { DictionaryOrder::Unordered };
    DictionaryType::try_new(*rng.pick(&IndexType::ALL), value, order).unwrap().into()
}

impl Batches {
    fn batch(&mut self, schema: &Schema) -> RecordBatch {
        let n_rows = *self.generator.rng().pick(&[0, 1, 3, 8, 40]);
        let nulls = *self.generator.rng().pick(&Nulls::ALL);
        let batch = self.generator.batch(schema, n_rows, nulls);
        let columns =
            batch.columns().iter().map(|column| self.with_other_dictionaries(column)).collect::<Vec<_>>();
        RecordBatch::try_new_with_rows(schema.clone(), columns, n_rows).unwrap()
    }

    fn with_other_dictionaries(&mut self, array: &ArrayData) -> ArrayData {
        let mut parts = array.clone().into_parts();
        if let Some(children) = parts.children {
            parts.children = Some(children.iter().map(|child| self.with_other_dictionaries(child)).collect());
        }
        if let Some(of) = array.data_type().as_dictionary() {
            let values = self.values(of.value());
            let rng = self.generator.rng();
            let n_bytes = of.index().n_bits() as usize / 8;
            let mut indices = Vec::new();
            for slot in 0..array.len() {
                let is_any = !array.is_valid(slot) && rng.one_in(2);
                let index = if is_any { rng.bits() } else { rng.below(values.len()) as u64 };
                indices.extend(&index.to_le_bytes()[..n_bytes]);
            }
            if cfg!(target_endian = "big") {
                indices.chunks_exact_mut(n_bytes).for_each(<[u8]>::reverse);
            }
            (parts.buffers[0], parts.offset) = (Buffer::copy_from(&indices), 0);
            parts.dictionary = Some(values);
        }
        ArrayData::try_new(parts).unwrap()
    }

    /// All or some of the values of a type: unchanged, as a slice, or in another order.
    fn values(&mut self, value_type: &DataType) -> Arc<ArrayData> {
        let name = value_type.to_string();
        if !self.pools.contains_key(&name) {
            let n_values = 1 + self.generator.rng().below(12);
            let nulls = *self.generator.rng().pick(&[Nulls::None, Nulls::Some, Nulls::Garbage]);
            let values = self.generator.array(value_type, n_values, nulls);
            let values = Arc::new(self.with_other_dictionaries(&values));
            self.pools.insert(name.clone(), vec![values]);
        }
        let pool = self.pools.get_mut(&name).unwrap();
        let (first, rng) = (Arc::clone(&pool[0]), self.generator.rng());
        let n_values = 1 + rng.below(first.len());
        let values = match rng.below(5) {
            0 | 1 => return Arc::clone(rng.pick(pool)),
            2 => first.slice(first.len() - n_values, n_values),
            3 => first.slice(0, n_values),
            _ => first.take(&(0..9).map(|_| rng.below(first.len())).collect::<Vec<_>>()).unwrap(),
        };
        pool.push(Arc::new(values));
        Arc::clone(&pool[pool.len() - 1])
    }
}

/// A schema, some of whose dictionaries may be one.
fn random_schema(rng: &mut Rng) -> IpcSchema {
    let mut fields: Vec<Field> = Vec::new();
    for name in ["a", "b", "c"].into_iter().take(1 + rng.below(3)) {
        let value = random_type(rng, 2);
        let data_type = if rng.one_in(3) { value } else { random_dictionary(rng, value) };
        let data_type = match fields.last() {
            Some(last) if rng.one_in(2) => last.data_type().clone(),
            _ => data_type,
        };
        fields.push(Field::new(name, data_type));
    }
    let schema = IpcSchema::from(Schema::new(fields));
    let ids: Vec<i64> = schema.dictionary_ids().iter().map(|_| rng.below(3) as i64 - 1).collect();
    let shared = IpcSchema::try_with_dictionary_ids(Arc::clone(schema.schema()), ids).ok();
    let shared = shared.filter(|shared| StreamEncoder::try_new(shared).is_ok());
    shared.unwrap_or(schema)
}

/// Whether a policy, or the type of the indices, does not support the dictionary.
fn is_refusal(error: &IpcError) -> bool {
    match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. }
        | IpcErrorKind::ChangedDictionary { .. }
        | IpcErrorKind::SharedDictionaryValues { .. }
        | IpcErrorKind::OppositeOrders { .. }
        | IpcErrorKind::UnknownOrder { .. } => true,
        IpcErrorKind::Select(error) => {
            matches!(
                error.kind(),
                SelectErrorKind::OrderedDictionaries | SelectErrorKind::IndexOverflow { .. }
            )
        }
        _ => false,
    }
}

fn random_options(rng: &mut Rng, policy: &DictionaryPolicy) -> WriteOptions {
    let mut options = options(policy.clone());
    if rng.one_in(3) {
        options = options.with_endianness(*rng.pick(&[Endianness::Little, Endianness::Big]));
    }
    if rng.one_in(3) {
        options = options.with_null_slots(NullSlots::Zeros);
    }
    match rng.below(3) {
        0 if cfg!(feature = "lz4") => options.with_compression(Compression::lz4()),
        1 if cfg!(feature = "zstd") => options.with_compression(Compression::zstd()),
        _ => options,
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    let (mut n_written, mut n_refused) = (0, 0);
    let hunt = Hunt::from_env();
    let n_seeds = hunt.count(50, 1000);
    for seed in (0..n_seeds as u64).map(|seed| hunt.seed(seed)) {
        let mut rng = Rng::new(seed);
        let schema = random_schema(&mut rng);
        let mut source = Batches { generator: Generator::new(seed), pools: HashMap::new() };
        let batches: Vec<RecordBatch> =
            (0..1 + rng.below(5)).map(|_| source.batch(schema.schema())).collect();
        let mut policies = vec![DictionaryPolicy::Replace, DictionaryPolicy::Error, DictionaryPolicy::Delta];
        match UnifiedDictionaries::try_from_batches(&schema, &batches) {
            Ok(unified) => policies.push(DictionaryPolicy::Unify(unified)),
            Err(error) => assert!(is_refusal(&error), "seed {seed}: {error}"),
        }
        for (policy, container) in
            policies.iter().flat_map(|policy| CONTAINERS.map(|container| (policy, container)))
        {
            let what = format!("seed {seed}, {container:?}, {policy:?}");
            let mut encoder = Encoder::try_new(container, &schema, random_options(&mut rng, policy)).unwrap();
            let (mut bytes, mut written) = (Vec::new(), Vec::new());
            for batch in &batches {
                match encoder.encode(batch) {
                    Ok(encoded) => {
                        encoded.write_to(&mut bytes).unwrap();
                        written.push(batch);
                    }
                    Err(error) => assert!(is_refusal(&error), "{what}: {error}"),
                }
            }
            encoder.finish().unwrap().write_to(&mut bytes).unwrap();
            n_written += written.len();
            n_refused += batches.len() - written.len();
            let read = read(container, &Buffer::from(bytes));
            assert!(read.iter().map(rows).eq(written.into_iter().map(rows)), "{what}");
        }
    }
    assert!(n_written > 10 * n_seeds && 4 * n_refused > 3 * n_seeds, "{n_written}, {n_refused}");
}
