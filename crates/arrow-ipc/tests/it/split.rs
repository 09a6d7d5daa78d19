//! Batches are split into the fewest pieces whose messages fit.

use arrow_array::{Int64Array, Utf8Array};
use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, Physical, RecordBatch, References};
use arrow_ipc::{
    EncodedBytes, FileReader, FileWriter, IpcErrorKind, MessageKind, NullSlots, RowCounts, StreamEncoder,
    StreamReader, UnusedValues, Validation, WriteOptions, split_by_encoded_bytes,
    split_by_encoded_bytes_with,
};
use arrow_schema::{DataType, Field, RunEndType, work_done};
use arrow_select::{Select, concat_batches};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types, disguise, make};

use crate::{ALLOCATOR, codecs};

/// The fewest pieces, or the first row that does not fit, from the sizes of all slices.
fn naive(batch: &RecordBatch, max_bytes: u64, options: &WriteOptions) -> Result<usize, u64> {
    let size = |piece: RecordBatch| piece.n_encoded_bytes_with(options.clone()).unwrap();
    let n_rows = batch.n_rows();
    if size(batch.clone()) <= max_bytes {
        return Ok(1);
    }
    // Of unchecked arrays, a writer keeps unused data if they have dictionaries.
    let batch = batch.clone().validate(Validation::Content).unwrap();
    // The fewest pieces up to each row.
    let mut fewest = vec![Some(0)];
    for end in 1..=n_rows {
        let fits = |start: &usize| {
            let slice = batch.slice(*start, end - start);
            let least = slice.with_used_items(UnusedValues::Remove).unwrap();
            let has_unused = options.unused_items() == UnusedValues::Keep;
            size(slice) <= max_bytes || !has_unused && size(least) <= max_bytes
        };
        let all = (0..end).filter(fits).filter_map(|start| fewest[start]);
        fewest.push(all.min().map(|n: usize| n + 1));
    }
    let alone = (0..n_rows).find(|row| size(batch.slice(*row, 1)) > max_bytes);
    match (fewest[n_rows], alone) {
        (Some(n_pieces), _) => Ok(n_pieces),
        (None, Some(row)) => Err(row as u64),
        (None, None) => panic!("all rows fit alone"),
    }
}

/// Whether runs or views are items of list views or values of dense unions. Without unused items, such an array may be longer.
fn has_odd_items(arrays: &[ArrayData]) -> bool {
    fn has_runs_or_views(array: &ArrayData) -> bool {
        let own = matches!(array.layout().physical(), Physical::Runs(_) | Physical::Views);
        own || array.children().iter().any(has_runs_or_views)
    }
    arrays.iter().any(|array| {
        let is_odd = matches!(array.layout().references(), References::Items | References::Values)
            && array.children().iter().any(has_runs_or_views);
        is_odd || has_odd_items(array.children())
    })
}

