//! Converts values of columns to Python objects. The function for an array is chosen once, by its type.

mod nested;
mod temporal;

use std::{
    cell::{Cell, RefCell},
    ops::Range,
};

use arrow_array::{
    AnyArray, Array, ArrayError, DecimalParameters, NativeDecimal, PrimitiveArray, PrimitiveType, ValueForm,
};
use arrow_buffer::F16;
use arrow_data::ArrayData;
use arrow_schema::{Field, FieldPath};
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBool, PyBytes, PyList, PyString},
};

use crate::{calls, error::arrow_ipc_error, location::Location};

pub(crate) use self::nested::Records;

/// Converts the values of an array.
pub(crate) type Values = Box<dyn ValueConverter>;

/// Makes the Python value of a slot. Implemented by closures, one for each type of array.
pub(crate) trait ValueConverter: Send + Sync {
    /// The value of a slot, which must be in bounds; `None` if it is null.
    fn value<'py>(&self, making: &ValueFactory<'py>, slot: usize) -> PyResult<PyValue<'py>>;

    /// The values of several slots as a list. Each implementation has its own loop, without a dynamic call per slot.
    fn list<'py>(&self, making: &ValueFactory<'py>, slots: Range<usize>) -> PyResult<Bound<'py, PyList>>;
}

impl<F> ValueConverter for F
where
    F: for<'a, 'py> Fn(&'a ValueFactory<'py>, usize) -> PyResult<PyValue<'py>> + Send + Sync,
{
    fn value<'py>(&self, making: &ValueFactory<'py>, slot: usize) -> PyResult<PyValue<'py>> {
        self(making, slot)
    }

    fn list<'py>(&self, making: &ValueFactory<'py>, slots: Range<usize>) -> PyResult<Bound<'py, PyList>> {
        fill_list(making, slots, PAID_AT_ONCE, |slot| self(making, slot).map(Some))
    }
}

/// Makes a converter from a closure.
pub(crate) fn values_with(
    make: impl for<'a, 'py> Fn(&'a ValueFactory<'py>, usize) -> PyResult<PyValue<'py>> + Send + Sync + 'static,
) -> Values {
    Box::new(make)
}

/// Converts values without running other Python code; nulls become `None`.
struct ScalarConverter<F> {
    make: F,
    /// The number of values to make before other threads may run.
    n_at_once: usize,
}

impl<F> ValueConverter for ScalarConverter<F>
where
    F: for<'a, 'py> Fn(&'a ValueFactory<'py>, usize) -> PyResult<Option<PyValue<'py>>> + Send + Sync,
{
    fn value<'py>(&self, making: &ValueFactory<'py>, slot: usize) -> PyResult<PyValue<'py>> {
        Ok((self.make)(making, slot)?.unwrap_or_else(|| making.none()))
    }

    fn list<'py>(&self, making: &ValueFactory<'py>, slots: Range<usize>) -> PyResult<Bound<'py, PyList>> {
        fill_list(making, slots, self.n_at_once, |slot| (self.make)(making, slot))
    }
}

/// Converts plain values of an array. `make` must not let other threads run.
fn plain(
    data: &ArrayData,
    make: impl for<'a, 'py> Fn(&'a ValueFactory<'py>, usize) -> PyResult<Option<PyValue<'py>>>
    + Send
    + Sync
    + 'static,
) -> Values {
    let n_bytes_each = data.n_bytes() / (data.len() as u64).max(1);
    let n_at_once = usize::try_from(BYTES_AT_ONCE / n_bytes_each.max(1)).unwrap_or(usize::MAX);
    Box::new(ScalarConverter { make, n_at_once: n_at_once.clamp(1, MAX_AT_ONCE) })
}

/// Makes a list of `n_values` times `None`, if the budget allows it. The list is filled later. Other threads may see
/// it before, so it must not have empty elements.
fn none_list<'py>(making: &ValueFactory<'py>, n_values: usize) -> PyResult<Bound<'py, PyList>> {
    making.check(n_values)?;
    Ok(PyList::new(making.py, [making.none()])?.into_sequence().repeat(n_values)?.cast_into()?)
}

