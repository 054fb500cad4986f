// SPDX-License-Identifier: Apache-2.0
// Reading models: every form of weights, and files that are not models.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "graph/graph_index.h"
#include "graph/model.h"
#include "graph/wire.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"
#include "tests/support/same_bytes.h"

namespace ingot::graph {
namespace {

using test::expect_error;
using test::same_bytes;

constexpr const char* kSmall = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[2,4] x) => (float[2,4] y) <float[4] b = {1, 2, 3, 4}> { y = Add (x, b) })";

std::string bytes_of(const TensorView& view) {
  return {reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()};
}

/// A model whose only initializer is `tensor`, written and loaded.
Model load_with(const onnx::TensorProto& tensor, const TempDir& folder) {
  auto proto = test::proto_from_text(kSmall);
  *proto.mutable_graph()->mutable_initializer(0) = tensor;
  return Model::load(test::write_model(proto, folder.path()));
}

onnx::TensorProto typed(DType dtype, const Shape& shape) {
  onnx::TensorProto tensor;
  tensor.set_name("b");
  tensor.set_data_type(static_cast<int>(dtype));
  for (const auto dim : shape) tensor.add_dims(dim);
  return tensor;
}

TEST(ModelLoad, LargeRawDataStaysInTheFile) {
  const TempDir folder;
  auto proto = test::proto_from_text(kSmall);
  const Tensor weights = test::random_tensor({64, 64}, 1);
  test::add_initializer(proto, "w", weights);
  const Model model = Model::load(test::write_model(proto, folder.path()));
  const auto& tensor = model.graph().initializer(1);
  EXPECT_TRUE(tensor.raw_data().empty());
  EXPECT_EQ(bytes_of(model.view(tensor)), bytes_of(weights.view()));
  EXPECT_EQ(model.weight_bytes(), 64U * 64 * 4 + 16);
  EXPECT_FALSE(model.has_external_weights());
}

TEST(ModelLoad, SizeDecidesWhatStaysInTheProtobuf) {
  const TempDir folder;
  for (const std::int64_t count : {1023, 1024}) {
    const Tensor bytes = Tensor::zeros(DType::kUint8, {count});
    const Model model = load_with(test::tensor_proto("b", bytes), folder);
    EXPECT_EQ(model.graph().initializer(0).raw_data().size(), count == 1023 ? 1023U : 0U);
    EXPECT_EQ(model.view(model.graph().initializer(0)).bytes.size(),
              static_cast<std::size_t>(count));
  }
}

TEST(ModelLoad, TensorsAreFoundWhereverTheySit) {
  const TempDir folder;
  auto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17, "f" : 1]>
    g (bool c) => (float[600] y) {
      k = Constant <value = float[1] {0}> ()
      y = If (c) <then_branch = t () => (float[600] a) { a = Constant <value = float[1] {0}> () },
                  else_branch = e () => (float[600] b) { b = f.make () }>
    }
    <domain: "f", opset_import: ["" : 17]>
    make () => (z) { z = Constant <value = float[1] {0}> () })");
  std::vector<Tensor> values;
  for_each_tensor(proto, [&](onnx::TensorProto& tensor) {
    values.push_back(test::random_tensor({600}, static_cast<std::uint32_t>(values.size())));
    tensor = test::tensor_proto("", values.back());
  });
  ASSERT_EQ(values.size(), 3U);
  const auto path = test::write_model(proto, folder.path());
  const Model model = Model::load(path);
  std::size_t next = 0;
  for_each_tensor(model.proto(), [&](const onnx::TensorProto& tensor) {
    EXPECT_TRUE(tensor.raw_data().empty());
    EXPECT_EQ(bytes_of(model.view(tensor)), bytes_of(values.at(next++).view()));
  });
  EXPECT_TRUE(same_bytes(model.serialize(), test::read_bytes(path)));
}

TEST(ModelLoad, TypedFloatsBecomeRawBytes) {
  const TempDir folder;
  const std::vector<float> values{0.5F, -1.25F, 3e38F, -0.0F};
  auto floats = typed(DType::kFloat, {2, 2});
  floats.mutable_float_data()->Assign(values.begin(), values.end());
  const Model model = load_with(floats, folder);
  const auto view = model.view(model.graph().initializer(0));
  EXPECT_EQ(std::memcmp(view.bytes.data(), values.data(), 16), 0);
  EXPECT_EQ(model.graph().initializer(0).float_data_size(), 0);
}

