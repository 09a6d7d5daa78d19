//! Measures loops over typed arrays, compared with the same loops over Rust's own types: a slice, a vector of options,
//! and a vector of text. Run with `cargo bench -p benches --bench iterate`.

#![allow(missing_docs)] // what the macros of criterion make

use std::hint::black_box;

use arrow_array::{
    Array, DictionaryArray, Float64Array, Int32Array, Int64Array, ListArray, Utf8Array, Utf8ViewArray,
};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field, IndexType};
use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};

criterion_group!(benches, integers, floats_with_nulls, texts, lists, dictionary);
criterion_main!(benches);

const N_SLOTS: usize = 64 << 10;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// A number that differs from slot to slot, without a pattern that the processor could learn.
fn scrambled(slot: usize) -> usize {
    slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> Group<'a> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(N_SLOTS as u64));
    group
}

fn bench<T>(group: &mut Group<'_>, name: &str, mut work: impl FnMut() -> T) {
    group.bench_function(name, |bencher| bencher.iter(|| black_box(work())));
}

fn integers(criterion: &mut Criterion) {
    let mut group = group(criterion, "int64");
    let floor: Vec<i64> = (0..N_SLOTS).map(|slot| scrambled(slot) as i64).collect();
    let array = Int64Array::from_iter(floor.iter().copied());
    bench(&mut group, "slice (floor)", || black_box(&floor).iter().sum::<i64>());
    bench(&mut group, "values", || black_box(&array).values().iter().sum::<i64>());
    bench(&mut group, "iter", || black_box(&array).iter().flatten().sum::<i64>());
    bench(&mut group, "for", || {
        let mut sum = 0;
        for value in black_box(&array) {
            sum += value.unwrap_or(0);
        }
        sum
    });
    bench(&mut group, "value(i)", || {
        let array = black_box(&array);
        (0..array.len()).map(|slot| array.value(slot)).sum::<i64>()
    });
}

fn floats_with_nulls(criterion: &mut Criterion) {
    let mut group = group(criterion, "float64, a quarter null");
    let value = |slot| (!scrambled(slot).is_multiple_of(4)).then_some(slot as f64);
    let floor: Vec<Option<f64>> = (0..N_SLOTS).map(value).collect();
    let array = Float64Array::from_iter(floor.iter().copied());
    bench(&mut group, "vector of options (floor)", || black_box(&floor).iter().flatten().sum::<f64>());
    bench(&mut group, "iter", || black_box(&array).iter().flatten().sum::<f64>());
    bench(&mut group, "for", || {
        let mut sum = 0.0;
        for value in black_box(&array) {
            sum += value.unwrap_or(0.0);
        }
        sum
    });
    bench(&mut group, "get(i)", || {
        let array = black_box(&array);
        (0..array.len()).filter_map(|slot| array.get(slot)).sum::<f64>()
    });
}

fn words() -> Vec<String> {
    (0..N_SLOTS).map(|slot| "abcdefghijklmnopqrstuvwxyz"[..scrambled(slot) % 26].to_owned()).collect()
}

fn texts(criterion: &mut Criterion) {
    let mut group = group(criterion, "text");
    let words = words();
    let floor: Vec<&str> = words.iter().map(String::as_str).collect();
    let some_null = || floor.iter().enumerate().map(|(slot, text)| (slot % 10 != 3).then_some(*text));
    let arrays = ("utf8", Utf8Array::try_from_iter(&floor).unwrap());
    let views = ("utf8_view", floor.iter().collect::<Utf8ViewArray>());
    let with_nulls = ("utf8, a tenth null", Utf8Array::try_from_iter(some_null()).unwrap());
    let views_with_nulls = ("utf8_view, a tenth null", some_null().collect::<Utf8ViewArray>());
    bench(&mut group, "vector of &str (floor)", || {
        black_box(&floor).iter().map(|text| text.len()).sum::<usize>()
    });
    read_texts(&mut group, &arrays);
    read_texts(&mut group, &views);
    read_texts(&mut group, &with_nulls);
    read_texts(&mut group, &views_with_nulls);
}

