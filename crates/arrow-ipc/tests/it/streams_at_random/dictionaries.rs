//! Dictionaries that grow, are replaced or lie inside others.

use super::*;

#[test]
fn dictionaries_that_change_are_read_for_each_batch_and_once_in_order() {
    let batches = growing(100);
    for policy in [DictionaryPolicy::Delta, DictionaryPolicy::Replace] {
        let is_delta = policy == DictionaryPolicy::Delta;
        let bytes = written(&batches, policy);
        check("growing", &bytes, &mut Rng::new(1));
        let source = Recorder::new(bytes.clone(), FetchCost::FREE_REQUESTS);
        let reader = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
        source.take_bytes();
        // All batches in order: each dictionary message once, also by a second reader of the same file.
        assert_eq!(reader.batches().count(), 100);
        assert!(source.take_bytes() <= bytes.len() as u64);
        let block = |batch_idx| reader.footer().batch(batch_idx).unwrap();
        if is_delta {
            // A batch in the middle needs the deltas before it.
            let fresh =
                FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
            source.take_bytes();
            assert!(fresh.batch(60).unwrap() == batches[60]);
            assert!(source.take_bytes() < block(61).position());
            // The next needs one more.
            assert!(fresh.batch(61).unwrap() == batches[61]);
            assert!(source.take_bytes() <= block(61).range().end - block(60).range().end);
        } else {
            // A batch needs the last dictionary before it, and nothing else.
            for batch_idx in [99, 3, 50] {
                assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx]);
                let before = block(batch_idx - 1).range().end;
                assert!(source.take_bytes() <= block(batch_idx).range().end - before, "{batch_idx}");
            }
        }
    }
}

pub(super) fn encoded(indices: Vec<i32>, values: &Arc<ArrayData>) -> ArrayData {
    let n_slots = indices.len();
    let data_type = DataType::dictionary(IndexType::Int32, values.data_type().clone()).unwrap();
    let parts = ArrayParts {
        buffers: [Buffer::from(indices), Buffer::new()],
        dictionary: Some(Arc::clone(values)),
        ..ArrayParts::new(data_type, n_slots)
    };
    ArrayData::try_new(parts).unwrap()
}

/// Batches with a dictionary inside another one. Each of both stays, grows in the same memory, or is replaced.
fn nested(n_batches: usize, rng: &mut Rng) -> Vec<RecordBatch> {
    let some = |rng: &mut Rng, n: usize| -> Vec<i32> {
        (0..n).map(|_| i32::try_from(rng.below(1_000)).unwrap()).collect()
    };
    let mut all_inner = ints(some(rng, 60));
    let mut n_inner = 1;
    let mut outer: Option<(ArrayData, usize)> = None;
    let mut alone = Arc::new(ints(some(rng, 3)));
    let mut batches = Vec::new();
    for _ in 0..n_batches {
        let mut is_new = outer.is_none();
        match rng.below(6) {
            0 => {
                all_inner = ints(some(rng, 60));
                n_inner = 1 + rng.below(4);
                is_new = true;
            }
            1 | 2 if n_inner < 59 => {
                n_inner += 1;
                is_new = true;
            }
            3 => {
                let n_values = 1 + rng.below(4);
                alone = Arc::new(ints(some(rng, n_values)));
            }
            4 => is_new = true,
            _ => {}
        }
        let inner = Arc::new(all_inner.slice(0, n_inner));
        let (all_outer, mut n_outer) = match outer.take().filter(|_| !is_new) {
            Some(known) => known,
            None => {
                let child = encoded((0..40).map(|n| n % i32::try_from(n_inner).unwrap()).collect(), &inner);
                let field = Field::new("x", child.data_type().clone());
                let parts = ArrayParts {
                    children: Some(Arc::new([child])),
                    ..ArrayParts::new(DataType::struct_([field]), 40)
                };
                (ArrayData::try_new(parts).unwrap(), 1)
            }
        };
        n_outer = (n_outer + rng.below(2)).min(40);
        let last = |n: usize| i32::try_from(n - 1).unwrap();
        let a = encoded(vec![last(n_outer), 0], &Arc::new(all_outer.slice(0, n_outer)));
        let b = encoded(vec![last(n_inner), 0], &inner);
        let c = encoded(vec![last(alone.len()), 0], &alone);
        batches.push(RecordBatch::try_from_columns([("a", a), ("b", b), ("c", c)]).unwrap());
        outer = Some((all_outer, n_outer));
    }
    batches
}

#[test]
fn dictionaries_inside_others_are_those_of_the_sequential_reader() {
    let rng = &mut Hunt::from_env().rng(0x67);
    for _ in 0..Hunt::from_env().count(20, 500) {
        let batches = nested(12, rng);
        for policy in [DictionaryPolicy::Replace, DictionaryPolicy::Delta] {
            check("nested", &written(&batches, policy), rng);
        }
    }
}

#[test]
fn threads_that_read_in_any_order_get_the_dictionaries_of_their_batches() {
    let batches = nested(200, &mut Rng::new(3));
    let bytes = written(&batches, DictionaryPolicy::Replace);
    let reader = FileReader::try_from_buffer(bytes).unwrap();
    let narrow = reader.project(&Projection::Positions(vec![1])).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (reader, narrow, batches) = (reader.clone(), narrow.clone(), &batches);
            scope.spawn(move || {
                let mut rng = Rng::new(thread);
                for n in 0..100 {
                    let batch_idx = if thread % 2 == 0 { 99 - n } else { rng.below(200) };
                    assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx], "{batch_idx}");
                    let found = narrow.batch(199 - batch_idx).unwrap();
                    assert!(found.columns()[0] == batches[199 - batch_idx].columns()[1], "{batch_idx}");
                }
            });
        }
    });
}

