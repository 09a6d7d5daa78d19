//! Files that several processes write at the same time, and that killed processes have left.

mod abandoned;
