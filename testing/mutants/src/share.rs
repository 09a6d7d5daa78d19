//! How much of a check is done with an input.

use testing_support::Rng;

use crate::check::seed_of;

/// All options of a check, or one of each kind, which the bytes of the input choose. A fuzzer has very many inputs that differ little: with
/// one option for each of them, it tests several times as many in the same time.
#[derive(Debug, Clone)]
pub(crate) struct Share(Option<Rng>);

impl Share {
    /// Each option.
    pub(crate) const ALL: Share = Share(None);

    /// One option of each kind. The same bytes choose the same ones.
    pub(crate) fn by(bytes: &[u8]) -> Share {
        // Readers have random numbers of the same seed, which have nothing to do with the choice.
        Share(Some(Rng::new(!seed_of(bytes))))
    }

    /// The options to test.
    pub(crate) fn of<'a, T>(&mut self, options: &'a [T]) -> &'a [T] {
        match &mut self.0 {
            Some(rng) if !options.is_empty() => std::slice::from_ref(rng.pick(options)),
            _ => options,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_option_is_chosen_by_some_input() {
        let options = ["a", "b", "c"];
        let mut all = Share::ALL;
        assert_eq!(all.of(&options), options);
        let chosen = |byte: u8| {
            let mut share = Share::by(&[byte]);
            (share.of(&options).to_vec(), share.of(&options).to_vec())
        };
        assert_eq!(chosen(1), chosen(1));
        let chosen: HashSet<_> = (0..100).map(chosen).collect();
        assert_eq!(chosen.len(), 9, "each pair");
        assert!(chosen.iter().all(|(first, second)| first.len() == 1 && second.len() == 1));
        assert!(Share::by(b"").of::<u8>(&[]).is_empty());
    }
}
