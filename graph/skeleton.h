// SPDX-License-Identifier: Apache-2.0
// Taking large raw_data out of a serialised model and putting it back, without protobuf ever seeing
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/files.h"
#include "graph/tensor_store.h"
#include "graph/wire.h"

namespace ingot::graph {

/// A copy of the model in `file` where each raw_data of at least kInlineBytes is replaced by a
/// marker to a range of `file` in `store`. Throws kInput on truncated or malformed bytes, on a
/// marker in the file itself and on nesting deeper than wire::kMaxDepth; kUnsupported when the copy
/// would exceed what protobuf can read (2 GiB).
std::string split_model(const std::shared_ptr<const MappedFile>& file, TensorStore& store);

/// Where the bytes of a tensor go in an external file.
struct Placement {
  std::string location;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
};

/// Writes a serialised skeleton with every marker replaced by the bytes it stands for. The bytes
/// that come out equal protobuf's own serialisation of the complete model. Both functions walk the
/// same way, so call total_bytes first.
class SkeletonWriter {
 public:
  /// `skeleton` and `store` must outlive the writer. Tensors whose number is in `placed` are
  /// written as external data.
  SkeletonWriter(std::string_view skeleton, const TensorStore& store,
                 const std::unordered_map<std::uint64_t, Placement>& placed);
  std::uint64_t total_bytes() const { return total_bytes_; }
  void write(const std::function<void(std::span<const std::byte>)>& sink);

 private:
  /// A tensor with a marker, cut where the replacement goes: raw_data at `low_end`, external data
  /// instead of [marker, marker_end).
  struct MarkedTensor {
    std::uint64_t number = 0, begin = 0, low_end = 0, marker = 0, marker_end = 0, end = 0;
  };
  std::optional<MarkedTensor> find_marker(std::uint64_t begin, std::uint64_t end) const;
  /// The fields that replace the marker, without the payload of raw_data.
  std::string replacement(const MarkedTensor& tensor) const;
  std::uint64_t measure(wire::Kind kind, std::uint64_t begin, std::uint64_t end);
  std::uint64_t measure_tensor(std::uint64_t begin, std::uint64_t end) const;
  void emit(wire::Kind kind, std::uint64_t begin, std::uint64_t end);
  void emit_tensor(std::uint64_t begin, std::uint64_t end) const;
  void put(std::uint64_t begin, std::uint64_t end) const;
  void put(const std::string& bytes) const;

  wire::Source source_;
  const TensorStore& store_;
  const std::unordered_map<std::uint64_t, Placement>& placed_;
  std::vector<std::uint64_t> lengths_;  // of every entered message, outer before inner
  std::size_t next_length_ = 0;
  std::uint64_t total_bytes_ = 0;
  const std::function<void(std::span<const std::byte>)>* sink_ = nullptr;
};

}  // namespace ingot::graph
