//! Finds the slots of an array for which a condition is true.

use std::{cmp::Ordering, fmt, fmt::Write as _, mem};

use arrow_array::{
    AnyArray, Array, ArrayError, BooleanArray, ColumnText, DictionaryArray, NullArray, RunEndEncodedArray,
    TextStyle, with_bytes, with_ordered,
};
use arrow_buffer::{Bitmap, BitmapBuilder, Buffer, NativeType};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_select::{Select, SelectError, concat};

use super::{
    ComparisonOperator, Logic, PredicateError, PredicateErrorKind as Kind, Question,
    bind::BoundQuestion,
    constant::BoundConstant,
    like::Pattern,
    listed::ListedBytes,
    range_set::{self, RelativePosition, ValueSet, is_nan},
};
use crate::long_values::{LongValues, identity, is_long};

/// For which slots a condition is true, and for which it is false. For the other slots it is neither, because of a null.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    is_true: Bitmap,
    is_false: Bitmap,
}

impl Answers {
    pub(super) fn into_true(self) -> Bitmap {
        self.is_true
    }

    pub(super) fn is_false(&self, slot: usize) -> bool {
        self.is_false.get(slot) == Some(true)
    }

    pub(super) fn is_true(&self, slot: usize) -> bool {
        self.is_true.get(slot) == Some(true)
    }

    /// Combines the result of a test with the validity. A slot is true if its bit in `holds` is set, false if it is not set,
    /// and neither if the slot is null.
    pub(super) fn new(holds: Bitmap, validity: Option<&Bitmap>) -> Answers {
        match validity {
            None => Answers { is_false: holds.not(), is_true: holds },
            Some(validity) => {
                let is_true = same_len(holds.and(validity));
                let is_false = same_len(validity.and_not(&holds));
                Answers { is_true, is_false }
            }
        }
    }

    pub(super) fn open(n_slots: usize) -> Answers {
        Answers { is_true: Bitmap::new_unset(n_slots), is_false: Bitmap::new_unset(n_slots) }
    }
}

impl Logic for Answers {
    fn not(self) -> Answers {
        Answers { is_true: self.is_false, is_false: self.is_true }
    }

    fn and(self, other: Answers) -> Answers {
        Answers {
            is_true: same_len(self.is_true.and(&other.is_true)),
            is_false: same_len(self.is_false.or(&other.is_false)),
        }
    }

    fn or(self, other: Answers) -> Answers {
        Answers {
            is_true: same_len(self.is_true.or(&other.is_true)),
            is_false: same_len(self.is_false.and(&other.is_false)),
        }
    }
}

pub(super) fn same_len(joined: Result<Bitmap, arrow_buffer::BitmapLengthError>) -> Bitmap {
    joined.expect("all answers have a bit for each row")
}

/// Applies a test to all slots of an array.
pub(super) fn answer(array: &AnyArray, question: &BoundQuestion) -> Result<Answers, PredicateError> {
    if let Question::IsNull = question {
        let validity = array.data().logical_validity()?;
        let is_valid = validity.unwrap_or_else(|| Bitmap::new_set(array.len()));
        return Ok(Answers::new(is_valid.not(), None));
    }
    if let Some(dictionary) = array.downcast_ref::<DictionaryArray>() {
        return through_indices(dictionary, question);
    }
    if let Some(runs) = array.downcast_ref::<RunEndEncodedArray>() {
        return through_runs(runs, question);
    }
    if array.downcast_ref::<NullArray>().is_some() {
        return Ok(Answers::open(array.len()));
    }
    let holds = if let Some(bytes) = array.data().text_as_bytes() {
        holds(&AnyArray::try_from(bytes)?, question)?
    } else {
        holds(array, question)?
    };
    let other_type = || Kind::OtherSort {
        data_type: array.data_type().clone(),
        found: "a constant of another type",
        expected: "one of the same type",
    };
    let holds = holds.ok_or_else(other_type)?;
    Ok(Answers::new(holds, array.data().logical_validity().map_err(ArrayError::from)?.as_ref()))
}

