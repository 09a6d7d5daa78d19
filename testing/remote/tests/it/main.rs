//! Reading and writing remote files, where everything goes wrong.

mod azure;
mod changes;
mod datasets;
mod faults;
mod requests;
mod s3;
mod stores;
mod uploads;
