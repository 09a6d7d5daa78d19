//! Makes random nested types with unusual names.

use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, KeyOrder, MapType, Metadata,
    RunEndEncodedType, RunEndType, Schema, UnionMode,
};
use testing_support::{Rng, all_types};

const NAMES: [&str; 26] = [
    "a",
    "b",
    "item",
    "_9",
    "",
    " ",
    "9",
    "a b",
    "at ",
    "x at ",
    "a.b",
    ".",
    "\"",
    "\\",
    "\\u0061",
    "<dictionary>",
    "a: int8, b",
    "not null",
    "a\nb",
    "\0\u{7f}\u{9f}",
    "\u{2028}\u{202e}",
    "größe",
    "🦀",
    "list<item: int8>",
    ">",
    "a,b;c=d",
];

/// The random source and the limits for making types.
pub(crate) struct RandomTypes {
    rng: Rng,
    known: Vec<DataType>,
    has_metadata: bool,
}

impl RandomTypes {
    pub(crate) fn new(seed: u64) -> Self {
        let known = all_types().into_iter().map(|(_, data_type)| data_type).collect();
        Self { rng: Rng::new(seed), known, has_metadata: false }
    }

    /// Fields on all levels have metadata, and some have long names.
    pub(crate) fn with_metadata(self) -> Self {
        Self { has_metadata: true, ..self }
    }

    pub(crate) fn schema(&mut self, n_levels: usize) -> Schema {
        Schema::new(self.fields(n_levels))
    }

    fn fields(&mut self, n_levels: usize) -> Vec<Field> {
        (0..self.rng.below(5)).map(|_| self.field(n_levels)).collect()
    }

    fn field(&mut self, n_levels: usize) -> Field {
        let data_type = self.data_type(n_levels);
        self.field_of(data_type)
    }

    fn field_of(&mut self, data_type: DataType) -> Field {
        let name = *self.rng.pick(&NAMES);
        // Names are often numbers, so that few of them repeat.
        let name =
            if self.rng.one_in(2) { format!("{name}{}", self.rng.below(1000)) } else { name.to_owned() };
        let field = Field::new(name, data_type).with_nullability(self.rng.one_in(2).into());
        if self.has_metadata { self.noted(field) } else { field }
    }

    fn noted(&mut self, field: Field) -> Field {
        // The positions of a field may be the name of another.
        let name = match self.rng.below(8) {
            0 => field.name().repeat(100),
            1 => format!("at {}", self.rng.below(3)),
            _ => field.name().to_owned(),
        };
        let note = Metadata::from_iter([("k", self.rng.below(1000).to_string())]);
        let field = field.with_name(name);
        if self.rng.one_in(2) { field.with_metadata(note) } else { field }
    }

    pub(crate) fn data_type(&mut self, n_levels: usize) -> DataType {
        let below = n_levels.saturating_sub(1);
        let kind = if n_levels <= 1 { usize::MAX } else { self.rng.below(11) };
        match kind {
            0 => DataType::list(self.field(below)),
            1 => DataType::large_list(self.field(below)),
            2 => DataType::list_view(self.field(below)),
            3 => DataType::large_list_view(self.field(below)),
            4 => {
                let n_items = *self.rng.pick(&[0, 1, 7, 2_147_483_647]);
                DataType::fixed_size_list(self.field(below), n_items).expect("the size is legal")
            }
            5 => DataType::struct_(self.fields(below)),
            6 => {
                let entries = DataType::struct_([self.field(below), self.field(below)]);
                let entries = self.field_of(entries);
                let order = *self.rng.pick(&[KeyOrder::Sorted, KeyOrder::Unsorted]);
                MapType::try_new(entries, order).expect("the entries are a struct of two").into()
            }
            7 => {
                let mut children = Vec::new();
                let mut type_id = 0;
                for field in self.fields(below) {
                    type_id += i8::try_from(1 + self.rng.below(20)).expect("it is small");
                    children.insert(self.rng.below(children.len() + 1), (type_id, field));
                }
                let mode = *self.rng.pick(&[UnionMode::Sparse, UnionMode::Dense]);
                DataType::union(mode, children).expect("type ids are different")
            }
            8 | 9 => {
                let index = *self.rng.pick(&IndexType::ALL);
                let value = self.data_type(below);
                let value = if value.is_dictionary() { DataType::Utf8 } else { value };
                let order = *self.rng.pick(&[DictionaryOrder::Ordered, DictionaryOrder::Unordered]);
                DictionaryType::try_new(index, value, order).expect("the value is no dictionary").into()
            }
            10 => {
                let run_ends = DataType::from(*self.rng.pick(&RunEndType::ALL));
                let run_ends = self.field_of(run_ends);
                RunEndEncodedType::try_new(run_ends, self.field(below)).expect("run ends are integers").into()
            }
            _ => self.rng.pick(&self.known).clone(),
        }
    }
}
