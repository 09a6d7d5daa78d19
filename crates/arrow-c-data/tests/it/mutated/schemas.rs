//! Imports schemas with random errors: the result is an error, or a field that stays the same when it is exported and
//! imported.

use testing_support::{Hunt, Rng};

use crate::foreign::{Ledger, SchemaSketch};

#[test]
fn mutated_schemas_are_refused_or_readable() {
    const FORMATS: [&str; 18] = [
        "n", "i", "u", "vu", "d:3,1", "d:40,1", "w:3", "w:-1", "tss:UTC", "+s", "+l", "+L", "+w:2", "+m",
        "+us:0,1", "+ud:5,5", "+r", "?",
    ];
    fn random(rng: &mut Rng, depth: usize) -> SchemaSketch {
        let n_children = if depth == 0 { 0 } else { rng.below(3) };
        let metadata = rng.one_in(3).then(|| {
            let n_pairs = rng.below(2) as i32 - i32::from(rng.one_in(4));
            let bytes = rng.bytes(3);
            [&n_pairs.to_ne_bytes()[..], &3_i32.to_ne_bytes(), &bytes, &0_i32.to_ne_bytes()].concat()
        });
        SchemaSketch {
            format: (!rng.one_in(20)).then(|| rng.pick(&FORMATS).as_bytes().to_vec()),
            name: (!rng.one_in(5)).then(|| vec![*rng.pick(b"ab\xff\x80"); 2]),
            metadata,
            flags: rng.bits().cast_signed(),
            n_children: rng.one_in(30).then(|| *rng.pick(&[-1, 0, i64::MIN])),
            children: (0..n_children).map(|_| (!rng.one_in(30)).then(|| random(rng, depth - 1))).collect(),
            dictionary: (depth > 0 && rng.one_in(5)).then(|| Box::new(random(rng, depth - 1))),
            has_null_lists: rng.one_in(40),
            is_released: rng.one_in(40),
        }
    }
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(1);
    let mut n_accepted = 0;
    for _ in 0..hunt.count(2_000, 200_000) {
        let sketch = random(&mut rng, 3);
        let ledger = Ledger::default();
        let field = sketch.give(&ledger).to_field();
        ledger.check_all_released();
        if let Ok(field) = field {
            n_accepted += 1;
            let again =
                arrow_c_data::ArrowSchema::try_from_field(&field).and_then(|schema| schema.to_field());
            assert_eq!(again, Ok(field));
        }
    }
    assert!(n_accepted > 10, "{n_accepted} are accepted");
}