/// Applies a test to the values of a dictionary. If there are more values than slots, tests only the values that slots select.
fn through_indices(
    dictionary: &DictionaryArray,
    question: &BoundQuestion,
) -> Result<Answers, PredicateError> {
    let values = dictionary.values();
    // Each value is taken once, since many slots may select a long one.
    let used = (values.len() > dictionary.len()).then(|| {
        let mut used: Vec<u64> = dictionary.iter().flatten().map(|idx| idx as u64).collect();
        used.sort_unstable();
        used.dedup();
        used
    });
    let tested = used.as_ref().map_or_else(|| Ok(values.clone()), |used| values.take(used))?;
    let answers = answer(&AnyArray::try_from(tested)?, question)?;
    let position = |idx: usize| match &used {
        Some(used) => used.binary_search(&(idx as u64)).ok(),
        None => Some(idx),
    };
    let selected = |bits: &Bitmap| -> Bitmap {
        dictionary
            .iter()
            .map(|idx| idx.and_then(position).and_then(|at| bits.get(at)) == Some(true))
            .collect()
    };
    Ok(Answers { is_true: selected(&answers.is_true), is_false: selected(&answers.is_false) })
}

/// Applies a test to the values of the runs that lie in the array. A slice may contain few of all runs, and an array of a few
/// bytes may have any number of values.
fn through_runs(runs: &RunEndEncodedArray, question: &BoundQuestion) -> Result<Answers, PredicateError> {
    let n_slots = runs.len();
    let ends = runs.get(0).zip(n_slots.checked_sub(1).and_then(|last| runs.get(last)));
    let Some((first, last)) = ends else { return Ok(Answers::open(n_slots)) };
    let n_runs = last.saturating_sub(first).saturating_add(1);
    let answers = answer(&AnyArray::try_from(runs.values().slice(first, n_runs))?, question)?;
    let unfolded = |bits: &Bitmap| {
        let mut unfolded = BitmapBuilder::with_capacity(n_slots);
        for (run, holds) in (first..=last).zip(bits) {
            unfolded.extend_constant(holds, runs.run_slots(run).len());
        }
        unfolded.finish()
    };
    Ok(Answers { is_true: unfolded(&answers.is_true), is_false: unfolded(&answers.is_false) })
}

/// The slots for which the test is true. The bits of null slots have no meaning. `None` if a constant is not of the type of the
/// array.
fn holds(array: &AnyArray, question: &BoundQuestion) -> Result<Option<Bitmap>, PredicateError> {
    if let Some(flags) = array.downcast_ref::<BooleanArray>() {
        return Ok(flags_hold(flags.values(), question));
    }
    let test = NumberTest::try_new(array.data_type(), question);
    let test = test.as_ref();
    with_ordered!(array, numbers => Ok(test.and_then(|test| numbers_hold(numbers.values(), test))), other => {
        with_bytes!(
            other,
            values => Ok(bytes_hold(values, question)?),
            nested => Ok(forms_hold(nested, question)?)
        )
    })
}

fn flags_hold(flags: &Bitmap, question: &BoundQuestion) -> Option<Bitmap> {
    if let Question::IsTrue = question {
        return Some(flags.clone());
    }
    let set = value_set(question, |value| match value {
        BoundConstant::Flag(flag) => Some(*flag),
        BoundConstant::Number(_) | BoundConstant::Bytes(_) | BoundConstant::Form(_) => None,
    })?;
    let both = set.hold(&[false, true]);
    Some(match (both.get(0) == Some(true), both.get(1) == Some(true)) {
        (false, false) => Bitmap::new_unset(flags.len()),
        (true, true) => Bitmap::new_set(flags.len()),
        (false, true) => flags.clone(),
        (true, false) => flags.not(),
    })
}

/// The set of values that pass the test. `value` returns the value of a constant, or `None` for a constant of another type.
fn value_set<'a, V: PartialOrd + Copy>(
    question: &'a BoundQuestion,
    value: impl Fn(&'a BoundConstant) -> Option<V>,
) -> Option<ValueSet<V>> {
    match question {
        Question::Compare(comparison, constant) => {
            ValueSet::compared(*comparison, RelativePosition::At, Some(value(constant)?))
        }
        Question::OneOf(constants) => {
            Some(ValueSet::listed(constants.iter().map(value).collect::<Option<Vec<V>>>()?))
        }
        Question::CompareColumn(..) | Question::Like(..) | Question::IsNull | Question::IsTrue => None,
    }
}

