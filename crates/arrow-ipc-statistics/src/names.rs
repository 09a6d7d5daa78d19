//! The kinds of statistics, with their names in the specification.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatisticsName {
    Rows,
    Nulls,
    /// The least value.
    Min,
    /// A lower bound, which need not occur as a value.
    MinBound,
    /// The greatest value.
    Max,
    /// An upper bound, which need not occur as a value.
    MaxBound,
}

/// The names, in the order of [`StatisticsName`].
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

    /// The kind with this name; `None` for other statistics.
    pub(crate) fn from_key(key: &str) -> Option<StatisticsName> {
        NAMES.into_iter().zip(StatisticsName::ALL).find(|(known, _)| *known == key).map(|(_, name)| name)
    }
}
