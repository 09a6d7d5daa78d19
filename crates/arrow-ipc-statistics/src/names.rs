//! The names of statistics, as the specification has them.

/// What an entry says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatisticsName {
    Rows,
    Nulls,
    /// The least value.
    Min,
    /// Something that no value is less than.
    MinBound,
    /// The greatest value.
    Max,
    /// Something that no value is greater than.
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

    /// What a key stands for; `None` for other statistics.
    pub(crate) fn of(key: &str) -> Option<StatisticsName> {
        NAMES.into_iter().zip(StatisticsName::ALL).find(|(known, _)| *known == key).map(|(_, name)| name)
    }
}