TEST(ModelLoad, LargeTypedFieldsGoToTheStore) {
  const TempDir folder;
  auto numbers = typed(DType::kInt64, {1000});
  for (int i = 0; i < 1000; ++i) numbers.add_int64_data(-i);
  const Model model = load_with(numbers, folder);
  const auto values = model.view(model.graph().initializer(0)).as<std::int64_t>();
  ASSERT_EQ(values.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], -i);
  EXPECT_TRUE(model.graph().initializer(0).raw_data().empty());
}

TEST(ModelLoad, DoublesComplexAndUnsignedFieldsBecomeRawBytes) {
  const TempDir folder;
  auto complex = typed(DType::kComplex128, {1});
  complex.add_double_data(1.5);
  complex.add_double_data(-2.5);
  const double expected[] = {1.5, -2.5};
  const Model first = load_with(complex, folder);
  EXPECT_EQ(std::memcmp(first.view(first.graph().initializer(0)).bytes.data(), expected, 16), 0);

  auto narrow = typed(DType::kUint32, {2});
  narrow.add_uint64_data(7);
  narrow.add_uint64_data(0xffffffffU);
  const Model second = load_with(narrow, folder);
  EXPECT_EQ(bytes_of(second.view(second.graph().initializer(0))),
            std::string("\x07\0\0\0\xff\xff\xff\xff", 8));
}

// What int32_data means for each type is onnx.proto's rule: the low bytes of each entry, two 4-bit
// values per entry.
TEST(ModelLoad, Int32DataServesAllSmallTypes) {
  const TempDir folder;
  struct Row {
    DType dtype;
    Shape shape;
    std::vector<int> entries;
    std::string bytes;
  };
  const Row rows[] = {
      {DType::kInt32, {1}, {-2}, "\xfe\xff\xff\xff"},
      {DType::kInt8, {3}, {-1, 0x10, -128}, "\xff\x10\x80"},
      {DType::kUint8, {2}, {255, 1}, "\xff\x01"},
      {DType::kBool, {2}, {1, 1}, "\x01\x01"},
      {DType::kInt16, {1}, {-3}, "\xfd\xff"},
      {DType::kUint16, {1}, {0xfffe}, "\xfe\xff"},
      {DType::kFloat16, {1}, {0x3c01}, "\x01\x3c"},
      {DType::kBfloat16, {1}, {0xbf81}, "\x81\xbf"},
      {DType::kFloat8e4m3fn, {1}, {0xb8}, "\xb8"},
      {DType::kInt4, {3}, {0x21, 0x0f}, "\x21\x0f"},
      {DType::kUint4, {2}, {0xfe}, "\xfe"},
      {DType::kInt2, {5}, {0xe4, 0x03}, "\xe4\x03"},
  };
  for (const Row& row : rows) {
    auto tensor = typed(row.dtype, row.shape);
    tensor.mutable_int32_data()->Assign(row.entries.begin(), row.entries.end());
    const Model model = load_with(tensor, folder);
    EXPECT_EQ(bytes_of(model.view(model.graph().initializer(0))), row.bytes)
        << dtype_name(row.dtype);
  }
}

TEST(ModelLoad, EmptyAndScalarTensorsAreKept) {
  const TempDir folder;
  const Model empty = load_with(typed(DType::kFloat, {0, 3}), folder);
  EXPECT_EQ(empty.view(empty.graph().initializer(0)).bytes.size(), 0U);
  auto scalar = typed(DType::kInt64, {});
  scalar.add_int64_data(42);
  const Model one = load_with(scalar, folder);
  EXPECT_EQ(one.view(one.graph().initializer(0)).as<std::int64_t>()[0], 42);
}

TEST(ModelLoad, ValuesInTheWrongFieldAreRefused) {
  const TempDir folder;
  const std::string path = (folder.path() / "m.onnx").string();
  auto wrong = typed(DType::kFloat, {1});
  wrong.add_int64_data(1);
  expect_error(
      Code::kInput,
      fmt::format(
          "'{}': tensor 'b' of type float32 keeps its values in int64_data; float_data is wanted",
          path),
      [&] { load_with(wrong, folder); });
  auto twice = typed(DType::kFloat, {1});
  twice.add_float_data(1);
  twice.set_raw_data("abcd");
  expect_error(Code::kInput,
               fmt::format("'{}': tensor 'b' keeps values in more than one field", path),
               [&] { load_with(twice, folder); });
  auto large = test::tensor_proto("b", test::random_tensor({300}, 1));
  large.add_float_data(1);
  expect_error(Code::kInput,
               fmt::format("'{}': tensor 'b' keeps values in more than one place", path),
               [&] { load_with(large, folder); });
}

