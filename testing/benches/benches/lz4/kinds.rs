//! Thirteen kinds of data, which were chosen before the first measurement.

use std::fmt::Write;

/// A small generator of random numbers. It gives the same data in each run.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    /// A random number below `n`. Small numbers are more frequent, like the ranks of words in a text.
    fn rank(&mut self, n: u64) -> u64 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        ((n as f64).powf(unit) - 1.0) as u64
    }
}

/// A kind of data: its name, and the function that makes its bytes.
pub(crate) type Kind = (&'static str, fn(usize) -> Vec<u8>);

pub(crate) const KINDS: [Kind; 13] = [
    ("sorted i64", sorted),
    ("random i64", random),
    ("i32 below 1,000", small_numbers),
    ("f64 walk", walk),
    ("timestamps [us]", timestamps),
    ("uuids", uuids),
    ("prose", prose),
    ("log lines", log_lines),
    ("JSON", json),
    ("zeros", zeros),
    ("bitmaps", bitmaps),
    ("dictionary indices", indices),
    ("URLs", urls),
];

fn numbers<const N: usize>(n_bytes: usize, mut next: impl FnMut() -> [u8; N]) -> Vec<u8> {
    (0..n_bytes.div_ceil(N)).flat_map(|_| next()).take(n_bytes).collect()
}

fn text(n_bytes: usize, mut append: impl FnMut(&mut String)) -> Vec<u8> {
    let mut text = String::new();
    while text.len() < n_bytes {
        append(&mut text);
    }
    text.into_bytes()[..n_bytes].to_vec()
}

fn sorted(n_bytes: usize) -> Vec<u8> {
    let (mut random, mut value) = (RandomNumbers(1), 1_000_000i64);
    numbers(n_bytes, || {
        value += random.below(100) as i64;
        value.to_le_bytes()
    })
}

fn random(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(2);
    numbers(n_bytes, || random.next().to_le_bytes())
}

fn small_numbers(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(3);
    numbers(n_bytes, || (random.below(1000) as i32).to_le_bytes())
}

fn walk(n_bytes: usize) -> Vec<u8> {
    let (mut random, mut value) = (RandomNumbers(4), 100.0f64);
    numbers(n_bytes, || {
        // Prices in cents.
        value = ((value + (random.below(201) as f64 - 100.0) / 100.0) * 100.0).round() / 100.0;
        value.to_le_bytes()
    })
}

fn timestamps(n_bytes: usize) -> Vec<u8> {
    let (mut random, mut value) = (RandomNumbers(5), 1_700_000_000_000_000i64);
    numbers(n_bytes, || {
        value += random.below(5_000_000) as i64;
        value.to_le_bytes()
    })
}

fn uuids(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(6);
    text(n_bytes, |text| {
        let (high, low) = (random.next(), random.next());
        let parts = (
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            low >> 48 & 0x3fff | 0x8000,
            low & 0xffff_ffff_ffff,
        );
        let _ =
            write!(text, "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", parts.0, parts.1, parts.2, parts.3, parts.4);
    })
}

/// Words whose letters are as frequent as in English. A few of the words make up most of the text.
fn words(random: &mut RandomNumbers) -> Vec<String> {
    const LETTERS: &[u8] = b"eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk";
    (0..4000)
        .map(|idx| {
            let n_letters = 2 + random.below(3 + idx / 400) as usize;
            (0..n_letters).map(|_| char::from(LETTERS[random.below(LETTERS.len() as u64) as usize])).collect()
        })
        .collect()
}

fn prose(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(7);
    let words = words(&mut random);
    text(n_bytes, |text| {
        text.push_str(&words[random.rank(4000) as usize]);
        text.push_str(if random.below(9) == 0 {
            ", "
        } else if random.below(14) == 0 {
            ". "
        } else {
            " "
        });
    })
}

fn log_lines(n_bytes: usize) -> Vec<u8> {
    let (mut random, mut millis) = (RandomNumbers(8), 0u64);
    text(n_bytes, |text| {
        millis += random.below(400);
        let (level, part) =
            (["INFO", "INFO", "INFO", "DEBUG", "WARN"], ["http", "db", "cache", "auth", "queue"]);
        let (level, part) = (level[random.below(5) as usize], part[random.below(5) as usize]);
        let _ = writeln!(
            text,
            "2024-03-{:02}T{:02}:{:02}:{:02}.{:03}Z {level} {part}: request {} from 10.0.{}.{} took {} ms",
            1 + millis / 86_400_000 % 28,
            millis / 3_600_000 % 24,
            millis / 60_000 % 60,
            millis / 1000 % 60,
            millis % 1000,
            random.below(1_000_000),
            random.below(4),
            random.below(256),
            random.rank(2000)
        );
    })
}

fn json(n_bytes: usize) -> Vec<u8> {
    let (mut random, mut id) = (RandomNumbers(9), 0u64);
    let words = words(&mut random);
    text(n_bytes, |text| {
        id += 1;
        let _ = write!(
            text,
            r#"{{"id":{id},"name":"{}","active":{},"score":{}.{:02},"tags":["{}","{}"]}}"#,
            words[random.below(4000) as usize],
            random.below(3) > 0,
            random.below(100),
            random.below(100),
            words[random.rank(50) as usize],
            words[random.rank(50) as usize]
        );
        text.push('\n');
    })
}

fn zeros(n_bytes: usize) -> Vec<u8> {
    vec![0; n_bytes]
}

/// Validity bitmaps: one sixteenth of the slots is null, in runs.
fn bitmaps(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(10);
    let mut is_null = false;
    numbers(n_bytes, || {
        let mut byte = 0u8;
        for bit in 0..8 {
            let changes = random.below(if is_null { 4 } else { 60 }) == 0;
            is_null ^= changes;
            byte |= u8::from(!is_null) << bit;
        }
        [byte]
    })
}

fn indices(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(11);
    numbers(n_bytes, || (random.rank(500) as i16).to_le_bytes())
}

fn urls(n_bytes: usize) -> Vec<u8> {
    let mut random = RandomNumbers(12);
    let words = words(&mut random);
    text(n_bytes, |text| {
        let mut word = |n| words[random.rank(n) as usize].clone();
        let (host, folder, page) = (word(60), word(300), word(4000));
        let _ = write!(
            text,
            "https://www.{host}.com/{folder}/{page}?id={}&ref={}",
            random.below(100_000),
            random.below(9)
        );
    })
}
