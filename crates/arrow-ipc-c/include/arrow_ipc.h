/*
 * arrow_ipc.h: reads and writes files and streams of Apache Arrow IPC.
 *
 * Data is exchanged by the Arrow C data and C stream interfaces, which are declared here, too:
 * https://arrow.apache.org/docs/format/CDataInterface.html
 *
 * Results. A function that can fail returns AIPC_OK (0) or the code of an error. Its last argument may be NULL, or point to
 * a struct aipc_error, which then has the code and a text that says what was found, where, and what is allowed.
 *
 * Ownership. A handle is freed once, by the function that ends in _free, which takes NULL, too. After an error, the handle
 * that a call should have made is NULL, and a structure is released (its `release` is NULL), so that freeing is always
 * right. ArrowSchema, ArrowArray and ArrowArrayStream that are passed in are moved: the library releases them, also after
 * an error, and marks yours as released. Those that are passed out are yours: call their `release`. They stay valid after
 * the handle was freed. Nothing is copied that does not have to change: arrays share the memory of the input.
 *
 * Threads. A reader may be used by any number of threads at once. A decoder, encoder, writer or ArrowArrayStream is used by
 * one thread at a time, any thread; a call to a decoder, encoder or writer during another call to it is AIPC_MISUSE. A
 * handle is freed when no call uses it. Structures may be released on any thread.
 *
 * Callbacks return 0, or a number of their own for an error, which the text of the error has. They must not throw, jump
 * out, or use the handle that calls them. They may be called on any thread that uses the handle or what it returned.
 *
 * Texts are UTF-8 and end with NUL. An `index` counts from 0. Arguments that must not be NULL and are give AIPC_MISUSE.
 * Results must be in memory of their own: no two of them, and no other argument, may overlap.
 *
 * Bytes from outside are never trusted: hostile files, streams and results of `length` and `read_at` are errors.
 */
#ifndef ARROW_IPC_H
#define ARROW_IPC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The Arrow C data interface ---- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* ---- Version ---- */

/* The version of this header. It grows if a function is added, and a library serves all smaller ones. */
#define AIPC_ABI_VERSION 1

/* The AIPC_ABI_VERSION with which the library was built. If it is less than that of your header, functions may be absent. */
uint32_t aipc_abi_version(void);

/* The version of the library, such as "0.1.0". Valid for ever. */
const char *aipc_version(void);

/* ---- Errors ---- */

#define AIPC_OK 0
/* The input or output failed: no such file, no space, a callback returned an error. */
#define AIPC_IO 1
/* The input ends too early. */
#define AIPC_TRUNCATED 2
/* The input breaks a rule of its format, or a structure of the C data interface does. */
#define AIPC_MALFORMED 3
/* The input exceeds a limit: see the options whose names begin with max_; or it needs a copy, which `copies` refuses. */
#define AIPC_LIMIT 4
/* The system refuses memory. */
#define AIPC_OUT_OF_MEMORY 5
/* The input or the call uses what the library, as it was built, does not have. */
#define AIPC_UNSUPPORTED 6
/* The call is wrong: NULL, an option or a column that does not exist, a text that is no UTF-8, calls in a wrong order. */
#define AIPC_MISUSE 7
/* A bug of this library: please report it. */
#define AIPC_INTERNAL 8

/* What a call reports. Yours, and nothing in it is freed: struct aipc_error error = AIPC_ERROR_INIT; */
struct aipc_error {
  size_t size;     /* sizeof(struct aipc_error); with a smaller one, nothing is reported */
  int code;        /* AIPC_OK after a call that did not fail */
  char text[1008]; /* ends with NUL; longer texts are cut. Characters that control a terminal are escaped */
};

#ifdef __cplusplus
#define AIPC_ERROR_INIT {sizeof(struct aipc_error), AIPC_OK, ""}
#else
#define AIPC_ERROR_INIT {.size = sizeof(struct aipc_error)}
#endif

/* ---- Arguments ---- */