fn check(batch: &RecordBatch, max_bytes: u64, options: &WriteOptions, name: &str) {
    let name = &format!("{name}, {max_bytes} bytes");
    let expected = naive(batch, max_bytes, options);
    let pieces = match split_by_encoded_bytes_with(batch, max_bytes, options.clone()) {
        Ok(pieces) => pieces,
        Err(error) => {
            let IpcErrorKind::MessageTooLong { row: Some(row), .. } = error.kind() else {
                panic!("{name}: {error}")
            };
            assert_eq!(expected, Err(*row), "{name}");
            return;
        }
    };
    if has_odd_items(batch.columns()) {
        assert!(expected.is_ok_and(|n_pieces| (n_pieces..=2 * n_pieces).contains(&pieces.len())), "{name}");
    } else {
        assert_eq!(expected, Ok(pieces.len()), "{name}");
    }
    for piece in &pieces {
        assert!(piece.n_encoded_bytes_with(options.clone()).unwrap() <= max_bytes, "{name}");
    }
    let joined = concat_batches(batch.schema().clone(), &pieces).unwrap();
    assert!(joined.same_values(batch).unwrap(), "{name}");

    // A writer makes the same pieces.
    let options = options.clone().with_max_message_bytes(max_bytes);
    let mut encoder = StreamEncoder::try_new_with(batch.schema(), options.clone()).unwrap();
    let n_batches = |encoded: &arrow_ipc::OwnedEncoded| {
        let batches = encoded.messages().iter().filter(|message| message.kind() == MessageKind::RecordBatch);
        let sizes: Vec<u64> = batches.map(|message| message.n_bytes()).collect();
        assert!(sizes.iter().all(|size| *size <= max_bytes), "{name}");
        sizes.len()
    };
    assert_eq!(n_batches(&encoder.encode(batch).unwrap()), pieces.len(), "{name}");
    let file =
        FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), options).unwrap();
    let read: Vec<RecordBatch> =
        FileReader::try_from_buffer(file).unwrap().batches().map(Result::unwrap).collect();
    assert_eq!(read.len(), pieces.len(), "{name}");
    assert!(read.iter().zip(&pieces).all(|(read, piece)| read.same_values(piece).unwrap()), "{name}");
}

#[test]
fn pieces_are_the_fewest_for_every_type() {
    let mut rng = Rng::new(8);
    let mut options = vec![
        WriteOptions::new().with_alignment(8),
        WriteOptions::new().with_unused_items(UnusedValues::Remove),
    ];
    if codecs::is_built_in("lz4") {
        options.push(WriteOptions::new().with_compression(arrow_ipc::Compression::lz4()));
    }
    for (type_idx, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(rng.below(100) as u64);
        let array = generator.array(&data_type, 30, Nulls::Some).slice(7, 18);
        let other = disguise(&mut generator, &array);
        for (idx, array) in [array, other].into_iter().enumerate() {
            let batch = RecordBatch::try_from_columns([("c", array)]).unwrap();
            let least = batch.slice(0, 1).n_encoded_bytes().unwrap();
            let most = batch.n_encoded_bytes().unwrap();
            for _ in 0..2 {
                let max_bytes = least - 8 + rng.below((most - least) as usize + 16) as u64;
                check(&batch, max_bytes, &WriteOptions::new(), &name);
            }
            let max_bytes = least.midpoint(most);
            for options in Hunt::from_env().some_of(&options, 1, type_idx + idx) {
                check(&batch, max_bytes, options, &name);
            }
        }
    }
}

/// Slots refer to long bytes in any order, so longer slices of the batch may have shorter messages.
#[test]
fn pieces_of_views_in_any_order_are_the_fewest() {
    let mut rng = Rng::new(5);
    let text: Vec<u8> = (0..4000).map(|at| b'a' + (at % 26) as u8).collect();
    for case in 0..10 {
        let views: Vec<View> = (0..30)
            .map(|_| {
                let start = rng.below(3700);
                View::long(&text[start..start + 13 + rng.below(280)], 0, start as i32).unwrap()
            })
            .collect();
        let array = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(views), Buffer::new()],
            variadic: Some([Buffer::copy_from(&text)].into()),
            ..ArrayParts::new(DataType::Utf8View, 30)
        });
        let batch = RecordBatch::try_from_columns([("c", array.unwrap())]).unwrap();
        for max_bytes in [700, 1000, 1500, 2000, 3000] {
            check(&batch, max_bytes, &WriteOptions::new(), &format!("case {case}"));
        }
    }
}

#[test]
fn many_rows_take_few_measurements() {
    let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1_000_000).into())]).unwrap();
    let pieces = split_by_encoded_bytes(&batch, 1 << 16).unwrap();
    let n_rows = pieces[0].n_rows();
    assert!(pieces.iter().rev().skip(1).all(|piece| piece.n_rows() == n_rows));
    assert_eq!(pieces.len(), 1_000_000_usize.div_ceil(n_rows));
    let nulls = RecordBatch::try_from_columns([("n", testing_support::endless_nulls())]).unwrap();
    assert_eq!(split_by_encoded_bytes(&nulls, 1 << 10).unwrap().len(), 1);
    assert!(split_by_encoded_bytes(&nulls, 10).is_err());
}

