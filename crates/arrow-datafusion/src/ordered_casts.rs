//! Which casts keep the order of values, so that statistics of the values tell about the results.

use std::sync::Arc;

use datafusion::{
    arrow::datatypes::{DataType, SchemaRef, TimeUnit},
    common::{ScalarValue, tree_node::TreeNode},
    physical_expr::{
        PhysicalExpr, conjunction_opt,
        expressions::{CastExpr, TryCastExpr},
        split_conjunction,
    },
};

/// The parts of a condition, joined by AND, in which casts keep the order of values, so that bounds of the values are bounds
/// of the results. `None` if there are none. For example, the bounds of timestamps say nothing about times of day.
pub(crate) fn with_ordered_casts(
    predicate: &Arc<dyn PhysicalExpr>,
    columns: &SchemaRef,
) -> Option<Arc<dyn PhysicalExpr>> {
    let keeps_order = |expr: &Arc<dyn PhysicalExpr>| {
        let cast = expr.downcast_ref::<CastExpr>().map(|cast| (cast.expr(), cast.cast_type()));
        let tried = expr.downcast_ref::<TryCastExpr>().map(|cast| (cast.expr(), cast.cast_type()));
        let Some((from, to)) = cast.or(tried) else { return true };
        from.data_type(columns).is_ok_and(|from| is_ordered_cast(&from, to))
    };
    let is_ordered =
        |part: &&Arc<dyn PhysicalExpr>| !part.exists(|expr| Ok(!keeps_order(expr))).unwrap_or(true);
    conjunction_opt(split_conjunction(predicate).into_iter().filter(is_ordered).cloned())
}

/// Whether a cast keeps the order of all values. Casts of `arrow-cast` that do not check for overflow do not.
fn is_ordered_cast(from: &DataType, to: &DataType) -> bool {
    match (from, to) {
        (DataType::Dictionary(_, from), _) => is_ordered_cast(from, to),
        (_, DataType::Dictionary(_, to)) => is_ordered_cast(from, to),
        (DataType::Timestamp(_, from), DataType::Timestamp(_, to)) => from.is_some() == to.is_some(),
        (DataType::Date64, DataType::Timestamp(unit, None)) => {
            matches!(unit, TimeUnit::Second | TimeUnit::Millisecond)
        }
        (
            DataType::Date32 | DataType::Date64 | DataType::Timestamp(_, None),
            DataType::Date32 | DataType::Date64,
        )
        | (DataType::Date32, DataType::Timestamp(_, None))
        | (DataType::Time32(_), DataType::Time32(_) | DataType::Time64(_))
        | (DataType::Time64(_), DataType::Time64(TimeUnit::Microsecond)) => true,
        _ => {
            from == to
                || from.is_numeric() && to.is_numeric()
                || from.is_string() && to.is_string()
                || from.is_binary() && to.is_binary()
        }
    }
}

/// Whether all casts of a bound check for overflow, or cannot overflow. The planner casts bounds to the type with which a
/// condition compares them.
pub(crate) fn is_castable(bound: &ScalarValue) -> bool {
    match bound {
        ScalarValue::Date64(Some(millis)) => millis.checked_mul(1_000_000).is_some(),
        ScalarValue::Time64Microsecond(Some(micros)) => micros.checked_mul(1_000).is_some(),
        ScalarValue::Dictionary(_, value) => is_castable(value),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_that_overflow_keep_no_order() {
        use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
        let at = |unit| DataType::Timestamp(unit, None);
        for (from, to, is_ordered) in [
            (DataType::Date64, at(Second), true),
            (DataType::Date64, at(Millisecond), true),
            (DataType::Date64, at(Microsecond), false),
            (DataType::Date64, at(Nanosecond), false),
            (DataType::Date32, at(Nanosecond), true),
            (DataType::Date64, DataType::Date32, true),
            (at(Second), DataType::Date64, true),
            (DataType::Time32(Second), DataType::Time64(Nanosecond), true),
            (DataType::Time64(Nanosecond), DataType::Time64(Microsecond), true),
            (DataType::Time64(Microsecond), DataType::Time64(Nanosecond), false),
            (DataType::Time64(Microsecond), DataType::Time32(Second), false),
        ] {
            assert_eq!(is_ordered_cast(&from, &to), is_ordered, "{from} to {to}");
        }
    }

    #[test]
    fn bounds_that_overflow_are_not_cast() {
        let dictionary = |value| ScalarValue::Dictionary(Box::new(DataType::Int8), Box::new(value));
        for (bound, is_cast) in [
            (ScalarValue::Date64(Some(9_223_372_036_854)), true),
            (ScalarValue::Date64(Some(9_223_372_036_855)), false),
            (dictionary(ScalarValue::Date64(Some(i64::MIN))), false),
            (ScalarValue::Time64Microsecond(Some(86_400_000_000)), true),
            (ScalarValue::Time64Microsecond(Some(i64::MAX)), false),
            (ScalarValue::TimestampSecond(Some(i64::MAX), None), true),
            (ScalarValue::Date64(None), true),
        ] {
            assert_eq!(is_castable(&bound), is_cast, "{bound}");
        }
    }
}