/*
 * An option, as two texts. Of two with the same key the last counts, except `column` and `metadata.…`. An unknown key is an
 * error that proposes similar ones.
 *
 * What is read (aipc_reader_open…, aipc_reader_select; `column` also of decoders):
 *   column      the name of a column, or a path such as "address.zip"; one option for each column, in this order.
 *               Default: all columns
 *   rows        "2..5", "2.." or "..5": of all rows those from 2 to before 5. Past the end there are none
 *   batches     the same for batches; not together with rows
 *   condition   "amount > 100 and city in ('Oslo', 'Rome')": only the rows that match; not together with rows. Columns are
 *               then names, not paths. Only in a library with the feature `condition`
 *   statistics  "ignored" (default) or "trusted": batches are not read in which no row can match, as the footer says
 * How it is read (aipc_reader_open…, aipc_decoder_new):
 *   validation  "content" (default): all that other libraries rely on; "strict": also what some writers get wrong;
 *               "structure": lengths only, and the content of each batch when it is passed out
 *   copies      "allow" (default), or "refuse": an error instead of a copy of bytes that are in memory. Bitmaps of rows that
 *               begin inside of a byte are copied all the same when they are passed out
 *   threads     "pool" (default) or "one": who decompresses large batches. A library without threads uses one
 *   prefetch_bytes, max_memory_bytes, max_metadata_bytes, max_body_bytes, max_decompressed_bytes,
 *   max_dictionary_bytes, max_slots, max_fields, max_depth
 *               whole numbers; max_memory_bytes counts all batches that are not released
 *
 * How it is written (aipc_writer_…, aipc_encoder_new):
 *   container          "file" or "stream". Default: for a path, .arrow, .feather and .ipc are files and .arrows is a
 *                      stream, and other names need the option; for sinks, memory and encoders "stream"
 *   compression        "none" (default), "lz4", "zstd", or "zstd:3" with a level
 *   dictionaries       if a dictionary changes: "replace" (default; an error in files), "delta", "error", or "unify": one
 *                      dictionary for all batches, which stay in memory until aipc_writer_finish
 *   metadata.KEY       the value for KEY in the metadata of the file or stream
 *   alignment          of buffers, in bytes: a power of two from 8 to 65536; default 64
 *   row_counts         "none" (default) or "written": the footer has the rows of each batch
 *   unused             of data to which no row refers: "bounded" (default), "keep", "remove"
 *   null_slots         "keep" (default) or "zeros"
 *   same_metadata      "false" (default) or "true": the same in schema message and footer
 *   shared_buffers     "repeated" (default) or "once"
 *   endianness         "little" or "big"; default: that of this machine
 *   metadata_version   "5" (default) or "4"
 *   max_message_bytes  batches are split into messages of at most this length
 *   max_fields, threads
 */
struct aipc_option {
  const char *key;
  const char *value;
};

/* Bytes that a handle lends. `data` is NULL if there are none. */
struct aipc_bytes {
  const void *data;
  size_t n_bytes;
};

/*
 * Memory that you lend. It must not change until `release(user)` is called: once, when nothing refers to it any more, on
 * any thread; also after an error, unless `size` is wrong. `release` may be NULL.
 */
struct aipc_memory {
  size_t size; /* sizeof(struct aipc_memory) */
  const void *bytes;
  size_t n_bytes;
  void (*release)(void *user);
  void *user;
};

/*
 * A source of bytes that are read by position. `length` sets the number of bytes, which may grow. `read_at` reads at most
 * `n_bytes` bytes from `position` on, and sets how many: fewer are fine, 0 is an error. `release(user)` is called as for
 * memory. If `is_thread_safe` is 0, the library makes one call after the other; otherwise several threads may call at once.
 */
struct aipc_source {
  size_t size; /* sizeof(struct aipc_source) */
  int (*length)(void *user, uint64_t *n_bytes);
  int (*read_at)(void *user, uint64_t position, void *bytes, size_t n_bytes, size_t *n_read);
  void (*release)(void *user);
  void *user;
  int is_thread_safe;
};

/*
 * What takes bytes. `write` takes all of them, which are valid during the call. `flush` is called when all are written; it
 * may be NULL. `release(user)` is called when the writer is freed, and as for memory.
 */
struct aipc_sink {
  size_t size; /* sizeof(struct aipc_sink) */
  int (*write)(void *user, const void *bytes, size_t n_bytes);
  int (*flush)(void *user);
  void (*release)(void *user);
  void *user;
};

/* ---- Reading ---- */

/* A file, or a stream that is read like one: its batches are read when they are asked for, with the selected columns. */
typedef struct aipc_reader aipc_reader;

/* Opens a path. Pipes are read by decoders. The file must not be overwritten in place while anything reads it. */
int aipc_reader_open(const char *path, const struct aipc_option *options, size_t n_options, aipc_reader **out,
                     struct aipc_error *error);

