//! Schemas with invalid members, and schemas that are too large.

use std::fmt::Write;

use arrow_c_data::{ArrowSchema, CDataErrorKind};

use crate::foreign::{CSchema, Ledger, SchemaSketch};

fn new(format: &str) -> SchemaSketch {
    SchemaSketch::new(format, "f")
}

fn metadata<const N: usize>(numbers: [i32; N]) -> SchemaSketch {
    let bytes = numbers.into_iter().flat_map(i32::to_ne_bytes).collect();
    SchemaSketch { metadata: Some(bytes), ..new("i") }
}

fn list_of(child: SchemaSketch) -> SchemaSketch {
    new("+l").with_children([child])
}

fn dictionary(index: &str, value: SchemaSketch) -> SchemaSketch {
    SchemaSketch { dictionary: Some(Box::new(value)), ..new(index) }
}

fn deep(n_levels: usize) -> SchemaSketch {
    (1..n_levels).fold(new("i"), |inner, _| list_of(inner))
}

fn cases() -> Vec<(String, SchemaSketch)> {
    let mut cases: Vec<(String, SchemaSketch)> = [
        "",
        "x",
        "ii",
        "i:",
        "d",
        "d:",
        "d:1",
        "d:1,",
        "d:,1",
        "d:1,2,3",
        "d:1,2,128,4",
        "d:0,0",
        "d:39,0",
        "d:10,0,32",
        "d:19,0,64",
        "d:77,0,256",
        "d:-1,0",
        "d:99999999999,0",
        "w",
        "w:",
        "w:-1",
        "w:2147483648",
        "w:1.5",
        "tss",
        "tsx:UTC",
        "tt",
        "ttx",
        "tdx",
        "tDx",
        "tix",
        "t",
        "v",
        "vx",
        "+",
        "+x",
        "+v",
        "+w:2x",
        "+us:1",
        "+us:a",
        "+ud:1,1",
        "+ud:-1",
        "+ud:128",
        "+l:",
        "\u{202e}\n",
        "a format that is longer than what an error quotes of it",
    ]
    .into_iter()
    .map(|format| (format!("format {format:?}"), new(format)))
    .collect();
    let mut add = |name: &str, schema| cases.push((name.to_owned(), schema));
    add("released", SchemaSketch { is_released: true, ..new("i") });
    add("no format", SchemaSketch { format: None, ..new("i") });
    add("a format that is not UTF-8", SchemaSketch { format: Some(vec![b't', 0xff]), ..new("i") });
    add("a child of a flat type", SchemaSketch::with_children(new("i"), [new("i")]));
    add("a list without a child", new("+l"));
    add("a list of two children", new("+l").with_children([new("i"), new("i")]));
    add("a negative number of children", SchemaSketch { n_children: Some(-1), ..new("+s") });
    add("no pointers to children", SchemaSketch { has_null_lists: true, ..list_of(new("i")) });
    add("a null child", SchemaSketch { children: vec![None], ..new("+s") });
    add("a released child", list_of(SchemaSketch { is_released: true, ..new("i") }));
    let child = SchemaSketch { name: Some(vec![0xff]), ..new("?") };
    add("a wrong format of a child whose name is not UTF-8", list_of(child));
    add("a wrong format deep inside", list_of(new("+s").with_children([new("i"), new("?")])));
    add("a map of integers", new("+m").with_children([new("i")]));
    add("a union with fewer type ids", new("+us:1").with_children([new("i"), new("i")]));
    add("run ends of text", new("+r").with_children([new("u"), new("i")]));
    add("a dictionary with text as indices", dictionary("u", new("u")));
    add(
        "a dictionary with lists as indices",
        SchemaSketch { dictionary: Some(Box::new(new("u"))), ..list_of(new("i")) },
    );
    add("a dictionary of dictionaries", dictionary("i", dictionary("c", new("u"))));
    add("a released dictionary", dictionary("i", SchemaSketch { is_released: true, ..new("u") }));
    add("a wrong dictionary", dictionary("i", new("?")));
    add("65 levels", deep(65));
    add("many levels of dictionaries", (0..300).fold(new("u"), |inner, _| dictionary("i", inner)));
    add("a negative number of pairs", metadata([-1]));
    add("a negative length of a key", metadata([1, -1]));
    add("a negative length of a value", metadata([1, 0, -5]));
    cases
}

