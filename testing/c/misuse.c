/* misuse FILE FOLDER: calls that are wrong, and all orders of release. FILE has at least two batches and two columns. */
#include "common.h"

static void refused(int code, int expected, const struct aipc_error *error, const char *text) {
  if (code != expected || error->code != expected || !strstr(error->text, text))
    FAIL("code %d, expected %d with \"%s\": %s", code, expected, text, error->text);
}

/* What a failing call must replace by NULL. */
#define GARBAGE(type) ((type *)(void *)16)

#define REFUSED(expected, text, call)                                                                                      \
  do {                                                                                                                     \
    struct aipc_error error = AIPC_ERROR_INIT;                                                                             \
    struct aipc_error *e = &error;                                                                                         \
    int code = (call);                                                                                                     \
    refused(code, expected, &error, text);                                                                                 \
    (void)e;                                                                                                               \
  } while (0)

static int failing_write(void *user, const void *bytes, size_t n_bytes) {
  (void)bytes;
  (void)n_bytes;
  return ++*(int *)user > 1 ? 28 : 0;
}

/* Calls its own writer, which is refused. */
struct reentry {
  aipc_writer *writer;
  int n_refused;
};

static int reentering_write(void *user, const void *bytes, size_t n_bytes) {
  struct reentry *reentry = (struct reentry *)user;
  (void)bytes;
  (void)n_bytes;
  if (reentry->writer && aipc_writer_finish(reentry->writer, NULL) == AIPC_MISUSE) reentry->n_refused++;
  return 0;
}

static void never(struct ArrowArray *array) { FAIL("%p is released, and was not filled", (void *)array); }

static void nulls(const char *path) {
  aipc_reader *reader = GARBAGE(aipc_reader);
  aipc_decoder *decoder = GARBAGE(aipc_decoder);
  aipc_encoder *encoder = GARBAGE(aipc_encoder);
  aipc_writer *writer = GARBAGE(aipc_writer);
  const struct aipc_option wrong[] = {{"?", "?"}};
  uint64_t n;
  int event;
  struct aipc_bytes bytes;
  struct ArrowSchema schema = {0};
  struct ArrowArray array = {0};
  struct ArrowArrayStream stream = {0};
  REFUSED(AIPC_MISUSE, "`path` is NULL", aipc_reader_open(NULL, NULL, 0, &reader, e));
  CHECK(!reader);
  REFUSED(AIPC_MISUSE, "`out` is NULL", aipc_reader_open(path, NULL, 0, NULL, e));
  REFUSED(AIPC_MISUSE, "`options` is NULL", aipc_reader_open(path, NULL, 1, &reader, e));
  reader = GARBAGE(aipc_reader);
  REFUSED(AIPC_MISUSE, "`memory` is NULL", aipc_reader_open_memory(NULL, NULL, 0, &reader, e));
  CHECK(!reader);
  reader = GARBAGE(aipc_reader);
  REFUSED(AIPC_MISUSE, "`source` is NULL", aipc_reader_open_source(NULL, NULL, 0, &reader, e));
  CHECK(!reader);
  REFUSED(AIPC_MISUSE, "\"?\"", aipc_decoder_new(wrong, 1, &decoder, e));
  CHECK(!decoder);
  REFUSED(AIPC_MISUSE, "`schema` is NULL", aipc_encoder_new(NULL, wrong, 1, &encoder, e));
  CHECK(!encoder);
  REFUSED(AIPC_MISUSE, "`sink` is NULL", aipc_writer_to_sink(NULL, NULL, NULL, 0, &writer, e));
  CHECK(!writer);
  writer = GARBAGE(aipc_writer);
  REFUSED(AIPC_MISUSE, "\"?\"", aipc_writer_to_memory(NULL, wrong, 1, &writer, e));
  CHECK(!writer);
  array.release = never;
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_batch(NULL, 0, &array, e));
  CHECK(!array.release);
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_schema(NULL, &schema, e));
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_stream(NULL, &stream, e));
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_batch(NULL, 0, &array, e));
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_n_rows(NULL, &n, e));
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_find_metadata(NULL, "a", &bytes, e));
  REFUSED(AIPC_MISUSE, "`decoder` is NULL", aipc_decoder_step(NULL, &event, &array, e));
  REFUSED(AIPC_MISUSE, "`encoder` is NULL", aipc_encoder_next(NULL, &bytes, e));
  REFUSED(AIPC_MISUSE, "`writer` is NULL", aipc_writer_finish(NULL, e));
  REFUSED(AIPC_MISUSE, "`schema` is NULL", aipc_encoder_new(NULL, NULL, 0, NULL, e));
  CHECK(aipc_writer_write(NULL, NULL, NULL) == AIPC_MISUSE);
  OK(aipc_decoder_new(NULL, 0, &decoder, e));
  REFUSED(AIPC_MISUSE, "`bytes` is NULL", aipc_decoder_feed(decoder, NULL, 1, e));
  REFUSED(AIPC_MISUSE, "`batch` is NULL", aipc_decoder_step(decoder, &event, NULL, e));
  REFUSED(AIPC_MISUSE, "has not arrived", aipc_decoder_schema(decoder, &schema, e));
  OK(aipc_decoder_feed(decoder, NULL, 0, e));
  OK(aipc_decoder_end_input(decoder, e));
  REFUSED(AIPC_TRUNCATED, "empty", aipc_decoder_step(decoder, &event, &array, e));
  REFUSED(AIPC_MISUSE, "earlier error", aipc_decoder_step(decoder, &event, &array, e));
  aipc_decoder_free(decoder);
  aipc_decoder_free(NULL);
  aipc_reader_free(NULL);
  aipc_encoder_free(NULL);
  aipc_writer_free(NULL);
}

