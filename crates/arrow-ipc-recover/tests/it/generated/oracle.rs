//! What has to be found, and what must not be.

use std::{collections::HashSet, ops::Range};

use arrow_ipc::{IpcSchema, Result, StreamReader};
use arrow_ipc_recover::{LostCause, LostPart};

use super::{
    Schema,
    damage::Damaged,
    inputs::{Is, Sound, SoundMessage},
};
use crate::harness::RecoveryResult;

/// The numbers of batches that had to be found, and that were; or what is wrong.
pub(super) type Verdict = std::result::Result<(usize, usize), String>;

/// Judges a recovery.
pub(super) fn check(
    sound: &Sound,
    damaged: &Damaged,
    (schema, found): (Schema, Result<RecoveryResult>),
) -> Verdict {
    let footer_is_whole = footer_is_whole(sound, damaged);
    let message = &sound.schema_message;
    let message_is_whole = damaged.origin(message.clone()) == Some(message.clone());
    let is_known = schema == Schema::Given || footer_is_whole || message_is_whole;
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            // Without a batch there is nothing to give.
            let is_any = is_known && !required(sound, damaged, &RecoveryResult::default()).is_empty();
            return if is_any { Err(error.to_string()) } else { Ok((0, 0)) };
        }
    };
    let is_same = found.schema.as_ref().is_some_and(|of| of.schema() == sound.schema.schema());
    if !is_same {
        // One of the two was changed so that it says something else, and nobody said which.
        let n_fields = |schema: &IpcSchema| schema.schema().fields_in_pre_order().count();
        let has_others = found.schema.as_ref().is_some_and(|of| n_fields(of) != n_fields(&sound.schema));
        // Batches tell which has as many fields as they.
        let is_reported = message_is_whole && has_others && !required(sound, damaged, &found).is_empty();
        let is_certain = schema == Schema::Given || footer_is_whole && message_is_whole || is_reported;
        return if is_certain { Err("another schema".into()) } else { Ok((0, 0)) };
    }
    let taken = taken(sound, damaged, &found)?;
    let mut required = required(sound, damaged, &found);
    let is_second = |part: &LostPart| {
        let range = part.range().start as usize..part.range().end as usize;
        matches!(part.cause(), LostCause::SecondDictionary { .. }) && damaged.origin(range).is_none()
    };
    if found.messages.iter().any(|message| is_wrong_dictionary(damaged, message))
        || found.lost.iter().any(is_second)
    {
        // A changed dictionary that is valid is not distinguished from the right one, which may follow it.
        required.clear();
    }
    let lost = || found.lost_text();
    // A valid batch where one should be explains its bytes: what is inside of it is a value. So does one that nobody can check, since its
    // dictionary is lost.
    let unchecked = found.lost.iter().filter(|part| matches!(part.cause(), LostCause::LostDictionary { .. }));
    let unchecked: Vec<Range<u64>> = unchecked.map(LostPart::range).collect();
    let is_value = |idx: usize| {
        let part = sound.messages.iter().find(|part| part.is == Is::Batch(idx));
        let copies = part.map(|part| damaged.copies(&part.range)).unwrap_or_default();
        let is_unchecked = |copy: &Range<usize>| {
            let is_around =
                |range: &Range<u64>| range.start < copy.start as u64 && copy.end as u64 <= range.end;
            unchecked.iter().any(is_around)
        };
        let is_known = |copy: &Range<usize>| {
            is_unchecked(copy) || found.messages.iter().any(|message| is_inside(copy, message))
        };
        copies.iter().all(is_known)
    };
    let missing = required.iter().filter(|idx| !taken.contains(idx));
    if is_known && let Some(idx) = missing.into_iter().find(|idx| !is_value(**idx)) {
        return Err(format!("batch {idx} is not found, but {taken:?}; {:#?}", lost()));
    }
    if found.lost.is_empty() && found.batches.len() < sound.batches.len() {
        let read =
            StreamReader::try_new(&damaged.bytes[..]).and_then(|stream| stream.collect::<Result<Vec<_>>>());
        let n_read = read.map(|batches| batches.len()).unwrap_or(0);
        // Four zeros end a stream in legacy framing; another may follow.
        let is_ended = |message: &arrow_ipc::message::Message| {
            let end = (message.body_position() + message.n_body_bytes()) as usize;
            damaged.bytes[end..].starts_with(&[0; 4])
        };
        // After the last of all messages the end marker is where it was.
        let before_last = found.messages.split_last().map_or(&[][..], |(_, before)| before);
        let is_cut_off = found.messages.len() < sound.messages.len();
        let is_legacy = sound.name == "stream, legacy"
            && (before_last.iter().any(is_ended) || is_cut_off && found.messages.iter().any(is_ended));
        let is_sound = !footer_is_whole && (is_legacy || n_read == found.batches.len());
        if !is_sound {
            return Err(format!("{} batches, and nothing is lost", found.batches.len()));
        }
    }
    Ok((required.len(), taken.len()))
}