/// Each piece is measured without unused data. This takes its own rows, not those of the batch.
#[test]
fn pieces_of_nested_views_cost_what_they_have() {
    let n_steps = |n_rows: usize| {
        let text = vec![b'x'; 40 * n_rows];
        let views = (0..n_rows).map(|row| View::long(&text[..40], 0, 40 * row as i32).unwrap());
        let views = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(views.collect::<Vec<View>>()), Buffer::new()],
            variadic: Some([Buffer::from(text)].into()),
            ..ArrayParts::new(DataType::Utf8View, n_rows)
        });
        let views = views.unwrap();
        let numbers = (0..=n_rows as i64).collect::<Vec<i64>>();
        let data_type = DataType::list(Field::new("item", DataType::Utf8View));
        let lists = make::list(&data_type, &numbers, views.clone());
        let runs = make::runs(RunEndType::Int32, n_rows, &numbers[1..], views);
        [lists, runs].map(|column| {
            let batch = RecordBatch::try_from_columns([("views", column)]).unwrap();
            let before = work_done();
            let pieces = split_by_encoded_bytes(&batch, 16 << 10).unwrap();
            assert!(pieces.len() > n_rows / 400, "{}", pieces.len());
            work_done() - before
        })
    };
    let (few, many) = (n_steps(20_000), n_steps(80_000));
    for (few, many) in few.iter().zip(many) {
        assert!(many < 5 * few, "{few}, {many}");
    }
}

/// A list, a text and runs, each with nulls.
fn with_nulls(n_rows: usize) -> RecordBatch {
    let numbers = |n: usize| Int64Array::from_iter((0..n as i64).map(|n| (n % 3 > 0).then_some(n)));
    let offsets = || Buffer::from((0..=n_rows as i32).map(|row| row * 2).collect::<Vec<i32>>());
    let lists = ArrayData::try_new(ArrayParts {
        buffers: [offsets(), Buffer::new()],
        children: Some([numbers(2 * n_rows).into()].into()),
        ..ArrayParts::new(DataType::list(Field::new("item", DataType::Int64)), n_rows)
    });
    let texts = ArrayData::try_new(ArrayParts {
        validity: Some((0..n_rows).map(|row| row % 5 > 0).collect()),
        buffers: [offsets(), Buffer::from(vec![b'x'; 2 * n_rows])],
        ..ArrayParts::new(DataType::Utf8, n_rows)
    });
    let run_ends = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from((1..=n_rows as i32).collect::<Vec<i32>>()), Buffer::new()],
        ..ArrayParts::new(DataType::Int32, n_rows)
    });
    let runs = ArrayData::try_new(ArrayParts {
        children: Some([run_ends.unwrap(), numbers(n_rows).into()].into()),
        ..ArrayParts::new(DataType::run_end_encoded(RunEndType::Int32, DataType::Int64), n_rows)
    });
    let columns = [("lists", lists), ("texts", texts), ("runs", runs)];
    RecordBatch::try_from_columns(columns.map(|(name, array)| (name, array.unwrap()))).unwrap()
}

