//! Losses of what an input is made of: the files of a data set, or an input that gets more columns.

use std::{
    mem::{discriminant, take},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{error::loss::Loss, observer::InputRemarks};

/// What was lost before an input had its rows. All inputs that are made of the same share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct OriginLosses(Arc<Mutex<Origin>>);

#[derive(Debug, Default)]
struct Origin {
    losses: Vec<Loss>,
    /// The files of a data set that were not compared with their footers.
    unchecked: Vec<PathBuf>,
    /// What the files of a data set have beside their rows.
    remarks: InputRemarks,
}

impl OriginLosses {
    /// The losses of a data set that reads these files, and what they have beside their rows.
    #[cfg(feature = "text")]
    pub(crate) fn from_files(unchecked: Vec<PathBuf>, remarks: InputRemarks) -> OriginLosses {
        OriginLosses(Arc::new(Mutex::new(Origin { losses: Vec::new(), unchecked, remarks })))
    }

    /// Adds a loss. Of a loss that is known, the greater number counts.
    pub(crate) fn add(&self, loss: Loss) {
        let losses = &mut self.lock().losses;
        match losses.iter_mut().find(|known| discriminant(*known) == discriminant(&loss)) {
            Some(known) => known.grow_to(&loss),
            None => losses.push(loss),
        }
    }

    /// Takes the losses up to now.
    pub(crate) fn take(&self) -> Vec<Loss> {
        take(&mut self.lock().losses)
    }

    /// Takes the files that are still to be compared with their footers.
    pub(crate) fn take_unchecked(&self) -> Vec<PathBuf> {
        take(&mut self.lock().unchecked)
    }

    /// What the files of a data set have beside their rows.
    pub(crate) fn remarks(&self) -> InputRemarks {
        self.lock().remarks.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Origin> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
