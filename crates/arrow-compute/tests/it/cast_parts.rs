//! Casts that drop the day or the zone of timestamps, and casts of booleans.

use arrow_compute::Digits;

use super::cast::{Case, check_cases};

#[test]
fn parts_of_timestamps_are_dropped_on_request() {
    use Digits::{Drop, Keep};
    const CASES: &[Case] = &[
        (
            "timestamp(s)",
            &["0"],
            "time32(s)",
            Keep,
            Err("the value 1970-01-01T00:00:00 in slot 0 would lose its day as time32(s)"),
        ),
        (
            "timestamp(s)",
            &["-1", "86399", "86400"],
            "time32(s)",
            Drop,
            Ok(&["23:59:59", "23:59:59", "00:00:00"]),
        ),
        ("timestamp(ms)", &["-1", "1500"], "time32(s)", Drop, Ok(&["23:59:59", "00:00:01"])),
        ("timestamp(s)", &["-1"], "time64(ns)", Drop, Ok(&["23:59:59.000000000"])),
        ("timestamp(s)", &["-9223372036854775808"], "time64(ns)", Drop, Ok(&["08:29:52.000000000"])),
        ("timestamp(ns, \"UTC\")", &["-1"], "time64(us)", Drop, Ok(&["23:59:59.999999"])),
        (
            "timestamp(s, \"Asia/Tokyo\")",
            &["0"],
            "time32(s)",
            Drop,
            Err("timestamp(s, \"Asia/Tokyo\") cannot be cast to time32(s)"),
        ),
        (
            "utf8",
            &["2023-02-29"],
            "date32",
            Drop,
            Err("the value \"2023-02-29\" in slot 0 does not fit date32"),
        ),
        ("date32", &["0"], "time32(s)", Drop, Err("date32 cannot be cast to time32(s)")),
        ("timestamp(s)", &["0"], "duration(s)", Drop, Err("timestamp(s) cannot be cast to duration(s)")),
        (
            "timestamp(s, \"UTC\")",
            &["0"],
            "timestamp(s)",
            Keep,
            Err("the value 1970-01-01T00:00:00Z in slot 0 would lose its zone as timestamp(s)"),
        ),
        (
            "timestamp(ms, \"UTC\")",
            &["-1", "1999"],
            "timestamp(s)",
            Drop,
            Ok(&["1969-12-31T23:59:59", "1970-01-01T00:00:01"]),
        ),
        (
            "timestamp(s, \"UTC\")",
            &["9223372036854775807"],
            "timestamp(ms)",
            Drop,
            Err("the value +292277026596-12-04T15:30:07Z in slot 0 does not fit timestamp(ms)"),
        ),
        (
            "timestamp(s, \"Asia/Tokyo\")",
            &["0"],
            "timestamp(s)",
            Drop,
            Err("timestamp(s, \"Asia/Tokyo\") cannot be cast to timestamp(s)"),
        ),
        (
            "timestamp(s)",
            &["0"],
            "timestamp(s, \"UTC\")",
            Drop,
            Err("timestamp(s) cannot be cast to timestamp(s, \"UTC\")"),
        ),
        ("timestamp(us, \"UTC\")", &["-1"], "date32", Drop, Ok(&["1969-12-31"])),
        ("timestamp(us, \"UTC\")", &["-1", "86400000000"], "date64", Drop, Ok(&["1969-12-31", "1970-01-02"])),
        ("bool", &["true", "false"], "int64", Keep, Ok(&["1", "0"])),
        ("bool", &["true", "false"], "uint8", Keep, Ok(&["1", "0"])),
        ("bool", &["true"], "dictionary<int8, int16>", Keep, Ok(&["1"])),
        ("bool", &["true"], "float64", Keep, Err("bool cannot be cast to float64")),
        ("bool", &["true"], "duration(s)", Keep, Err("bool cannot be cast to duration(s)")),
        ("int8", &["1"], "bool", Keep, Err("int8 cannot be cast to bool")),
    ];
    check_cases(CASES);
}