/* Opens bytes in memory. Arrays share them, so that `release` may be called long after the reader was freed. */
int aipc_reader_open_memory(const struct aipc_memory *memory, const struct aipc_option *options, size_t n_options,
                            aipc_reader **out, struct aipc_error *error);

/* Opens a source. The structure is copied; what is behind `user` is used until `release`. */
int aipc_reader_open_source(const struct aipc_source *source, const struct aipc_option *options, size_t n_options,
                            aipc_reader **out, struct aipc_error *error);

/* Makes another reader of the same input, with another selection in place of that of `reader`. Reads nothing,
 * and shares what was read. Both are freed, in any order. */
int aipc_reader_select(const aipc_reader *reader, const struct aipc_option *options, size_t n_options, aipc_reader **out,
                       struct aipc_error *error);

/* Frees a reader. Streams and arrays that it returned stay valid. */
void aipc_reader_free(aipc_reader *reader);

/* The schema of the selected columns: a struct with a child for each. */
int aipc_reader_schema(const aipc_reader *reader, struct ArrowSchema *out, struct aipc_error *error);

/* The selected batches, from the first on. Each call makes a stream of its own. `get_next` returns errno codes, and
 * `get_last_error` the text. A stream that is cut or malformed ends with an error after its last batch, unless `rows` or
 * `batches` end before. */
int aipc_reader_stream(const aipc_reader *reader, struct ArrowArrayStream *out, struct aipc_error *error);

/* The batch with an index in the input, with the selected columns: a struct with a child for each, of aipc_reader_schema.
 * `rows`, `batches` and `condition` do not matter here and below. */
int aipc_reader_batch(const aipc_reader *reader, uint64_t index, struct ArrowArray *out, struct aipc_error *error);

/* The number of batches of the input. Reads nothing. */
int aipc_reader_n_batches(const aipc_reader *reader, uint64_t *out, struct aipc_error *error);

/* The number of rows of the input. Reads metadata at most. */
int aipc_reader_n_rows(const aipc_reader *reader, uint64_t *out, struct aipc_error *error);

/* The number of rows of one batch. */
int aipc_reader_batch_n_rows(const aipc_reader *reader, uint64_t index, uint64_t *out, struct aipc_error *error);

/* 1 if the input is a file, 0 if it is a stream. */
int aipc_reader_is_file(const aipc_reader *reader, int *out, struct aipc_error *error);

/* The bytes before the footer of a file that none of its blocks has, so they are not read: where they begin, and how many they are; 0 if there
 * are none. `has_second_file` is 1 if they begin with a second file, as of `cat a.arrow b.arrow`: then only batches of the first are read.
 * Reads nothing of most files. */
int aipc_reader_unreferenced_bytes(const aipc_reader *reader, uint64_t *start, uint64_t *n_bytes, int *has_second_file,
                                   struct aipc_error *error);

/* The number of pairs of metadata of the file (in its footer) or stream. The schema has its own, in ArrowSchema. */
int aipc_reader_n_metadata(const aipc_reader *reader, uint64_t *out, struct aipc_error *error);

/* The pair with an index, without NUL at the end; valid until the reader is freed. `key` and `value` may be NULL. */
int aipc_reader_metadata(const aipc_reader *reader, uint64_t index, struct aipc_bytes *key, struct aipc_bytes *value,
                         struct aipc_error *error);

/* The first value with a key; NULL data and AIPC_OK if there is none. Valid until the reader is freed. */
int aipc_reader_find_metadata(const aipc_reader *reader, const char *key, struct aipc_bytes *out, struct aipc_error *error);

/* ---- Decoding a stream without input: for sockets, queues and event loops ---- */

typedef struct aipc_decoder aipc_decoder;

/* aipc_decoder_feed or aipc_decoder_end_input comes next. */
#define AIPC_EVENT_NEED_BYTES 0
/* aipc_decoder_schema has a schema from now on. */
#define AIPC_EVENT_SCHEMA 1
/* `batch` is a batch, which you release. */
#define AIPC_EVENT_BATCH 2
/* The stream has ended. */
#define AIPC_EVENT_END 3

/* Makes a decoder of a stream that begins with the first byte it is fed. */
int aipc_decoder_new(const struct aipc_option *options, size_t n_options, aipc_decoder **out, struct aipc_error *error);

/* Frees a decoder. Arrays that it returned stay valid. */
void aipc_decoder_free(aipc_decoder *decoder);

