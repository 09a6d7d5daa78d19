//! The values that JavaScript refers to by handles, and the results of its calls.
//!
//! **Invariant:** a handle of a value that was freed is an error until at least 32,767 other values have been freed; one of another kind
//! always is.

use std::{
    cell::RefCell,
    collections::{TryReserveError, VecDeque},
    sync::Arc,
};

use arrow_data::RecordBatch;

#[cfg(feature = "recover")]
use crate::recovery::SoundCopy;
use crate::{
    columns::Described,
    failure::{Failure, Result},
    file::File,
    input::Input,
    plan::Plan,
    rows::Rows,
};
#[cfg(feature = "full")]
use crate::{inspection::Inspection, writer::Writer};

/// A value that has a handle.
pub(crate) enum Value {
    /// Bytes that JavaScript writes.
    Input(Input),
    /// Bytes that JavaScript reads.
    Output(Vec<u8>),
    Plan(Plan),
    File(Arc<File>),
    Rows(Arc<Rows>),
    Batch(RecordBatch),
    Columns(Described),
    #[cfg(feature = "full")]
    Writer(Box<Writer>),
    #[cfg(feature = "recover")]
    SoundCopy(Box<SoundCopy>),
    #[cfg(feature = "full")]
    Inspection(Box<Inspection>),
}

/// All state of the module.
#[derive(Default)]
pub(crate) struct State {
    slots: Vec<Slot>,
    /// The slots without a value. The first was freed longest ago.
    free: VecDeque<usize>,
    /// The text of the last error.
    pub(crate) failure: Option<Failure>,
    /// The numbers of the last result.
    pub(crate) numbers: Vec<f64>,
}

struct Slot {
    /// Counts the values that this slot has had, so that a handle of an earlier one is not of this one. It begins again after
    /// `MAX_GENERATION`.
    generation: u32,
    value: Option<Value>,
}

/// The bits of a handle that are the index of its slot. The others are a generation.
const INDEX_BITS: u32 = 22;
const MAX_GENERATION: u32 = (1 << (31 - INDEX_BITS)) - 1;

/// As many slots are free before one is used again, so that it takes many values until a handle is that of another one.
const MIN_FREE: usize = 64;

impl State {
    /// Keeps a value, and returns its handle.
    pub(crate) fn keep(&mut self, value: Value) -> Result<i32> {
        let free = if self.free.len() < MIN_FREE { None } else { self.free.pop_front() };
        let idx = match free {
            Some(idx) => idx,
            None if self.slots.len() >> INDEX_BITS == 0 => {
                self.slots
                    .try_reserve(1)
                    .map_err(|_: TryReserveError| Failure::misuse("no memory for a handle"))?;
                self.slots.push(Slot { generation: 0, value: None });
                self.slots.len().saturating_sub(1)
            }
            None => return Err(Failure::misuse("too many values are in use: free some")),
        };
        let slot = self.slots.get_mut(idx).ok_or_else(no_such_value)?;
        slot.value = Some(value);
        let handle = (slot.generation << INDEX_BITS) | u32::try_from(idx).unwrap_or(u32::MAX);
        i32::try_from(handle).map_err(|_| no_such_value())
    }

    fn slot(&mut self, handle: i32) -> Result<(usize, &mut Slot)> {
        let handle = u32::try_from(handle).map_err(|_| no_such_value())?;
        let idx = (handle & ((1 << INDEX_BITS) - 1)) as usize;
        let slot = self.slots.get_mut(idx).filter(|slot| slot.generation == handle >> INDEX_BITS);
        slot.map(|slot| (idx, slot)).ok_or_else(no_such_value)
    }

    pub(crate) fn get(&mut self, handle: i32) -> Result<&mut Value> {
        self.slot(handle)?.1.value.as_mut().ok_or_else(no_such_value)
    }

    /// Takes a value out, so that its handle is of no use any more.
    pub(crate) fn take(&mut self, handle: i32) -> Result<Value> {
        let (idx, slot) = self.slot(handle)?;
        let value = slot.value.take().ok_or_else(no_such_value)?;
        slot.generation =
            if slot.generation < MAX_GENERATION { slot.generation.saturating_add(1) } else { 0 };
        self.free.push_back(idx);
        Ok(value)
    }

    pub(crate) fn input(&mut self, handle: i32) -> Result<Input> {
        let value = self.take(handle)?;
        if let Value::Input(input) = value { Ok(input) } else { Err(value.is_no("an input")) }
    }

