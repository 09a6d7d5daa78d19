//! Indexes of streams: kept, wrong, and of other streams.

use arrow_array::Int64Array;

use super::{metadata::Repeated, *};

#[test]
fn an_index_opens_a_stream_in_two_requests() {
    let source = Repeated::new(1_000, 250_000, FetchCost::OBJECT_STORE);
    let walked = FileReader::try_new(source.clone()).unwrap();
    let index = StreamIndex::try_from_buffer(walked.index().unwrap().to_buffer().unwrap()).unwrap();
    source.take_requests();
    let reader = FileReader::try_new_indexed_with(source.clone(), &index, ReadOptions::new()).unwrap();
    let requests = source.take_requests();
    assert_eq!((requests.len(), requests[0].len()), (1, 2), "{requests:?}");
    assert_eq!((reader.n_batches(), reader.n_rows().unwrap()), (1_000, 250_000_000));
    assert_eq!(reader.batch(999).unwrap(), walked.batch(3).unwrap());
}

#[test]
fn an_index_of_another_stream_is_refused_and_one_of_a_shorter_stream_continues() {
    let batches = growing(30);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let ends: Vec<u64> = reader.footer().batches().iter().map(|block| block.range().end).collect();
    let until = |n_bytes: u64| bytes.slice(..usize::try_from(n_bytes).unwrap());
    let index_of = |bytes: &Buffer| FileReader::try_from_buffer(bytes.clone()).unwrap().index().unwrap();
    let open =
        |bytes: &Buffer, index| FileReader::try_new_indexed_with(bytes.clone(), index, ReadOptions::new());
    let short = index_of(&until(ends[9]));
    let continued = open(&bytes, &short).unwrap();
    assert!(continued.batches().map(Result::unwrap).eq(batches.iter().cloned()));
    assert_eq!(continued.stream_end(), Some(StreamEnd::Marker));
    // A stream that was cut since, one that ends later, and others.
    let whole = index_of(&bytes);
    let longer = Buffer::from([&bytes[..], b"more"].concat());
    let many = RecordBatch::try_from_columns([("b", ints(0..10_000))]).unwrap();
    let other = written(&[many], DictionaryPolicy::Delta);
    for (stream, index) in [
        (&until(ends[5]), &short),
        (&until(ends[5]), &whole),
        (&longer, &whole),
        (&other, &whole),
        (&other, &short),
    ] {
        let error = open(stream, index).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::StreamIndex { .. }), "{error}");
    }
    assert!(FileReader::try_from_buffer(written_file(&batches)).unwrap().index().is_err());
}

fn written_file(batches: &[RecordBatch]) -> Buffer {
    let batches = [batches[0].clone()];
    arrow_ipc::FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap()
}

#[test]
fn an_index_that_lies_is_an_error_or_gives_the_same_batches() {
    let batches = growing(6);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let index = FileReader::try_from_buffer(bytes.clone()).unwrap().index().unwrap().to_buffer().unwrap();
    let mut n_opened = 0;
    let mut n_refused = 0;
    for position in 0..index.len() {
        for bits in Hunt::from_env().some_of(&[0x01, 0x02, 0x80], 1, position) {
            let mut mutant = index.to_vec();
            mutant[position] ^= bits;
            let opened = StreamIndex::try_from_buffer(mutant.into()).and_then(|index| {
                FileReader::try_new_indexed_with(bytes.clone(), &index, ReadOptions::new())
            });
            let Ok(reader) = opened else {
                n_refused += 1;
                continue;
            };
            n_opened += 1;
            for (batch_idx, batch) in reader.batches().enumerate() {
                if let Ok(batch) = batch {
                    assert!(batch == batches[batch_idx], "byte {position} with {bits:#x}");
                }
            }
        }
    }
    assert!(n_opened > 100 && n_refused > 100, "{n_opened}, {n_refused}");
}

/// The messages that are read are compared with their rows, the last one and tensors when the stream is opened.
#[test]
fn what_an_index_says_of_a_message_is_compared_when_it_is_read() {
    let batch = |values: [i32; 2]| {
        let column = dictionaries::encoded(vec![0, 1], &Arc::new(ints(values)));
        RecordBatch::try_from_columns([("c", column)]).unwrap()
    };
    let batches = [batch([1, 2]), batch([3, 4]), batch([3, 4])];
    let bytes = written(&batches, DictionaryPolicy::Replace);
    let index = FileReader::try_from_buffer(bytes.clone()).unwrap().index().unwrap();
    let rows = FileReader::try_from_buffer(index.to_buffer().unwrap()).unwrap().batch(0).unwrap();
    let numbers_of = |column: &str| {
        let column = Int64Array::try_from(rows.column(column).unwrap().clone()).unwrap();
        column.iter().map(Option::unwrap).collect::<Vec<i64>>()
    };
    assert_eq!(numbers_of("kind"), [1, 2, 3, 2, 3, 3]);
    let lying = |row: usize, column: &str, value: i64| {
        let mut numbers = numbers_of(column);
        numbers[row] = value;
        let position = rows.schema().index_of(column).unwrap();
        let mut columns = rows.columns().to_vec();
        columns[position] = Int64Array::from_iter(numbers).into_data();
        let lie = RecordBatch::try_new(Arc::clone(rows.schema()), columns).unwrap();
        let lie = arrow_ipc::FileWriter::write_to_buffer(lie.schema(), std::slice::from_ref(&lie)).unwrap();
        StreamIndex::try_from_buffer(lie)
            .and_then(|index| FileReader::try_new_indexed_with(bytes.clone(), &index, ReadOptions::new()))
    };
    let read = |reader: FileReader<Buffer>| reader.batches().collect::<Result<Vec<_>, _>>();
    let truth = lying(0, "kind", 1).and_then(read).unwrap();
    assert_eq!(truth, batches);
    // Of the last message, and of what is no tensor.
    let of_last =
        [("kind", 4), ("kind", 5), ("kind", 2), ("rows", 3)].map(|(column, value)| (5, column, value));
    let tensors = (1..6).flat_map(|row| [(row, "kind", 4), (row, "kind", 5)]);
    for (row, column, value) in of_last.into_iter().chain(tensors) {
        let error = lying(row, column, value).unwrap_err();
        assert!(
            matches!(error.kind(), IpcErrorKind::StreamIndex { .. }),
            "{row}, {column}, {value}: {error}"
        );
    }
    // Of messages that are read later.
    for (row, column, value) in [(2, "rows", 3), (1, "kind", 3), (3, "kind", 3), (1, "dictionary_id", 7)] {
        let error = lying(row, column, value).and_then(read);
        assert!(error.is_err(), "{row}, {column}, {value}");
    }
}
