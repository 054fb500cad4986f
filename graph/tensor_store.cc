// SPDX-License-Identifier: Apache-2.0
#include "graph/tensor_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/mapped_guard.h"

namespace ingot::graph {
namespace {

// What is mapped of a tensor while it streams past.
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

}  // namespace

std::span<const std::byte> StoredBytes::aligned(std::size_t alignment) const {
  if (reinterpret_cast<std::uintptr_t>(bytes_.data()) % alignment == 0) return bytes_;
  std::call_once(copied_, [this] { copy_.assign(bytes_.begin(), bytes_.end()); });
  return copy_;
}

void StoredBytes::stream(const std::function<void(std::span<const std::byte>)>& sink) const {
  for (std::span<const std::byte> rest = bytes_; !rest.empty();) {
    check_interrupt();
    const auto piece = rest.first(std::min(rest.size(), kPieceBytes));
    sink(piece);
    // Memory of our own would be lost.
    if (origin_ == Origin::kMapped) release_pages(piece);
    rest = rest.subspan(piece.size());
  }
}

std::uint64_t TensorStore::add_entry(std::shared_ptr<const StoredBytes> entry) {
  static std::atomic<std::uint64_t> next_number{1};
  const std::uint64_t number = next_number++;
  entries_.emplace(number, std::move(entry));
  return number;
}

std::uint64_t TensorStore::add(std::span<const std::byte> bytes,
                               std::shared_ptr<const MappedFile> file) {
  auto& number = ranges_[{bytes.data(), bytes.size()}];
  if (number == 0) {
    number =
        add_entry(std::make_shared<const StoredBytes>(bytes, std::move(file), Origin::kMapped));
  }
  return number;
}

std::uint64_t TensorStore::add(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const std::span<const std::byte> view = *owner;
  return add_entry(std::make_shared<const StoredBytes>(view, std::move(owner), Origin::kOwned));
}

std::uint64_t TensorStore::add(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  const std::span<const std::byte> view = std::as_bytes(std::span(*owner));
  return add_entry(std::make_shared<const StoredBytes>(view, std::move(owner), Origin::kOwned));
}

const StoredBytes& TensorStore::at(std::uint64_t number) const {
  const auto found = entries_.find(number);
  if (found == entries_.end()) {
    throw Error(
        Code::kInternal,
        fmt::format("tensor store has no number {}: the tensor was copied from another model",
                    number));
  }
  return *found->second;
}

std::optional<std::uint64_t> store_number(const onnx::TensorProto& tensor) {
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL || tensor.external_data_size() != 1)
    return std::nullopt;
  const auto& entry = tensor.external_data(0);
  if (entry.key() != kStoreKey) return std::nullopt;
  std::uint64_t number = 0;
  const std::string& text = entry.value();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void set_marker(onnx::TensorProto& tensor, std::uint64_t number) {
  clear_content(tensor);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& entry = *tensor.add_external_data();
  entry.set_key(kStoreKey.data(), kStoreKey.size());
  entry.set_value(std::to_string(number));
}

void clear_content(onnx::TensorProto& tensor) {
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_int32_data();
  tensor.clear_string_data();
  tensor.clear_int64_data();
  tensor.clear_double_data();
  tensor.clear_uint64_data();
  tensor.clear_external_data();
  tensor.clear_data_location();
}

std::string tensor_label(const onnx::TensorProto& tensor) {
  return tensor.name().empty() ? "a tensor without name"
                               : fmt::format("tensor '{}'", tensor.name());
}

}  // namespace ingot::graph
