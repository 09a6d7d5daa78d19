//! The names of the statistics in the specification.

/// The kind of one entry of the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatisticsName {
    Rows,
    Nulls,
    /// The exact least value.
    Min,
    /// A lower bound of all values, which need not occur.
    MinBound,
    /// The exact greatest value.
    Max,
    /// An upper bound of all values, which need not occur.
    MaxBound,
}

/// The keys, in the order of [`StatisticsName`].
pub(crate) const NAMES: [&str; 6] = [
    "ARROW:row_count:exact",
    "ARROW:null_count:exact",
    "ARROW:min_value:exact",
    "ARROW:min_value:approximate",
    "ARROW:max_value:exact",
    "ARROW:max_value:approximate",
];

impl StatisticsName {
    const ALL: [StatisticsName; 6] = [
        StatisticsName::Rows,
        StatisticsName::Nulls,
        StatisticsName::Min,
        StatisticsName::MinBound,
        StatisticsName::Max,
        StatisticsName::MaxBound,
    ];

    /// The kind of an entry with this key. `None` for other statistics.
    pub(crate) fn of(key: &str) -> Option<StatisticsName> {
        NAMES.into_iter().zip(StatisticsName::ALL).find(|(known, _)| *known == key).map(|(_, name)| name)
    }
}