/// Whether the footer is at the end of the file, untouched.
fn footer_is_whole(sound: &Sound, damaged: &Damaged) -> bool {
    let n_bytes = damaged.bytes.len();
    sound.footer.as_ref().is_some_and(|footer| {
        n_bytes >= footer.len() && damaged.origin(n_bytes - footer.len()..n_bytes) == Some(footer.clone())
    })
}

/// The batches that were found as they were. All others are of damaged bytes.
fn taken(
    sound: &Sound,
    damaged: &Damaged,
    found: &RecoveryResult,
) -> std::result::Result<HashSet<usize>, String> {
    let mut taken = HashSet::new();
    let has_wrong_dictionary = found.messages.iter().any(|message| is_wrong_dictionary(damaged, message))
        || has_clean_cut(sound, damaged);
    let mut batches = found.batches.iter();
    let mut moved_end = None;
    for message in &found.messages {
        if message.kind() != arrow_ipc::MessageKind::RecordBatch {
            let end = message.body_position() + message.n_body_bytes();
            moved_end = is_moved(damaged, message).then_some(end);
            continue;
        }
        let batch = batches.next().unwrap();
        let Some(origin) = origin(damaged, message) else { continue };
        // One that has lost its continuation marker is one in legacy framing.
        let is_it = |part: &&SoundMessage| {
            part.range == origin || (part.range.start + 4 == origin.start && part.range.end == origin.end)
        };
        let part = sound.messages.iter().find(is_it);
        let Some(Is::Batch(idx)) = part.map(|part| part.is) else {
            return Err(format!("{origin:?} is no batch; {:#?}", found.lost_text()));
        };
        // Nothing tells that the dictionary right before it is another one.
        let has_moved_dictionary = moved_end == Some(message.position());
        if !(has_wrong_dictionary || has_moved_dictionary || batch.same_values(&sound.batches[idx]).unwrap())
        {
            return Err(format!("batch {idx} has other values; {:#?}", found.lost_text()));
        }
        taken.insert(idx);
    }
    Ok(taken)
}

fn origin(damaged: &Damaged, message: &arrow_ipc::message::Message) -> Option<Range<usize>> {
    let end = message.body_position() + message.n_body_bytes();
    damaged.origin(message.position() as usize..end as usize)
}

/// Whether a message is after bytes that were after it.
fn is_moved(damaged: &Damaged, message: &arrow_ipc::message::Message) -> bool {
    let before = (message.position() as usize).checked_sub(1).and_then(|before| damaged.origins[before]);
    origin(damaged, message).zip(before).is_some_and(|(origin, before)| before > origin.start)
}

fn is_inside(copy: &Range<usize>, message: &arrow_ipc::message::Message) -> bool {
    let end = message.body_position() + message.n_body_bytes();
    (message.body_position()..end).contains(&(copy.start as u64)) && copy.end as u64 <= end
}

/// Whether values of a dictionary were changed, and are still valid.
fn is_wrong_dictionary(damaged: &Damaged, message: &arrow_ipc::message::Message) -> bool {
    message.kind() == arrow_ipc::MessageKind::DictionaryBatch && origin(damaged, message).is_none()
}

