//! Building arrays, and reading their values.

use arrow_array::{Float64Array, Int64Array, ListArray, Utf8Array, Utf8ViewArray};

use crate::HotPath;
use crate::data::{self, ASCII, N_ROWS};

pub(super) fn arrays() -> Vec<HotPath> {
    let (words, viewed) = (data::words(ASCII), data::words(ASCII));
    let texts = Utf8Array::try_from(data::texts(ASCII)).expect("it is text");
    let views = Utf8ViewArray::try_from(data::views()).expect("it is text");
    let floats = Float64Array::try_from(data::floats_with_nulls()).expect("they are numbers");
    let lists = ListArray::try_from(data::lists()).expect("they are lists");
    let lists = lists.items_as::<Int64Array>().expect("items are integers");
    vec![
        HotPath::new("build an array of integers", 1, || Int64Array::from_iter(0..N_ROWS as i64)),
        HotPath::new("build an array of texts", 1, move || {
            Utf8Array::try_from_iter(&words).expect("it fits")
        }),
        HotPath::new("build an array of views", 1, move || {
            viewed.iter().map(String::as_str).collect::<Utf8ViewArray>()
        }),
        HotPath::new("iterate texts", 1, move || texts.iter().flatten().map(str::len).sum::<usize>()),
        HotPath::new("iterate views", 1, move || views.iter().flatten().map(str::len).sum::<usize>()),
        HotPath::new("iterate floats with nulls", 1, move || floats.iter().flatten().sum::<f64>()),
        HotPath::new("iterate lists of integers", 1, move || {
            lists.iter().flatten().map(|list| list.values().iter().sum::<i64>()).sum::<i64>()
        }),
    ]
}
