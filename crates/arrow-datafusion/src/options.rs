//! Options of the format, from a program or from SQL.

use std::collections::HashMap;

use arrow_ipc::{FetchCost, Limits};
use arrow_ipc_object_store::ObjectOptions;
use datafusion::{common::config_err, error::Result};

/// Options for reading Arrow IPC files and streams.
///
/// ```
/// use arrow_datafusion::{IpcFormat, IpcOptions};
///
/// let format = IpcFormat::new_with(IpcOptions::new().with_trusted_statistics());
/// assert!(format.options().trusts_statistics());
/// ```
#[derive(Debug, Clone, Default)]
pub struct IpcOptions {
    trusts_statistics: bool,
    fetch_cost: Option<FetchCost>,
    limits: Limits,
    object: ObjectOptions,
}

/// The option of `CREATE EXTERNAL TABLE … OPTIONS`.
const TRUSTED_STATISTICS: &str = "format.trusted_statistics";

impl IpcOptions {
    /// The default options: statistics are ignored, and the location of a file decides what a request costs.
    pub fn new() -> IpcOptions {
        IpcOptions::default()
    }

    /// Trusts the [statistics in footers](arrow_ipc_statistics::FileStatistics), beyond row counts, which are always used: batches and files in which no row can match
    /// the conditions of a query are not read, and null counts are answers. If statistics are wrong, so is the result. In
    /// SQL: `OPTIONS ('trusted_statistics' 'true')`.
    #[must_use]
    pub fn with_trusted_statistics(self) -> IpcOptions {
        IpcOptions { trusts_statistics: true, ..self }
    }

    /// Sets what a request for bytes costs, which decides which ranges are requested together. Default: a cost of local
    /// files for URLs that begin with `file:`, and [`FetchCost::OBJECT_STORE`] for all others.
    #[must_use]
    pub fn with_fetch_cost(self, fetch_cost: FetchCost) -> IpcOptions {
        IpcOptions { fetch_cost: Some(fetch_cost), ..self }
    }

    /// Sets limits on the lengths and counts that a file may declare.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> IpcOptions {
        IpcOptions { limits, ..self }
    }

    /// Also reads objects for which the store has no etag, version or time of modification, so that a change while they are
    /// read could not be noticed.
    #[must_use]
    pub fn with_untagged_objects(self) -> IpcOptions {
        IpcOptions { object: self.object.with_untagged_objects(), ..self }
    }

    /// Whether [`with_trusted_statistics`](IpcOptions::with_trusted_statistics) was called.
    pub fn trusts_statistics(&self) -> bool {
        self.trusts_statistics
    }

    /// See [`with_fetch_cost`](IpcOptions::with_fetch_cost); `None` if the location of a file decides.
    pub fn fetch_cost(&self) -> Option<FetchCost> {
        self.fetch_cost
    }

    /// See [`with_limits`](IpcOptions::with_limits).
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// See [`with_untagged_objects`](IpcOptions::with_untagged_objects).
    pub fn allows_untagged(&self) -> bool {
        self.object.allows_untagged()
    }

    pub(crate) fn object(&self) -> ObjectOptions {
        self.object.clone()
    }

    /// These options, changed by the options of a statement.
    pub(crate) fn with_sql(self, given: &HashMap<String, String>) -> Result<IpcOptions> {
        let mut options = self;
        for (name, value) in given {
            options.trusts_statistics = match (name.as_str(), value.to_ascii_lowercase().as_str()) {
                (TRUSTED_STATISTICS, "true") => true,
                (TRUSTED_STATISTICS, "false") => false,
                (TRUSTED_STATISTICS, _) => {
                    return config_err!("{TRUSTED_STATISTICS} is '{value}'; allowed are 'true' and 'false'");
                }
                // Those of stores, and of the engine.
                (other, _) if !other.starts_with("format.") => options.trusts_statistics,
                _ => {
                    return config_err!(
                        "'{name}' is no option of Arrow IPC files; {TRUSTED_STATISTICS} is one"
                    );
                }
            };
        }
        Ok(options)
    }
}