/// Makes a list of values one by one. `n_at_once` values at a time count against the budget.
fn fill_list<'py>(
    making: &ValueFactory<'py>,
    slots: Range<usize>,
    n_at_once: usize,
    make: impl Fn(usize) -> PyResult<Option<PyValue<'py>>>,
) -> PyResult<Bound<'py, PyList>> {
    if slots.len() <= MAX_SHORT && slots.len() <= n_at_once {
        return short_list(making, slots, make);
    }
    let list = none_list(making, slots.len())?;
    let start = slots.start;
    let end = slots.end;
    for first in slots.step_by(n_at_once) {
        let part = first..end.min(first.saturating_add(n_at_once));
        making.spend(part.len())?;
        for slot in part {
            if let Some(value) = make(slot)? {
                list.set_item(slot - start, value)?;
            }
        }
    }
    Ok(list)
}

/// The greatest number of values of a short list.
const MAX_SHORT: usize = 8;

/// Makes a short list, after all of its values. Other threads never see it with empty elements either.
fn short_list<'py>(
    making: &ValueFactory<'py>,
    slots: Range<usize>,
    make: impl Fn(usize) -> PyResult<Option<PyValue<'py>>>,
) -> PyResult<Bound<'py, PyList>> {
    let n_values = slots.len();
    making.check(n_values)?;
    making.spend(n_values)?;
    let mut values = [const { None }; MAX_SHORT];
    for (value, slot) in values.iter_mut().zip(slots) {
        *value = make(slot)?;
    }
    let values = values.into_iter().take(n_values);
    PyList::new(making.py, values.map(|value| value.unwrap_or_else(|| making.none())))
}

/// A Python value.
pub(crate) type PyValue<'py> = Bound<'py, PyAny>;

/// A call that makes values: the interpreter, and how many more values the call may make.
///
/// Lists and views may refer to the same items many times, and nulls need no bytes. The values of a small array may
/// therefore not fit into memory. The budget is in proportion to the bytes of the array.
pub(crate) struct ValueFactory<'py> {
    pub(crate) py: Python<'py>,
    n_left: Cell<u64>,
    aligned: RefCell<AlignedBytes>,
}

/// Aligned memory for copying a short text.
#[repr(align(8))]
struct AlignedBytes([u8; 64]);

/// The number of values that a call may make from an array of any length.
const MIN_VALUES: u64 = 16 << 20;
/// How many more values each byte of the array allows.
const VALUES_PER_BYTE: u64 = 8;
/// How many bytes of text count as one value.
const BYTES_PER_VALUE: usize = 16;
/// How many values of a list count against the budget at once.
const PAID_AT_ONCE: usize = 256;
/// How many plain values are made before other threads may run, and interrupts are noticed. Making them takes some
/// milliseconds.
const MAX_AT_ONCE: usize = 1 << 16;
/// About how many bytes of an array become plain values before other threads may run.
const BYTES_AT_ONCE: u64 = 16 << 20;
/// After how many values other threads may run, and interrupts are noticed.
const VALUES_PER_TURN: u64 = 1 << 14;

