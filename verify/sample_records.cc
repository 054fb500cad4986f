// SPDX-License-Identifier: Apache-2.0
// Layout: blocks of u64 length, padding to 64, bytes, padding to 64. First the signature (JSON),
// then per sample a header (JSON) and one block per tensor; the elements of a string tensor are
// written as u64 length and bytes each.
#include "verify/sample_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/json.h"

namespace ingot::verify {
namespace {

constexpr std::size_t kAlignment = 64;
std::size_t padding(std::size_t size) { return (kAlignment - size % kAlignment) % kAlignment; }

Json values_json(const std::vector<runtime::ValueInfo>& values) {
  Json list = Json::array();
  for (const auto& value : values) {
    list.push_back({{"name", value.name},
                    {"dtype", static_cast<int>(value.dtype)},
                    {"shape", value.shape},
                    {"is_tensor", value.is_tensor}});
  }
  return list;
}

std::vector<runtime::ValueInfo> values_from(const Json& list) {
  std::vector<runtime::ValueInfo> values;
  for (const Json& item : list) {
    values.push_back({item.at("name").get<std::string>(),
                      static_cast<DType>(item.at("dtype").get<int>()),
                      item.at("shape").get<Shape>(), item.at("is_tensor").get<bool>()});
  }
  return values;
}

Json tensor_json(const std::string& name, const TensorView& view) {
  return {{"name", name}, {"dtype", static_cast<int>(view.dtype)}, {"shape", view.shape}};
}

std::vector<std::byte> pack_strings(std::span<const std::string> strings) {
  std::vector<std::byte> packed;
  for (const std::string& text : strings) {
    const std::uint64_t length = text.size();
    const auto* head = reinterpret_cast<const std::byte*>(&length);
    const auto* body = reinterpret_cast<const std::byte*>(text.data());
    packed.insert(packed.end(), head, head + sizeof(length));
    packed.insert(packed.end(), body, body + text.size());
  }
  return packed;
}

std::vector<std::string> unpack_strings(std::span<const std::byte> packed) {
  std::vector<std::string> strings;
  while (!packed.empty()) {
    std::uint64_t length = 0;
    INGOT_CHECK(packed.size() >= sizeof(length));
    std::memcpy(&length, packed.data(), sizeof(length));
    packed = packed.subspan(sizeof(length));
    INGOT_CHECK(packed.size() >= length);
    strings.emplace_back(reinterpret_cast<const char*>(packed.data()), length);
    packed = packed.subspan(length);
  }
  return strings;
}

}  // namespace

RecordWriter::RecordWriter(const std::filesystem::path& path, const Signature& original)
    : path_(path), file_(path, std::ios::binary) {
  check();
  // MessagePack, not text: names in a model may hold bytes that are no UTF-8.
  const Json signature{{"inputs", values_json(original.inputs)},
                       {"optional_inputs", values_json(original.optional_inputs)},
                       {"outputs", values_json(original.outputs)}};
  const std::vector<std::uint8_t> packed = Json::to_msgpack(signature);
  block(std::as_bytes(std::span(packed)));
}

void RecordWriter::check() const {
  if (!file_)
    throw Error(Code::kEnvironment,
                fmt::format("'{}' cannot be written; is the disk full?", path_.string()));
}

void RecordWriter::block(std::span<const std::byte> bytes) {
  static constexpr std::array<char, kAlignment> kZeros{};
  const std::uint64_t length = bytes.size();
  file_.write(reinterpret_cast<const char*>(&length), sizeof(length));
  file_.write(kZeros.data(), kAlignment - sizeof(length));
  file_.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  file_.write(kZeros.data(), static_cast<std::streamsize>(padding(bytes.size())));
  check();
}

void RecordWriter::write(const std::string& sample, const std::map<std::string, Tensor>& inputs,
                         std::span<const TensorView> outputs) {
  Json header{{"sample", sample}, {"inputs", Json::array()}, {"outputs", Json::array()}};
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : inputs) {
    header["inputs"].push_back(tensor_json(name, tensor.view()));
    views.push_back(tensor.view());
  }
  for (const TensorView& output : outputs) {
    header["outputs"].push_back(tensor_json({}, output));
    views.push_back(output);
  }
  const std::vector<std::uint8_t> packed = Json::to_msgpack(header);
  block(std::as_bytes(std::span(packed)));
  tensors(views);
}

void RecordWriter::tensors(std::span<const TensorView> views) {
  for (const TensorView& view : views) {
    if (view.dtype == DType::kString) {
      block(pack_strings(view.strings));
    } else {
      block(view.bytes);
    }
  }
}

void RecordWriter::close() {
  file_.close();
  check();
}

RecordReader::RecordReader(const std::filesystem::path& path) : file_(path) {
  const Json signature = Json::from_msgpack(header());
  original_ = {values_from(signature.at("inputs")), values_from(signature.at("optional_inputs")),
               values_from(signature.at("outputs"))};
}

std::span<const std::byte> RecordReader::block() {
  const auto bytes = file_.bytes();
  std::uint64_t length = 0;
  INGOT_CHECK(position_ + kAlignment <= bytes.size());
  std::memcpy(&length, bytes.data() + position_, sizeof(length));
  position_ += kAlignment;
  INGOT_CHECK(length <= bytes.size() - position_);
  const auto content = bytes.subspan(position_, length);
  position_ += length + padding(length);
  return content;
}

std::string RecordReader::header() {
  const auto content = block();
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

std::optional<SampleRecord> RecordReader::next() {
  if (position_ >= file_.bytes().size()) return std::nullopt;
  const Json head = Json::from_msgpack(header());
  strings_.clear();
  strings_.reserve(head.at("inputs").size() + head.at("outputs").size());
  const auto read = [&](const Json& item) {
    TensorView view{
        static_cast<DType>(item.at("dtype").get<int>()), item.at("shape").get<Shape>(), {}, {}};
    const auto content = block();
    if (view.dtype == DType::kString) {
      view.strings = strings_.emplace_back(unpack_strings(content));
    } else {
      view.bytes = content;
    }
    return view;
  };
  SampleRecord record{head.at("sample").get<std::string>(), {}, {}};
  for (const Json& item : head.at("inputs"))
    record.inputs.emplace(item.at("name").get<std::string>(), Tensor::copy_of(read(item)));
  for (const Json& item : head.at("outputs")) record.outputs.push_back(read(item));
  return record;
}

}  // namespace ingot::verify