#[test]
fn wrong_schemas_are_refused() {
    let mut errors = String::new();
    for (name, sketch) in cases() {
        let ledger = Ledger::default();
        let error = sketch.give(&ledger).to_field().err().unwrap_or_else(|| panic!("{name} is accepted"));
        ledger.check_all_released();
        writeln!(errors, "{name}: {error}").expect("memory");
    }
    insta::assert_snapshot!(errors);
}

/// No value needs names or metadata. Escaped text goes to other libraries, of which some panic at bytes that are not UTF-8.
#[test]
fn names_and_metadata_that_are_not_utf8_are_escaped() {
    let [one, two] = [1_i32, 2].map(i32::to_ne_bytes);
    let metadata = Some([&one[..], &one, b"k", &two, b"a\xff"].concat());
    let name = Some(b"caf\xe9".to_vec());
    let ledger = Ledger::default();
    let schema = new("+s").with_children([SchemaSketch { name, metadata, ..new("i") }]);
    let mut schema = schema.give(&ledger).to_schema().expect("what no value needs refuses nothing");
    ledger.check_all_released();
    for _ in 0..2 {
        let field = schema.field(0).expect("one field");
        assert_eq!(field.name(), r"not UTF-8: caf\xe9");
        assert_eq!(field.metadata().get("k"), Some(r"not UTF-8: a\xff"));
        assert!(!field.metadata().is_utf8());
        schema =
            ArrowSchema::try_from_schema(&schema).and_then(|schema| schema.to_schema()).expect("its own");
    }
}

#[test]
fn depth_is_that_of_types() {
    let ledger = Ledger::default();
    assert_eq!(deep(64).give(&ledger).to_data_type().map(|data_type| data_type.depth()), Ok(64));
    // The depth of columns counts like the depth of types: the schema itself adds no level.
    let schema = new("+s").with_children([deep(64)]).give(&ledger);
    assert_eq!(schema.to_schema().map(|schema| schema.fields().len()), Ok(1));
    assert!(schema.to_field().is_err());
    drop(schema);
    let error = new("u").give(&ledger).to_schema().unwrap_err();
    assert_eq!(error.to_string(), "a record batch is a struct, format \"+s\"; found utf8");
    ledger.check_all_released();
}

/// Structures that point to themselves exceed the limit on depth or on fields.
#[test]
fn cycles_are_refused() {
    type Link = fn(&mut CSchema);
    let point_to_itself: [(&str, Link, &str); 2] = [
        (
            "a list of itself",
            |it| {
                // SAFETY: `build` has made one pointer.
                unsafe { it.children.write(it) };
            },
            "types nest deeper than the limit of 64 levels",
        ),
        (
            "a dictionary of itself",
            |it| it.dictionary = it,
            "field `<dictionary>`: the values of a dictionary are dictionary-encoded, too, which no type allows",
        ),
    ];
    for (name, link, wanted) in point_to_itself {
        let ledger = Ledger::default();
        let sketch = if name.starts_with("a list") { list_of(new("i")) } else { dictionary("i", new("u")) };
        let mut raw = sketch.build(&ledger);
        let (children, values) = (raw.children, raw.dictionary);
        // SAFETY: there is one child, or none, and the pointer is kept.
        let child = (!sketch.children.is_empty()).then(|| unsafe { *children });
        link(&mut raw);
        // SAFETY: it is read where it is, and released by its own callback after that.
        let schema = unsafe { &*(&raw const raw).cast::<ArrowSchema>() };
        let error = schema.to_field().unwrap_err().to_string();
        assert!(error.ends_with(wanted), "{name}: {error}");
        raw.dictionary = values;
        if let Some(child) = child {
            // SAFETY: as it was.
            unsafe { *children = child };
        }
        let release = raw.release.expect("not released");
        // SAFETY: it is released once.
        unsafe { release(&mut raw) };
        ledger.check_all_released();
    }
}

