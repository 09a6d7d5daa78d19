//! Local times of time zones, in casts and in predicates. `python/tests/test_zones.py` compares them with other libraries.

use arrow_array::{AnyArray, AnyBuilder, Builder, ColumnText, TextStyle, TimeZones, append_text};
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, CastErrorKind, Digits, Matches, Predicate, PredicateErrorKind, wider_type};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::DataType;

fn array(data_type: &str, values: &[&str]) -> ArrayData {
    let mut builder = AnyBuilder::new(&data_type.parse().unwrap());
    values.iter().for_each(|value| append_text(&mut builder, value).unwrap());
    builder.finish_data().unwrap()
}

fn cast(array: &ArrayData, to: &str, digits: Digits) -> Result<(Vec<String>, u64), CastErrorKind> {
    let to: DataType = to.parse().unwrap();
    let cast = Cast::new(to, digits).with_time_zones(TimeZones::database());
    let made = cast.array(array, &MemoryBudget::new(1 << 20)).map_err(|error| error.kind().clone())?;
    let text = ColumnText::try_new(&made, TextStyle::Plain).unwrap();
    Ok(((0..made.len()).map(|slot| text.value(slot).to_string()).collect(), cast.n_cut()))
}

const PARIS: &str = r#"timestamp(us, "Europe/Paris")"#;

