//! Decodes LZ4 frames one byte at a time, as the description of the format says. Checksums are ignored.

const MAGIC: u32 = 0x184d_2204;

/// The content of one frame; `None` if the frame is invalid.
pub(super) fn decompress(frame: &[u8]) -> Option<Vec<u8>> {
    let mut input = Input(frame);
    if input.u32()? != MAGIC {
        return None;
    }
    let flags = input.u8()?;
    let _block_size = input.u8()?;
    let has = |bit: u8| flags >> bit & 1 == 1;
    let (is_independent, has_block_checksums) = (has(5), has(4));
    if has(3) {
        input.take(8)?;
    }
    if has(0) {
        input.take(4)?;
    }
    let _header_checksum = input.u8()?;
    let mut output = Vec::new();
    loop {
        let size = input.u32()?;
        if size == 0 {
            break;
        }
        let block = input.take((size & 0x7fff_ffff) as usize)?;
        let window = if is_independent { output.len() } else { 0 };
        if size >> 31 == 1 {
            output.extend_from_slice(block);
        } else {
            decompress_block(block, &mut output, window)?;
        }
        if has_block_checksums {
            input.take(4)?;
        }
    }
    if has(2) {
        input.take(4)?;
    }
    input.0.is_empty().then_some(output)
}

/// Decodes sequences of literals and matches. A match must not begin before `window`.
fn decompress_block(block: &[u8], output: &mut Vec<u8>, window: usize) -> Option<()> {
    let mut input = Input(block);
    loop {
        let token = input.u8()?;
        let n_literals = input.length(token >> 4)?;
        output.extend_from_slice(input.take(n_literals)?);
        if input.0.is_empty() {
            return Some(());
        }
        let offset = usize::from(u16::from_le_bytes([input.u8()?, input.u8()?]));
        let n_bytes = input.length(token & 15)? + 4;
        let start = output.len().checked_sub(offset).filter(|start| *start >= window && offset > 0)?;
        for at in start..start + n_bytes {
            output.push(output[at]);
        }
    }
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, n_bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n_bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// A length that continues with the next byte while bytes are 255.
    fn length(&mut self, start: u8) -> Option<usize> {
        let mut length = usize::from(start);
        let mut last = if start == 15 { 255 } else { 0 };
        while last == 255 {
            last = self.u8()?;
            length += usize::from(last);
        }
        Some(length)
    }
}
