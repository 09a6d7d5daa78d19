//! Types as deep as can be allowed, in everything that descends into them, on a thread with little stack.
//!
//! CI runs this without optimisation, too, where frames are largest.

use std::sync::Arc;

use arrow_array::{AnyArray, AnyBuilder, DictionaryProofs};
use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, Validation, differences};
use arrow_ipc::{
    DictionaryPolicy, Endianness, FileReader, FileWriter, IpcSchema, Limits, Projection, ReadOptions,
    StreamReader, StreamWriter, UnusedValues, WriteOptions, WrittenContainer, dictionary::DictionaryUnifier,
};
use arrow_ipc_rewrite::plan::{BatchShape, PlanBuilder};
use arrow_schema::{Metadata, Schema, TextParser};
use arrow_select::{GrowingArray, Select, ValueTable, concat};
use arrow_text::{CsvRows, JsonRows};
use testing_support::{Operation, on_little_stack};

const OPERATIONS: &[Operation] = &[
    ("types as text", |batch| {
        let data_type = batch.columns()[0].data_type();
        let text = data_type.to_string();
        let parser = TextParser::new().with_max_depth(usize::MAX);
        assert_eq!(parser.data_type(&text).as_ref(), Ok(data_type));
        assert!(!format!("{data_type:?} {:?}", batch.schema()).is_empty());
    }),
    ("schemas", |batch| {
        let schema = batch.schema();
        let merged = Schema::try_merge([&**schema, &**schema]).expect("they are the same");
        assert_eq!(merged.check_same_columns(schema), Ok(()));
        let mut n_fields = 0;
        schema.walk(|_, _| n_fields += 1);
        assert_eq!(n_fields, schema.fields_in_pre_order().count());
    }),
    ("schema messages", |batch| {
        let message =
            IpcSchema::from(Arc::clone(batch.schema())).to_message(&Metadata::new()).expect("allowed");
        let limits = Limits::default().with_max_depth(usize::MAX);
        let (schema, _) = IpcSchema::try_from_message(message, &limits).expect("allowed");
        assert_eq!(schema.schema(), batch.schema());
    }),
    ("streams", |batch| {
        for (endianness, dictionaries) in
            [(Endianness::Little, DictionaryPolicy::Replace), (Endianness::Big, DictionaryPolicy::Delta)]
        {
            let options = WriteOptions::new().with_endianness(endianness).with_dictionaries(dictionaries);
            let options =
                options.with_unused_items(UnusedValues::Remove).with_unused_values(UnusedValues::Remove);
            let mut writer =
                StreamWriter::try_new_with(Vec::new(), batch.schema(), options).expect("allowed");
            writer.write(batch).expect("valid");
            writer.write(&batch.clone()).expect("valid");
            let stream = writer.finish().expect("valid");
            for batch in StreamReader::try_new_with(&*stream, any_depth()).expect("allowed") {
                assert_eq!(batch.expect("valid").n_rows(), 1);
            }
        }
    }),
    ("files", |batch| {
        let options = WriteOptions::new();
        let file = FileWriter::write_to_buffer_with(batch.schema(), &[batch.clone(), batch.clone()], options)
            .expect("valid");
        let reader = FileReader::try_new_with(file, any_depth()).expect("allowed");
        assert_eq!(reader.batch_rows(1, 0..1).expect("valid").n_rows(), 1);
        let path = reader.project(&Projection::paths(["deep"])).expect("a column");
        assert_eq!(path.batches().count(), 2);
        // Down to the value at the bottom, where a path can lead into the type.
        let bottom = format!("deep{}", ".item".repeat(batch.columns()[0].data_type().depth() - 1));
        if let Ok(path) = reader.project(&Projection::paths([&*bottom])) {
            assert!(path.batches().all(|batch| batch.is_ok()));
        }
        reader.check_dictionaries().expect("valid");
    }),
    ("unified dictionaries", |batch| {
        let mut unifier = DictionaryUnifier::try_new(batch.schema()).expect("allowed");
        unifier.observe(batch).expect("valid");
        let unified = unifier.finish().expect("valid");
        let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Unify(unified));
        assert!(
            FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), options).is_ok()
        );
    }),
    ("validation", |batch| {
        let batch = batch.clone().validate(Validation::Strict).expect("valid");
        let proven = DictionaryProofs::new().prove(&batch.columns()[0]).expect("valid");
        assert!(proven.logical_validity().is_ok());
    }),
    ("comparison", |batch| {
        let copy = batch.take(&[0]).expect("one row");
        assert_eq!(batch.same_values(&copy), Ok(true));
        assert_eq!(differences(batch, &copy).expect("the same columns").count(), 0);
        let (mut table, array) = (ValueTable::default(), &batch.columns()[0]);
        let mut values = arrow_select::ValueReader::try_new(array).expect("valid");
        table.insert(&mut values, 0).expect("short");
    }),
    ("selection", |batch| {
        let array = &batch.columns()[0];
        let all = [
            array.clone(),
            array.take(&[0]).expect("one slot"),
            array.filter(&Bitmap::from_iter([true])).expect("one slot"),
        ];
        assert_eq!(concat(&all).expect("the same type").len(), 3);
        let mut growing = GrowingArray::new(array.data_type());
        for part in &all {
            growing = growing.append(part, u64::MAX).expect("the same type");
        }
        assert_eq!(growing.array().len(), 3);
        let zeroed = array.clone().validate(Validation::Content).expect("valid").with_zeroed_nulls();
        assert_eq!(
            zeroed.expect("valid").with_used_values(arrow_select::UnusedValues::Remove).expect("valid").len(),
            1
        );
        assert_eq!(array.slice(1, 0).len() + ArrayData::new_empty(array.data_type()).len(), 0);
        assert!(!array.dump().to_string().is_empty());
    }),
    ("typed values", |batch| {
        let array = AnyArray::try_new(&batch.columns()[0]).expect("valid");
        assert!(array == array.clone() && !format!("{array:?} {batch:?}").is_empty());
        let mut builder = AnyBuilder::new(batch.columns()[0].data_type());
        builder.append_nulls(1);
        builder.truncate(0);
        assert!(builder.finish().expect("nothing is wrong").is_empty());
    }),
    ("rows as text", |batch| {
        for text in [
            JsonRows::try_new(batch).expect("valid").row(0).to_string(),
            CsvRows::try_new(batch).expect("valid").row(0).to_string(),
        ] {
            assert!(text.contains('1'), "{text}");
        }
    }),
    ("plans", |batch| {
        let mut plan = PlanBuilder::try_new(batch.schema(), WrittenContainer::File).expect("allowed");
        let pushed = plan.push(&BatchShape::try_from_batch(batch).expect("valid"), 1);
        // Dictionaries would have to be planned before.
        assert_eq!(pushed.is_ok(), plan.ipc_schema().dictionary_ids().is_empty());
    }),
];

fn any_depth() -> ReadOptions {
    ReadOptions::new().with_limits(Limits::default().with_max_depth(usize::MAX))
}

#[test]
fn the_deepest_types_need_little_stack() {
    on_little_stack(Limits::MAX_DEPTH, OPERATIONS);
}

#[test]
fn deeper_types_cannot_be_allowed() {
    assert_eq!(Limits::default().with_max_depth(usize::MAX).max_depth(), Limits::MAX_DEPTH);
    assert_eq!(TextParser::MAX_DEPTH, Limits::MAX_DEPTH);
}
