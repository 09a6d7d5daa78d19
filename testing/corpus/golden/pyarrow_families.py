"""The families of types: each a line about it and its fields."""

import pyarrow as pa

UNITS = ["s", "ms", "us", "ns"]
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


def families():
    def field(name, t):
        return pa.field(name, t)

    i8, utf8 = pa.int8(), pa.string()
    point = pa.struct([pa.field("x", pa.int16(), nullable=False), pa.field("y", utf8)])
    options = [field("number", pa.int32()), field("text", utf8), field("list", pa.list_(i8))]
    indices = [pa.dictionary(t, utf8, ordered=k % 2 == 1) for k, t in enumerate(INTEGERS)]
    values = [i8, pa.float64(), pa.decimal128(20, 3), pa.bool_(), pa.string_view(), pa.large_binary(), pa.binary(3)]
    values += [pa.list_(utf8), point, pa.list_(i8, 2), pa.map_(utf8, i8), pa.timestamp("ms", "UTC")]
    lists = [i8, utf8, pa.bool_(), point, pa.list_(pa.int64())]
    return {
        "null-bool": ("nulls and booleans", [
            field("nothing", pa.null()), field("maybe", pa.bool_()), pa.field("sure", pa.bool_(), nullable=False)]),
        "integers": ("integers of every width", [field(str(t), t) for t in INTEGERS]
                     + [pa.field("required", pa.int64(), nullable=False)]),
        "floats": ("floats of every width", [
            field("half", pa.float16()), field("single", pa.float32()), field("double", pa.float64())]),
        "decimals": ("decimals of every width, scales negative and as wide as the precision", [
            field(f"d{k}", t) for k, t in enumerate([
                pa.decimal32(9, 2), pa.decimal32(1, 0), pa.decimal64(18, -3), pa.decimal64(18, 18),
                pa.decimal128(38, 10), pa.decimal128(38, 38), pa.decimal128(5, -2), pa.decimal256(76, 5),
                pa.decimal256(40, 0), pa.decimal256(76, -10)])]),
        "dates-times": ("dates and times of every unit", [
            field("date32", pa.date32()), field("date64", pa.date64()), field("time_s", pa.time32("s")),
            field("time_ms", pa.time32("ms")), field("time_us", pa.time64("us")), field("time_ns", pa.time64("ns"))]),
        "timestamps": ("timestamps of every unit, without and with a zone", [
            field(f"ts_{unit}", pa.timestamp(unit)) for unit in UNITS] + [
            field("utc", pa.timestamp("us", "UTC")), field("paris", pa.timestamp("s", "Europe/Paris")),
            field("offset", pa.timestamp("ns", "-05:30")), field("kathmandu", pa.timestamp("ms", "Asia/Kathmandu"))]),
        "durations-intervals": ("durations of every unit, month-day-nano intervals", [
            field(f"duration_{unit}", pa.duration(unit)) for unit in UNITS] + [
            field("interval", pa.month_day_nano_interval())]),
        "binary-text": ("binary and text with 32- and 64-bit offsets", [
            field("binary", pa.binary()), field("large_binary", pa.large_binary()), field("utf8", utf8),
            field("large_utf8", pa.large_string()), pa.field("required", utf8, nullable=False)]),
        "views": ("binary and text views in several data buffers", [
            field("binary_view", pa.binary_view()), field("utf8_view", pa.string_view()),
            field("list", pa.list_(pa.string_view()))]),
        "fixed-size": ("binary and lists of fixed size, also size zero", [
            field("b16", pa.binary(16)), field("b1", pa.binary(1)), field("b0", pa.binary(0)),
            field("l3", pa.list_(pa.int16(), 3)), field("l1", pa.list_(utf8, 1)), field("l0", pa.list_(i8, 0)),
            field("l2l2", pa.list_(pa.list_(pa.bool_(), 2), 2)),
            field("required_items", pa.list_(pa.field("item", pa.int32(), nullable=False), 2))]),
        "lists": ("lists with 32- and 64-bit offsets", [
            field(f"list{k}", pa.list_(t)) for k, t in enumerate(lists)] + [
            field(f"large{k}", pa.large_list(t)) for k, t in enumerate(lists)] + [
            field("named", pa.list_(pa.field("element", pa.int32(), nullable=False)))]),
        "list-views": ("list views that overlap and run backwards", [
            field(f"view{k}", pa.list_view(t)) for k, t in enumerate(lists)] + [
            field(f"large{k}", pa.large_list_view(t)) for k, t in enumerate(lists)]),
        "structs": ("structs, also without fields, with repeated and empty names", [
            field("point", point), field("none", pa.struct([])),
            field("nested", pa.struct([field("a", pa.struct([field("b", pa.struct([field("c", i8)]))]))])),
            field("repeated", pa.struct([field("a", i8), field("a", utf8), field("", pa.bool_())])),
            pa.field("required", pa.struct([pa.field("a", i8, nullable=False)]), nullable=False)]),
        "maps": ("maps", [
            field("plain", pa.map_(utf8, pa.int32())), field("sorted", pa.map_(pa.int32(), utf8, keys_sorted=True)),
            field("required", pa.map_(i8, pa.field("value", pa.int64(), nullable=False))),
            field("nested", pa.map_(utf8, pa.map_(i8, pa.list_(utf8)))), field("struct_key", pa.map_(point, point))]),
        "unions": ("sparse and dense unions, with type ids of their own", [
            field("sparse", pa.sparse_union(options)), field("dense", pa.dense_union(options)),
            field("sparse_ids", pa.sparse_union(options, [5, 0, 127])),
            field("dense_ids", pa.dense_union(options, [100, 7, 1])),
            field("repeated", pa.dense_union([field("a", i8), field("a", utf8)])),
            field("single", pa.sparse_union([field("a", i8)])),
            field("nested", pa.dense_union([field("u", pa.sparse_union(options)), field("n", pa.null())])),
            field("list", pa.list_(pa.dense_union(options)))]),
        "dictionary-indices": ("dictionaries by indices of every type, every second one ordered", [
            field(str(t.index_type), t) for t in indices] + [
            pa.field("required", pa.dictionary(pa.int32(), pa.int64()), nullable=False)]),
        "dictionary-values": ("dictionaries of values of many types", [
            field(f"d{k}", pa.dictionary(pa.int16(), t)) for k, t in enumerate(values)]),
        "dictionary-inside": ("dictionaries inside other types", [
            field("list", pa.list_(indices[0])), field("struct", pa.struct([field("d", indices[2])])),
            field("map", pa.map_(pa.dictionary(pa.int32(), pa.int64()), indices[4])),
            field("fixed", pa.list_(indices[6], 2)), field("view", pa.list_view(indices[1])),
            field("sparse", pa.sparse_union([field("d", indices[3]), field("i", i8)])),
            field("dense", pa.dense_union([field("d", indices[3]), field("i", i8)])),
            field("runs", pa.run_end_encoded(pa.int32(), indices[5]))]),
        "run-ends": ("runs of every width, of values of many types", [
            field("i16", pa.run_end_encoded(pa.int16(), utf8)),
            field("i32", pa.run_end_encoded(pa.int32(), pa.bool_())),
            field("i64", pa.run_end_encoded(pa.int64(), pa.float64())),
            field("lists", pa.run_end_encoded(pa.int32(), pa.list_(i8))),
            field("structs", pa.run_end_encoded(pa.int16(), point)),
            field("views", pa.run_end_encoded(pa.int32(), pa.string_view())),
            field("inside_list", pa.list_(pa.run_end_encoded(pa.int16(), i8))),
            field("inside_struct", pa.struct([field("r", pa.run_end_encoded(pa.int32(), utf8))]))]),
        "nested": ("types nested in one another", [
            field("a", pa.list_(pa.struct([field("m", pa.map_(utf8, pa.large_list(pa.list_(point, 2))))]))),
            field("b", pa.struct([field("u", pa.dense_union([
                field("l", pa.list_view(pa.string_view())), field("d", pa.dictionary(pa.int8(), pa.list_(i8)))]))])),
            field("c", pa.large_list_view(pa.sparse_union([
                field("r", pa.run_end_encoded(pa.int16(), point)), field("f", pa.list_(pa.decimal256(50, 5), 1))]))),
            field("d", pa.list_(pa.list_(pa.list_(pa.list_(pa.bool_())))))]),
    }
