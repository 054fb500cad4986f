// SPDX-License-Identifier: Apache-2.0
#include "graph/wire.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace ingot::graph::wire {
namespace {

constexpr Edge kEdges[] = {
    {Kind::kModel, 7, Kind::kGraph},              // graph
    {Kind::kModel, 20, Kind::kTrainingInfo},      // training_info
    {Kind::kModel, 25, Kind::kFunction},          // functions
    {Kind::kGraph, 1, Kind::kNode},               // node
    {Kind::kGraph, 5, Kind::kTensor},             // initializer
    {Kind::kGraph, 15, Kind::kSparseTensor},      // sparse_initializer
    {Kind::kNode, 5, Kind::kAttribute},           // attribute
    {Kind::kAttribute, 5, Kind::kTensor},         // t
    {Kind::kAttribute, 6, Kind::kGraph},          // g
    {Kind::kAttribute, 10, Kind::kTensor},        // tensors
    {Kind::kAttribute, 11, Kind::kGraph},         // graphs
    {Kind::kAttribute, 22, Kind::kSparseTensor},  // sparse_tensor
    {Kind::kAttribute, 23, Kind::kSparseTensor},  // sparse_tensors
    {Kind::kSparseTensor, 1, Kind::kTensor},      // values
    {Kind::kSparseTensor, 2, Kind::kTensor},      // indices
    {Kind::kFunction, 7, Kind::kNode},            // node
    {Kind::kFunction, 11, Kind::kAttribute},      // attribute_proto
    {Kind::kTrainingInfo, 1, Kind::kGraph},       // initialization
    {Kind::kTrainingInfo, 2, Kind::kGraph},       // algorithm
};

constexpr std::size_t kFieldLimit = 32;
using ChildTable =
    std::array<std::array<std::int8_t, kFieldLimit>, static_cast<std::size_t>(Kind::kTensor) + 1>;

constexpr ChildTable make_child_table() {
  ChildTable table{};
  for (auto& row : table) row.fill(-1);
  for (const Edge& edge : kEdges)
    table[static_cast<std::size_t>(edge.parent)][edge.field] = static_cast<std::int8_t>(edge.child);
  return table;
}
constexpr ChildTable kChildren = make_child_table();

}  // namespace

std::span<const Edge> edges() { return kEdges; }

std::optional<Kind> child_of(Kind parent, std::uint32_t field) {
  if (field >= kFieldLimit) return std::nullopt;
  const std::int8_t child = kChildren[static_cast<std::size_t>(parent)][field];
  if (child < 0) return std::nullopt;
  return static_cast<Kind>(child);
}

void refuse(const Source& source, std::string_view why) {
  throw Error(Code::kInput, fmt::format("'{}': not an ONNX model: {}", source.name, why));
}

void FieldReader::cut_short(std::uint64_t at) const {
  if (end_ < source_.bytes.size())
    refuse(source_, fmt::format("the field at byte {} runs past the end of its message", at));
  throw Error(
      Code::kInput,
      fmt::format("'{}': truncated: the field at byte {} runs past the end of the file ({} bytes)",
                  source_.name, at, source_.bytes.size()),
      "copy or download the file again");
}

std::uint64_t FieldReader::varint() {
  const std::uint64_t begin = position_;
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (position_ >= end_) cut_short(begin);
    const auto byte = static_cast<std::uint64_t>(source_.bytes[position_++]);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  refuse(source_, fmt::format("the number at byte {} has more than ten bytes", begin));
}

bool FieldReader::next(Field& field) {
  if (position_ >= end_) return false;
  field.begin = position_;
  const std::uint64_t tag = varint();
  field.number = static_cast<std::uint32_t>(tag >> 3);
  field.type = static_cast<std::uint32_t>(tag & 7);
  if (field.number == 0 || tag > 0xffffffffU)
    refuse(source_, fmt::format("the tag at byte {} has no valid field number", field.begin));
  std::uint64_t payload_bytes = 0;
  field.payload = position_;
  switch (field.type) {
    case kVarint:
      varint();
      field.end = position_;
      return true;
    case kFixed64:
      payload_bytes = 8;
      break;
    case kFixed32:
      payload_bytes = 4;
      break;
    case kLengthDelimited:
      payload_bytes = varint();
      field.payload = position_;
      break;
    default:
      refuse(source_,
             fmt::format("the field at byte {} has wire type {}", field.begin, field.type));
  }
  if (payload_bytes > end_ - field.payload) cut_short(field.begin);
  field.end = position_ = field.payload + payload_bytes;
  return true;
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
  out.push_back(static_cast<char>(value));
}

std::uint64_t varint_bytes(std::uint64_t value) {
  std::uint64_t count = 1;
  for (; value >= 0x80; value >>= 7) ++count;
  return count;
}

void append_tag(std::string& out, std::uint32_t number, std::uint32_t type) {
  append_varint(out, (number << 3) | type);
}

void append_text(std::string& out, std::uint32_t number, std::string_view text) {
  append_tag(out, number, kLengthDelimited);
  append_varint(out, text.size());
  out.append(text);
}

}  // namespace ingot::graph::wire
