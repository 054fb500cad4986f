// SPDX-License-Identifier: Apache-2.0
#include "graph/external_data.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/tensor.h"
#include "graph/tensor_store.h"

namespace ingot::graph {
namespace {

// Ranges may overlap, but not make a large output out of a small file.
constexpr std::uint64_t kMaxGrowth = 4;

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kInput, why); }

std::optional<std::uint64_t> number_entry(const std::string* text, const char* key) {
  if (text == nullptr) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc{} || stop != end)
    refuse(fmt::format("its {} is '{}'; a number of bytes is wanted", key, *text));
  return value;
}

/// The value of the entry `key`; nullptr when there is none. Two of them: nobody could say which
/// one holds.
const std::string* find_entry(const onnx::TensorProto& tensor, std::string_view key) {
  const std::string* value = nullptr;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() != key) continue;
    if (value != nullptr) refuse(fmt::format("its {} is given twice", key));
    value = &entry.value();
  }
  return value;
}

/// For messages about any entry: the first location, if there is one.
std::string location_of(const onnx::TensorProto& tensor) {
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") return entry.value();
  }
  return {};
}

std::uint64_t wanted_bytes(const onnx::TensorProto& tensor) {
  const auto dtype = static_cast<DType>(tensor.data_type());
  if (dtype_bits(dtype) == 0)
    refuse(fmt::format("elements of type {} cannot be kept outside", tensor.data_type()));
  return byte_count(dtype, element_count(Shape(tensor.dims().begin(), tensor.dims().end())));
}

}  // namespace

ExternalFiles::File& ExternalFiles::open(const std::string& location) {
  const auto known = by_location_.find(location);
  if (known != by_location_.end()) return *known->second;
  DataFile opened = open_data_file(model_, location);
  auto& file = by_id_[opened.id];
  if (!file) file = std::make_unique<File>(File{std::move(opened.file), {}, 0});
  by_location_.emplace(location, file.get());
  return *file;
}

std::vector<std::string> ExternalFiles::locations() const {
  std::set<std::string> normal;
  for (const auto& [location, file] : by_location_)
    normal.insert(std::filesystem::path(location).lexically_normal().string());
  return {normal.begin(), normal.end()};
}

void ExternalFiles::count(File& file, std::uint64_t offset, std::uint64_t length) {
  if (!file.ranges.emplace(offset, length).second) return;
  file.range_bytes += length;
  const std::uint64_t size = file.mapped->bytes().size();
  if (file.range_bytes / kMaxGrowth <= size) return;
  refuse(
      fmt::format("the overlapping ranges of its tensors add up to more than {} times its {} bytes",
                  kMaxGrowth, size));
}

ExternalBytes ExternalFiles::resolve(const onnx::TensorProto& tensor) {
  try {
    const std::string* location = find_entry(tensor, "location");
    File& file = open(location == nullptr ? "" : *location);
    const std::uint64_t offset = number_entry(find_entry(tensor, "offset"), "offset").value_or(0);
    const std::uint64_t wanted = wanted_bytes(tensor);
    const std::uint64_t length =
        number_entry(find_entry(tensor, "length"), "length").value_or(wanted);
    if (length != wanted)
      refuse(fmt::format("its length is {} bytes; its type and shape want {}", length, wanted));
    const std::span<const std::byte> bytes = file.mapped->bytes();
    if (offset > bytes.size() || length > bytes.size() - offset) {
      refuse(fmt::format("{} bytes from byte {} are wanted, the file has {}", length, offset,
                         bytes.size()));
    }
    count(file, offset, length);
    return {bytes.subspan(offset, length), file.mapped};
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("'{}': {}: external data '{}': {}", model_.string(),
                            tensor_label(tensor), location_of(tensor), error.message()),
                error.hint());
  }
}

}  // namespace ingot::graph
