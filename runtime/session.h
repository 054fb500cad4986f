// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime through its C API (version 21 and above), opened with dlopen from a file the caller
// names: the very file that ships.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/tensor.h"

namespace ingot::runtime {

/// A loaded ONNX Runtime library. Sessions keep it loaded, so it is shared between them and its
/// first owner.
class Library {
 public:
  /// Throws kEnvironment naming `path` when it is missing, is not ONNX Runtime, is for another
  /// architecture, or is older than 1.21 (version seen and wanted). `path` is opened once; a file
  /// descriptor path (/proc/self/fd/N) works.
  static std::shared_ptr<const Library> open(const std::filesystem::path& path);
  ~Library();

  const std::filesystem::path& path() const;
  /// "1.32.0".
  const std::string& version() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  explicit Library(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Where the runtime is when the user names none: $INGOT_RUNTIME, else the first libonnxruntime.so*
/// in `binary_dir`/../lib, else the system's "libonnxruntime.so". `named` (from --runtime) wins
/// when not empty. Throws kEnvironment listing the places looked at.
std::filesystem::path find_library(const std::filesystem::path& named,
                                   const char* environment_value,
                                   const std::filesystem::path& binary_dir);

enum class Optimization { kNone, kBasic, kExtended, kAll };

struct SessionOptions {
  int threads = 1;  ///< intra-op; 0 = all processors this process may use. Inter-op is always 1.
  Optimization optimization = Optimization::kAll;
  bool spinning =
      false;  ///< threads that wait busily: faster on an idle machine, unfair on a shared one
  bool prepacking = true;  ///< false: less memory, slower
  bool memory_pattern = true;
  std::filesystem::path
      optimized_model;  ///< when set, the runtime writes its graph there (".ort": in its format)
  std::filesystem::path
      profile_prefix;  ///< when set, the runtime profiles; see Session::end_profiling
};

/// One input or output of a model. `shape`: -1 = not fixed. `is_tensor` false: a sequence, map or
/// optional.
struct ValueInfo {
  std::string name;
  DType dtype = DType::kUndefined;
  Shape shape;
  bool is_tensor = true;
};

/// Tensors by name.
using Feeds = std::map<std::string, TensorView>;

/// The results of one run, in place in the runtime's memory.
class Results {
 public:
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  ~Results();
  std::size_t size() const;
  /// Result number `i` in the order asked for. Throws kUnsupported when it is not a tensor. Valid
  /// while this object lives.
  TensorView view(std::size_t i) const;

 private:
  friend class Session;
  struct Impl;
  explicit Results(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A model loaded for inference on the CPU, by path: external weights are found beside it. A
/// failure of the runtime throws kEngine with the model's path and the runtime's own text, without
/// source positions. A missing file or an unreadable protobuf: kInput; an operator or type that the
/// runtime lacks: kUnsupported.
class Session {
 public:
  Session(std::shared_ptr<const Library> library, const std::filesystem::path& model,
          const SessionOptions& options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  const std::vector<ValueInfo>& inputs() const;
  const std::vector<ValueInfo>& outputs() const;
  /// Initializers that are graph inputs too: may be fed, need not be.
  const std::vector<ValueInfo>& overridable_initializers() const;

  /// Runs once; several threads may run one session at a time. `outputs`: names wanted; empty =
  /// all, in the model's order. Inputs are not copied. Throws kInput when a required input is
  /// missing or a feed has a wrong dtype or shape, naming it with wanted and got.
  Results run(const Feeds& feeds, const std::vector<std::string>& outputs = {});
  /// run() with the results copied out.
  std::vector<Tensor> run_copy(const Feeds& feeds, const std::vector<std::string>& outputs = {});

  /// Ends profiling and returns the file the runtime wrote.
  std::filesystem::path end_profiling();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingot::runtime
