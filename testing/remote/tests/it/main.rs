//! Reading and writing remote files, with all kinds of faults.

mod azure;
mod changes;
mod datasets;
mod faults;
mod requests;
mod s3;
mod stores;
mod uploads;