/// Whether whole messages were cut out, or copied, so that nothing is left to notice.
fn has_clean_cut(sound: &Sound, damaged: &Damaged) -> bool {
    let mut borders: HashSet<usize> =
        sound.messages.iter().flat_map(|part| [part.range.start, part.range.end]).collect();
    borders.insert(sound.schema_message.start);
    let pairs = damaged.origins.iter().zip(damaged.origins.iter().skip(1));
    let mut cuts = pairs.filter_map(|(before, after)| Some(((*before)? + 1, (*after)?)));
    // Padding is the same before each border.
    let is_cut = |before: usize, after: usize| {
        let (rest, more) = (&sound.bytes[before..], &sound.bytes[after..]);
        let n_same = rest.iter().zip(more).take_while(|(left, right)| left == right).count().min(64);
        // So are the last bytes of what was cut out, in the place of padding: no reader looks at it.
        let n_padding = rest.iter().take_while(|byte| **byte == 0).count().min(64);
        (0..=n_same.max(n_padding)).any(|n| borders.contains(&(before + n)) && borders.contains(&(after + n)))
    };
    cuts.any(|(before, after)| before != after && is_cut(before, after))
}

/// The batches that the bytes still determine.
fn required(sound: &Sound, damaged: &Damaged, found: &RecoveryResult) -> Vec<usize> {
    let footer_is_whole = footer_is_whole(sound, damaged);
    let stream_end = stream_end(sound, damaged, found);
    let mut required = Vec::new();
    for (nth, part) in sound.messages.iter().enumerate() {
        let Is::Batch(idx) = part.is else { continue };
        if sound.name.contains("legacy")
            && !footer_is_whole
            && damaged.origin(0..part.range.end) != Some(0..part.range.end)
        {
            // Four zeros end it.
            continue;
        }
        let dictionaries = needed(sound, nth);
        let stands_out = |copy: &Range<usize>| {
            stands_out(sound, damaged, (part.range.clone(), copy)) && copy.start < stream_end
        };
        let is_there = |range: Range<usize>| damaged.copies(&range).iter().any(stands_out);
        let is_determined = match dictionaries.first() {
            None => is_there(part.range.clone()),
            Some(_) if footer_is_whole && !may_be_confused(sound, damaged) => {
                let whole = |range: &Range<usize>| {
                    let copies = damaged.copies(range);
                    let stands_out = |copy| self::stands_out(sound, damaged, (range.clone(), copy));
                    copies.iter().any(stands_out) && (copies.len() == 1 || is_only_repeated(damaged))
                };
                is_there(part.range.clone()) && all_dictionaries(sound).iter().all(whole)
            }
            Some(first) => {
                let copies = damaged.copies(&(first.start..part.range.end));
                let n_copies = damaged.copies(&part.range).len();
                let all = all_dictionaries(sound);
                !may_be_confused(sound, damaged)
                    && n_copies == 1
                    && all.iter().all(|range| damaged.copies(range).len() <= 1)
                    && copies.iter().any(|copy| {
                        let batch = copy.end - part.range.len()..copy.end;
                        stands_out(&batch)
                            && self::stands_out(sound, damaged, (first.start..part.range.end, copy))
                    })
            }
        };
        if is_determined {
            required.push(idx);
        }
    }
    required
}

/// Whether values that are added to a dictionary may be others than those that were there: they were copied or moved. So it looks where
/// some messages are shifted one way, and those after them the other way; or those before and after them are not, or by as many bytes as
/// each other.
fn may_be_confused(sound: &Sound, damaged: &Damaged) -> bool {
    let has_deltas =
        sound.messages.iter().any(|part| matches!(part.is, Is::Dictionary { is_delta: true, .. }));
    let shift = |was: usize, is: usize| is as i64 - was as i64;
    let copies = sound.messages.iter().flat_map(|part| {
        damaged.copies(&part.range).into_iter().map(|copy| shift(part.range.start, copy.start))
    });
    let mut shifts: Vec<i64> = copies.chain([shift(sound.bytes.len(), damaged.bytes.len())]).collect();
    shifts.dedup();
    let n_shifts = shifts.iter().collect::<HashSet<_>>().len();
    let is_back = |shifts: &[i64]| (shifts[0] < shifts[1]) == (shifts[2] < shifts[1]);
    let is_moved = n_shifts < shifts.len() || shifts.windows(3).any(is_back);
    let is_reported = ["copied", "swapped", "repeated"].iter().any(|word| damaged.text.contains(word));
    has_deltas && (is_reported || is_moved) && !(is_only_repeated(damaged) && footer_is_whole(sound, damaged))
}

