/* copy INPUT OUTPUT [KEY=VALUE…]: reads INPUT through each door, and writes it through each. All outputs are the same bytes; one is
 * left at OUTPUT, for others to read. Prints the numbers of batches, rows and nulls. */
#include "common.h"

#define MAX_OPTIONS 16

static struct aipc_option options[MAX_OPTIONS];
static size_t n_options;

struct bytes {
  char *data;
  size_t n_bytes;
};

static void append(struct bytes *to, const void *bytes, size_t n_bytes) {
  to->data = (char *)realloc(to->data, to->n_bytes + n_bytes + 1);
  CHECK(to->data);
  if (n_bytes) memcpy(to->data + to->n_bytes, bytes, n_bytes);
  to->n_bytes += n_bytes;
}

static int sink_write(void *user, const void *bytes, size_t n_bytes) {
  append((struct bytes *)user, bytes, n_bytes);
  return 0;
}

static void take_pieces(aipc_encoder *encoder, struct bytes *to) {
  struct aipc_bytes piece;
  do {
    OK(aipc_encoder_next(encoder, &piece, e));
    append(to, piece.data, piece.n_bytes);
  } while (piece.data);
}

/* Writes all batches of a reader, batch by batch, as pieces. */
static struct bytes encoded(aipc_reader *reader) {
  struct ArrowSchema schema;
  aipc_encoder *encoder;
  struct bytes out = {NULL, 0};
  uint64_t n_batches;
  OK(aipc_reader_schema(reader, &schema, e));
  OK(aipc_encoder_new(&schema, options, n_options, &encoder, e));
  CHECK(!schema.release);
  OK(aipc_reader_n_batches(reader, &n_batches, e));
  for (uint64_t i = 0; i < n_batches; i++) {
    struct ArrowArray batch;
    OK(aipc_reader_batch(reader, i, &batch, e));
    OK(aipc_encoder_write(encoder, &batch, e));
    CHECK(!batch.release);
    if (i % 2) take_pieces(encoder, &out);
  }
  OK(aipc_encoder_finish(encoder, e));
  take_pieces(encoder, &out);
  aipc_encoder_free(encoder);
  return out;
}

/* Reads a stream in pieces of a length, and writes what arrives to memory. */
static struct bytes decoded(const struct bytes *stream, size_t n_piece) {
  aipc_decoder *decoder;
  aipc_writer *writer = NULL;
  struct bytes out = {NULL, 0};
  struct ArrowSchema schema;
  struct ArrowArray batch;
  struct aipc_bytes written;
  size_t position = 0;
  OK(aipc_decoder_new(NULL, 0, &decoder, e));
  for (;;) {
    int event;
    OK(aipc_decoder_step(decoder, &event, &batch, e));
    if (event == AIPC_EVENT_NEED_BYTES) {
      size_t n = stream->n_bytes - position;
      if (n > n_piece) n = n_piece;
      if (n) OK(aipc_decoder_feed(decoder, stream->data + position, n, e));
      else OK(aipc_decoder_end_input(decoder, e));
      position += n;
    } else if (event == AIPC_EVENT_SCHEMA) {
      OK(aipc_decoder_schema(decoder, &schema, e));
      OK(aipc_writer_to_memory(&schema, options, n_options, &writer, e));
    } else if (event == AIPC_EVENT_BATCH) {
      OK(aipc_writer_write(writer, &batch, e));
    } else {
      break;
    }
  }
  aipc_decoder_free(decoder);
  OK(aipc_writer_finish(writer, e));
  OK(aipc_writer_bytes(writer, &written, e));
  append(&out, written.data, written.n_bytes);
  aipc_writer_free(writer);
  return out;
}

/* Dictionaries that grow in a stream are written again by other pieces: then only the rows are counted. */
static void same_rows(const struct bytes *found, const struct bytes *expected) {
  const struct bytes *both[2];
  uint64_t n_rows[2];
  both[0] = found;
  both[1] = expected;
  for (int i = 0; i < 2; i++) {
    struct source_data data = {(const unsigned char *)both[i]->data, both[i]->n_bytes, NONE, 0, 0};
    struct aipc_memory memory = memory_of(&data);
    aipc_reader *reader;
    OK(aipc_reader_open_memory(&memory, NULL, 0, &reader, e));
    OK(aipc_reader_n_rows(reader, &n_rows[i], e));
    aipc_reader_free(reader);
  }
  CHECK(n_rows[0] == n_rows[1]);
}

static void same(const struct bytes *found, const struct bytes *expected, const char *what) {
  if (found->n_bytes != expected->n_bytes || memcmp(found->data, expected->data, found->n_bytes))
    FAIL("%s: %zu bytes, and others than the %zu expected", what, found->n_bytes, expected->n_bytes);
}