/// Sorts constants of one column in the order of its values.
pub(super) fn sort(constants: &mut [BoundConstant]) -> Result<(), PredicateError> {
    let numbers: Vec<ArrayData> = constants.iter().filter_map(BoundConstant::as_value).cloned().collect();
    let positions = if !numbers.is_empty() && numbers.len() == constants.len() {
        let numbers = AnyArray::try_from(concat(&numbers).map_err(ArrayError::from)?)?;
        with_ordered!(&numbers, numbers => sorted_positions(numbers.values()), _ => return Ok(()))
    } else {
        sorted_by(constants.len(), &|left, right| match (constants.get(left), constants.get(right)) {
            (Some(BoundConstant::Bytes(left)), Some(BoundConstant::Bytes(right))) => left.cmp(right),
            (Some(BoundConstant::Flag(left)), Some(BoundConstant::Flag(right))) => left.cmp(right),
            // Constants of other kinds need no order.
            _ => Ordering::Equal,
        })
    };
    let unsorted = constants.iter_mut().map(|constant| mem::replace(constant, BoundConstant::Flag(false)));
    let mut unsorted: Vec<BoundConstant> = unsorted.collect();
    for (constant, position) in constants.iter_mut().zip(positions) {
        if let Some(at_position) = unsorted.get_mut(position) {
            mem::swap(constant, at_position);
        }
    }
    Ok(())
}

/// The indices of the values in ascending order. NaN is last.
fn sorted_positions<V: PartialOrd>(values: &[V]) -> Vec<usize> {
    let compare = |left: Option<&V>, right: Option<&V>| {
        left.partial_cmp(&right).unwrap_or_else(|| left.is_some_and(is_nan).cmp(&right.is_some_and(is_nan)))
    };
    sorted_by(values.len(), &|left, right| compare(values.get(left), values.get(right)))
}

/// The numbers below `n` in the order of `compare`. Compiled once for all types, since a list has few constants.
#[inline(never)]
fn sorted_by(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..n).collect();
    positions.sort_by(|left, right| compare(*left, *right));
    positions
}