#[test]
fn local_times_become_instants() {
    let keeps = [
        ("timestamp(s)", "2024-03-31T01:59:59", PARIS, "2024-03-31T00:59:59.000000Z"),
        ("timestamp(s)", "2024-03-31T03:00:00", PARIS, "2024-03-31T01:00:00.000000Z"),
        ("timestamp(us)", "2024-10-27T01:59:59.999999", PARIS, "2024-10-26T23:59:59.999999Z"),
        ("timestamp(us)", "2024-10-27T03:00:00", PARIS, "2024-10-27T02:00:00.000000Z"),
        // Before 1970, before zones, after 2037 and after the listed changes.
        ("timestamp(us)", "1940-06-14T12:00:00", PARIS, "1940-06-14T11:00:00.000000Z"),
        ("timestamp(us)", "1890-01-01T00:09:21", PARIS, "1890-01-01T00:00:00.000000Z"),
        ("timestamp(us)", "2300-07-01T12:00:00", PARIS, "2300-07-01T10:00:00.000000Z"),
        ("timestamp(us)", "9999-07-01T12:00:00", PARIS, "9999-07-01T10:00:00.000000Z"),
        (
            "timestamp(s)",
            "+300000-07-01T12:00:00",
            r#"timestamp(s, "Europe/Paris")"#,
            "+300000-07-01T10:00:00Z",
        ),
        ("timestamp(ms)", "2024-01-01T00:00:00", r#"timestamp(s, "UTC")"#, "2024-01-01T00:00:00Z"),
        ("timestamp(s)", "2024-01-01T00:00:00", r#"timestamp(s, "-03:30")"#, "2024-01-01T03:30:00Z"),
        ("date32", "2024-07-01", PARIS, "2024-06-30T22:00:00.000000Z"),
        ("date64", "2024-07-01", PARIS, "2024-06-30T22:00:00.000000Z"),
    ];
    for (from, value, to, expected) in keeps {
        let found = cast(&array(from, &[value]), to, Digits::Keep);
        assert_eq!(found, Ok((vec![expected.to_owned()], 0)), "{value}");
    }
    // Skipped and repeated times are errors, or moved on and the earlier instant.
    let chosen = [
        ("2024-03-31T02:00:00", false, "2024-03-31T01:00:00.000000Z"),
        ("2024-03-31T02:59:59.999999", false, "2024-03-31T01:59:59.999999Z"),
        ("2024-10-27T02:00:00", true, "2024-10-27T00:00:00.000000Z"),
        ("2024-10-27T02:59:59.999999", true, "2024-10-27T00:59:59.999999Z"),
        ("2300-03-25T02:30:00", false, "2300-03-25T01:30:00.000000Z"),
    ];
    for (value, is_twice, expected) in chosen {
        let values = array("timestamp(us)", &["2024-01-01T00:00:00", value]);
        let error = cast(&values, PARIS, Digits::Keep).unwrap_err();
        let CastErrorKind::LocalTime { slot: 1, is_repeated, .. } = &error else {
            panic!("{value}: {error}")
        };
        assert_eq!(*is_repeated, is_twice, "{value}");
        let found = cast(&values, PARIS, Digits::Drop);
        assert_eq!(
            found,
            Ok((vec!["2023-12-31T23:00:00.000000Z".to_owned(), expected.to_owned()], 1)),
            "{value}"
        );
    }
    // A value counts once, also if it loses digits besides.
    let values =
        array("timestamp(ms)", &["2024-03-31T02:30:00.5", "2024-10-27T02:30:00.5", "2024-01-01T00:00:00"]);
    let found = cast(&values, r#"timestamp(s, "Europe/Paris")"#, Digits::Drop);
    assert_eq!(found.map(|(_, n_cut)| n_cut), Ok(2));
    let out_of_range = array("timestamp(s)", &["-292277022657-01-27T08:29:52"]);
    let found = cast(&out_of_range, r#"timestamp(s, "+01:00")"#, Digits::Keep);
    assert!(matches!(found, Err(CastErrorKind::OutOfRange { slot: 0, .. })), "{found:?}");
    let digits = array("timestamp(ms)", &["2024-01-01T00:00:00.5"]);
    let found = cast(&digits, r#"timestamp(s, "Europe/Paris")"#, Digits::Keep);
    assert!(matches!(found, Err(CastErrorKind::LostDigits { slot: 0, .. })), "{found:?}");
}

#[test]
fn instants_become_local_times_and_dates() {
    let values =
        ["2024-03-31T00:59:59Z", "2024-03-31T01:00:00Z", "2024-07-01T22:30:00Z", "1890-01-01T23:51:00Z"];
    let cases: &[(&str, &str, [&str; 4])] = &[
        (
            PARIS,
            "timestamp(s)",
            ["2024-03-31T01:59:59", "2024-03-31T03:00:00", "2024-07-02T00:30:00", "1890-01-02T00:00:21"],
        ),
        (PARIS, "date32", ["2024-03-31", "2024-03-31", "2024-07-02", "1890-01-02"]),
        (PARIS, "date64", ["2024-03-31", "2024-03-31", "2024-07-02", "1890-01-02"]),
        (PARIS, "time32(s)", ["01:59:59", "03:00:00", "00:30:00", "00:00:21"]),
        (r#"timestamp(s, "-05:00")"#, "date32", ["2024-03-30", "2024-03-30", "2024-07-01", "1890-01-01"]),
        (r#"timestamp(s, "UTC")"#, "date32", ["2024-03-31", "2024-03-31", "2024-07-01", "1890-01-01"]),
    ];
    for (from, to, expected) in cases {
        let values = array(from, &values);
        let found = cast(&values, to, Digits::Drop);
        assert_eq!(found, Ok((expected.map(str::to_owned).to_vec(), 4)), "{from} to {to}");
        let error = cast(&values, to, Digits::Keep).unwrap_err();
        assert!(matches!(error, CastErrorKind::LostPart { slot: 0, .. }), "{error}");
    }
    let moved = cast(&array(PARIS, &values), r#"timestamp(s, "Nowhere")"#, Digits::Keep);
    assert_eq!(moved.map(|(values, _)| values), Ok(values.map(str::to_owned).to_vec()));
}

#[test]
fn unknown_zones_are_errors() {
    let zone = "x\u{1b}".repeat(50);
    let unknown = DataType::timestamp_with_zone(arrow_schema::TimeUnit::Second, zone.as_str());
    let cast = |array: &ArrayData, to: &DataType| {
        let cast = Cast::new(to.clone(), Digits::Drop).with_time_zones(TimeZones::database());
        cast.array(array, &MemoryBudget::new(1 << 20)).map_err(|error| error.to_string())
    };
    let naive = array("timestamp(s)", &["2024-01-01T00:00:00"]);
    let made = cast(&naive, &unknown).unwrap_err();
    assert!(made.len() < 200 && !made.contains('\u{1b}') && made.contains("is unknown"), "{made}");
    let empty = ArrayData::new_empty(&unknown);
    assert_eq!(cast(&empty, &DataType::Date32).unwrap_err(), made);
    // Without zones, there is no cast.
    let found = Cast::new(PARIS.parse().unwrap(), Digits::Drop).array(&naive, &MemoryBudget::new(1 << 20));
    assert!(matches!(found.unwrap_err().kind(), CastErrorKind::Unsupported { .. }));
}

/// The values of both are local times of an unknown zone (`Timestamp` in `Schema.fbs`).
#[test]
fn an_empty_zone_is_as_if_there_was_none() {
    const EMPTY: &str = r#"timestamp(us, "")"#;
    let noon = "2024-07-01T12:00:00.000000";
    let naive = array("timestamp(us)", &[noon]);
    for (array, to, expected) in [
        (&naive, EMPTY, noon),
        (&array(EMPTY, &[noon]), "timestamp(us)", noon),
        (&array(EMPTY, &[noon]), PARIS, "2024-07-01T10:00:00.000000Z"),
        (&array("date32", &["2024-07-01"]), EMPTY, "2024-07-01T00:00:00.000000"),
    ] {
        assert_eq!(cast(array, to, Digits::Keep), Ok((vec![expected.to_owned()], 0)), "{to}");
    }
    let dropped = cast(&array(PARIS, &["2024-07-01T10:00:00Z"]), EMPTY, Digits::Drop);
    assert_eq!(dropped, Ok((vec![noon.to_owned()], 1)));
    let types = |left: &str, right: &str| wider_type(&left.parse().unwrap(), &right.parse().unwrap());
    assert!(types(EMPTY, "timestamp(s)").is_some() && types("date32", EMPTY).is_some());
    assert_eq!(types(EMPTY, PARIS), None);
    let batch = RecordBatch::try_from_columns([("at", array(EMPTY, &[noon]))]).unwrap();
    assert_eq!(matching("at = '2024-07-01 12:00'", &batch), [0]);
}

fn batch(data_type: &str) -> RecordBatch {
    // Half hours around both changes, and two values far away.
    let mut values = Vec::new();
    for day in ["2024-03-31", "2024-10-27"] {
        values.extend((0..8).map(|half| format!("{day}T0{}:{}0:00Z", half / 2, half % 2 * 3)));
    }
    values.extend(["1890-01-01T00:00:00Z", "2300-07-01T10:00:00Z"].map(str::to_owned));
    let texts: Vec<&str> = values.iter().map(String::as_str).collect();
    RecordBatch::try_from_columns([("at", array(data_type, &texts))]).unwrap()
}

/// The matching rows, which are the same by the bounds of single values.
fn matching(condition: &str, batch: &RecordBatch) -> Vec<usize> {
    let predicate: Predicate = condition.parse().unwrap();
    let bound = predicate.with_time_zones(TimeZones::database()).bind(batch.schema());
    let bound = bound.unwrap_or_else(|error| panic!("{condition}: {error}"));
    let found = bound.matches(batch).unwrap();
    for row in 0..batch.n_rows() {
        let bounds = arrow_compute::ColumnBounds::from_array(&batch.columns()[0].slice(row, 1), usize::MAX)
            .expect("it has an order");
        let expected = if found.get(row) == Some(true) { Matches::All } else { Matches::None };
        assert_eq!(bound.can_match(|_| bounds.clone()), expected, "{condition}, row {row}");
    }
    (0..batch.n_rows()).filter(|row| found.get(*row) == Some(true)).collect()
}

#[test]
fn constants_without_an_offset_are_local_times() {
    let paris = batch(PARIS);
    let spring = "at between '2024-03-31' and '2024-04-01'";
    let cases: &[(&str, &[usize])] = &[
        // Clocks go from 02:00 to 03:00 at 01:00 UTC, which is row 2.
        ("at = '2024-03-31 01:30'", &[1]),
        ("at = '2024-03-31T03:00:00'", &[2]),
        ("at >= '2024-03-31 02:30' and at < '2024-04-01'", &[2, 3, 4, 5, 6, 7]),
        ("at > '2024-03-31 02:30' and at < '2024-04-01'", &[2, 3, 4, 5, 6, 7]),
        ("at < '2024-03-31 02:30' and at >= '2024-03-31'", &[0, 1]),
        ("at <= '2024-03-31 02:30' and at >= '2024-03-31'", &[0, 1]),
        ("at = '2024-03-31 02:30' or at in ('2024-03-31 02:00', '2024-03-31 02:30')", &[]),
        (spring, &[0, 1, 2, 3, 4, 5, 6, 7]),
        // Clocks go back from 03:00 to 02:00 at 01:00 UTC, which is row 10.
        ("at = '2024-10-27 02:30+02:00'", &[9]),
        ("at = '2024-10-27T02:30:00.000000+01:00'", &[11]),
        ("at in ('2024-10-27 03:00', '2024-10-27 03:30')", &[12, 13]),
        ("at < '1900-01-01'", &[16]),
        ("at = '1890-01-01 00:09:21'", &[16]),
        ("at = '1890-01-01T00:09:21+00:09:21'", &[16]),
        ("at = '2300-07-01 12:00'", &[17]),
        ("'2300-07-01 12:00' = at", &[17]),
    ];
    for (condition, expected) in cases {
        assert_eq!(matching(condition, &paris), *expected, "{condition}");
    }
    // The same instants, in other zones.
    let cases: &[(&str, &str, &[usize])] = &[
        (r#"timestamp(ms, "UTC")"#, "at = '2024-03-31 01:30'", &[3]),
        (
            r#"timestamp(s, "Europe/Paris")"#,
            "at >= '2024-10-27 03:29:59.5' and at < '2024-10-28'",
            &[13, 14, 15],
        ),
        (
            r#"timestamp(s, "Europe/Paris")"#,
            "at >= '2024-03-31 02:30:00.5' and at < '2024-03-31 04:00'",
            &[2, 3],
        ),
        (r#"timestamp(us, "Europe/Paris")"#, "at > '9999-12-31T23:59:59.9999999'", &[]),
        (r#"timestamp(s, "-01:00")"#, "at = '2024-03-31 00:30'", &[3]),
        (r#"timestamp(s, "America/New_York")"#, "at < '2024-03-31' and at >= '2024-03-30 23:00'", &[6, 7]),
    ];
    for (data_type, condition, expected) in cases {
        assert_eq!(matching(condition, &batch(data_type)), *expected, "{condition}");
    }
}

#[test]
fn repeated_and_unknown_local_times_are_errors() {
    let bind = |data_type: &str, condition: &str| {
        let predicate: Predicate = condition.parse().unwrap();
        let bound = predicate.with_time_zones(TimeZones::database()).bind(batch(data_type).schema());
        bound.map(drop).map_err(|error| error.kind().clone())
    };
    let Err(PredicateErrorKind::RepeatedLocalTime { first, second, .. }) =
        bind(PARIS, "at < '2024-10-27 02:30'")
    else {
        panic!("the hour occurs twice");
    };
    let paris = batch(PARIS);
    assert_eq!(matching(&format!("at = {first}"), &paris), [9]);
    assert_eq!(matching(&format!("at = {second}"), &paris), [11]);
    for (data_type, condition) in
        [(PARIS, "at < '2024-02-30'"), (PARIS, "at < 'noon'"), (PARIS, "at < '2024-10-27 02:30:00.0000001'")]
    {
        let found = bind(data_type, condition);
        assert!(matches!(found, Err(PredicateErrorKind::Constant { .. })), "{condition}: {found:?}");
    }
    // An offset needs no rules of a zone, and the error says how to write it.
    let nowhere = r#"timestamp(s, "Nowhere")"#;
    let Err(PredicateErrorKind::UnknownZone { with_offset, .. }) = bind(nowhere, "at < '2024-10-27'") else {
        panic!("the zone is unknown");
    };
    assert_eq!(bind(nowhere, &format!("at < '{with_offset}'")), Ok(()));
    let without: Predicate = "at < '2024-10-27'".parse().unwrap();
    assert!(without.bind(paris.schema()).is_err());
}

/// In Havana, clocks go back from 01:00 to 00:00, and in São Paulo they went forward from 00:00 to 01:00. A date is the first instant
/// of its day. Samoa had no 30 December 2011.
#[test]
fn dates_are_the_first_instant_of_their_day() {
    let cases = [
        ("America/Havana", "2024-11-03", "2024-11-03T04:00:00Z"),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
        ("Asia/Kathmandu", "2024-01-01", "2023-12-31T18:15:00Z"),
    ];
    for (zone, date, instant) in cases {
        let data_type = format!("timestamp(s, {zone:?})");
        let batch = RecordBatch::try_from_columns([("at", array(&data_type, &[instant]))]).unwrap();
        for (condition, expected) in
            [(format!("at >= '{date}'"), 1), (format!("at < '{date}'"), 0), (format!("at = '{date}'"), 1)]
        {
            assert_eq!(matching(&condition, &batch).len(), expected, "{zone}: {condition}");
        }
        let shown = AnyArray::try_from(batch.columns()[0].clone()).unwrap();
        let local = ColumnText::try_new(shown.data(), TextStyle::LocalCell(TimeZones::database())).unwrap();
        assert!(*local.value(0).to_string() >= *date, "{zone}");
    }
}