impl<'py> ValueFactory<'py> {
    /// The budget for arrays of this length in total.
    pub(crate) fn new(py: Python<'py>, n_bytes: u64) -> ValueFactory<'py> {
        ValueFactory::with_at_most(py, n_bytes.saturating_mul(VALUES_PER_BYTE).saturating_add(MIN_VALUES))
    }

    /// A budget of `n_values` values.
    pub(crate) fn with_at_most(py: Python<'py>, n_values: u64) -> ValueFactory<'py> {
        ValueFactory { py, n_left: Cell::new(n_values), aligned: RefCell::new(AlignedBytes([0; 64])) }
    }

    /// Takes `n_values` values out of the budget, without letting other threads run.
    fn deduct(&self, n_values: usize) -> PyResult<()> {
        let Some(after) = self.n_left.get().checked_sub(n_values as u64) else { return Err(self.too_many()) };
        self.n_left.set(after);
        Ok(())
    }

    /// Takes `n_values` values out of the budget. Lets other threads run from time to time.
    pub(crate) fn spend(&self, n_values: usize) -> PyResult<()> {
        let before = self.n_left.get();
        self.deduct(n_values)?;
        let after = self.n_left.get();
        if before / VALUES_PER_TURN == after / VALUES_PER_TURN {
            return Ok(());
        }
        // Lets another thread run.
        self.py.detach(|| ());
        self.py.check_signals()
    }

    /// Whether the budget allows `n_values` more values.
    pub(crate) fn check(&self, n_values: usize) -> PyResult<()> {
        if n_values as u64 <= self.n_left.get() { Ok(()) } else { Err(self.too_many()) }
    }

    /// Whether the budget is empty.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.n_left.get() == 0
    }

    #[cold]
    fn too_many(&self) -> PyErr {
        self.n_left.set(0);
        let text = "the array has too many values for its bytes, since slots refer to the same items or bytes: take some of \
                    its slots, such as `array[:100]`, or iterate over it";
        arrow_ipc_error(
            self.py,
            text.to_owned(),
            "TooManyValues".to_owned(),
            "limit_exceeded",
            Location::default(),
        )
    }

    /// Makes a text. Python copies eight bytes at a time if they are aligned, which bytes of a column mostly are not.
    fn text(&self, value: &str) -> PyResult<PyValue<'py>> {
        if let Ok(mut aligned) = self.aligned.try_borrow_mut()
            && let Some(bytes) = aligned.0.get_mut(..value.len())
        {
            bytes.copy_from_slice(value.as_bytes());
            return Ok(PyString::from_bytes(self.py, bytes)?.into_any());
        }
        Ok(PyString::new(self.py, value).into_any())
    }

    fn none(&self) -> PyValue<'py> {
        self.py.None().into_bound(self.py)
    }
}

/// The field of an array, if any, and its path for errors. The extension type of the field may change what values mean.
pub(crate) struct ValuePath<'a> {
    pub(crate) field: Option<&'a Field>,
    pub(crate) path: FieldPath,
}

