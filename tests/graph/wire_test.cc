// SPDX-License-Identifier: Apache-2.0
// The table of nested messages, and reading fields from bytes that nobody vouches for.
#include "graph/wire.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <set>

#include "tests/support/expect_error.h"

namespace ingot::graph::wire {
namespace {

using google::protobuf::Descriptor;

Source source_of(const std::string& bytes) { return {std::as_bytes(std::span(bytes)), "bytes"}; }

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all{
      {"onnx.ModelProto", Kind::kModel},       {"onnx.GraphProto", Kind::kGraph},
      {"onnx.NodeProto", Kind::kNode},         {"onnx.AttributeProto", Kind::kAttribute},
      {"onnx.FunctionProto", Kind::kFunction}, {"onnx.TrainingInfoProto", Kind::kTrainingInfo},
      {"onnx.TensorProto", Kind::kTensor},     {"onnx.SparseTensorProto", Kind::kSparseTensor},
  };
  return all;
}

bool reaches_tensor(const Descriptor* type, std::set<const Descriptor*>& seen) {
  if (type->full_name() == "onnx.TensorProto") return true;
  if (!seen.insert(type).second) return false;
  for (int i = 0; i < type->field_count(); ++i) {
    const Descriptor* child = type->field(i)->message_type();
    if (child != nullptr && reaches_tensor(child, seen)) return true;
  }
  return false;
}

TEST(WireTable, HoldsEveryFieldThatLeadsToATensor) {
  std::set<std::tuple<Kind, std::uint32_t, Kind>> wanted;
  std::vector<const Descriptor*> open{onnx::ModelProto::descriptor()};
  std::set<const Descriptor*> visited;
  while (!open.empty()) {
    const Descriptor* type = open.back();
    open.pop_back();
    if (!visited.insert(type).second || type->full_name() == "onnx.TensorProto") continue;
    for (int i = 0; i < type->field_count(); ++i) {
      const Descriptor* child = type->field(i)->message_type();
      std::set<const Descriptor*> seen;
      if (child == nullptr || !reaches_tensor(child, seen)) continue;
      ASSERT_TRUE(kinds().contains(child->full_name())) << child->full_name();
      wanted.emplace(kinds().at(type->full_name()), type->field(i)->number(),
                     kinds().at(child->full_name()));
      open.push_back(child);
    }
  }
  std::set<std::tuple<Kind, std::uint32_t, Kind>> table;
  for (const Edge& edge : edges()) table.emplace(edge.parent, edge.field, edge.child);
  EXPECT_EQ(table, wanted);
}

TEST(WireTable, FieldNumbersAreOnnxs) {
  const Descriptor* tensor = onnx::TensorProto::descriptor();
  EXPECT_EQ(tensor->FindFieldByName("raw_data")->number(), static_cast<int>(kRawData));
  EXPECT_EQ(tensor->FindFieldByName("external_data")->number(), static_cast<int>(kExternalData));
  EXPECT_EQ(tensor->FindFieldByName("data_location")->number(), static_cast<int>(kDataLocation));
  const Descriptor* entry = onnx::StringStringEntryProto::descriptor();
  EXPECT_EQ(entry->FindFieldByName("key")->number(), static_cast<int>(kEntryKey));
  EXPECT_EQ(entry->FindFieldByName("value")->number(), static_cast<int>(kEntryValue));
}

TEST(WireTable, UnknownFieldsAreNotEntered) {
  EXPECT_EQ(child_of(Kind::kModel, 7), Kind::kGraph);
  EXPECT_EQ(child_of(Kind::kModel, 8), std::nullopt);
  EXPECT_EQ(child_of(Kind::kTensor, 1), std::nullopt);
  EXPECT_EQ(child_of(Kind::kModel, 0xffffffffU), std::nullopt);
}

TEST(FieldReader, GivesThePlaceOfEveryKindOfField) {
  std::string bytes;
  append_tag(bytes, 1, kVarint);
  append_varint(bytes, 300);
  append_tag(bytes, 2, kFixed32);
  bytes += "abcd";
  append_tag(bytes, 3, kFixed64);
  bytes += "abcdefgh";
  append_text(bytes, 200, "xyz");
  const Source source = source_of(bytes);
  FieldReader reader(source, 0, bytes.size());
  const std::uint64_t expected[][5] = {{1, kVarint, 0, 1, 3},
                                       {2, kFixed32, 3, 4, 8},
                                       {3, kFixed64, 8, 9, 17},
                                       {200, kLengthDelimited, 17, 20, 23}};
  for (const auto& row : expected) {
    Field field;
    ASSERT_TRUE(reader.next(field));
    EXPECT_EQ(field.number, row[0]);
    EXPECT_EQ(field.type, row[1]);
    EXPECT_EQ(field.begin, row[2]);
    EXPECT_EQ(field.payload, row[3]);
    EXPECT_EQ(field.end, row[4]);
  }
  Field field;
  EXPECT_FALSE(reader.next(field));
}

void read_all(const std::string& bytes, std::size_t end) {
  const Source source = source_of(bytes);
  FieldReader reader(source, 0, end);
  for (Field field; reader.next(field);) continue;
}

TEST(FieldReader, RefusesWhatProtobufCouldNotRead) {
  using test::expect_error;
  using namespace std::string_literals;
  expect_error(Code::kInput, "'bytes': not an ONNX model: the field at byte 0 has wire type 3",
               [] { read_all("\x0b\x0c", 2); });
  expect_error(Code::kInput,
               "'bytes': not an ONNX model: the tag at byte 0 has no valid field number",
               [] { read_all("\x02\x00"s, 2); });
  expect_error(Code::kInput,
               "'bytes': not an ONNX model: the number at byte 1 has more than ten bytes",
               [] { read_all("\x08" + std::string(12, '\xff'), 13); });
  expect_error(Code::kInput,
               "'bytes': truncated: the field at byte 0 runs past the end of the file (3 bytes)",
               [] { read_all("\x0a\x05x", 3); });
  expect_error(Code::kInput,
               "'bytes': truncated: the field at byte 0 runs past the end of the file (11 bytes)",
               [] { read_all("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11); });
  expect_error(Code::kInput,
               "'bytes': not an ONNX model: the field at byte 0 runs past the end of its message",
               [] { read_all("\x0a\x05xxxxx", 4); });
}

TEST(FieldReader, VarintSizesMatchWhatIsWritten) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                    std::uint64_t{1} << 35, ~std::uint64_t{0}}) {
    std::string bytes;
    append_varint(bytes, value);
    EXPECT_EQ(varint_bytes(value), bytes.size());
  }
}

}  // namespace
}  // namespace ingot::graph::wire