/// Whether nothing was damaged but that bytes come twice, one after the other: copies differ from what the footer lists.
fn is_only_repeated(damaged: &Damaged) -> bool {
    damaged.text.starts_with("repeated") && damaged.text.matches("; ").count() == 1
}

/// Whether the bytes before and after a message are those that were there.
fn stands_out(sound: &Sound, damaged: &Damaged, (was, is): (Range<usize>, &Range<usize>)) -> bool {
    const PREFIX_BYTES: usize = 8;
    let before = was.start.saturating_sub(PREFIX_BYTES)..was.start;
    let is_before =
        is.start >= before.len() && damaged.origin(is.start - before.len()..is.start) == Some(before);
    let after = was.end..(was.end + PREFIX_BYTES).min(sound.bytes.len());
    let is_after = damaged.origin(is.end..is.end + after.len()) == Some(after);
    is_before && is_after
}

/// From where on messages are of no stream: the end marker was copied or moved there, and other bytes follow it, which may have been the
/// schema message of another stream. If a message follows at once, the stream goes on. A copy of the schema message that is damaged ends
/// the stream, too. So it is in what is left of a file without the magic at both ends, and without its footer: nothing says that it is one.
fn stream_end(sound: &Sound, damaged: &Damaged, found: &RecoveryResult) -> usize {
    let n_bytes = sound.bytes.len();
    let has_magic = damaged.bytes.starts_with(b"ARROW1") || damaged.bytes.ends_with(b"ARROW1");
    let has_footer = sound.footer.as_ref().is_some_and(|footer| !damaged.copies(footer).is_empty());
    if sound.footer.is_some() && (has_magic || has_footer) {
        return usize::MAX;
    }
    let begins_message = |at: usize| {
        let origin = damaged.origins.get(at).copied().flatten();
        let part = sound.messages.iter().find(|part| Some(part.range.start) == origin);
        part.is_some_and(|part| damaged.origin(at..at + part.range.len()).is_some())
    };
    let schema = &sound.schema_message;
    let schemas = damaged.copies(&(schema.start..schema.start + 8)).into_iter();
    let schemas = schemas.filter(|prefix| prefix.start != schema.start);
    let is_damaged =
        |prefix: &Range<usize>| damaged.origin(prefix.start..prefix.start + schema.len()).is_none();
    let damaged_schema = schemas.filter(is_damaged).map(|prefix| prefix.end).min();
    // One may also be what is left of a prefix, or a value where a message ends, or one that is lost.
    let ends = found.messages.iter().filter(|message| origin(damaged, message).is_some());
    let ends = ends.map(|message| message.body_position() + message.n_body_bytes());
    let ends = ends.chain(found.lost.iter().map(|part| part.range().end));
    let ends: HashSet<usize> = ends.map(|end| end as usize).collect();
    let starts = || sound.messages.iter().map(|part| part.range.start).chain([n_bytes - 8]);
    let is_marker = |at: &usize| {
        damaged.bytes[*at..at + 8] == [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]
            && (ends.contains(at) || starts().any(|start| damaged.origins[*at] == Some(start)))
    };
    let mut markers = (0..damaged.bytes.len().saturating_sub(7)).filter(is_marker).map(|at| at + 8);
    let marker = markers.find(|end| !(*end..end + 64).any(begins_message));
    damaged_schema.into_iter().chain(marker).min().unwrap_or(usize::MAX)
}

fn all_dictionaries(sound: &Sound) -> Vec<Range<usize>> {
    let parts = sound.messages.iter().filter(|part| matches!(part.is, Is::Dictionary { .. }));
    parts.map(|part| part.range.clone()).collect()
}

/// The dictionaries that a batch needs, the first one first.
fn needed(sound: &Sound, nth: usize) -> Vec<Range<usize>> {
    let mut needed: Vec<(i64, Range<usize>)> = Vec::new();
    for part in &sound.messages[..nth] {
        let Is::Dictionary { id, is_delta } = part.is else { continue };
        if !is_delta {
            needed.retain(|(of, _)| *of != id);
        }
        needed.push((id, part.range.clone()));
    }
    needed.into_iter().map(|(_, range)| range).collect()
}
