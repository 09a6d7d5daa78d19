#!/bin/sh
# Writes the frames of this folder with the program lz4 1.9.4: `sh write.sh`, in this folder.
set -e
python3 -c "
print('n,name')
for row in range(4000): print(f'{row // 50},a name that is long and the same in all rows')" > text.csv
cp ../../golden/pyarrow-26.0.1/dictionary-nested.arrows stream
write() { lz4 -q -f $3 "$1" "$2.lz4"; }
write stream stream
write stream stream-linked "-BD -B4"
write stream stream-checksums "-BX --content-size"
write stream stream-none "--no-frame-crc -B7"
write stream stream-legacy -l
write text.csv text.csv
write text.csv text-linked.csv "-9 -BD -B4 --content-size"
write text.csv text-independent.csv "-BI -B4 -BX"
write text.csv text-legacy.csv -l
rm text.csv stream
