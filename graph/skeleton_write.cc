// SPDX-License-Identifier: Apache-2.0
// Saving: a skeleton with its weights put back.
#include "base/error.h"
#include "graph/skeleton.h"

namespace ingot::graph {

using wire::Field;
using wire::Kind;

SkeletonWriter::SkeletonWriter(std::string_view skeleton, const TensorStore& store,
                               const std::unordered_map<std::uint64_t, Placement>& placed)
    : source_{std::as_bytes(std::span(skeleton)), "skeleton"}, store_(store), placed_(placed) {
  total_bytes_ = measure(Kind::kModel, 0, skeleton.size());
}

void SkeletonWriter::write(const std::function<void(std::span<const std::byte>)>& sink) {
  sink_ = &sink;
  next_length_ = 1;
  emit(Kind::kModel, 0, source_.bytes.size());
}

std::uint64_t SkeletonWriter::measure(Kind kind, std::uint64_t begin, std::uint64_t end) {
  const std::size_t slot = lengths_.size();
  lengths_.push_back(0);
  std::uint64_t total = 0;
  wire::FieldReader reader(source_, begin, end);
  for (Field field; reader.next(field);) {
    const auto child =
        field.type == wire::kLengthDelimited ? wire::child_of(kind, field.number) : std::nullopt;
    if (!child) {
      total += field.end - field.begin;
      continue;
    }
    const std::uint64_t length = *child == Kind::kTensor
                                     ? measure_tensor(field.payload, field.end)
                                     : measure(*child, field.payload, field.end);
    total += wire::varint_bytes(field.number << 3) + wire::varint_bytes(length) + length;
  }
  return lengths_[slot] = total;
}

void SkeletonWriter::emit(Kind kind, std::uint64_t begin, std::uint64_t end) {
  wire::FieldReader reader(source_, begin, end);
  for (Field field; reader.next(field);) {
    const auto child =
        field.type == wire::kLengthDelimited ? wire::child_of(kind, field.number) : std::nullopt;
    if (!child) {
      put(field.begin, field.end);
      continue;
    }
    const bool is_tensor = *child == Kind::kTensor;
    std::string head;
    wire::append_tag(head, field.number, wire::kLengthDelimited);
    wire::append_varint(
        head, is_tensor ? measure_tensor(field.payload, field.end) : lengths_[next_length_++]);
    put(head);
    if (is_tensor) {
      emit_tensor(field.payload, field.end);
    } else {
      emit(*child, field.payload, field.end);
    }
  }
}

std::optional<SkeletonWriter::MarkedTensor> SkeletonWriter::find_marker(std::uint64_t begin,
                                                                        std::uint64_t end) const {
  MarkedTensor tensor{0, begin, begin, end, end, end};
  wire::FieldReader reader(source_, begin, end);
  for (Field field; reader.next(field);) {
    // Protobuf writes known fields in ascending order, so raw_data belongs right after the last
    // smaller one.
    if (field.number < wire::kRawData && field.begin == tensor.low_end) tensor.low_end = field.end;
    if (field.number != wire::kExternalData || field.type != wire::kLengthDelimited) continue;
    onnx::StringStringEntryProto entry;
    entry.ParseFromArray(source_.bytes.data() + field.payload,
                         static_cast<int>(field.end - field.payload));
    if (entry.key() != kStoreKey) return std::nullopt;
    tensor.number = std::stoull(entry.value());
    tensor.marker = field.begin;
    INGOT_CHECK(reader.next(field) && field.number == wire::kDataLocation);
    tensor.marker_end = field.end;
    return tensor;
  }
  return std::nullopt;
}

std::string SkeletonWriter::replacement(const MarkedTensor& tensor) const {
  std::string out;
  const auto placed = placed_.find(tensor.number);
  if (placed == placed_.end()) {
    wire::append_tag(out, wire::kRawData, wire::kLengthDelimited);
    wire::append_varint(out, store_.at(tensor.number).bytes().size());
    return out;
  }
  const Placement& where = placed->second;
  onnx::TensorProto external;
  const auto add = [&external](const char* key, const std::string& value) {
    auto& entry = *external.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", where.location);
  add("offset", std::to_string(where.offset_bytes));
  add("length", std::to_string(where.length_bytes));
  external.set_data_location(onnx::TensorProto::EXTERNAL);
  external.AppendToString(&out);
  return out;
}

std::uint64_t SkeletonWriter::measure_tensor(std::uint64_t begin, std::uint64_t end) const {
  const auto marked = find_marker(begin, end);
  if (!marked) return end - begin;
  const std::uint64_t payload_bytes =
      placed_.contains(marked->number) ? 0 : store_.at(marked->number).bytes().size();
  return (end - begin) - (marked->marker_end - marked->marker) + replacement(*marked).size() +
         payload_bytes;
}

void SkeletonWriter::emit_tensor(std::uint64_t begin, std::uint64_t end) const {
  const auto marked = find_marker(begin, end);
  if (!marked) return put(begin, end);
  const bool is_inline = !placed_.contains(marked->number);
  put(begin, marked->low_end);
  if (is_inline) {
    put(replacement(*marked));
    store_.at(marked->number).stream(*sink_);
  }
  put(marked->low_end, marked->marker);
  if (!is_inline) put(replacement(*marked));
  put(marked->marker_end, end);
}

void SkeletonWriter::put(std::uint64_t begin, std::uint64_t end) const {
  if (begin < end) (*sink_)(source_.bytes.subspan(begin, end - begin));
}

void SkeletonWriter::put(const std::string& bytes) const {
  (*sink_)(std::as_bytes(std::span(bytes)));
}

}  // namespace ingot::graph
