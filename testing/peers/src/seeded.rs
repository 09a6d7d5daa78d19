//! Arrays of any type from a seed, built from raw buffers.
//!
//! The first slots have the edge values of the type, the later ones random values. Null slots have garbage: a value, a
//! non-empty range, an index. Lists begin after the first item of their child, and do not use its last items. Views use
//! several data buffers. List views overlap and are in reverse order. Dictionaries repeat values.

mod dice;
mod fixed;

pub use dice::Dice;
use fixed::fixed_value;
use rs_array::{RecordBatch, RecordBatchOptions, make_array};
use rs_buffer::{BooleanBuffer, Buffer, NullBuffer};
use rs_data::{ArrayData, ArrayDataBuilder};
use rs_schema::{DataType, Field, FieldRef, SchemaRef, UnionMode};
use std::collections::HashMap;

const TEXTS: [&str; 11] = [
    "",
    "a",
    "twelve bytes",
    "thirteen byte",
    "naïve café",
    "日本語のテキストです",
    "quote \" backslash \\ slash /",
    "tab\tnewline\nnul\0del\x7fnel\u{85}",
    "👩\u{200d}👩\u{200d}👧 family",
    "a text long enough for a data buffer of its own",
    "\u{feff}bom \u{2028} \u{ffff} \u{10ffff}",
];

/// Makes arrays. Each value type has one dictionary, so that the batches of a case share it.
pub struct Seeded {
    dice: Dice,
    /// One of this number of slots is null; 0 for no nulls.
    one_null_in: u64,
    dictionaries: HashMap<(DataType, bool), ArrayData>,
}

impl Seeded {
    pub fn new(seed: u64, one_null_in: u64) -> Self {
        Self { dice: Dice::new(seed), one_null_in, dictionaries: HashMap::new() }
    }

    pub fn batch(&mut self, schema: &SchemaRef, n_rows: usize) -> RecordBatch {
        let columns = schema.fields().iter().map(|field| make_array(self.column(field, n_rows))).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
        RecordBatch::try_new_with_options(schema.clone(), columns, &options)
            .expect("the columns fit their schema")
    }

    fn column(&mut self, field: &Field, n: usize) -> ArrayData {
        self.array(field.data_type(), n, field.is_nullable())
    }