/// A test of numbers. Constants are the bytes of one number.
enum NumberTest<'a> {
    Compare(ComparisonOperator, RelativePosition, Option<&'a Buffer>),
    OneOf(Vec<&'a Buffer>),
}

impl<'a> NumberTest<'a> {
    /// `None` if a constant has another type.
    fn try_new(data_type: &DataType, question: &'a BoundQuestion) -> Option<NumberTest<'a>> {
        let position = |constant: &'a BoundConstant| {
            let BoundConstant::Number(number) = constant else { return None };
            let (position, array) = number.relative();
            let is_of_type = array.is_none_or(|array| array.data_type().same_type(data_type));
            is_of_type.then(|| (position, array.map(|array| array.buffer(0))))
        };
        match question {
            Question::Compare(comparison, constant) => {
                let (position, number) = position(constant)?;
                Some(NumberTest::Compare(*comparison, position, number))
            }
            Question::OneOf(constants) => {
                let number = |constant| match position(constant)? {
                    (RelativePosition::At, number) => number,
                    // No value equals such a constant, so `bind` has removed it from the list.
                    _ => None,
                };
                Some(NumberTest::OneOf(constants.iter().map(number).collect::<Option<_>>()?))
            }
            Question::CompareColumn(..) | Question::Like(..) | Question::IsNull | Question::IsTrue => None,
        }
    }
}

/// Applies a test to numbers of one Rust type. Arrow types with the same Rust type share the compiled code.
#[inline(never)]
fn numbers_hold<N: NativeType + PartialOrd>(numbers: &[N], test: &NumberTest<'_>) -> Option<Bitmap> {
    let number = |bytes: &&Buffer| bytes.view::<N>().ok()?.first().copied();
    let set = match test {
        NumberTest::Compare(comparison, position, constant) => {
            ValueSet::compared(*comparison, *position, constant.as_ref().and_then(number))?
        }
        NumberTest::OneOf(constants) => {
            ValueSet::listed(constants.iter().map(number).collect::<Option<_>>()?)
        }
    };
    Some(set.hold(numbers))
}

fn bytes_hold<A>(values: &A, question: &BoundQuestion) -> Result<Option<Bitmap>, SelectError>
where
    A: for<'a> Array<Item<'a> = &'a [u8]>,
{
    // Copies the values of any layout in blocks, so that the same code compares them and memory stays small.
    const BLOCK_SLOTS: usize = 4096;
    let Some(test) = BytesTest::try_new(question) else { return Ok(None) };
    // Other values take up their bytes, so reading each of them is in proportion to the array.
    let mut long = values.data().layout().may_share().then(|| LongValues::new(&[values.data()]));
    let mut holds = BitmapBuilder::with_capacity(values.len());
    let mut block = Vec::with_capacity(BLOCK_SLOTS.min(values.len()));
    for start in (0..values.len()).step_by(BLOCK_SLOTS) {
        let end = start.saturating_add(BLOCK_SLOTS).min(values.len());
        block.clear();
        block.extend((start..end).map(|slot| values.value(slot)));
        holds.extend_from_bitmap(&test.hold(&block, long.as_mut())?);
    }
    Ok(Some(holds.finish()))
}

/// A test of text or bytes.
enum BytesTest<'a> {
    Like(Pattern),
    Compare(ValueSet<&'a [u8]>),
    OneOf(ListedBytes<'a>),
}

impl<'a> BytesTest<'a> {
    fn try_new(question: &'a BoundQuestion) -> Option<BytesTest<'a>> {
        if let Question::Like(pattern, case) = question {
            return Some(BytesTest::Like(Pattern::new(pattern, *case)));
        }
        let bytes = |value: &'a BoundConstant| match value {
            BoundConstant::Bytes(bytes) => Some(bytes.as_slice()),
            BoundConstant::Flag(_) | BoundConstant::Number(_) | BoundConstant::Form(_) => None,
        };
        if let Question::OneOf(values) = question {
            let listed: Option<Vec<&[u8]>> = values.iter().map(bytes).collect();
            return listed.map(|listed| BytesTest::OneOf(ListedBytes::new(&listed)));
        }
        value_set(question, bytes).map(BytesTest::Compare)
    }

    #[inline(never)]
    fn hold<'b>(
        &self,
        values: &[&'b [u8]],
        long: Option<&mut LongValues<(usize, usize), bool>>,
    ) -> Result<Bitmap, SelectError>
    where
        'a: 'b,
    {
        Ok(match self {
            // Only patterns read whole values. The other tests read at most as many bytes as the constants have.
            BytesTest::Like(pattern) => match long {
                Some(long) if values.iter().any(|value| is_long(value)) => matching(pattern, values, long)?,
                _ => range_set::packed(values, |value| pattern.matches(value)),
            },
            BytesTest::Compare(set) => set.hold(values),
            BytesTest::OneOf(listed) => range_set::packed(values, |value| listed.contains(value)),
        })
    }
}

/// The values that match a pattern. Finds the answer for a long value once.
#[inline(never)]
fn matching(
    pattern: &Pattern,
    values: &[&[u8]],
    long: &mut LongValues<(usize, usize), bool>,
) -> Result<Bitmap, SelectError> {
    let holds = |value: &&[u8]| {
        if !is_long(value) {
            return Ok(pattern.matches(value));
        }
        long.answer(identity(value), value.len(), || pattern.matches(value))
    };
    values.iter().map(holds).collect()
}

/// Compares the text form of each value with constants while it is written, so that the text is not stored.
fn forms_hold(array: &AnyArray, question: &BoundQuestion) -> Result<Option<Bitmap>, ArrayError> {
    let (values, is_other) = match question {
        Question::Compare(comparison, value) => {
            (std::slice::from_ref(value), *comparison == ComparisonOperator::NotEqual)
        }
        Question::OneOf(values) => (values.as_slice(), false),
        Question::CompareColumn(..) | Question::Like(..) | Question::IsNull | Question::IsTrue => {
            return Ok(None);
        }
    };
    let forms: Option<Vec<&str>> = values.iter().map(BoundConstant::as_form).collect();
    let Some(forms) = forms else { return Ok(None) };
    let column = ColumnText::try_new(array.data(), TextStyle::Cell)?;
    let is_form = |slot: usize, form: &str| {
        let mut rest = ExpectedForm(form);
        write!(rest, "{}", column.value(slot)).is_ok() && rest.0.is_empty()
    };
    let holds = |slot: usize| forms.iter().any(|form| is_form(slot, form)) != is_other;
    if array.data().is_uniform() && !array.is_empty() {
        // All slots have the same value.
        let is_all = holds(0);
        return Ok(Some(if is_all { Bitmap::new_set(array.len()) } else { Bitmap::new_unset(array.len()) }));
    }
    Ok(Some((0..array.len()).map(holds).collect()))
}

/// The rest of an expected text. Writing a different text to it is an error.
struct ExpectedForm<'a>(&'a str);

impl fmt::Write for ExpectedForm<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}
