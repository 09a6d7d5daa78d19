/* hostile FILES…: reads each through all doors, up to its end or its error, and each also with callbacks that fail. What is
 * returned is walked. Prints how often each code was the answer. */
#include "common.h"

static uint64_t n_codes[9];

static void count(int code, const struct aipc_error *error) {
  CHECK(code >= 0 && code <= AIPC_MISUSE && error->code == code);
  CHECK((code == AIPC_OK) == (error->text[0] == 0) && memchr(error->text, 0, sizeof error->text));
  n_codes[code]++;
}

/* Few rows may claim any number of slots without bytes, which nobody should visit. */
static const struct aipc_option limits[] = {{"max_slots", "1000000"}};

static void read_all(aipc_reader *reader) {
  struct aipc_error error = AIPC_ERROR_INIT;
  struct ArrowSchema schema;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  uint64_t n;
  int code = aipc_reader_schema(reader, &schema, &error);
  count(code, &error);
  count(aipc_reader_n_rows(reader, &n, &error), &error);
  if (!code && !aipc_reader_stream(reader, &stream, &error)) {
    while (!(code = stream.get_next(&stream, &batch)) && batch.release) {
      walk(&schema, &batch);
      batch.release(&batch);
    }
    if (code) CHECK(stream.get_last_error(&stream));
    stream.release(&stream);
  }
  if (schema.release) schema.release(&schema);
  if (!aipc_reader_n_batches(reader, &n, NULL)) {
    for (uint64_t i = 0; i <= n && i < 10; i++) {
      count(aipc_reader_batch(reader, i, &batch, &error), &error);
      if (batch.release) batch.release(&batch);
    }
  }
}

static void opened(int code, aipc_reader *reader, const struct aipc_error *error) {
  count(code, error);
  CHECK((code == AIPC_OK) == (reader != NULL));
  if (reader) read_all(reader);
  aipc_reader_free(reader);
}

static void decode(const struct source_data *data, int is_shared) {
  struct aipc_error error = AIPC_ERROR_INIT;
  struct source_data lent = *data;
  aipc_decoder *decoder;
  struct ArrowArray batch;
  struct ArrowSchema schema = {0};
  int event = AIPC_EVENT_NEED_BYTES, code;
  lent.n_released = 0;
  OK(aipc_decoder_new(limits, 1, &decoder, e));
  if (is_shared) {
    struct aipc_memory memory = memory_of(&lent);
    OK(aipc_decoder_feed_memory(decoder, &memory, e));
  } else {
    OK(aipc_decoder_feed(decoder, data->bytes, data->n_bytes, e));
  }
  OK(aipc_decoder_end_input(decoder, e));
  for (;;) {
    code = aipc_decoder_step(decoder, &event, &batch, &error);
    if (code || event == AIPC_EVENT_END || event == AIPC_EVENT_NEED_BYTES) break;
    if (event == AIPC_EVENT_SCHEMA && aipc_decoder_schema(decoder, &schema, NULL)) break;
    if (event == AIPC_EVENT_BATCH) {
      walk(&schema, &batch);
      batch.release(&batch);
    }
  }
  count(code, &error);
  if (schema.release) schema.release(&schema);
  aipc_decoder_free(decoder);
  CHECK(lent.n_released == is_shared);
}

int main(int n_args, char **args) {
  for (int i = 1; i < n_args; i++) {
    struct aipc_error error = AIPC_ERROR_INIT;
    struct source_data data = {NULL, 0, NONE, 0, 0};
    aipc_reader *reader;
    int code;
    data.bytes = (const unsigned char *)load(args[i], &data.n_bytes);
    code = aipc_reader_open(args[i], limits, 1, &reader, &error);
    opened(code, reader, &error);
    struct aipc_memory memory = memory_of(&data);
    code = aipc_reader_open_memory(&memory, limits, 1, &reader, &error);
    opened(code, reader, &error);
    CHECK(data.n_released == 1);
    for (int fault = NONE; fault < N_FAULTS; fault++) {
      struct source_data faulty = {data.bytes, data.n_bytes, (enum fault)fault, 0, 0};
      struct aipc_source source = source_of(&faulty);
      code = aipc_reader_open_source(&source, limits, 1, &reader, &error);
      opened(code, reader, &error);
      CHECK(faulty.n_released == 1);
    }
    decode(&data, 0);
    decode(&data, 1);
    free((void *)data.bytes);
  }
  for (int code = 0; code < 9; code++) printf("%d: %" PRIu64 "%s", code, n_codes[code], code < 8 ? ", " : "\n");
  return 0;
}
