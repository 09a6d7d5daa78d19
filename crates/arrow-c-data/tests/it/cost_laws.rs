//! The cost of slices: the slices of an array cost together what the array costs. If the array has twice as many slots, the
//! cost grows by a factor of 2.2 at most.
//!
//! The cost is the number of bytes that are allocated, and of slots and bytes that are visited.

use std::fmt::Write;

use arrow_buffer::{Buffer, View};
use arrow_c_data::{ArrayImporter, ArrowArray, ArrowArrayStream};
use arrow_data::{ArrayData, ArrayParts, DataError, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode, work_done};
use arrow_select::concat;
use testing_support::make::{array, binary, dictionary, int32, list, list_view, runs, struct_, union};
use testing_support::{Generator, Nulls};

use crate::{ALLOCATOR, foreign::Ledger, foreign::sketch, types};

/// The greatest factor by which the cost may grow if the number of slots doubles.
const MAX_GROWTH: f64 = 2.2;

/// The numbers of slots of an array, and of its slices.
const SIZES: [usize; 3] = [256, 512, 1024];
const N_SLOTS: usize = 16;

/// The name of an array, and its function of the number of slots.
type Input = (&'static str, fn(usize) -> ArrayData);

const INPUTS: &[Input] = &[
    ("text", texts),
    ("text with nulls whose bytes are no UTF-8", |n| {
        let offsets: Vec<i64> = (0..=n as i64).map(|slot| slot * 20).collect();
        let data = "twenty bytes of text".repeat(n).into_bytes();
        let data: Vec<u8> =
            (0..).zip(data).map(|(at, byte)| if at % 40 == 0 { 0xff } else { byte }).collect();
        let bits = "01".repeat(n.div_ceil(2));
        testing_support::make::nulls(binary(&DataType::Utf8, &offsets, &data), &bits[..n])
    }),
    ("views of one buffer", |n| {
        let data = "a text of 24 bytes, long".repeat(n);
        let view = |slot: usize| View::long(&data.as_bytes()[slot * 24..][..24], 0, slot as i32 * 24);
        let views: Vec<View> = (0..n).map(|slot| view(slot).expect("it is long")).collect();
        array(ArrayParts {
            buffers: [Buffer::from(views), Buffer::new()],
            variadic: Some([Buffer::copy_from(data.as_bytes())].into()),
            ..ArrayParts::new(DataType::Utf8View, n)
        })
    }),
    ("lists of lists of text", |n| lists(lists(texts(4 * n)))),
    ("structs of lists", |n| {
        let lists = lists(texts(2 * n));
        struct_(vec![(Field::new("a", lists.data_type().clone()), lists)])
    }),
    ("list views in order", |n| {
        let offsets: Vec<i64> = (0..n as i64).collect();
        list_view(&view_type(), &offsets, &vec![1; n], texts(n))
    }),
    ("list views in no order", |n| {
        let offsets: Vec<i64> = (0..n as i64).rev().collect();
        list_view(&view_type(), &offsets, &vec![1; n], texts(n))
    }),
    ("list views of all items", |n| list_view(&view_type(), &vec![0; n], &vec![n as i64; n], texts(n))),
    ("a dense union in order", |n| {
        union(UnionMode::Dense, &vec![2; n], &(0..n as i32).collect::<Vec<_>>(), [int32(&[]), texts(n)])
    }),
    ("a dense union in no order", |n| {
        union(UnionMode::Dense, &vec![2; n], &(0..n as i32).rev().collect::<Vec<_>>(), [int32(&[]), texts(n)])
    }),
    ("runs", |n| runs(RunEndType::Int32, n, &(1..=n as i64).collect::<Vec<_>>(), words(n))),
    ("a dictionary", words),
    ("lists of a dictionary", |n| lists(words(2 * n))),
    ("a dictionary of lists of a dictionary", |n| {
        let values = lists(words(2 * n));
        let data_type = DataType::dictionary(IndexType::Int32, values.data_type().clone()).expect("legal");
        dictionary(&data_type, &(0..n as i64).collect::<Vec<_>>(), values)
    }),
];

fn texts(n: usize) -> ArrayData {
    let offsets: Vec<i64> = (0..=n as i64).map(|slot| slot * 20).collect();
    binary(&DataType::Utf8, &offsets, "twenty bytes of text".repeat(n).as_bytes())
}

/// A dictionary-encoded array of `n` slots, each with a value of its own.
fn words(n: usize) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Utf8).expect("legal");
    dictionary(&data_type, &(0..n as i64).collect::<Vec<_>>(), texts(n))
}

