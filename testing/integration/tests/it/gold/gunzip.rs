//! Unpacks files of `gzip`, which documents of the gold files are: RFC 1951 and 1952, with clarity before speed.

/// The content of a file of one member; none if it is damaged.
pub(crate) fn gunzip(file: &[u8]) -> Option<Vec<u8>> {
    const NAME: u8 = 8;
    let (head, mut rest) = file.split_at_checked(10)?;
    let flags = *head.get(3)?;
    if head.get(..3)? != [0x1F, 0x8B, 8] || flags & !NAME != 0 {
        return None;
    }
    if flags & NAME != 0 {
        rest = rest.splitn(2, |byte| *byte == 0).nth(1)?;
    }
    let mut bits = Bits { bytes: rest, n_used: 0 };
    let content = inflate(&mut bits)?;
    let tail = rest.get(bits.n_used.div_ceil(8)..)?.first_chunk::<8>()?;
    let (crc, n_bytes) = (u32::from_le_bytes(*tail.first_chunk()?), u32::from_le_bytes(*tail.last_chunk()?));
    (crc == crc32(&content) && n_bytes as usize == content.len()).then_some(content)
}

/// Bits from the lowest of each byte on.
struct Bits<'a> {
    bytes: &'a [u8],
    n_used: usize,
}

impl Bits<'_> {
    fn take(&mut self, n_bits: usize) -> Option<usize> {
        let mut value = 0;
        for idx in 0..n_bits {
            let byte = *self.bytes.get(self.n_used / 8)?;
            value |= usize::from(byte >> (self.n_used % 8) & 1) << idx;
            self.n_used += 1;
        }
        Some(value)
    }

    /// The next symbol of a code.
    fn symbol(&mut self, code: &Code) -> Option<usize> {
        let (mut word, mut first, mut n_before) = (0, 0, 0);
        for n_codes in &code.n_codes {
            word = word << 1 | self.take(1)?;
            first <<= 1;
            if word < first + n_codes {
                return code.symbols.get(n_before + word - first).copied();
            }
            first += n_codes;
            n_before += n_codes;
        }
        None
    }
}

/// A canonical Huffman code: how many words there are of each length from 1 on, and the symbols in order of their words.
struct Code {
    n_codes: [usize; 15],
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[usize]) -> Code {
        let of_length = |length: usize| (0..lengths.len()).filter(move |symbol| lengths[*symbol] == length);
        let n_codes = std::array::from_fn(|idx| of_length(idx + 1).count());
        Code { n_codes, symbols: (1..=15).flat_map(of_length).collect() }
    }
}

fn inflate(bits: &mut Bits<'_>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => {
                bits.n_used = bits.n_used.next_multiple_of(8);
                let n_bytes = bits.take(16)?;
                if n_bytes != !bits.take(16)? & 0xFFFF {
                    return None;
                }
                let start = bits.n_used / 8;
                out.extend_from_slice(bits.bytes.get(start..start + n_bytes)?);
                bits.n_used += n_bytes * 8;
            }
            1 => {
                let lengths: Vec<usize> = [(8, 144), (9, 112), (7, 24), (8, 8)]
                    .iter()
                    .flat_map(|(length, n)| vec![*length; *n])
                    .collect();
                block(bits, &Code::new(&lengths), &Code::new(&[5; 30]), &mut out)?;
            }
            2 => {
                let (literals, distances) = codes(bits)?;
                block(bits, &literals, &distances, &mut out)?;
            }
            _ => return None,
        }
        if is_last {
            return Some(out);
        }
    }
}

/// The codes of one block, themselves written in a code.
fn codes(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let (n_literals, n_distances, n_lengths) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
    let mut lengths = [0; 19];
    for symbol in &ORDER[..n_lengths] {
        lengths[*symbol] = bits.take(3)?;
    }
    let code = Code::new(&lengths);
    let mut lengths: Vec<usize> = Vec::new();
    while lengths.len() < n_literals + n_distances {
        let (length, n_times) = match bits.symbol(&code)? {
            16 => (*lengths.last()?, bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            18 => (0, bits.take(7)? + 11),
            length => (length, 1),
        };
        lengths.extend(vec![length; n_times]);
    }
    let (literals, distances) = lengths.split_at(n_literals);
    Some((Code::new(literals), Code::new(distances.get(..n_distances)?)))
}

/// Bytes, and pairs of a length and a distance to bytes before.
fn block(bits: &mut Bits<'_>, literals: &Code, distances: &Code, out: &mut Vec<u8>) -> Option<()> {
    loop {
        match bits.symbol(literals)? {
            256 => return Some(()),
            byte @ 0..256 => out.push(u8::try_from(byte).ok()?),
            symbol => {
                let n_bytes = match symbol - 257 {
                    28 => 258,
                    idx @ 0..28 => 3 + stepped(bits, idx, 4)?,
                    _ => return None,
                };
                let distance = 1 + match bits.symbol(distances)? {
                    idx @ 0..30 => stepped(bits, idx, 2)?,
                    _ => return None,
                };
                let start = out.len().checked_sub(distance)?;
                for idx in start..start + n_bytes {
                    out.push(out[idx]);
                }
            }
        }
    }
}

/// Numbers in steps that double: `n_steps` of each size, the smallest size twice, with extra bits within a step.
fn stepped(bits: &mut Bits<'_>, idx: usize, n_steps: usize) -> Option<usize> {
    let n_bits = (idx / n_steps).saturating_sub(1);
    let base = if n_bits == 0 { idx } else { (n_steps + idx % n_steps) << n_bits };
    Some(base + bits.take(n_bits)?)
}

fn crc32(bytes: &[u8]) -> u32 {
    let add = |crc: u32, byte: &u8| {
        let shift = |crc: u32, _| crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
        (0..8).fold(crc ^ u32::from(*byte), shift)
    };
    !bytes.iter().fold(!0, add)
}

#[test]
fn what_was_packed_is_unpacked() {
    // `printf 'arrow arrow arrow' | gzip -n`
    let packed =
        *b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x2c\x2a\xca\x2f\x57\x48\x44\x90\0\xe5\xbd\x41\x4a\x11\0\0\0";
    assert_eq!(gunzip(&packed).as_deref(), Some(&b"arrow arrow arrow"[..]));
    for idx in 10..packed.len() {
        let mut damaged = packed;
        damaged[idx] ^= 4;
        assert_eq!(gunzip(&damaged), None, "byte {idx}");
    }
}