    fn array(&mut self, data_type: &DataType, n: usize, nullable: bool) -> ArrayData {
        use DataType::*;
        let array = ArrayData::builder(data_type.clone()).len(n);
        match data_type {
            Null => return built(array),
            Union(fields, mode) => {
                // A union has no validity of its own: it is null where the child is.
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(id, field)| {
                        (id, field.as_ref().clone().with_nullable(nullable && field.is_nullable()))
                    })
                    .collect();
                return self.union(array, &fields, *mode, n);
            }
            RunEndEncoded(run_ends, values) => {
                let values = values.as_ref().clone().with_nullable(nullable);
                return self.runs(array, [run_ends, &values], n);
            }
            _ => {}
        }
        let array = array.nulls(self.validity(n, nullable));
        match data_type {
            Boolean => built(
                array.add_buffer(BooleanBuffer::collect_bool(n, |_| self.dice.below(2) == 1).into_inner()),
            ),
            Struct(fields) => {
                let children = fields.iter().map(|field| self.column(field, n)).collect();
                built(array.child_data(children))
            }
            FixedSizeList(item, n_items) => {
                built(array.add_child_data(self.column(item, n * *n_items as usize)))
            }
            List(item) | LargeList(item) => {
                let offsets = self.offsets(1, n);
                let n_child = offsets[n] as usize + 2;
                let offsets = packed(&offsets, if matches!(data_type, List(_)) { 4 } else { 8 });
                built(array.add_buffer(offsets).add_child_data(self.column(item, n_child)))
            }
            ListView(item) => self.list_view(array, item, (n, 4)),
            LargeListView(item) => self.list_view(array, item, (n, 8)),
            Map(entries, sorted) => {
                let offsets = self.offsets(0, n);
                let entries = self.entries(entries, *sorted, offsets[n] as usize);
                built(array.add_buffer(packed(&offsets, 4)).add_child_data(entries))
            }
            Dictionary(index, value) => self.dictionary(array, [index, value], (n, nullable)),
            Utf8View | BinaryView => self.views(array, data_type, n),
            Utf8 | Binary | LargeUtf8 | LargeBinary => {
                let values: Vec<_> = (0..n).map(|slot| self.bytes_at(data_type, slot)).collect();
                let mut offsets = vec![0];
                offsets.extend(values.iter().scan(0, |end, value| {
                    *end += value.len() as i64;
                    Some(*end)
                }));
                let width = if matches!(data_type, Utf8 | Binary) { 4 } else { 8 };
                built(array.add_buffer(packed(&offsets, width)).add_buffer(Buffer::from_vec(values.concat())))
            }
            _ => {
                let values: Vec<_> =
                    (0..n).map(|slot| fixed_value(&mut self.dice, data_type, slot)).collect();
                built(array.add_buffer(Buffer::from_vec(values.concat())))
            }
        }
    }

    fn validity(&mut self, n: usize, nullable: bool) -> Option<NullBuffer> {
        let one_null_in = self.one_null_in;
        (nullable && one_null_in > 0).then(|| (0..n).map(|_| self.dice.below(one_null_in) != 0).collect())
    }

    fn offsets(&mut self, first: i64, n: usize) -> Vec<i64> {
        let mut offsets = vec![first];
        for slot in 0..n {
            offsets.push(offsets[slot] + self.dice.below(4) as i64);
        }
        offsets
    }

    fn bytes_at(&mut self, data_type: &DataType, slot: usize) -> Vec<u8> {
        if matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
            let random = self.dice.below(TEXTS.len() as u64) as usize;
            TEXTS.get(slot).copied().unwrap_or(TEXTS[random]).as_bytes().to_vec()
        } else {
            let random = self.dice.below(20) as usize;
            let n_bytes = [0, 1, 12, 13, 30].get(slot).copied().unwrap_or(random);
            self.dice.bytes(n_bytes)
        }
    }

    fn views(&mut self, array: ArrayDataBuilder, data_type: &DataType, n: usize) -> ArrayData {
        // Each buffer starts with bytes that nothing refers to; the last is not referred to at all.
        let mut data = [b"unused".to_vec(), b"-".to_vec(), b"never referred to".to_vec()];
        let mut views = Vec::new();
        for slot in 0..n {
            let value = self.bytes_at(data_type, slot);
            views.extend((value.len() as u32).to_le_bytes());
            if value.len() <= 12 {
                views.extend(value.iter().copied().chain([0; 12]).take(12));
            } else {
                let idx = slot % 2;
                views.extend(&value[..4]);
                views.extend((idx as u32).to_le_bytes());
                views.extend((data[idx].len() as u32).to_le_bytes());
                data[idx].extend(value);
            }
        }
        built(array.add_buffer(Buffer::from_vec(views)).add_buffers(data.map(Buffer::from_vec)))
    }

    fn list_view(
        &mut self,
        array: ArrayDataBuilder,
        item: &FieldRef,
        (n, width): (usize, usize),
    ) -> ArrayData {
        let n_child = n as u64 + 3;
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for slot in 0..n as u64 {
            let offset = if slot % 3 == 0 { self.dice.below(n_child) } else { n_child - 1 - slot };
            offsets.push(offset as i64);
            sizes.push(self.dice.below(4.min(n_child - offset + 1)) as i64);
        }
        let child = self.column(item, n_child as usize);
        built(
            array.add_buffer(packed(&offsets, width)).add_buffer(packed(&sizes, width)).add_child_data(child),
        )
    }

    fn entries(&mut self, entries: &FieldRef, sorted: bool, n: usize) -> ArrayData {
        let DataType::Struct(fields) = entries.data_type() else { unreachable!("entries are structs") };
        let keys = if sorted {
            // Keys that grow over the whole array grow within each map.
            assert_eq!(fields[0].data_type(), &DataType::Int32);
            let keys: Vec<_> = (0..n as i64).map(|k| 3 * k - 5).collect();
            built(ArrayData::builder(DataType::Int32).len(n).add_buffer(packed(&keys, 4)))
        } else {
            self.column(&fields[0], n)
        };
        let values = self.column(&fields[1], n);
        built(ArrayData::builder(entries.data_type().clone()).len(n).child_data(vec![keys, values]))
    }

    fn union(
        &mut self,
        array: ArrayDataBuilder,
        fields: &[(i8, Field)],
        mode: UnionMode,
        n: usize,
    ) -> ArrayData {
        let n_fields = fields.len();
        let random = |dice: &mut Dice| dice.below(n_fields as u64) as usize;
        let picks: Vec<_> = (0..n)
            .map(|slot| if slot < 2 * n_fields { slot % n_fields } else { random(&mut self.dice) })
            .collect();
        let ids: Vec<_> = fields.iter().map(|(id, _)| i64::from(*id)).collect();
        let ids: Vec<_> = picks.iter().map(|&child| ids[child]).collect();
        let array = array.add_buffer(packed(&ids, 1));
        if mode == UnionMode::Sparse {
            let children = fields.iter().map(|(_, field)| self.column(field, n)).collect();
            return built(array.child_data(children));
        }
        let mut last = vec![-1; n_fields];
        let mut offsets = Vec::new();
        for child in picks {
            // Slots may share a value of the child or leave holes in it.
            last[child] += if last[child] < 0 { 1 } else { [0, 1, 1, 1, 2][self.dice.below(5) as usize] };
            offsets.push(last[child]);
        }
        let children =
            fields.iter().zip(last).map(|((_, field), last)| self.column(field, (last + 3) as usize));
        let children = children.collect();
        built(array.add_buffer(packed(&offsets, 4)).child_data(children))
    }

    fn dictionary(
        &mut self,
        array: ArrayDataBuilder,
        [index, value]: [&DataType; 2],
        (n, nullable): (usize, bool),
    ) -> ArrayData {
        let key = (value.clone(), nullable);
        if !self.dictionaries.contains_key(&key) {
            let values = self.array(value, 13, nullable);
            self.dictionaries.insert(key.clone(), values);
        }
        let values = self.dictionaries[&key].clone();
        let indices: Vec<_> =
            (0..n as i64).map(|slot| if slot < 13 { slot } else { self.dice.below(13) as i64 }).collect();
        let width = index.primitive_width().expect("indices are integers");
        built(array.add_buffer(packed(&indices, width)).add_child_data(values))
    }

    fn runs(&mut self, array: ArrayDataBuilder, [run_ends, values]: [&Field; 2], n: usize) -> ArrayData {
        let mut ends = Vec::new();
        while n > 0 && ends.last().is_none_or(|&end| end < n as i64) {
            ends.push(ends.last().copied().unwrap_or(0) + 1 + self.dice.below(3) as i64);
        }
        let width = run_ends.data_type().primitive_width().expect("run ends are integers");
        let end_array =
            ArrayData::builder(run_ends.data_type().clone()).len(ends.len()).add_buffer(packed(&ends, width));
        let values = self.column(values, ends.len());
        built(array.child_data(vec![built(end_array), values]))
    }
}

fn built(array: ArrayDataBuilder) -> ArrayData {
    array.align_buffers(true).build().expect("the buffers fit the type")
}

/// Little-endian integers of `width` bytes each.
fn packed(values: &[i64], width: usize) -> Buffer {
    values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)).collect::<Vec<u8>>().into()
}