/* Appends a copy of bytes, in pieces of any length. What is not decoded counts for max_memory_bytes: after AIPC_LIMIT and
 * AIPC_OUT_OF_MEMORY, each step fails. */
int aipc_decoder_feed(aipc_decoder *decoder, const void *bytes, size_t n_bytes, struct aipc_error *error);

/* Appends bytes without a copy: arrays share them if a message is inside one piece. */
int aipc_decoder_feed_memory(aipc_decoder *decoder, const struct aipc_memory *memory, struct aipc_error *error);

/* Says that no bytes follow. A stream that ends inside of a message is then AIPC_TRUNCATED. */
int aipc_decoder_end_input(aipc_decoder *decoder, struct aipc_error *error);

/* Decodes up to the next event, an AIPC_EVENT_…, and sets `batch` if it is one. After an error, each step fails. */
int aipc_decoder_step(aipc_decoder *decoder, int *event, struct ArrowArray *batch, struct aipc_error *error);

/* The schema of the selected columns, once AIPC_EVENT_SCHEMA was returned. */
int aipc_decoder_schema(const aipc_decoder *decoder, struct ArrowSchema *out, struct aipc_error *error);

/* ---- Encoding without output ---- */

typedef struct aipc_encoder aipc_encoder;

/* Makes an encoder for batches of a schema, which is moved. Its first pieces are there at once. */
int aipc_encoder_new(struct ArrowSchema *schema, const struct aipc_option *options, size_t n_options, aipc_encoder **out,
                     struct aipc_error *error);

/* Frees an encoder. */
void aipc_encoder_free(aipc_encoder *encoder);

/* Encodes a batch of the schema, which is moved. It is released when its pieces were taken; the encoder keeps the last
 * dictionaries, to compare them with the next. After an error, nothing of it is encoded, and others can be; but
 * AIPC_OUT_OF_MEMORY may end the encoder. */
int aipc_encoder_write(aipc_encoder *encoder, struct ArrowArray *batch, struct aipc_error *error);

/* Encodes the end of the stream, or the footer of the file. */
int aipc_encoder_finish(aipc_encoder *encoder, struct aipc_error *error);

/* The next piece of bytes, valid until the next call of this function or aipc_encoder_free. NULL data: no piece waits. */
int aipc_encoder_next(aipc_encoder *encoder, struct aipc_bytes *out, struct aipc_error *error);

/* ---- Writing ---- */

typedef struct aipc_writer aipc_writer;

/*
 * Makes a writer to a path, a sink or memory. `schema` is moved; if it is NULL, the first stream that is written brings it.
 * A file at a path gets its name in aipc_writer_finish, and replaces a file of this name then: until then, and after an
 * error, that one is as it was. Pipes and devices are written at once. The sink is copied and released as described above.
 */
int aipc_writer_create(const char *path, struct ArrowSchema *schema, const struct aipc_option *options, size_t n_options,
                       aipc_writer **out, struct aipc_error *error);
int aipc_writer_to_sink(const struct aipc_sink *sink, struct ArrowSchema *schema, const struct aipc_option *options,
                        size_t n_options, aipc_writer **out, struct aipc_error *error);
int aipc_writer_to_memory(struct ArrowSchema *schema, const struct aipc_option *options, size_t n_options,
                          aipc_writer **out, struct aipc_error *error);

/* Frees a writer. If it is not finished, there is no file. */
void aipc_writer_free(aipc_writer *writer);

/* Writes a batch of the schema, which is moved; the writer keeps the last dictionaries, to compare them with the next. If
 * the output fails, the writer cannot be used any more; after other errors, nothing of the batch is written, and others
 * can be. */
int aipc_writer_write(aipc_writer *writer, struct ArrowArray *batch, struct aipc_error *error);

/* Writes all batches of a stream, which is moved. After an error of the stream, its batches up to there are written.
 * A stream whose schema cannot be written does not count as the first one. */
int aipc_writer_write_stream(aipc_writer *writer, struct ArrowArrayStream *stream, struct aipc_error *error);

/* Writes the end, and gives a file its name. Nothing can be written afterwards, also after an error: only that there is no
 * schema yet can be mended. */
int aipc_writer_finish(aipc_writer *writer, struct aipc_error *error);

/* The bytes of a finished writer to memory; valid until it is freed. */
int aipc_writer_bytes(const aipc_writer *writer, struct aipc_bytes *out, struct aipc_error *error);

#ifdef __cplusplus
}
#endif

#endif /* ARROW_IPC_H */
