//! Computations with values.

use arrow_compute::{Digits, Predicate, Statistics, cast};
use arrow_data::{ArrayData, Validation};
use arrow_schema::DataType;
use arrow_select::Select;

use crate::HotPath;
use crate::data::{self, ASCII};

pub(super) fn values() -> Vec<HotPath> {
    let table = data::table();
    let condition: Predicate = "id > 50000 and name like '%7'".parse().expect("it is a condition");
    let condition = condition.bind(table.schema()).expect("the columns are there");
    let (filtered, integers, same) =
        (table.clone(), data::integers(), [data::texts(ASCII), data::texts(ASCII)]);
    let rows = condition.matches(&table).expect("it is valid");
    let unchecked = data::texts(ASCII);
    vec![
        statistics("statistics of integers", data::integers()),
        statistics("statistics of texts", data::texts(ASCII)),
        HotPath::new("rows that match a condition", 1, move || {
            condition.matches(&table).expect("it is valid")
        }),
        HotPath::new("filter four columns", 1, move || filtered.filter(&rows).expect("it is as long")),
        HotPath::new("cast integers to 32 bits", 1, move || {
            cast(&integers, &DataType::Int32, Digits::Keep).expect("they fit")
        }),
        HotPath::new("compare texts", 1, move || {
            assert!(same[0].same_values(&same[1]).expect("they are valid"))
        }),
        HotPath::new("check texts", 1, move || {
            let array = ArrayData::try_new(unchecked.clone().into_parts()).expect("lengths are right");
            array.validate(Validation::Content).expect("it is valid")
        }),
    ]
}

fn statistics(name: &'static str, array: ArrayData) -> HotPath {
    HotPath::new(name, 1, move || {
        let mut statistics = Statistics::new(array.data_type().clone());
        statistics.add(&array).expect("it is valid");
        statistics
    })
}