fn read_texts<A>(group: &mut Group<'_>, (name, array): &(&str, A))
where
    A: for<'a> Array<Item<'a> = &'a str>,
{
    bench(group, &format!("{name}: iter"), || black_box(array).iter().flatten().map(str::len).sum::<usize>());
    bench(group, &format!("{name}: for"), || {
        let mut sum = 0;
        for text in black_box(array).iter().flatten() {
            sum += text.len();
        }
        sum
    });
    bench(group, &format!("{name}: value(i)"), || {
        let array = black_box(array);
        (0..array.len()).map(|slot| array.value(slot).len()).sum::<usize>()
    });
}

fn lists(criterion: &mut Criterion) {
    let mut group = group(criterion, "list<int64>");
    let mut end = 0;
    let mut floor = vec![];
    let mut offsets = vec![0];
    for slot in 0..N_SLOTS {
        let list: Vec<i64> = (0..scrambled(slot) % 8).map(|item| (slot + item) as i64).collect();
        end += list.len() as i32;
        offsets.push(end);
        floor.push(list);
    }
    let items = Int64Array::from_iter(floor.iter().flatten().copied());
    let array = ListArray::try_from(
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(offsets), Buffer::new()],
            children: Some([items.into()].into()),
            ..ArrayParts::new(DataType::list(Field::new("item", DataType::Int64)), N_SLOTS)
        })
        .unwrap(),
    )
    .unwrap();
    let typed = array.items_as::<Int64Array>().unwrap();
    bench(&mut group, "vector of vectors (floor)", || {
        black_box(&floor).iter().map(|list| list.iter().sum::<i64>()).sum::<i64>()
    });
    bench(&mut group, "items_as, values", || {
        let lists = black_box(&typed).iter().flatten();
        lists.map(|list| list.values().iter().sum::<i64>()).sum::<i64>()
    });
    bench(&mut group, "items_as, iter", || {
        let lists = black_box(&typed).iter().flatten();
        lists.map(|list| list.iter().flatten().sum::<i64>()).sum::<i64>()
    });
    bench(&mut group, "items_as, for in for", || {
        let mut sum = 0;
        for list in black_box(&typed).iter().flatten() {
            for value in list.into_iter().flatten() {
                sum += value;
            }
        }
        sum
    });
    bench(&mut group, "an array for each list", || {
        let lists = black_box(&array).iter().flatten();
        lists.map(|list| Int64Array::try_from(list).unwrap().values().iter().sum::<i64>()).sum::<i64>()
    });
}

fn dictionary(criterion: &mut Criterion) {
    let mut group = group(criterion, "dictionary of utf8");
    let (keys, values) = (|slot: usize| scrambled(slot) % 100, &words()[..100]);
    let floor: Vec<&str> = (0..N_SLOTS).map(|slot| values[keys(slot)].as_str()).collect();
    let array = DictionaryArray::try_from(
        ArrayData::try_new(ArrayParts {
            data_type: DataType::dictionary(IndexType::Int32, DataType::Utf8).unwrap(),
            dictionary: Some(ArrayData::from(Utf8Array::try_from_iter(values).unwrap()).into()),
            ..Int32Array::from_iter((0..N_SLOTS).map(|slot| keys(slot) as i32)).into_data().into_parts()
        })
        .unwrap(),
    )
    .unwrap();
    let decoded = array.decoded::<Utf8Array>().unwrap();
    bench(&mut group, "vector of &str (floor)", || {
        black_box(&floor).iter().map(|text| text.len()).sum::<usize>()
    });
    bench(&mut group, "decoded: iter", || black_box(&decoded).iter().flatten().map(str::len).sum::<usize>());
    bench(&mut group, "decoded: for", || {
        let mut sum = 0;
        for text in black_box(&decoded).iter().flatten() {
            sum += text.len();
        }
        sum
    });
    bench(&mut group, "decoded: get(i)", || {
        let decoded = black_box(&decoded);
        (0..decoded.len()).filter_map(|slot| decoded.get(slot)).map(str::len).sum::<usize>()
    });
}