/// Batches with a dictionary that stays, beside one that grows.
fn half_growing(n_batches: usize) -> Vec<RecordBatch> {
    let constant = Arc::new(ints(0..10));
    let batch = |(n, batch): (usize, RecordBatch)| {
        let b = encoded(vec![i32::try_from(n % 10).unwrap(), 3], &constant);
        RecordBatch::try_from_columns([("a", batch.columns()[0].clone()), ("b", b)]).unwrap()
    };
    growing(n_batches).into_iter().enumerate().map(batch).collect()
}

#[test]
fn dictionaries_that_are_not_selected_do_not_hinder_prefetching() {
    let batches = half_growing(500);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let source = Recorder::new(bytes, FetchCost::OBJECT_STORE);
    let reader = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
    let projected = reader.project(&Projection::Names(vec!["b".into()])).unwrap();
    source.take_requests();
    for (found, batch) in projected.batches().zip(&batches) {
        assert!(found.unwrap().columns()[0] == batch.columns()[1]);
    }
    let n_round_trips = source.take_requests().len();
    assert!(n_round_trips <= 10, "{n_round_trips} round trips");
    // The dictionary is in memory, also for batches before the last one.
    let block = reader.footer().batch(7).unwrap();
    assert_eq!(projected.batch(7).unwrap().n_rows(), 2);
    assert!(source.take_bytes() <= block.n_bytes());
}

#[test]
fn a_delta_that_lacks_memory_is_read_once_there_is_some() {
    let batches = growing(20);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let budget = MemoryBudget::new(1 << 20);
    let options = ReadOptions::new().with_memory_budget(budget.clone());
    let reader = FileReader::try_from_buffer_with(bytes, options).unwrap();
    for batch_idx in [3, 4, 9] {
        assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx]);
        let rest = budget.try_charge(budget.limit() - budget.n_bytes_allocated()).unwrap();
        let error = reader.batch(batch_idx + 4).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::Memory(_)), "{error}");
        drop(rest);
        assert!(reader.batch(batch_idx + 4).unwrap() == batches[batch_idx + 4]);
    }
}

#[test]
fn after_an_error_other_batches_have_their_own_dictionaries() {
    // The first dictionary is replaced with each batch, the second one grows.
    let all = ints(0..100);
    let batch = |n: i32| {
        let a = encoded(vec![0], &Arc::new(ints([1_000 + n])));
        let b = encoded(vec![n], &Arc::new(all.slice(0, usize::try_from(n).unwrap() + 1)));
        RecordBatch::try_from_columns([("a", a), ("b", b)]).unwrap()
    };
    let batches: Vec<RecordBatch> = (0..10).map(batch).collect();
    let bytes = written(&batches, DictionaryPolicy::Replace);
    let budget = MemoryBudget::new(1 << 20);
    let options = ReadOptions::new().with_memory_budget(budget.clone());
    let reader = FileReader::try_from_buffer_with(bytes, options).unwrap();
    assert!(reader.batch(0).unwrap() == batches[0]);
    let mut n_errors = 0;
    for failing in [5, 9, 7] {
        let rest = budget.try_charge(budget.limit() - budget.n_bytes_allocated()).unwrap();
        for _ in 0..2 {
            // It may be read if the cache of dictionaries returns memory.
            match reader.batch(failing) {
                Ok(batch) => assert!(batch == batches[failing]),
                Err(error) => {
                    assert!(matches!(error.kind(), IpcErrorKind::Memory(_)), "{error}");
                    n_errors += 1;
                }
            }
        }
        drop(rest);
        for batch_idx in [1, 3, 2, failing, failing - 1] {
            assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx], "{batch_idx} after {failing}");
        }
    }
    assert!(n_errors >= 2, "{n_errors}");
}

/// The limit is exceeded by the first delta, and by a delta after others.
#[test]
fn a_delta_over_a_limit_is_the_same_error_however_often_it_is_read() {
    let batches = growing(6);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    for n_values in [1, 3] {
        // Each value has four bytes.
        let limits = Limits::new().with_max_dictionary_bytes(4 * n_values as u64 + 2);
        let options = ReadOptions::new().with_limits(limits).with_tail_bytes(0);
        let expected = sequential(&bytes, &options).unwrap();
        assert_eq!(expected.batches.len(), n_values);
        let expected = expected.error.unwrap();
        assert!(matches!(expected.kind(), IpcErrorKind::DictionaryBytes { .. }), "{expected}");
        let source = Recorder::new(bytes.clone(), FetchCost::FREE_REQUESTS);
        let open = || FileReader::try_new_with(source.clone(), options.clone()).unwrap();
        let in_memory = FileReader::try_from_buffer_with(bytes.clone(), options.clone()).unwrap();
        let of_batches = open().batches().find_map(Result::err);
        assert_eq!(of_batches.map(|error| reason(&error)), Some(reason(&expected)));
        let of_batches = in_memory.batches().find_map(Result::err);
        assert_eq!(of_batches.map(|error| reason(&error)), Some(reason(&expected)));
        let reader = open();
        for n_before in 0..5 {
            source.take_requests();
            assert_eq!(reason(&reader.batch(n_values).unwrap_err()), reason(&expected), "{n_before}");
            assert_eq!(reason(&in_memory.batch(n_values).unwrap_err()), reason(&expected), "{n_before}");
            let needed = reader.footer().batch(n_values - 1).unwrap().range().end;
            let is_first = |range: &Range<u64>| range.start < needed;
            let n_again = source.take_requests().iter().flatten().filter(|range| is_first(range)).count();
            assert!(n_before < 3 || n_again == 0, "the messages before it are not read again");
        }
        // Batches before it can be read.
        assert!(reader.batch(n_values - 1).unwrap() == batches[n_values - 1]);
    }
}