impl<'a> ValuePath<'a> {
    /// The path of a column or of a child, at `position` below `parent`.
    pub(crate) fn from_field(field: Option<&'a Field>, position: usize, parent: &FieldPath) -> ValuePath<'a> {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let path = parent.clone();
        ValuePath {
            field,
            path: field.map_or(path.clone(), |field| path.child(position, field.to_shared_name())),
        }
    }
}

/// The converter for an array with validated content.
pub(crate) fn values(py: Python<'_>, data: &ArrayData, path: &ValuePath<'_>) -> PyResult<Values> {
    let array = AnyArray::try_new(data).map_err(array_error)?;
    if let Some(values) = path.field.and_then(|field| extension(py, &array, field)).transpose()? {
        return Ok(values);
    }
    Ok(match array {
        AnyArray::Null(_) => values_with(|making, _| Ok(making.none())),
        AnyArray::Boolean(array) => {
            plain(data, move |making, slot| Ok(array.get(slot).map(|value| bool_of(making.py, value))))
        }
        AnyArray::Int8(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::Int16(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::Int32(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::Int64(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::UInt8(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::UInt16(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::UInt32(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::UInt64(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::Float16(array) => numbers(array, |py, value: F16| value.to_f32().into_bound_py_any(py)),
        AnyArray::Float32(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::Float64(array) => numbers(array, |py, value| value.into_bound_py_any(py)),
        AnyArray::Decimal32(array) => decimals(py, array)?,
        AnyArray::Decimal64(array) => decimals(py, array)?,
        AnyArray::Decimal128(array) => decimals(py, array)?,
        AnyArray::Decimal256(array) => decimals(py, array)?,
        AnyArray::FixedSizeBinary(array) => bytes(array),
        AnyArray::Binary(array) => bytes(array),
        AnyArray::LargeBinary(array) => bytes(array),
        AnyArray::BinaryView(array) => bytes(array),
        AnyArray::Utf8(array) => texts(array),
        AnyArray::LargeUtf8(array) => texts(array),
        AnyArray::Utf8View(array) => texts(array),
        AnyArray::Date32(_)
        | AnyArray::Date64(_)
        | AnyArray::Time32(_)
        | AnyArray::Time64(_)
        | AnyArray::Timestamp(_)
        | AnyArray::Duration(_)
        | AnyArray::IntervalYearMonth(_)
        | AnyArray::IntervalDayTime(_)
        | AnyArray::IntervalMonthDayNano(_) => temporal::values(py, &array, &path.path)?,
        AnyArray::List(array) => nested::lists(py, array, path)?,
        AnyArray::LargeList(array) => nested::lists(py, array, path)?,
        AnyArray::ListView(array) => nested::lists(py, array, path)?,
        AnyArray::LargeListView(array) => nested::lists(py, array, path)?,
        AnyArray::FixedSizeList(array) => nested::lists(py, array, path)?,
        AnyArray::Struct(array) => nested::structs(py, array, path)?,
        AnyArray::Map(array) => nested::maps(py, array, path)?,
        AnyArray::Union(array) => nested::unions(py, array, path)?,
        AnyArray::Dictionary(array) => nested::encoded(py, array, path)?,
        AnyArray::RunEndEncoded(array) => nested::encoded(py, array, path)?,
    })
}

/// The array was validated, so an error is a bug of this package.
fn array_error(error: ArrayError) -> PyErr {
    crate::error::Failure::from(error).into()
}

/// The converter for an extension type that has a type in Python.
fn extension(py: Python<'_>, array: &AnyArray, field: &Field) -> Option<PyResult<Values>> {
    match (ValueForm::from_field(field)?, array) {
        (ValueForm::Uuid, AnyArray::FixedSizeBinary(array)) => Some(uuids(py, array.clone())),
        (ValueForm::Bool8, AnyArray::Int8(array)) => {
            Some(Ok(numbers(array.clone(), |py, value| Ok(bool_of(py, value != 0)))))
        }
        // Dictionaries and runs convert their values later. The other types have no Python type.
        (ValueForm::Uuid | ValueForm::Bool8 | ValueForm::Json | ValueForm::Tensor(_), _) => None,
    }
}

fn uuids<A: for<'a> Array<Item<'a> = &'a [u8]> + Send + Sync>(py: Python<'_>, array: A) -> PyResult<Values> {
    let class = py.import("uuid")?.getattr("UUID")?.unbind();
    Ok(values_with(move |making, slot| match array.get(slot) {
        Some(value) => calls::call(class.bind(making.py), (making.py.None(), PyBytes::new(making.py, value))),
        None => Ok(making.none()),
    }))
}

fn bool_of(py: Python<'_>, value: bool) -> PyValue<'_> {
    PyBool::new(py, value).to_owned().into_any()
}

fn numbers<T: PrimitiveType>(
    array: PrimitiveArray<T>,
    convert: impl for<'py> Fn(Python<'py>, T::Native) -> PyResult<PyValue<'py>> + Send + Sync + 'static,
) -> Values {
    let data = array.data().clone();
    plain(&data, move |making, slot| array.get(slot).map(|value| convert(making.py, value)).transpose())
}

/// Makes `Decimal`s with the scale of the type: 1.50 stays 1.50.
fn decimals<T>(py: Python<'_>, array: PrimitiveArray<T>) -> PyResult<Values>
where
    T: PrimitiveType<Parameters = DecimalParameters>,
    T::Native: NativeDecimal,
{
    let class = py.import("decimal")?.getattr("Decimal")?.unbind();
    let exponent = i64::from(array.scale()).saturating_neg();
    Ok(values_with(move |making, slot| {
        let Some(unscaled) = array.get(slot) else { return Ok(making.none()) };
        class.bind(making.py).call1((PyString::new(making.py, &format!("{unscaled}E{exponent}")),))
    }))
}

fn bytes<A: for<'a> Array<Item<'a> = &'a [u8]> + Send + Sync>(array: A) -> Values {
    let data = array.data().clone();
    plain(&data, move |making, slot| {
        let Some(value) = array.get(slot) else { return Ok(None) };
        making.deduct(value.len() / BYTES_PER_VALUE)?;
        Ok(Some(PyBytes::new(making.py, value).into_any()))
    })
}

fn texts<A: for<'a> Array<Item<'a> = &'a str> + Send + Sync>(array: A) -> Values {
    let data = array.data().clone();
    plain(&data, move |making, slot| {
        let Some(value) = array.get(slot) else { return Ok(None) };
        making.deduct(value.len() / BYTES_PER_VALUE)?;
        making.text(value).map(Some)
    })
}