/// A long text that many structures share counts once for each structure. The text is a number with many leading zeros,
/// so parsing takes no memory.
#[test]
fn shared_texts_are_counted() {
    let ledger = Ledger::default();
    let mut named = new(&format!("w:{}3", "0".repeat(1 << 20))).build(&ledger);
    let mut parent = new("+s").build(&ledger);
    let mut pointers = vec![&raw mut named; 257];
    (parent.n_children, parent.children) = (257, pointers.as_mut_ptr());
    // SAFETY: it is read where it is, and released by its own callback after that.
    let schema = unsafe { &*(&raw const parent).cast::<ArrowSchema>() };
    let error = schema.to_schema().unwrap_err();
    assert_eq!(error.kind(), &CDataErrorKind::TextTooLong { limit: 256 << 20 });
    for structure in [&mut named, &mut parent] {
        let release = structure.release.expect("not released");
        // SAFETY: it is released once.
        unsafe { release(structure) };
    }
    ledger.check_all_released();
}

/// The schema itself is no field. Its limit can be higher or lower.
#[test]
fn a_schema_has_as_many_fields_as_its_limit() {
    let ledger = Ledger::default();
    let mut column = dictionary("i", new("u")).build(&ledger);
    let mut parent = new("+s").build(&ledger);
    let mut pointers = vec![&raw mut column; 1_000_001];
    let cases = [
        (1_000_000, None, true),
        (1_000_001, None, false),
        (1_000_001, Some(1_000_001), true),
        (3, Some(2), false),
    ];
    for (n_columns, max_fields, fits) in cases {
        (parent.n_children, parent.children) = (n_columns, pointers.as_mut_ptr());
        // SAFETY: it is read where it is, and released by its own callback after that.
        let schema = unsafe { &*(&raw const parent).cast::<ArrowSchema>() };
        let found =
            max_fields.map_or_else(|| schema.to_schema(), |max_fields| schema.to_schema_with(max_fields));
        match found {
            Ok(found) => assert!(fits && found.fields().len() == n_columns as usize, "{n_columns}"),
            Err(error) => {
                let limit = max_fields.unwrap_or(1_000_000);
                assert_eq!(
                    (error.kind(), fits),
                    (&CDataErrorKind::TooManyFields { limit }, false),
                    "{n_columns}"
                );
            }
        }
    }
    for structure in [&mut column, &mut parent] {
        let release = structure.release.expect("not released");
        // SAFETY: it is released once.
        unsafe { release(structure) };
    }
    ledger.check_all_released();
}

/// A structure to which several pointers point is counted once for each pointer.
#[test]
fn shared_children_are_counted() {
    let ledger = Ledger::default();
    let mut levels: Vec<CSchema> =
        (0..5).map(|depth| new(if depth == 0 { "i" } else { "+s" }).build(&ledger)).collect();
    let starts: Vec<*mut CSchema> = levels.iter_mut().map(|level| &raw mut *level).collect();
    // 64 times 64 times 64 times 64 fields, in five structures.
    let mut pointers: Vec<Vec<*mut CSchema>> = starts.iter().map(|start| vec![*start; 64]).collect();
    for (level, below) in levels.iter_mut().skip(1).zip(&mut pointers) {
        (level.n_children, level.children) = (64, below.as_mut_ptr());
    }
    // SAFETY: it is read where it is, and released by its own callback after that.
    let schema = unsafe { &*levels[4..].as_ptr().cast::<ArrowSchema>() };
    let error = schema.to_field().unwrap_err();
    assert!(matches!(error.kind(), CDataErrorKind::TooManyFields { limit: 1_000_000 }), "{error}");
    for mut level in levels {
        level.n_children = 0;
        let release = level.release.expect("not released");
        // SAFETY: it is released once.
        unsafe { release(&mut level) };
    }
    ledger.check_all_released();
}
