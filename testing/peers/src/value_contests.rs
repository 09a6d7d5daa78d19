//! Compares building arrays from values, and reading arrays value by value.

use crate::contest::Contest;
use arrow_array as ours;
use arrow_schema::IndexType;
use rs_array::builder as theirs;
use rs_array::cast::AsArray;
use rs_array::types as rs_types;
use std::hint::black_box;

const N: usize = 1 << 16;

/// The values from which both libraries build arrays.
pub struct Values {
    numbers: Vec<i64>,
    floats: Vec<Option<f64>>,
    words: Vec<String>,
    lists: Vec<Vec<i64>>,
    /// Text with few different words.
    colors: Vec<String>,
}

impl Default for Values {
    fn default() -> Self {
        let mixed = |k: usize| (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let word = |k: usize| match mixed(k) % 3 {
            0 => format!("w{}", mixed(k) % 1_000),
            1 => format!("a word {}", mixed(k) % 100_000),
            _ => format!("a longer word that is not inlined {}", mixed(k)),
        };
        Self {
            numbers: (0..N).map(|k| mixed(k) as i64).collect(),
            floats: (0..N).map(|k| (mixed(k) % 5 > 0).then_some(k as f64)).collect(),
            words: (0..N).map(word).collect(),
            lists: (0..N).map(|k| (0..mixed(k) as i64 % 7).collect()).collect(),
            colors: (0..N).map(|k| format!("color number {}", mixed(k) % 200)).collect(),
        }
    }
}

fn contest<'a>(name: &'static str, ours: impl FnMut() + 'a, theirs: impl FnMut() + 'a) -> Contest<'a> {
    Contest { name, n_times: 1, ours: Box::new(ours), theirs: Box::new(theirs), floor: None }
}

