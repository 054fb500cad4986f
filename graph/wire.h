// SPDX-License-Identifier: Apache-2.0
// ONNX's protobuf wire format as far as weights need it: fields of a message with bounds checks,
// and the table of the messages in which tensors can sit. Not a protobuf parser: everything else is
// protobuf's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ingot::graph::wire {

/// The messages the walkers enter.
enum class Kind : std::uint8_t {
  kModel,
  kGraph,
  kNode,
  kAttribute,
  kSparseTensor,
  kFunction,
  kTrainingInfo,
  kTensor
};

/// Message `child` sits in field `field` of `parent`.
struct Edge {
  Kind parent;
  std::uint32_t field;
  Kind child;
};

/// Every field of onnx.proto through which a TensorProto can be reached; a test compares it with
/// ONNX's own descriptors.
std::span<const Edge> edges();
/// The message behind `field` of `parent`, when it is one that the walkers enter.
std::optional<Kind> child_of(Kind parent, std::uint32_t field);

/// Field numbers of TensorProto, AttributeProto and StringStringEntryProto that the walkers handle
/// themselves.
inline constexpr std::uint32_t kRawData = 9, kExternalData = 13, kDataLocation = 14, kEntryKey = 1,
                               kEntryValue = 2;
/// Protobuf's wire types; groups (3 and 4) are refused.
inline constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5;
/// How deep messages may nest. A subgraph costs three levels; protobuf's own limit is raised to
/// match.
inline constexpr int kMaxDepth = 400;

/// The bytes being walked and the name that errors give them.
struct Source {
  std::span<const std::byte> bytes;
  std::string name;
};

/// One field; all positions are offsets into the source.
struct Field {
  std::uint32_t number = 0;
  std::uint32_t type = 0;
  std::uint64_t begin = 0;  ///< of the tag
  std::uint64_t payload =
      0;  ///< of the value: after the tag, and after the length of a length-delimited field
  std::uint64_t end = 0;
};

/// Reads the fields of the message in [begin, end) one after the other. Throws kInput on anything
/// that protobuf could not read; a field that runs past the end of the source is called truncated.
class FieldReader {
 public:
  FieldReader(const Source& source, std::uint64_t begin, std::uint64_t end)
      : source_(source), position_(begin), end_(end) {}
  /// False at the end of the message.
  bool next(Field& field);

 private:
  std::uint64_t varint();
  [[noreturn]] void cut_short(std::uint64_t at) const;

  const Source& source_;
  std::uint64_t position_, end_;
};

/// "'m.onnx': not an ONNX model: <why>" as kInput.
[[noreturn]] void refuse(const Source& source, std::string_view why);

/// Appends `value` as a varint.
void append_varint(std::string& out, std::uint64_t value);
/// Bytes that append_varint would add.
std::uint64_t varint_bytes(std::uint64_t value);
/// Appends the tag of a field.
void append_tag(std::string& out, std::uint32_t number, std::uint32_t type);
/// Appends a whole length-delimited field.
void append_text(std::string& out, std::uint32_t number, std::string_view text);

}  // namespace ingot::graph::wire