TEST(ModelLoad, OurPrivateKeyInAFileIsRefused) {
  const TempDir folder;
  auto tensor = typed(DType::kFloat, {1});
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& entry = *tensor.add_external_data();
  entry.set_key("ingot.store");
  entry.set_value("1");
  const std::string path = (folder.path() / "m.onnx").string();
  try {
    load_with(tensor, folder);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    EXPECT_EQ(error.message().substr(0, error.message().find(" at byte")),
              fmt::format("'{}': the external data key 'ingot.store'", path));
  }
}

TEST(ModelLoad, FilesThatAreNotModelsAreRefused) {
  const TempDir folder;
  const auto path = folder.path() / "m.onnx";
  const auto load_bytes = [&](std::string_view bytes) {
    test::write_bytes(path, bytes);
    Model::load(path);
  };
  const std::string name = path.string();
  expect_error(Code::kInput, fmt::format("'{}': not an ONNX model: the file is empty", name),
               [&] { load_bytes(""); });
  expect_error(
      Code::kInput,
      fmt::format("'{}': not an ONNX model: its first byte, 0x7b, starts no field of a model",
                  name),
      [&] { load_bytes("{\"a\": 1}"); });
  expect_error(
      Code::kInput,
      fmt::format("'{}': not an ONNX model: its first byte, 0x89, starts no field of a model",
                  name),
      [&] { load_bytes("\x89PNG\r\n"); });
  expect_error(Code::kInput, fmt::format("'{}': not an ONNX model: it has no graph", name),
               [&] { load_bytes("\x08\x08"); });
  expect_error(Code::kInput,
               fmt::format("'{}': not an ONNX model: it imports no operator set", name),
               [&] { load_bytes(std::string_view("\x08\x08\x3a\x00", 4)); });
}

TEST(ModelLoad, MissingFilesAndFoldersAreRefused) {
  const TempDir folder;
  const auto missing = folder.path() / "none.onnx";
  expect_error(Code::kInput,
               fmt::format("cannot open '{}': no such file or directory", missing.string()),
               [&] { Model::load(missing); });
  expect_error(Code::kInput,
               fmt::format("'{}' is a folder; wanted a regular file", folder.path().string()),
               [&] { Model::load(folder.path()); });
}

std::string small_model_bytes() {
  auto proto = test::proto_from_text(kSmall);
  test::add_initializer(proto, "w", test::random_tensor({300}, 3));
  return proto.SerializeAsString();
}

TEST(ModelLoad, EveryTruncationIsOneInputError) {
  const TempDir folder;
  const auto path = folder.path() / "m.onnx";
  const std::string bytes = small_model_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    test::write_bytes(path, std::string_view(bytes).substr(0, length));
    try {
      Model::load(path);
      ADD_FAILURE() << "loaded with " << length << " of " << bytes.size() << " bytes";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput) << length;
      EXPECT_EQ(error.message().find('\'' + path.string() + '\''), 0U) << error.message();
    }
  }
}

TEST(ModelLoad, EveryFlippedBitIsReadOrRefused) {
  const TempDir folder;
  const auto path = folder.path() / "m.onnx";
  const std::string bytes = test::proto_from_text(kSmall).SerializeAsString();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    test::write_bytes(path, changed);
    try {
      const Model model = Model::load(path);
      for_each_tensor(model.proto(), [&](const onnx::TensorProto& tensor) { model.view(tensor); });
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput) << error.message();
    }
  }
}

/// A model of If nodes, each in a subgraph of the last.
std::string nested_model_bytes(int levels) {
  std::string graph;
  for (int level = 0; level < levels; ++level) {
    std::string attribute, node;
    wire::append_text(attribute, 6, graph);
    wire::append_text(node, 5, attribute);
    graph.clear();
    wire::append_text(graph, 1, node);
  }
  std::string model = "\x08\x08";
  wire::append_text(model, 7, graph);
  wire::append_text(model, 8, "\x10\x11");
  return model;
}

TEST(ModelLoad, SubgraphsMayNestDeeplyButNotWithoutEnd) {
  const TempDir folder;
  const auto path = folder.path() / "m.onnx";
  test::write_bytes(path, nested_model_bytes(100));
  const Model model = Model::load(path);
  int graphs = 0;
  for_each_graph(model.proto(), [&](const onnx::GraphProto&) { ++graphs; });
  EXPECT_EQ(graphs, 101);
  EXPECT_TRUE(same_bytes(model.serialize(), test::read_bytes(path)));
  test::write_bytes(path, nested_model_bytes(1000));
  expect_error(Code::kInput,
               fmt::format("'{}': not an ONNX model: its messages nest deeper than 400 levels",
                           path.string()),
               [&] { Model::load(path); });
}

}  // namespace
}  // namespace ingot::graph
