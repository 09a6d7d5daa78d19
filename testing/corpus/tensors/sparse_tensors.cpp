// What Python has no functions for: sparse tensors as messages, by Arrow C++.
//
//     sparse_tensors sparse DENSE FORMAT INDEX_BITS SPARSE
//     sparse_tensors dense SPARSE DENSE
//
// DENSE and SPARSE are files of one message. FORMAT is coo, csr, csc or csf.

#include <iostream>
#include <stdexcept>
#include <string>

#include <arrow/api.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>
#include <arrow/sparse_tensor.h>

namespace {

void Check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

template <typename T>
T Check(arrow::Result<T> result) {
  Check(result.status());
  return std::move(result).ValueUnsafe();
}

std::shared_ptr<arrow::SparseTensor> Sparse(const arrow::Tensor& dense, const std::string& format,
                                            const std::shared_ptr<arrow::DataType>& index) {
  if (format == "coo") return Check(arrow::SparseCOOTensor::Make(dense, index));
  if (format == "csr") return Check(arrow::SparseCSRMatrix::Make(dense, index));
  if (format == "csc") return Check(arrow::SparseCSCMatrix::Make(dense, index));
  if (format == "csf") return Check(arrow::SparseCSFTensor::Make(dense, index));
  throw std::runtime_error("no format " + format);
}

int Run(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  int32_t n_metadata_bytes;
  int64_t n_body_bytes;
  if (mode == "sparse" && argc == 6) {
    const std::string bits = argv[4];
    const auto index = bits == "8"    ? arrow::int8()
                       : bits == "16" ? arrow::int16()
                       : bits == "32" ? arrow::int32()
                                      : arrow::int64();
    auto source = Check(arrow::io::ReadableFile::Open(argv[2]));
    auto sparse = Sparse(*Check(arrow::ipc::ReadTensor(source.get())), argv[3], index);
    auto sink = Check(arrow::io::FileOutputStream::Open(argv[5]));
    Check(arrow::ipc::WriteSparseTensor(*sparse, sink.get(), &n_metadata_bytes, &n_body_bytes));
    Check(sink->Close());
    return 0;
  }
  if (mode == "dense" && argc == 4) {
    auto source = Check(arrow::io::ReadableFile::Open(argv[2]));
    auto dense = Check(Check(arrow::ipc::ReadSparseTensor(source.get()))->ToTensor());
    auto sink = Check(arrow::io::FileOutputStream::Open(argv[3]));
    Check(arrow::ipc::WriteTensor(*dense, sink.get(), &n_metadata_bytes, &n_body_bytes));
    Check(sink->Close());
    return 0;
  }
  std::cerr << "see the head of the source\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