impl Values {
    pub fn contests(&self) -> Vec<Contest<'_>> {
        self.building().into_iter().chain(self.iterating()).collect()
    }

    /// Appends value by value to builders without a capacity.
    fn building(&self) -> Vec<Contest<'_>> {
        let Values { numbers, floats, words, lists, colors } = self;
        vec![
            contest(
                "build i64",
                || {
                    let mut builder = ours::Int64Builder::new();
                    numbers.iter().for_each(|number| builder.append(*number));
                    black_box(builder.finish().expect("nothing can fail"));
                },
                || {
                    let mut builder = theirs::Int64Builder::new();
                    numbers.iter().for_each(|number| builder.append_value(*number));
                    black_box(builder.finish());
                },
            ),
            contest(
                "build f64 with nulls",
                || {
                    let mut builder = ours::Float64Builder::new();
                    floats.iter().for_each(|number| builder.append(*number));
                    black_box(builder.finish().expect("nothing can fail"));
                },
                || {
                    let mut builder = theirs::Float64Builder::new();
                    floats.iter().for_each(|number| builder.append_option(*number));
                    black_box(builder.finish());
                },
            ),
            contest(
                "build utf8",
                || {
                    let mut builder = ours::Utf8Builder::new();
                    words.iter().for_each(|word| builder.append(word));
                    black_box(builder.finish().expect("few bytes"));
                },
                || {
                    let mut builder = theirs::StringBuilder::new();
                    words.iter().for_each(|word| builder.append_value(word));
                    black_box(builder.finish());
                },
            ),
            contest(
                "build utf8_view",
                || {
                    let mut builder = ours::Utf8ViewBuilder::new();
                    words.iter().for_each(|word| builder.append(word));
                    black_box(builder.finish().expect("few bytes"));
                },
                || {
                    let mut builder = theirs::StringViewBuilder::new();
                    words.iter().for_each(|word| builder.append_value(word));
                    black_box(builder.finish());
                },
            ),
            contest(
                "build list<i64>",
                || {
                    let mut builder = ours::ListBuilder::new(ours::Int64Builder::new());
                    lists.iter().for_each(|list| builder.append(list.as_slice()));
                    black_box(builder.finish().expect("few items"));
                },
                move || {
                    let mut builder = theirs::ListBuilder::new(theirs::Int64Builder::new());
                    for list in lists {
                        builder.values().append_slice(list);
                        builder.append(true);
                    }
                    black_box(builder.finish());
                },
            ),
            contest(
                "build dictionary of utf8",
                || {
                    let values = ours::Utf8Builder::new();
                    let builder = ours::DictionaryBuilder::try_new(IndexType::Int32, values);
                    let mut builder = builder.expect("text is plain");
                    colors.iter().for_each(|color| builder.append(color));
                    black_box(builder.finish().expect("few values"));
                },
                || {
                    let mut builder = theirs::StringDictionaryBuilder::<rs_types::Int32Type>::new();
                    colors.iter().for_each(|color| builder.append_value(color));
                    black_box(builder.finish());
                },
            ),
        ]
    }

    /// Reads values with the iterators that the documentation of each library recommends.
    fn iterating(&self) -> Vec<Contest<'_>> {
        let Values { numbers, floats, words, lists, colors } = self;
        let our_numbers = ours::Int64Array::from_iter(numbers.iter().copied());
        let their_numbers = rs_array::Int64Array::from(numbers.clone());
        let (our_values, their_values) = (our_numbers.clone(), their_numbers.clone());
        let our_floats = ours::Float64Array::from_iter(floats.iter().copied());
        let their_floats = rs_array::Float64Array::from(floats.clone());
        let our_words = ours::Utf8Array::try_from_iter(words).expect("few bytes");
        let their_words = rs_array::StringArray::from_iter_values(words);
        let our_views = ours::Utf8ViewArray::from_iter(words);
        let their_views = rs_array::StringViewArray::from_iter_values(words);
        let mut our_lists = ours::ListBuilder::new(ours::Int64Builder::new());
        our_lists.extend(lists.iter().map(Vec::as_slice));
        let our_lists = our_lists.finish().expect("few items");
        let their_lists = rs_array::ListArray::from_iter_primitive::<rs_types::Int64Type, _, _>(
            lists.iter().map(|list| Some(list.iter().map(|number| Some(*number)))),
        );
        let (our_raw_lists, their_raw_lists) = (our_lists.clone(), their_lists.clone());
        let mut our_colors = ours::DictionaryBuilder::try_new(IndexType::Int32, ours::Utf8Builder::new())
            .expect("text is plain");
        our_colors.extend(colors);
        let our_colors = our_colors.finish().and_then(|array| array.decoded::<ours::Utf8Array>());
        let our_colors = our_colors.expect("it holds text");
        let their_colors: rs_array::DictionaryArray<rs_types::Int32Type> =
            colors.iter().map(String::as_str).collect();
        let (our_folded, their_folded) = (our_colors.clone(), their_colors.clone());
        vec![
            Contest {
                floor: Some(Box::new(move || {
                    black_box(black_box(numbers).iter().sum::<i64>());
                })),
                ..contest(
                    "sum i64 values",
                    move || {
                        black_box(black_box(&our_values).values().iter().sum::<i64>());
                    },
                    move || {
                        black_box(black_box(&their_values).values().iter().sum::<i64>());
                    },
                )
            },
            Contest {
                floor: Some(Box::new(move || {
                    black_box(black_box(numbers).iter().sum::<i64>());
                })),
                ..contest(
                    "iterate i64",
                    move || {
                        black_box(black_box(&our_numbers).iter().flatten().sum::<i64>());
                    },
                    move || {
                        black_box(black_box(&their_numbers).iter().flatten().sum::<i64>());
                    },
                )
            },
            contest(
                "iterate f64 with nulls",
                move || {
                    black_box(black_box(&our_floats).iter().flatten().sum::<f64>());
                },
                move || {
                    black_box(black_box(&their_floats).iter().flatten().sum::<f64>());
                },
            ),
            contest(
                "iterate utf8",
                move || {
                    let mut n_bytes = 0;
                    for word in black_box(&our_words) {
                        n_bytes += black_box(word).map_or(0, str::len);
                    }
                    black_box(n_bytes);
                },
                move || {
                    let mut n_bytes = 0;
                    for word in black_box(&their_words) {
                        n_bytes += black_box(word).map_or(0, str::len);
                    }
                    black_box(n_bytes);
                },
            ),
            contest(
                "iterate utf8_view",
                move || {
                    let mut n_bytes = 0;
                    for word in black_box(&our_views) {
                        n_bytes += black_box(word).map_or(0, str::len);
                    }
                    black_box(n_bytes);
                },
                move || {
                    let mut n_bytes = 0;
                    for word in black_box(&their_views) {
                        n_bytes += black_box(word).map_or(0, str::len);
                    }
                    black_box(n_bytes);
                },
            ),
            contest(
                "iterate list<i64>",
                move || {
                    let lists = black_box(&our_lists).items_as::<ours::Int64Array>().expect("numbers");
                    let mut sum = 0;
                    for list in lists.iter().flatten() {
                        sum += list.values().iter().sum::<i64>();
                    }
                    black_box(sum);
                },
                move || {
                    let mut sum = 0;
                    for list in black_box(&their_lists).iter().flatten() {
                        sum += list.as_primitive::<rs_types::Int64Type>().values().iter().sum::<i64>();
                    }
                    black_box(sum);
                },
            ),
            contest(
                "iterate list<i64> by offsets",
                move || {
                    let lists = black_box(&our_raw_lists);
                    let items = ours::Int64Array::try_from(lists.items()).expect("numbers");
                    let numbers = items.values();
                    let mut sum = 0;
                    for range in lists.offsets().windows(2) {
                        sum += numbers[range[0] as usize..range[1] as usize].iter().sum::<i64>();
                    }
                    black_box(sum);
                },
                move || {
                    let lists = black_box(&their_raw_lists);
                    let numbers = lists.values().as_primitive::<rs_types::Int64Type>().values();
                    let mut sum = 0;
                    for range in lists.offsets().windows(2) {
                        sum += numbers[range[0] as usize..range[1] as usize].iter().sum::<i64>();
                    }
                    black_box(sum);
                },
            ),
            contest(
                "iterate dictionary of utf8",
                move || {
                    let mut n_bytes = 0;
                    for word in black_box(&our_colors) {
                        n_bytes += black_box(word).map_or(0, str::len);
                    }
                    black_box(n_bytes);
                },
                move || {
                    let mut n_bytes = 0;
                    let words = their_colors.downcast_dict::<rs_array::StringArray>().expect("text");
                    for word in black_box(words) {
                        n_bytes += black_box(word).map_or(0, str::len);
                    }
                    black_box(n_bytes);
                },
            ),
            contest(
                "iterate dictionary of utf8, for_each",
                move || {
                    let mut n_bytes = 0;
                    black_box(&our_folded)
                        .iter()
                        .for_each(|word| n_bytes += black_box(word).map_or(0, str::len));
                    black_box(n_bytes);
                },
                move || {
                    let mut n_bytes = 0;
                    let words = their_folded.downcast_dict::<rs_array::StringArray>().expect("text");
                    black_box(words)
                        .into_iter()
                        .for_each(|word| n_bytes += black_box(word).map_or(0, str::len));
                    black_box(n_bytes);
                },
            ),
        ]
    }
}