int main(int n_args, char **args) {
  if (n_args < 3) FAIL("usage: copy INPUT OUTPUT [KEY=VALUE...]");
  size_t n_name = strlen(args[2]);
  options[n_options].key = "container";
  options[n_options++].value = args[2][n_name - 1] == 's' ? "stream" : "file";
  for (int i = 3; i < n_args && n_options < MAX_OPTIONS; i++) {
    char *value = strchr(args[i], '=');
    CHECK(value);
    *value = 0;
    options[n_options].key = args[i];
    options[n_options++].value = value + 1;
  }
  struct source_data data = {NULL, 0, SHORT, 0, 0};
  data.bytes = (const unsigned char *)load(args[1], &data.n_bytes);
  struct aipc_memory memory = memory_of(&data);
  struct aipc_source source = source_of(&data);
  aipc_reader *readers[3];
  struct aipc_error error = AIPC_ERROR_INIT;
  int code = aipc_reader_open(args[1], NULL, 0, &readers[0], &error);
  if (code) {
    fprintf(stderr, "%d: %s\n", code, error.text);
    return 3;
  }
  OK(aipc_reader_open_memory(&memory, NULL, 0, &readers[1], e));
  OK(aipc_reader_open_source(&source, NULL, 0, &readers[2], e));

  struct ArrowSchema schema;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  uint64_t n_batches = 0, n_rows = 0, found;
  OK(aipc_reader_schema(readers[0], &schema, e));
  int has_dictionary = 0;
  for (int64_t i = 0; i < schema.n_children; i++) has_dictionary |= schema.children[i]->dictionary != NULL;
  for (int i = 0; i < 3; i++) {
    uint64_t n = 0, rows = 0;
    walked_sum = walked_nulls = 0;
    OK(aipc_reader_stream(readers[i], &stream, e));
    for (;;) {
      if (stream.get_next(&stream, &batch)) FAIL("%s", stream.get_last_error(&stream));
      if (!batch.release) break;
      walk(&schema, &batch);
      n++;
      rows += (uint64_t)batch.length;
      batch.release(&batch);
    }
    stream.release(&stream);
    OK(aipc_reader_n_batches(readers[i], &found, e));
    CHECK(found == n && (!i || n == n_batches));
    OK(aipc_reader_n_rows(readers[i], &found, e));
    CHECK(found == rows && (!i || rows == n_rows));
    n_batches = n;
    n_rows = rows;
  }
  schema.release(&schema);
  printf("%" PRIu64 " batches, %" PRIu64 " rows, %" PRIu64 " nulls\n", n_batches, n_rows, walked_nulls);

  /* From a path to a path; from memory to callbacks; from callbacks as pieces; and in pieces again to memory. */
  struct bytes file = {NULL, 0}, sunk = {NULL, 0};
  aipc_writer *writer;
  OK(aipc_writer_create(args[2], NULL, options, n_options, &writer, e));
  OK(aipc_reader_stream(readers[0], &stream, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  CHECK(!stream.release);
  OK(aipc_writer_finish(writer, e));
  aipc_writer_free(writer);
  file.data = (char *)load(args[2], &file.n_bytes);

  struct aipc_sink sink = {sizeof(struct aipc_sink), sink_write, NULL, NULL, &sunk};
  OK(aipc_reader_schema(readers[1], &schema, e));
  OK(aipc_writer_to_sink(&sink, &schema, options, n_options, &writer, e));
  OK(aipc_reader_stream(readers[1], &stream, e));
  OK(aipc_writer_write_stream(writer, &stream, e));
  OK(aipc_writer_finish(writer, e));
  aipc_writer_free(writer);
  same(&sunk, &file, "sink");

  struct bytes pieces = encoded(readers[2]);
  same(&pieces, &file, "encoder");
  int is_file;
  aipc_reader *again;
  OK(aipc_reader_open(args[2], NULL, 0, &again, e));
  OK(aipc_reader_is_file(again, &is_file, e));
  aipc_reader_free(again);
  if (!is_file) {
    const size_t lengths[] = {1, 1000, SIZE_MAX};
    for (int i = pieces.n_bytes > 100000; i < 3; i++) {
      struct bytes once_more = decoded(&pieces, lengths[i]);
      if (has_dictionary) same_rows(&once_more, &file);
      else same(&once_more, &file, "decoder");
      free(once_more.data);
    }
  }
  for (int i = 0; i < 3; i++) aipc_reader_free(readers[i]);
  CHECK(data.n_released == 2);
  free((void *)data.bytes);
  free(file.data);
  free(sunk.data);
  free(pieces.data);
  return 0;
}
