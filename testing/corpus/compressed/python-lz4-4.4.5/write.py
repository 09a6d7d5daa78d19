"""Writes LZ4 frames of a golden stream and file with python-lz4 4.4.5, whose folder this is, and with pyarrow 26.0.1."""

import struct
from pathlib import Path

import lz4.frame
import pyarrow as pa

HERE = Path(__file__).parent
GOLDEN = HERE / "../../golden/pyarrow-26.0.1/dictionary-nested"
# A skippable frame, as tools put it before their frames to hold data of their own.
SKIPPABLE = struct.pack("<II", 0x184D2A53, 5) + b"12345"


def main():
    stream, file = [GOLDEN.with_suffix(suffix).read_bytes() for suffix in [".arrows", ".arrow"]]
    checked = dict(content_checksum=True, block_checksum=True, block_linked=False, store_size=True)
    half = len(stream) // 2
    frames = {
        "stream": lz4.frame.compress(stream),
        "stream-checked": lz4.frame.compress(stream, block_size=lz4.frame.BLOCKSIZE_MAX64KB, **checked),
        "stream-high": lz4.frame.compress(stream, compression_level=lz4.frame.COMPRESSIONLEVEL_MAX),
        "stream-two-frames": lz4.frame.compress(stream[:half]) + lz4.frame.compress(stream[half:]),
        "stream-after-skippable": SKIPPABLE + SKIPPABLE + lz4.frame.compress(stream) + SKIPPABLE,
        "file": lz4.frame.compress(file),
    }
    for name, content in frames.items():
        (HERE / f"{name}.lz4").write_bytes(content)
    with pa.CompressedOutputStream(str(HERE / "stream-pyarrow.lz4"), "lz4") as out:
        out.write(stream)


if __name__ == "__main__":
    main()
