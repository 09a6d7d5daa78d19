//! Damages: what storage does to bytes. Each byte keeps the place that it came from.

use std::{cell::OnceCell, ops::Range};

use testing_support::Rng;

use super::inputs::{Is, Sound};

/// A damaged input.
#[derive(Debug)]
pub(super) struct Damaged {
    pub(super) bytes: Vec<u8>,
    /// Where each byte was; `None` if it was written by the damage.
    pub(super) origins: Vec<Option<usize>>,
    pub(super) text: String,
    /// Which bytes are here and where, by where they were. Made when all damages are done.
    by_origin: OnceCell<Vec<(usize, usize)>>,
}

impl Damaged {
    /// The bytes of the input that were here, in this order.
    pub(super) fn origin(&self, range: Range<usize>) -> Option<Range<usize>> {
        let origins = self.origins.get(range.clone())?;
        let first = (*origins.first()?)?;
        let is_whole = origins.iter().enumerate().all(|(nth, origin)| *origin == Some(first + nth));
        is_whole.then(|| first..first + range.len())
    }

    /// Which bytes are now where, piece by piece.
    pub(super) fn pieces(&self) -> String {
        let mut text = String::new();
        let mut start = 0;
        for at in 1..=self.origins.len() {
            let is_next = |last: usize| self.origins.get(at) == Some(&Some(last + 1));
            let goes_on = match self.origins[at - 1] {
                Some(last) => is_next(last),
                None => self.origins.get(at) == Some(&None),
            };
            if !goes_on {
                let origin = self.origins[start].map_or("damage".into(), |first| format!("{first}"));
                text += &format!("{start}..{at} from {origin}; ");
                start = at;
            }
        }
        text
    }

    /// Where these bytes are now, untouched, each time.
    pub(super) fn copies(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let by_origin = self.by_origin.get_or_init(|| {
            let here = self.origins.iter().enumerate();
            let mut known: Vec<_> = here.filter_map(|(at, origin)| Some(((*origin)?, at))).collect();
            known.sort_unstable();
            known
        });
        let first = by_origin.partition_point(|(origin, _)| *origin < range.start);
        let starts = by_origin[first..].iter().take_while(|(origin, _)| *origin == range.start);
        let copies = starts.map(|(_, at)| *at..*at + range.len());
        copies.filter(|copy| self.origin(copy.clone()).is_some()).collect()
    }
}

/// One to three damages.
pub(super) fn damage(sound: &Sound, rng: &mut Rng) -> Damaged {
    let origins = (0..sound.bytes.len()).map(Some).collect();
    let (bytes, by_origin) = (sound.bytes.clone(), OnceCell::new());
    let mut damaged = Damaged { bytes, origins, text: String::new(), by_origin };
    let n = *rng.pick(&[1, 1, 1, 2, 3]);
    for _ in 0..n {
        if damaged.bytes.is_empty() {
            break;
        }
        let range = some_range(sound, damaged.bytes.len(), rng);
        let text = one(&mut damaged, range.clone(), rng);
        damaged.text += &format!("{text} {range:?}; ");
    }
    damaged
}

fn one(damaged: &mut Damaged, range: Range<usize>, rng: &mut Rng) -> &'static str {
    let n = range.len();
    match rng.below(12) {
        0 | 1 => replace(damaged, range, &vec![0; n], "zeroed"),
        2 => {
            let random = rng.bytes(n);
            replace(damaged, range, &random, "random")
        }
        3 => replace(damaged, range, &vec![0xff; n], "set"),
        4..=6 => replace(damaged, range, &[], "removed"),
        7 => {
            let bytes = if rng.one_in(2) { rng.bytes(n) } else { vec![0; n] };
            replace(damaged, range.start..range.start, &bytes, "inserted at")
        }
        8 => {
            let (bytes, origins) = copied(damaged, &range);
            splice(damaged, range.end..range.end, (bytes, origins));
            "repeated"
        }
        9 => {
            // As a write at the wrong place.
            let (bytes, origins) = copied(damaged, &range);
            let start = rng.below(damaged.bytes.len() - n + 1);
            splice(damaged, start..start + n, (bytes, origins));
            "copied over others"
        }
        10 => {
            let start = rng.below(damaged.bytes.len() - n + 1);
            if start < range.end && range.start < start + n {
                return replace(damaged, range, &[], "removed");
            }
            let (left, right) = (copied(damaged, &range), copied(damaged, &(start..start + n)));
            splice(damaged, range, right);
            splice(damaged, start..start + n, left);
            "swapped"
        }
        _ => {
            let mut byte = damaged.bytes[range.start];
            byte ^= 1 << rng.below(8);
            replace(damaged, range.start..range.start + 1, &[byte], "changed a bit of")
        }
    }
}

fn replace(damaged: &mut Damaged, range: Range<usize>, bytes: &[u8], text: &'static str) -> &'static str {
    // A byte that has the same value is as it was.
    let origins: Vec<Option<usize>> = if bytes.len() == range.len() {
        let origin = |at: usize, byte: u8| if damaged.bytes[at] == byte { damaged.origins[at] } else { None };
        range.clone().zip(bytes).map(|(at, byte)| origin(at, *byte)).collect()
    } else {
        vec![None; bytes.len()]
    };
    splice(damaged, range, (bytes.to_vec(), origins));
    text
}

fn copied(damaged: &Damaged, range: &Range<usize>) -> (Vec<u8>, Vec<Option<usize>>) {
    (damaged.bytes[range.clone()].to_vec(), damaged.origins[range.clone()].to_vec())
}

fn splice(damaged: &mut Damaged, range: Range<usize>, (bytes, origins): (Vec<u8>, Vec<Option<usize>>)) {
    damaged.bytes.splice(range.clone(), bytes);
    damaged.origins.splice(range, origins);
}

/// Anywhere, or at what matters; of any length, or of sectors. Not empty.
fn some_range(sound: &Sound, n_bytes: usize, rng: &mut Rng) -> Range<usize> {
    let message = rng.pick(&sound.messages);
    let dictionaries: Vec<_> =
        sound.messages.iter().filter(|part| matches!(part.is, Is::Dictionary { .. })).collect();
    let whole = match rng.below(8) {
        0 | 1 => Some(message.range.clone()),
        2 => Some(message.range.start..message.body),
        3 => Some(sound.schema_message.clone()),
        4 => sound.footer.clone(),
        5 if !dictionaries.is_empty() => Some(rng.pick(&dictionaries).range.clone()),
        6 => Some(0..rng.below(n_bytes) + 1),
        _ => None,
    };
    let within = whole.unwrap_or(0..n_bytes);
    let range = match rng.below(6) {
        // All of it.
        0 => within,
        // Sectors.
        1 => {
            let sector = *rng.pick(&[512, 4_096]);
            let start = (within.start + rng.below(within.len().max(1))) / sector * sector;
            start..start + sector * (1 + rng.below(2))
        }
        // The end of the input.
        2 if rng.one_in(2) => within.start..n_bytes,
        // A few bytes, or more.
        _ => {
            let start = within.start + rng.below(within.len().max(1));
            let most = *rng.pick(&[1, 3, 8, 8, 16, 64, 512, 4_096]);
            start..start + 1 + rng.below(most)
        }
    };
    let start = range.start.min(n_bytes - 1);
    start..range.end.clamp(start + 1, n_bytes)
}
