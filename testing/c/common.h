/* What the programs of this folder share: sources with faults, and a walk that reads all bytes of arrays. */
#ifndef COMMON_H
#define COMMON_H

#include <arrow_ipc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAIL(...)                                                                                                          \
  do {                                                                                                                     \
    fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                                        \
    fprintf(stderr, __VA_ARGS__);                                                                                          \
    fputc('\n', stderr);                                                                                                   \
    exit(1);                                                                                                               \
  } while (0)

#define CHECK(condition)                                                                                                   \
  do {                                                                                                                     \
    if (!(condition)) FAIL("not so: %s", #condition);                                                                      \
  } while (0)

#define OK(call)                                                                                                           \
  do {                                                                                                                     \
    struct aipc_error error = AIPC_ERROR_INIT;                                                                             \
    struct aipc_error *e = &error;                                                                                         \
    int code = (call);                                                                                                     \
    if (code != AIPC_OK) FAIL("%s: code %d: %s", #call, code, error.text);                                                 \
    CHECK(error.code == AIPC_OK && error.text[0] == 0);                                                                    \
  } while (0)

/* The whole file, in memory of malloc, so that a read past its end is found. */
static inline void *load(const char *path, size_t *n_bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) FAIL("cannot open %s", path);
  fseek(file, 0, SEEK_END);
  long end = ftell(file);
  rewind(file);
  void *bytes = malloc(end > 0 ? (size_t)end : 1);
  *n_bytes = fread(bytes, 1, (size_t)end, file);
  fclose(file);
  return bytes;
}

enum fault { NONE, SHORT, FAILING, LONG_READ, NO_BYTES, LONGER, SHORTER, ENDLESS, NO_LENGTH, N_FAULTS };

struct source_data {
  const unsigned char *bytes;
  size_t n_bytes;
  enum fault fault;
  int n_calls;
  int n_released;
};

static inline int source_length(void *user, uint64_t *n_bytes) {
  struct source_data *data = (struct source_data *)user;
  *n_bytes = data->n_bytes;
  if (data->fault == LONGER) *n_bytes += 1000;
  if (data->fault == SHORTER) *n_bytes -= *n_bytes > 16 ? 16 : *n_bytes;
  if (data->fault == ENDLESS) *n_bytes = UINT64_MAX - 7;
  return data->fault == NO_LENGTH ? 5 : 0;
}

static inline int source_read_at(void *user, uint64_t position, void *bytes, size_t n_bytes, size_t *n_read) {
  struct source_data *data = (struct source_data *)user;
  data->n_calls++;
  if (data->fault == FAILING && data->n_calls > 1) return 77;
  size_t n = position < data->n_bytes ? data->n_bytes - (size_t)position : 0;
  if (n > n_bytes) n = n_bytes;
  if (data->fault == SHORT && n > 7) n = 7;
  if (n) memcpy(bytes, data->bytes + position, n);
  *n_read = data->fault == LONG_READ ? n_bytes + 1 : data->fault == NO_BYTES ? 0 : n;
  return 0;
}

static inline void source_release(void *user) { ((struct source_data *)user)->n_released++; }

static inline struct aipc_source source_of(struct source_data *data) {
  struct aipc_source source;
  memset(&source, 0, sizeof source);
  source.size = sizeof source;
  source.length = source_length;
  source.read_at = source_read_at;
  source.release = source_release;
  source.user = data;
  return source;
}

static inline struct aipc_memory memory_of(struct source_data *data) {
  struct aipc_memory memory;
  memset(&memory, 0, sizeof memory);
  memory.size = sizeof memory;
  memory.bytes = data->bytes;
  memory.n_bytes = data->n_bytes;
  memory.release = source_release;
  memory.user = data;
  return memory;
}

/* ---- A walk over all bytes ---- */

static uint64_t walked_sum;
static uint64_t walked_nulls;

static inline void walk_bytes(const void *bytes, size_t n_bytes) {
  const unsigned char *at = (const unsigned char *)bytes;
  uint64_t sum = 0;
  for (size_t i = 0; i < n_bytes; i++) sum = sum * 31 + at[i];
  walked_sum ^= sum;
}

static inline int64_t offset_at(const void *offsets, int64_t slot, int is_wide) {
  int32_t narrow;
  int64_t wide;
  if (is_wide) {
    memcpy(&wide, (const char *)offsets + slot * 8, 8);
    return wide;
  }
  memcpy(&narrow, (const char *)offsets + slot * 4, 4);
  return narrow;
}

/* The bytes of a slot; 0 for types that are not of fixed width. */
static inline size_t width_of(const char *format) {
  switch (format[0]) {
    case 'c': case 'C': return 1;
    case 's': case 'S': case 'e': return 2;
    case 'i': case 'I': case 'f': return 4;
    case 'l': case 'L': case 'g': return 8;
    case 'w': return (size_t)atoll(format + 2);
    case 'd': {
      const char *second = strchr(format, ',');
      const char *third = second ? strchr(second + 1, ',') : NULL;
      return third ? (size_t)atoi(third + 1) / 8 : 16;
    }
    case 't':
      if (!strcmp(format, "tdD") || !strcmp(format, "tts") || !strcmp(format, "ttm") || !strcmp(format, "tiM")) return 4;
      return strcmp(format, "tin") ? 8 : 16;
    default: return 0;
  }
}

static inline void walk(const struct ArrowSchema *schema, const struct ArrowArray *array) {
  const char *format = schema->format;
  CHECK(array->release && array->length >= 0 && array->offset >= 0 && array->n_children == schema->n_children);
  int64_t start = array->offset, end = array->offset + array->length;
  int has_validity = format[0] != 'n' && strncmp(format, "+u", 2) && strncmp(format, "+r", 2);
  if (has_validity) {
    const unsigned char *validity = (const unsigned char *)array->buffers[0];
    int64_t n_nulls = 0;
    for (int64_t i = start; validity && i < end; i++) n_nulls += !(validity[i / 8] >> (i % 8) & 1);
    if (array->null_count >= 0 && array->null_count != n_nulls)
      FAIL("null count %" PRId64 ", found %" PRId64, array->null_count, n_nulls);
    walked_nulls += (uint64_t)n_nulls;
  }
  if (schema->dictionary) {
    CHECK(array->dictionary);
    walk(schema->dictionary, array->dictionary);
  }
  size_t width = width_of(format);
  if (format[0] == 'b') {
    const unsigned char *bits = (const unsigned char *)array->buffers[1];
    if (array->length) walk_bytes(bits + start / 8, (size_t)((end + 7) / 8 - start / 8));
  } else if (width || format[0] == 'w') {
    if (array->length) walk_bytes((const char *)array->buffers[1] + (size_t)start * width, (size_t)array->length * width);
  } else if (strchr("uUzZ", format[0])) {
    int is_wide = format[0] == 'U' || format[0] == 'Z';
    if (array->length) {
      int64_t first = offset_at(array->buffers[1], start, is_wide), last = offset_at(array->buffers[1], end, is_wide);
      CHECK(0 <= first && first <= last);
      if (last > first) walk_bytes((const char *)array->buffers[2] + first, (size_t)(last - first));
    }
  } else if (format[0] == 'v') {
    int64_t n_data = array->n_buffers - 3;
    const int64_t *lengths = (const int64_t *)array->buffers[array->n_buffers - 1];
    for (int64_t i = 0; i < n_data; i++) walk_bytes(array->buffers[2 + i], (size_t)lengths[i]);
    if (array->length) walk_bytes((const char *)array->buffers[1] + start * 16, (size_t)array->length * 16);
  } else if (!strncmp(format, "+l", 2) || !strncmp(format, "+L", 2) || !strncmp(format, "+m", 2)) {
    if (array->length) {
      int64_t last = offset_at(array->buffers[1], end, format[1] == 'L');
      CHECK(last <= array->children[0]->length);
    }
  } else if (!strncmp(format, "+v", 2)) {
    size_t bytes = format[2] == 'L' ? 8 : 4;
    if (array->length) {
      walk_bytes((const char *)array->buffers[1] + (size_t)start * bytes, (size_t)array->length * bytes);
      walk_bytes((const char *)array->buffers[2] + (size_t)start * bytes, (size_t)array->length * bytes);
    }
  } else if (!strncmp(format, "+u", 2)) {
    if (array->length) {
      walk_bytes((const char *)array->buffers[0] + start, (size_t)array->length);
      if (format[2] == 'd') walk_bytes((const char *)array->buffers[1] + start * 4, (size_t)array->length * 4);
    }
  } else {
    CHECK(format[0] == 'n' || !strncmp(format, "+s", 2) || !strncmp(format, "+w", 2) || !strncmp(format, "+r", 2));
  }
  for (int64_t i = 0; i < array->n_children; i++) walk(schema->children[i], array->children[i]);
}

#endif