    /// The text that JavaScript has written.
    pub(crate) fn text(&mut self, handle: i32) -> Result<String> {
        let input = self.input(handle)?;
        Ok(std::str::from_utf8(input.as_slice()).map_err(Failure::misuse)?.to_owned())
    }

    /// The numbers of 32 bits that JavaScript has written.
    pub(crate) fn positions(&mut self, handle: i32) -> Result<Vec<usize>> {
        let input = self.input(handle)?;
        let words = input.as_slice().as_chunks::<4>().0.iter();
        Ok(words.map(|word| u32::from_le_bytes(*word) as usize).collect())
    }

    pub(crate) fn plan(&mut self, handle: i32) -> Result<&mut Plan> {
        let value = self.get(handle)?;
        if let Value::Plan(plan) = value { Ok(plan) } else { Err(value.is_no("a plan")) }
    }

    pub(crate) fn file(&mut self, handle: i32) -> Result<Arc<File>> {
        let value = self.get(handle)?;
        if let Value::File(file) = value { Ok(Arc::clone(file)) } else { Err(value.is_no("a file")) }
    }

    pub(crate) fn rows(&mut self, handle: i32) -> Result<Arc<Rows>> {
        let value = self.get(handle)?;
        if let Value::Rows(rows) = value {
            Ok(Arc::clone(rows))
        } else {
            Err(value.is_no("a selection of rows"))
        }
    }

    pub(crate) fn batch(&mut self, handle: i32) -> Result<RecordBatch> {
        let value = self.get(handle)?;
        if let Value::Batch(batch) = value { Ok(batch.clone()) } else { Err(value.is_no("a batch")) }
    }

    #[cfg(feature = "full")]
    pub(crate) fn writer(&mut self, handle: i32) -> Result<&mut Writer> {
        let value = self.get(handle)?;
        if let Value::Writer(writer) = value { Ok(writer) } else { Err(value.is_no("a writer")) }
    }

    #[cfg(feature = "recover")]
    pub(crate) fn sound_copy(&mut self, handle: i32) -> Result<&mut SoundCopy> {
        let value = self.get(handle)?;
        if let Value::SoundCopy(copy) = value { Ok(copy) } else { Err(value.is_no("a recovery")) }
    }

    #[cfg(feature = "full")]
    pub(crate) fn inspection(&mut self, handle: i32) -> Result<&mut Inspection> {
        let value = self.get(handle)?;
        if let Value::Inspection(inspection) = value {
            Ok(inspection)
        } else {
            Err(value.is_no("an inspection"))
        }
    }

    /// Where the bytes of a value are, and how many.
    pub(crate) fn bytes(&mut self, handle: i32) -> Result<&[u8]> {
        let value = self.get(handle)?;
        if let Value::Input(input) = value {
            Ok(input.as_slice())
        } else if let Value::Output(bytes) = value {
            Ok(bytes)
        } else if let Value::Columns(columns) = value {
            Ok(columns.words_as_bytes())
        } else {
            Err(value.is_no("a value with bytes"))
        }
    }
}

impl Value {
    fn is_no(&self, expected: &str) -> Failure {
        let found = match self {
            Value::Input(_) => "an input",
            Value::Output(_) => "an output",
            Value::Plan(_) => "a plan",
            Value::File(_) => "a file",
            Value::Rows(_) => "a selection of rows",
            Value::Batch(_) => "a batch",
            Value::Columns(_) => "columns",
            #[cfg(feature = "full")]
            Value::Writer(_) => "a writer",
            #[cfg(feature = "recover")]
            Value::SoundCopy(_) => "a recovery",
            #[cfg(feature = "full")]
            Value::Inspection(_) => "an inspection",
        };
        Failure::misuse(format!("the handle is of {found}, not of {expected}"))
    }
}

fn no_such_value() -> Failure {
    Failure::misuse("the value was freed")
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Runs a call on the state. The result is −1 if it fails.
pub(crate) fn call(run: impl FnOnce(&mut State) -> Result<i32>) -> i32 {
    STATE.with(|state| {
        // No call runs during another one: the module calls nothing.
        let Ok(mut state) = state.try_borrow_mut() else { return -1 };
        match run(&mut state) {
            Ok(result) => result,
            Err(failure) => {
                state.failure = Some(failure);
                -1
            }
        }
    })
}