static void options(const char *path) {
  static const struct {
    const char *key, *value;
    int code;
    const char *text;
  } cases[] = {
      {"colum", "id", AIPC_MISUSE, "no option is named \"colum\"; did you mean column?"},
      {"zzz", "1", AIPC_MISUSE, "the options are: column, rows, batches, condition, statistics, validation"},
      {"rows", "5..2", AIPC_MISUSE, "rows is \"5..2\"; allowed: a range"},
      {"validation", "Content", AIPC_MISUSE, "allowed: 'content', 'structure' or 'strict'"},
      {"max_slots", "-1", AIPC_MISUSE, "max_slots is \"-1\"; allowed: 0 or more"},
      {"column", "there is none", AIPC_MISUSE, "there is none"},
      {"condition", "id >", AIPC_MISUSE, "condition: "},
      {"condition", "there = 1", AIPC_MISUSE, "there"},
      {"statistics", "trusted", AIPC_MISUSE, "those for a `condition`"},
      {"column", "\xff\xfe", AIPC_MISUSE, "`column` is not UTF-8 at its byte 0"},
      {"\xff", "1", AIPC_MISUSE, "`options[0].key` is not UTF-8 at its byte 0"},
      {"max_fields", "0", AIPC_LIMIT, "limit"},
      {NULL, "1", AIPC_MISUSE, "`options[0].key` is NULL"},
      {"rows", NULL, AIPC_MISUSE, "`rows` is NULL"},
  };
  aipc_reader *reader;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct aipc_option option = {cases[i].key, cases[i].value};
    REFUSED(cases[i].code, cases[i].text, aipc_reader_open(path, &option, 1, &reader, e));
    CHECK(!reader);
  }
  const struct aipc_option both[] = {{"rows", "0..1"}, {"batches", "0..1"}};
  REFUSED(AIPC_MISUSE, "not both", aipc_reader_open(path, both, 2, &reader, e));
  REFUSED(AIPC_MISUSE, "not UTF-8", aipc_reader_open("\xff", NULL, 0, &reader, e));
  REFUSED(AIPC_IO, "cannot open", aipc_reader_open("/there/is/none", NULL, 0, &reader, e));
  /* Structures of another version. */
  struct aipc_error small = {8, -1, "?"};
  CHECK(aipc_reader_open(NULL, NULL, 0, &reader, &small) == AIPC_MISUSE && small.code == -1 && small.text[0] == '?');
  struct source_data data = {NULL, 0, NONE, 0, 0};
  struct aipc_memory memory = memory_of(&data);
  memory.size = 3;
  REFUSED(AIPC_MISUSE, "`size` of `struct aipc_memory` is 3", aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  CHECK(data.n_released == 0);
  memory.size = sizeof memory;
  REFUSED(AIPC_TRUNCATED, "empty", aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  CHECK(data.n_released == 1);
  memory.n_bytes = SIZE_MAX;
  memory.bytes = &data;
  REFUSED(AIPC_MISUSE, "more than memory can have", aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  CHECK(data.n_released == 2);
  struct aipc_source source = source_of(&data);
  source.read_at = NULL;
  REFUSED(AIPC_MISUSE, "`read_at` is NULL", aipc_reader_open_source(&source, NULL, 0, &reader, e));
  CHECK(data.n_released == 3);
}

/* The structure of memory is freed with what it lends, during the call that refuses it. */
static void free_structure(void *user) { free(user); }

/* Calls that free or write the structures of the call around them. */
static void structures_change(void) {
  struct aipc_memory *memory = (struct aipc_memory *)malloc(sizeof *memory);
  aipc_reader *reader;
  CHECK(memory);
  memory->size = sizeof *memory;
  memory->bytes = NULL;
  memory->n_bytes = 1;
  memory->release = free_structure;
  memory->user = memory;
  REFUSED(AIPC_MISUSE, "`bytes` is NULL", aipc_reader_open_memory(memory, NULL, 0, &reader, e));
  /* There is nothing behind a smaller size. */
  size_t *small = (size_t *)malloc(sizeof *small);
  CHECK(small);
  *small = sizeof *small;
  REFUSED(AIPC_MISUSE, "`size` of `struct aipc_source`",
          aipc_reader_open_source((struct aipc_source *)(void *)small, NULL, 0, &reader, e));
  CHECK(aipc_reader_open(NULL, NULL, 0, &reader, (struct aipc_error *)(void *)small) == AIPC_MISUSE);
  CHECK(*small == sizeof *small);
  free(small);
}

static uint64_t rows_of(const aipc_reader *reader) {
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  uint64_t n_rows = 0;
  OK(aipc_reader_stream(reader, &stream, e));
  for (;;) {
    CHECK(stream.get_next(&stream, &batch) == 0);
    if (!batch.release) break;
    n_rows += (uint64_t)batch.length;
    batch.release(&batch);
  }
  stream.release(&stream);
  return n_rows;
}

static void selections(const char *path) {
  aipc_reader *reader, *part;
  struct ArrowSchema schema;
  uint64_t n_rows, n_batches, first;
  OK(aipc_reader_open(path, NULL, 0, &reader, e));
  OK(aipc_reader_n_rows(reader, &n_rows, e));
  OK(aipc_reader_n_batches(reader, &n_batches, e));
  OK(aipc_reader_batch_n_rows(reader, 0, &first, e));
  CHECK(n_batches >= 2 && rows_of(reader) == n_rows);
  REFUSED(AIPC_MISUSE, "batch", aipc_reader_batch_n_rows(reader, n_batches, &first, e));
  OK(aipc_reader_batch_n_rows(reader, 0, &first, e));
  OK(aipc_reader_schema(reader, &schema, e));
  CHECK(schema.n_children >= 2);
  const char *last = schema.children[schema.n_children - 1]->name;
  static const struct {
    const char *key, *value;
  } all_rows[] = {{"rows", ".."}, {"batches", "0.."}, {"rows", "0..18446744073709551615"}};
  for (int i = 0; i < 3; i++) {
    struct aipc_option option = {all_rows[i].key, all_rows[i].value};
    OK(aipc_reader_select(reader, &option, 1, &part, e));
    CHECK(rows_of(part) == n_rows);
    aipc_reader_free(part);
  }
  const struct aipc_option some[] = {{"column", last}, {"rows", "1.."}};
  struct ArrowSchema selected, matched;
  OK(aipc_reader_select(reader, some, 2, &part, e));
  OK(aipc_reader_schema(part, &selected, e));
  CHECK(selected.n_children == 1 && !strcmp(selected.children[0]->name, last));
  CHECK(rows_of(part) == n_rows - 1);
  aipc_reader_free(part);
  const struct aipc_option later[] = {{"batches", "1.."}};
  OK(aipc_reader_select(reader, later, 1, &part, e));
  CHECK(rows_of(part) == n_rows - first);
  aipc_reader_free(part);
  char condition[200];
  const struct aipc_option matching[] = {{"column", last}, {"condition", condition}};
  const char *first_name = schema.children[0]->name;
  snprintf(condition, sizeof condition, "\"%s\" is null or \"%s\" is not null", first_name, first_name);
  OK(aipc_reader_select(reader, matching, 2, &part, e));
  OK(aipc_reader_schema(part, &matched, e));
  CHECK(matched.n_children == 1 && rows_of(part) == n_rows);
  matched.release(&matched);
  aipc_reader_free(part);
  snprintf(condition, sizeof condition, "\"%s\" is null and \"%s\" is not null", first_name, first_name);
  OK(aipc_reader_select(reader, matching, 2, &part, e));
  CHECK(rows_of(part) == 0);
  aipc_reader_free(part);
  const struct aipc_option none[] = {{"rows", "99999999.."}};
  OK(aipc_reader_select(reader, none, 1, &part, e));
  CHECK(rows_of(part) == 0);
  aipc_reader_free(part);
  const struct aipc_option opening[] = {{"validation", "strict"}};
  REFUSED(AIPC_MISUSE, "set when an input is opened", aipc_reader_select(reader, opening, 1, &part, e));
  selected.release(&selected);
  schema.release(&schema);
  aipc_reader_free(reader);
}

/* Of a stream that is cut in its last batch, what comes before is read; what reaches past it ends with an error. */
static void cut_stream(const char *path) {
  aipc_reader *reader, *part;
  aipc_writer *writer;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  struct aipc_bytes bytes;
  uint64_t n_batches, first;
  OK(aipc_reader_open(path, NULL, 0, &reader, e));
  OK(aipc_reader_batch_n_rows(reader, 0, &first, e));
  OK(aipc_reader_stream(reader, &stream, e));
  OK(aipc_writer_to_memory(NULL, NULL, 0, &writer, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  OK(aipc_writer_finish(writer, e));
  OK(aipc_writer_bytes(writer, &bytes, e));
  aipc_reader_free(reader);
  /* Without the end of the stream, and the last bytes of a batch before it. */
  struct source_data data = {(const unsigned char *)bytes.data, bytes.n_bytes - 16, NONE, 0, 0};
  struct aipc_memory memory = memory_of(&data);
  OK(aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  OK(aipc_reader_n_batches(reader, &n_batches, e));
  CHECK(n_batches >= 1);
  struct ArrowSchema schema;
  OK(aipc_reader_schema(reader, &schema, e));
  char all[200], rows[40], last[40];
  snprintf(all, sizeof all, "\"%s\" is null or \"%s\" is not null", schema.children[0]->name, schema.children[0]->name);
  snprintf(rows, sizeof rows, "..%" PRIu64, first);
  snprintf(last, sizeof last, "..%" PRIu64, n_batches);
  const struct {
    struct aipc_option options[2];
    size_t n_options;
    int is_cut;
  } cases[] = {
      {{{"batches", "0.."}}, 1, 1},
      {{{"batches", ".."}, {"condition", all}}, 2, 1},
      {{{"condition", all}}, 1, 1},
      {{{"rows", ".."}}, 1, 1},
      {{{"rows", "99999999.."}}, 1, 1},
      {{{"rows", rows}}, 1, 0},
      {{{"batches", last}}, 1, 0},
      {{{"batches", last}, {"condition", all}}, 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OK(aipc_reader_select(reader, cases[i].options, cases[i].n_options, &part, e));
    OK(aipc_reader_stream(part, &stream, e));
    int code;
    while ((code = stream.get_next(&stream, &batch)) == 0 && batch.release) batch.release(&batch);
    if ((code != 0) != cases[i].is_cut) FAIL("%s=%s: %d", cases[i].options[0].key, cases[i].options[0].value, code);
    CHECK(!code || strlen(stream.get_last_error(&stream)));
    stream.release(&stream);
    aipc_reader_free(part);
  }
  schema.release(&schema);
  aipc_reader_free(reader);
  CHECK(data.n_released == 1);
  aipc_writer_free(writer);
}

/* Of files that were written one after the other, the bytes of the second one are told, and bytes that are no file; of a file and of a stream there are none. */
static void unreferenced_bytes(const char *path) {
  aipc_reader *reader;
  uint64_t start = 1, n_unread = 1;
  int is_file = 1;
  size_t n_bytes;
  unsigned char *one = (unsigned char *)load(path, &n_bytes);
  unsigned char *both = (unsigned char *)malloc(2 * n_bytes);
  memcpy(both, one, n_bytes);
  memcpy(both + n_bytes, one, n_bytes);
  struct source_data data = {one, n_bytes, NONE, 0, 0};
  struct aipc_memory memory = memory_of(&data);
  OK(aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  OK(aipc_reader_unreferenced_bytes(reader, &start, &n_unread, &is_file, e));
  CHECK(start == 0 && n_unread == 0 && is_file == 0);
  aipc_reader_free(reader);
  data.bytes = both;
  data.n_bytes = 2 * n_bytes;
  memory = memory_of(&data);
  OK(aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  OK(aipc_reader_unreferenced_bytes(reader, &start, &n_unread, &is_file, e));
  CHECK(start == n_bytes && n_unread > 0 && n_unread < n_bytes && is_file == 1);
  REFUSED(AIPC_MISUSE, "`start` is NULL", aipc_reader_unreferenced_bytes(reader, NULL, &n_unread, &is_file, e));
  REFUSED(AIPC_MISUSE, "`n_bytes` is NULL", aipc_reader_unreferenced_bytes(reader, &start, NULL, &is_file, e));
  aipc_reader_free(reader);
  REFUSED(AIPC_MISUSE, "`reader` is NULL", aipc_reader_unreferenced_bytes(NULL, &start, &n_unread, &is_file, e));
  CHECK(start == 0 && data.n_released == 2);
  /* 100 bytes before the footer. Its length is before the magic. */
  size_t footer = n_bytes - 10 - one[n_bytes - 10] - 256 * (size_t)one[n_bytes - 9];
  memcpy(both, one, footer);
  memset(both + footer, 7, 100);
  memcpy(both + footer + 100, one + footer, n_bytes - footer);
  data.n_bytes = n_bytes + 100;
  memory = memory_of(&data);
  OK(aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  OK(aipc_reader_unreferenced_bytes(reader, &start, &n_unread, &is_file, e));
  CHECK(start + n_unread == footer + 100 && n_unread >= 100 && n_unread <= 108 && is_file == 0);
  aipc_reader_free(reader);
  free(one);
  free(both);
}

/* The reader first, the array last; a stream that is not read to its end; children that are moved out of their batch. */
static void orders(const char *path) {
  struct source_data data = {NULL, 0, NONE, 0, 0};
  data.bytes = (const unsigned char *)load(path, &data.n_bytes);
  struct aipc_memory memory = memory_of(&data);
  aipc_reader *reader, *part;
  struct ArrowSchema schema;
  struct ArrowArrayStream stream;
  struct ArrowArray batch, child;
  OK(aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
  OK(aipc_reader_select(reader, NULL, 0, &part, e));
  OK(aipc_reader_schema(reader, &schema, e));
  OK(aipc_reader_stream(reader, &stream, e));
  CHECK(stream.get_next(&stream, &batch) == 0 && batch.release);
  aipc_reader_free(reader);
  aipc_reader_free(part);
  stream.release(&stream);
  child = *batch.children[1];
  batch.children[1]->release = NULL;
  batch.release(&batch);
  CHECK(data.n_released == 0);
  walk(schema.children[1], &child);
  schema.release(&schema);
  child.release(&child);
  CHECK(data.n_released == 1);
  free((void *)data.bytes);
}

/* After any error of a step, all steps fail. */
static void decoding(const char *path) {
  aipc_reader *reader;
  aipc_writer *writer;
  aipc_decoder *decoder;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  struct aipc_bytes bytes;
  int event;
  OK(aipc_reader_open(path, NULL, 0, &reader, e));
  OK(aipc_reader_stream(reader, &stream, e));
  OK(aipc_writer_to_memory(NULL, NULL, 0, &writer, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  OK(aipc_writer_finish(writer, e));
  OK(aipc_writer_bytes(writer, &bytes, e));
  const struct aipc_option absent[] = {{"column", "there is none"}};
  OK(aipc_decoder_new(absent, 1, &decoder, e));
  OK(aipc_decoder_feed(decoder, bytes.data, bytes.n_bytes, e));
  REFUSED(AIPC_MISUSE, "there is none", aipc_decoder_step(decoder, &event, &batch, e));
  CHECK(!batch.release);
  REFUSED(AIPC_MISUSE, "earlier error", aipc_decoder_step(decoder, &event, &batch, e));
  aipc_decoder_free(decoder);
  aipc_writer_free(writer);
  aipc_reader_free(reader);

  /* Bytes that are fed without a step are limited. */
  const struct aipc_option limited[] = {{"max_memory_bytes", "100000"}};
  const size_t n_zeros = 1000000;
  void *zeros = calloc(n_zeros, 1);
  CHECK(zeros);
  OK(aipc_decoder_new(limited, 1, &decoder, e));
  REFUSED(AIPC_LIMIT, "memory", aipc_decoder_feed(decoder, zeros, n_zeros, e));
  REFUSED(AIPC_LIMIT, "memory", aipc_decoder_feed(decoder, zeros, 1, e));
  REFUSED(AIPC_LIMIT, "memory", aipc_decoder_step(decoder, &event, &batch, e));
  aipc_decoder_free(decoder);
  free(zeros);
}

static void writing(const char *path, const char *folder) {
  char out[1000];
  aipc_reader *reader, *again;
  aipc_writer *writer;
  aipc_encoder *encoder;
  struct aipc_bytes bytes;
  struct ArrowSchema schema;
  struct ArrowArray batch, released = {0};
  struct ArrowArrayStream stream, no_stream = {0};
  struct ArrowSchema no_schema = {0};
  snprintf(out, sizeof out, "%s/out.arrow", folder);
  remove(out);
  OK(aipc_reader_open(path, NULL, 0, &reader, e));
  static const struct aipc_option cases[] = {{"compresion", "lz4"}, {"compression", "brotli"}, {"alignment", "3"},
                                             {"container", "feather"}, {"dictionaries", "all"}, {"metadata", "1"}};
  static const char *texts[] = {"did you mean compression?", "'none', 'lz4', 'zstd'", "aligned", "'file' or 'stream'",
                                "'replace', 'delta', 'unify' or 'error'", "did you mean \"metadata.\" or"};
  for (int i = 0; i < 6; i++) {
    OK(aipc_reader_schema(reader, &schema, e));
    struct aipc_error error = AIPC_ERROR_INIT;
    writer = GARBAGE(aipc_writer);
    int code = aipc_writer_create(out, &schema, &cases[i], 1, &writer, &error);
    CHECK(!schema.release && !writer && code);
    if (!strstr(error.text, texts[i])) FAIL("%s: %s", cases[i].key, error.text);
    /* Also before a stream brings the schema. */
    code = aipc_writer_to_memory(NULL, &cases[i], 1, &writer, &error);
    if (!code || !strstr(error.text, texts[i])) FAIL("%s without a schema: %s", cases[i].key, error.text);
  }
  REFUSED(AIPC_MISUSE, "the extension does not say", aipc_writer_create("a.bin", NULL, NULL, 0, &writer, e));
  REFUSED(AIPC_IO, "cannot open", aipc_writer_create("/there/is/none.arrow", NULL, NULL, 0, &writer, e));
  REFUSED(AIPC_MISUSE, "released", aipc_writer_to_memory(&no_schema, NULL, 0, &writer, e));
  CHECK(fopen(out, "rb") == NULL);

  /* A writer that is not finished leaves no file; one without schema cannot take batches; and order matters. */
  OK(aipc_writer_create(out, NULL, NULL, 0, &writer, e));
  OK(aipc_reader_batch(reader, 0, &batch, e));
  REFUSED(AIPC_MISUSE, "no schema", aipc_writer_write(writer, &batch, e));
  CHECK(!batch.release);
  REFUSED(AIPC_MISUSE, "no schema", aipc_writer_finish(writer, e));
  REFUSED(AIPC_MISUSE, "only writers to memory", aipc_writer_bytes(writer, &bytes, e));
  REFUSED(AIPC_MISUSE, "released", aipc_writer_write_stream(writer, &no_stream, e));
  OK(aipc_reader_stream(reader, &stream, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  aipc_writer_free(writer);
  CHECK(fopen(out, "rb") == NULL);

  /* A first stream that is refused does not bring the schema. */
  const struct aipc_option one_field[] = {{"max_fields", "1"}};
  aipc_reader *one;
  OK(aipc_reader_schema(reader, &schema, e));
  const struct aipc_option first[] = {{"column", schema.children[0]->name}};
  OK(aipc_reader_select(reader, first, 1, &one, e));
  schema.release(&schema);
  OK(aipc_writer_to_memory(NULL, one_field, 1, &writer, e));
  OK(aipc_reader_stream(reader, &stream, e));
  CHECK(aipc_writer_write_stream(writer, &stream, NULL) != AIPC_OK && !stream.release);
  REFUSED(AIPC_MISUSE, "no schema", aipc_writer_finish(writer, e));
  OK(aipc_reader_stream(one, &stream, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  OK(aipc_writer_finish(writer, e));
  aipc_writer_free(writer);
  aipc_reader_free(one);

  OK(aipc_reader_schema(reader, &schema, e));
  OK(aipc_writer_to_memory(&schema, NULL, 0, &writer, e));
  REFUSED(AIPC_MISUSE, "released", aipc_writer_write(writer, &released, e));
  REFUSED(AIPC_MISUSE, "when the writer is finished", aipc_writer_bytes(writer, &bytes, e));
  OK(aipc_writer_finish(writer, e));
  OK(aipc_writer_bytes(writer, &bytes, e));
  CHECK(bytes.n_bytes > 0);
  REFUSED(AIPC_MISUSE, "finished", aipc_writer_finish(writer, e));
  aipc_writer_free(writer);

  /* A sink that fails is not used again. */
  int n_calls = 0;
  struct aipc_sink sink = {sizeof sink, failing_write, NULL, NULL, &n_calls};
  OK(aipc_writer_to_sink(&sink, NULL, NULL, 0, &writer, e));
  OK(aipc_reader_stream(reader, &stream, e));
  REFUSED(AIPC_IO, "the callback `write` returned 28", aipc_writer_write_stream(writer, &stream, e));
  CHECK(n_calls == 2 && !stream.release);
  REFUSED(AIPC_MISUSE, "earlier error", aipc_writer_finish(writer, e));
  CHECK(n_calls == 2);
  aipc_writer_free(writer);
  struct reentry reentry = {NULL, 0};
  struct aipc_sink reentering = {sizeof sink, reentering_write, NULL, NULL, &reentry};
  OK(aipc_writer_to_sink(&reentering, NULL, NULL, 0, &writer, e));
  reentry.writer = writer;
  OK(aipc_reader_stream(reader, &stream, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  CHECK(reentry.n_refused > 0);
  aipc_writer_free(writer);

  /* An end that has failed cannot be tried again, and leaves no file. */
  const struct aipc_option too_short[] = {{"dictionaries", "unify"}, {"max_message_bytes", "8"}};
  OK(aipc_writer_create(out, NULL, too_short, 2, &writer, e));
  OK(aipc_reader_stream(reader, &stream, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  CHECK(aipc_writer_finish(writer, NULL) == AIPC_MISUSE);
  REFUSED(AIPC_MISUSE, "earlier error", aipc_writer_finish(writer, e));
  aipc_writer_free(writer);
  CHECK(fopen(out, "rb") == NULL);

  /* Another batch than that of the schema. */
  OK(aipc_reader_schema(reader, &schema, e));
  OK(aipc_encoder_new(&schema, NULL, 0, &encoder, e));
  OK(aipc_reader_batch(reader, 0, &batch, e));
  struct ArrowArray child = *batch.children[0];
  batch.children[0]->release = NULL;
  batch.release(&batch);
  CHECK(aipc_encoder_write(encoder, &child, NULL) != AIPC_OK && !child.release);
  aipc_encoder_free(encoder);

  /* Metadata, read again. */
  const struct aipc_option named[] = {{"metadata.author", "ada"}, {"metadata.empty", ""}};
  OK(aipc_reader_stream(reader, &stream, e));
  OK(aipc_writer_create(out, NULL, named, 2, &writer, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  OK(aipc_writer_finish(writer, e));
  aipc_writer_free(writer);
  OK(aipc_reader_open(out, NULL, 0, &again, e));
  uint64_t n;
  struct aipc_bytes key;
  OK(aipc_reader_n_metadata(again, &n, e));
  CHECK(n == 2);
  OK(aipc_reader_find_metadata(again, "author", &bytes, e));
  CHECK(bytes.n_bytes == 3 && !memcmp(bytes.data, "ada", 3));
  OK(aipc_reader_find_metadata(again, "nobody", &bytes, e));
  CHECK(!bytes.data);
  OK(aipc_reader_metadata(again, 1, &key, &bytes, e));
  CHECK(key.n_bytes == 5 && bytes.data && bytes.n_bytes == 0);
  REFUSED(AIPC_MISUSE, "no metadata at 2", aipc_reader_metadata(again, 2, NULL, NULL, e));
  aipc_reader_free(again);
  aipc_reader_free(reader);
  remove(out);
}

int main(int n_args, char **args) {
  if (n_args != 3) FAIL("usage: misuse FILE FOLDER");
  CHECK(aipc_abi_version() == AIPC_ABI_VERSION && aipc_version()[0]);
  nulls(args[1]);
  options(args[1]);
  structures_change();
  selections(args[1]);
  cut_stream(args[1]);
  unreferenced_bytes(args[1]);
  orders(args[1]);
  decoding(args[1]);
  writing(args[1], args[2]);
  return 0;
}
