// threads FILE: eight threads read one handle, over callbacks that may and may not be called at once, and all find the same.
#include "common.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Shared {
  source_data data;
  std::atomic<int> n_inside{0};
  std::atomic<int> n_together{0};
};

int shared_length(void *user, uint64_t *n_bytes) {
  *n_bytes = static_cast<Shared *>(user)->data.n_bytes;
  return 0;
}

int shared_read_at(void *user, uint64_t position, void *bytes, size_t n_bytes, size_t *n_read) {
  auto *shared = static_cast<Shared *>(user);
  if (shared->n_inside++ > 0) shared->n_together++;
  size_t n = position < shared->data.n_bytes ? shared->data.n_bytes - position : 0;
  if (n > n_bytes) n = n_bytes;
  if (n) std::memcpy(bytes, shared->data.bytes + position, n);
  std::this_thread::yield();
  *n_read = n;
  shared->n_inside--;
  return 0;
}

struct Free {
  void operator()(aipc_reader *reader) const { aipc_reader_free(reader); }
};

using Reader = std::unique_ptr<aipc_reader, Free>;

uint64_t n_rows_of(const aipc_reader *reader, size_t first) {
  uint64_t n_batches = 0, n_rows = 0;
  OK(aipc_reader_n_batches(reader, &n_batches, e));
  for (uint64_t i = 0; i < n_batches; i++) {
    ArrowArray batch;
    OK(aipc_reader_batch(reader, (first + i) % n_batches, &batch, e));
    n_rows += static_cast<uint64_t>(batch.length);
    batch.release(&batch);
  }
  ArrowArrayStream stream;
  OK(aipc_reader_stream(reader, &stream, e));
  ArrowArray batch;
  while (stream.get_next(&stream, &batch) == 0 && batch.release) {
    n_rows += static_cast<uint64_t>(batch.length);
    batch.release(&batch);
  }
  stream.release(&stream);
  return n_rows;
}

}  // namespace

int main(int n_args, char **args) {
  if (n_args != 2) FAIL("usage: threads FILE");
  for (int is_thread_safe = 0; is_thread_safe < 2; is_thread_safe++) {
    Shared shared{};
    std::unique_ptr<void, decltype(&std::free)> bytes(load(args[1], &shared.data.n_bytes), &std::free);
    shared.data.bytes = static_cast<const unsigned char *>(bytes.get());
    aipc_source source{sizeof(aipc_source), shared_length, shared_read_at, nullptr, &shared, is_thread_safe};
    aipc_reader *opened = nullptr;
    OK(aipc_reader_open_source(&source, nullptr, 0, &opened, e));
    Reader reader(opened);
    uint64_t n_rows = 0;
    OK(aipc_reader_n_rows(reader.get(), &n_rows, e));
    std::atomic<int> n_same{0};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < 8; i++)
      threads.emplace_back([&, i] { n_same += n_rows_of(reader.get(), i) == 2 * n_rows; });
    for (auto &thread : threads) thread.join();
    CHECK(n_same == 8);
    CHECK(is_thread_safe || shared.n_together == 0);
  }
  return 0;
}