/// Lists of two items each.
fn lists(items: ArrayData) -> ArrayData {
    let data_type = DataType::list(Field::new("item", items.data_type().clone()));
    list(&data_type, &(0..=items.len() as i64).step_by(2).collect::<Vec<_>>(), items)
}

fn view_type() -> DataType {
    DataType::list_view(Field::new("item", DataType::Utf8))
}

/// The cost of the slices of an array. Some slices are checked to have the right values.
fn cost(whole: &ArrayData, read: fn(&Field, Vec<ArrayData>) -> Vec<ArrayData>) -> u64 {
    let field = Field::new("c", whole.data_type().clone());
    let slices: Vec<_> = (0..whole.len() / N_SLOTS).map(|k| whole.slice(k * N_SLOTS, N_SLOTS)).collect();
    let (wanted, before) = (slices.clone(), work_done());
    let (found, usage) = ALLOCATOR.measure(|| read(&field, slices));
    let cost = usage.total_bytes + (work_done() - before);
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(&wanted).step_by(7) {
        assert_eq!(found.same_values(wanted), Ok(true), "{}", field.data_type());
    }
    cost
}

fn by_a_stream(field: &Field, slices: Vec<ArrayData>) -> Vec<ArrayData> {
    let n_slices = slices.len();
    let stream = ArrowArrayStream::from_arrays(field.clone(), slices.into_iter().map(Ok::<_, DataError>));
    let arrays = stream.into_arrays(Validation::Content).expect("its own");
    let mut found = Vec::with_capacity(n_slices);
    arrays.for_each(|array| found.push(array.expect("its own")));
    found
}

fn one_by_one(field: &Field, slices: Vec<ArrayData>) -> Vec<ArrayData> {
    let imported = slices.iter().map(|slice| {
        let exported = ArrowArray::try_from_array(slice).expect("few slots");
        // SAFETY: it was exported from an array of this type.
        unsafe { exported.import(field.data_type(), Validation::Content) }.expect("its own")
    });
    imported.collect()
}

#[test]
fn slices_cost_together_what_the_array_costs() {
    let mut broken = String::new();
    let mut check = |name: &str, arrays: [ArrayData; 3], read| {
        let [n, two, four] = arrays.map(|array| {
            cost(&array.validate(Validation::Content).unwrap_or_else(|error| panic!("{name}: {error}")), read)
        });
        let grows = |less: u64, more: u64| more as f64 > MAX_GROWTH * less as f64;
        if grows(n, two) || grows(two, four) {
            writeln!(broken, "{name}: {:?}", [n, two, four]).expect("a text takes all");
        }
    };
    for (name, make) in INPUTS {
        check(name, SIZES.map(make), by_a_stream);
        // A structure by itself may have a dictionary or child in no order, which is checked for each of them.
        if !name.contains("dictionary") && !name.contains("no order") && !name.contains("of all items") {
            let make =
                |n| if make(n).data_type().to_string().contains("dictionary") { texts(n) } else { make(n) };
            check(&format!("{name}, one by one"), SIZES.map(make), one_by_one);
        }
    }
    for (seed, (name, data_type)) in types().into_iter().enumerate() {
        // The same slots again, as random arrays of other lengths differ in more than their lengths.
        let part = Generator::new(seed as u64).array(&data_type, SIZES[0], Nulls::Some);
        let part = part.validate(Validation::Content).expect("generated");
        check(
            &name,
            SIZES.map(|n| concat(&vec![part.clone(); n / SIZES[0]]).expect("few slots")),
            by_a_stream,
        );
    }
    assert!(broken.is_empty(), "these grow faster than their array:\n{broken}");
}

/// A dictionary is checked once only as long as nobody may use its memory for other values.
#[test]
fn memory_of_a_known_dictionary_is_held() {
    let (ledger, mut generator) = (Ledger::default(), Generator::new(1));
    let mut importer = ArrayImporter::new(Validation::Content);
    let mut import = |n_values: usize| {
        let wanted = words(n_values);
        let given = sketch(&wanted, &mut generator).give(&ledger);
        // SAFETY: the sketch is one of an array of this type.
        let found = unsafe { importer.import(given, wanted.data_type()) }.expect("its own");
        assert_eq!(found.same_values(&wanted), Ok(true));
    };
    // Each array is dropped at once, and the importer holds only the last dictionary.
    for n_values in [3, 5, 5, 4] {
        import(n_values);
        assert_eq!(ledger.n_alive(), 2, "an array and its dictionary");
    }
    drop(importer);
    ledger.check_all_released();
}
