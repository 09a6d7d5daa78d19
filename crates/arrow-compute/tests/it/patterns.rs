//! Patterns of `like` that would be searched too slowly.

use arrow_compute::{BoundPredicate, Predicate, PredicateError};
use arrow_schema::{DataType, Field, Schema};

fn bound(data_type: &DataType, condition: &str) -> Result<BoundPredicate, PredicateError> {
    condition.parse::<Predicate>()?.bind(&Schema::new([Field::new("c", data_type.clone())]))
}

#[test]
fn long_patterns_with_any_characters_are_refused() {
    let pattern = |n: usize| format!("c like '%{}b%'", "_a".repeat(n));
    assert!(bound(&DataType::Utf8, &pattern(511)).is_ok());
    let error = bound(&DataType::Utf8, &pattern(20_000)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "in column c: `like` searches at most 1024 characters with `_` among them between two `%`; this pattern has 40000"
    );
    // These are not searched.
    for pattern in [format!("c like '{}'", "_a".repeat(20_000)), format!("c like '%{}%'", "_".repeat(20_000))]
    {
        assert!(bound(&DataType::Utf8View, &pattern).is_ok());
    }
}