/// Zeros in null slots cost a copy of the batch, into however many pieces it is split, and however the caller slices it.
#[test]
fn zeros_are_written_once_for_all_pieces() {
    let zeros = WriteOptions::new().with_null_slots(NullSlots::Zeros);
    let n_allocated = |n_rows: usize, is_sliced: bool| {
        let batch = with_nulls(n_rows);
        let options = zeros.clone().with_max_message_bytes(1 << 14);
        let mut encoder = StreamEncoder::try_new_with(batch.schema(), options).unwrap();
        let n_slice_rows = if is_sliced { 200 } else { n_rows };
        let slices = (0..n_rows).step_by(n_slice_rows).map(|start| batch.slice(start, n_slice_rows));
        let slices: Vec<RecordBatch> = slices.collect();
        let mut n_messages = 0;
        let (_, usage) = ALLOCATOR.measure(|| {
            for slice in &slices {
                n_messages += encoder.encode(slice).unwrap().messages().len();
            }
        });
        assert!(n_messages >= n_rows / 500, "{n_messages} messages");
        usage.total_bytes
    };
    for is_sliced in [false, true] {
        let [few, many] = [20_000, 80_000].map(|n_rows| n_allocated(n_rows, is_sliced));
        assert!(many < 5 * few, "sliced: {is_sliced}, {few} and {many} bytes are allocated");
    }
    // The pieces are those that fit if they are written with the same options.
    let batch = with_nulls(1_000);
    let pieces = split_by_encoded_bytes_with(&batch, 4096, zeros.clone()).unwrap();
    assert!(pieces.iter().all(|piece| piece.n_encoded_bytes_with(zeros.clone()).unwrap() <= 4096));
    let joined = concat_batches(batch.schema().clone(), &pieces).unwrap();
    assert!(joined.same_values(&batch).unwrap());
}

/// Each piece of unchecked runs would check the runs of all pieces.
#[test]
fn runs_are_checked_before_they_are_split() {
    let pieces = split_by_encoded_bytes(&with_nulls(1_000), 4096).unwrap();
    assert!(pieces.len() > 5);
    for piece in pieces {
        let levels = piece.columns().iter().map(ArrayData::checked).collect::<Vec<Validation>>();
        assert_eq!(levels, [Validation::Structure, Validation::Structure, Validation::Content]);
    }
}

/// After a refused batch, encoders and footers are as before.
#[test]
fn a_row_that_does_not_fit_refuses_its_batch() {
    let batch = |long: usize| {
        let texts = (0..40).map(|row| "x".repeat(if row == 30 { long } else { 20 }));
        let texts = Utf8Array::try_from_iter(texts.collect::<Vec<String>>()).unwrap();
        RecordBatch::try_from_columns([("text", texts.into())]).unwrap()
    };
    let options = WriteOptions::new().with_max_message_bytes(600).with_row_counts(RowCounts::Written);
    let mut writer = FileWriter::try_new_with(Vec::new(), batch(1).schema(), options.clone()).unwrap();
    writer.write(&batch(20)).unwrap();
    let position = writer.position();
    let error = writer.write(&batch(600)).unwrap_err();
    assert!(
        matches!(error.kind(), IpcErrorKind::MessageTooLong { row: Some(30), max_bytes: 600, .. }),
        "{error}"
    );
    assert_eq!(writer.position(), position);
    writer.write(&batch(10)).unwrap();
    let file = FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap();
    assert_eq!(file.n_rows().unwrap(), 80);
    let batches: Vec<RecordBatch> = file.batches().map(Result::unwrap).collect();
    let joined = concat_batches(file.schema().clone(), &batches).unwrap();
    let expected = concat_batches(file.schema().clone(), &[batch(20), batch(10)]).unwrap();
    assert_eq!(joined, expected);

    // Custom metadata counts, and each piece has it.
    let metadata = [("key", "value".repeat(40))].into_iter().collect();
    let mut encoder = StreamEncoder::try_new_with(batch(1).schema(), options).unwrap();
    let mut stream = encoder.start().unwrap().to_bytes().to_vec();
    let encoded = encoder.encode_with_metadata(&batch(20), &metadata).unwrap();
    assert!(encoded.messages().iter().all(|message| message.n_bytes() <= 600));
    let n_pieces = encoded.messages().len();
    stream.extend_from_slice(&encoded.to_bytes());
    let mut reader = StreamReader::try_new(&*stream).unwrap();
    for _ in 0..n_pieces {
        assert_eq!(reader.next_batch().unwrap().unwrap().metadata, metadata);
    }
}
