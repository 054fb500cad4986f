// SPDX-License-Identifier: Apache-2.0
// Where weights live: ranges of mapped files or owned buffers, each under a number that a marker in
// the protobuf carries. Not for use outside graph/: Model is the way in.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files.h"

namespace ingot::graph {

/// What keeps the bytes of a tensor: memory of our own, or pages of a file that can be read again.
enum class Origin { kOwned, kMapped };

/// The bytes of one tensor, at any address; never changed once made.
class StoredBytes {
 public:
  /// `owner` keeps `bytes` alive.
  StoredBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, Origin origin)
      : bytes_(bytes), owner_(std::move(owner)), origin_(origin) {}
  std::span<const std::byte> bytes() const { return bytes_; }
  /// The same bytes at an address that is a multiple of `alignment` (a power of two, at most 16):
  /// protobuf puts raw_data anywhere, and reading numbers there is undefined. Copied on first need,
  /// then kept. Safe from several threads.
  std::span<const std::byte> aligned(std::size_t alignment) const;
  /// Hands the bytes to `sink` in order, piece by piece, and gives the memory of mapped pages back
  /// behind it. Throws kInterrupted.
  void stream(const std::function<void(std::span<const std::byte>)>& sink) const;

 private:
  std::span<const std::byte> bytes_;
  // Shared: one mapping serves many tensors, and clones outlive each other.
  std::shared_ptr<const void> owner_;
  Origin origin_;
  mutable std::once_flag copied_;
  mutable std::vector<std::byte> copy_;
};

/// Numbered buffers. A number is never used twice in a process, so a marker copied into another
/// model is unknown there instead of wrong.
class TensorStore {
 public:
  /// `bytes`: a range of `file`. The same range again gives the same number.
  std::uint64_t add(std::span<const std::byte> bytes, std::shared_ptr<const MappedFile> file);
  std::uint64_t add(std::vector<std::byte> bytes);
  std::uint64_t add(std::string bytes);
  /// Throws kInternal when there is no such number.
  const StoredBytes& at(std::uint64_t number) const;

 private:
  std::uint64_t add_entry(std::shared_ptr<const StoredBytes> entry);

  std::unordered_map<std::uint64_t, std::shared_ptr<const StoredBytes>> entries_;  // clones share
  std::map<std::pair<const std::byte*, std::size_t>, std::uint64_t> ranges_;  // of mapped files
};

/// The key of the external_data entry that names a store number. A file that contains it is
/// refused.
inline constexpr std::string_view kStoreKey = "ingot.store";

/// The store number a tensor's marker carries; nothing when the tensor has no marker.
std::optional<std::uint64_t> store_number(const onnx::TensorProto& tensor);
/// Makes the marker the only content of `tensor`; dtype, dims and name stay.
void set_marker(onnx::TensorProto& tensor, std::uint64_t number);
/// Removes content of any form; dtype, dims and name stay.
void clear_content(onnx::TensorProto& tensor);
/// "tensor 'w'", or "a tensor without name", for messages.
std::string tensor_label(const onnx::TensorProto& tensor);

}  // namespace ingot::graph
