// SPDX-License-Identifier: Apache-2.0
// Access to the tensors of a model in memory.
#include <gtest/gtest.h>

#include <thread>

#include "graph/model.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

using test::expect_error;

onnx::ModelProto identity_model() {
  return test::proto_from_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1] x) => (float[1] y) { y = Identity "
      "(x) }");
}

std::vector<float> floats_of(const Model& model, const onnx::TensorProto& tensor) {
  const auto values = model.view(tensor).as<float>();
  return {values.begin(), values.end()};
}

std::vector<float> floats_of(const Tensor& tensor) {
  const auto values = tensor.as<float>();
  return {values.begin(), values.end()};
}

TEST(ModelTensor, ViewsOfMappedFloatsAreAligned) {
  const TempDir folder;
  const Tensor value = test::random_tensor({500}, 1);
  for (int shift = 0; shift < 8; ++shift) {
    auto proto = identity_model();
    proto.set_producer_name(std::string(static_cast<std::size_t>(shift), 'x'));
    test::add_initializer(proto, "w", value);
    const Model model = Model::load(test::write_model(proto, folder.path()));
    const auto view = model.view(model.graph().initializer(0));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.bytes.data()) % alignof(float), 0U);
    EXPECT_EQ(floats_of(model, model.graph().initializer(0)), floats_of(value));
    EXPECT_EQ(model.view(model.graph().initializer(0)).bytes.data(), view.bytes.data());
  }
}

TEST(ModelTensor, LargeFloatsAreLeftWhereTheyLie) {
  const TempDir folder;
  const Tensor value = test::random_tensor({1024}, 1);
  bool unfit = false;
  for (int shift = 0; shift < 4; ++shift) {
    auto proto = identity_model();
    proto.set_producer_name(std::string(static_cast<std::size_t>(shift), 'x'));
    test::add_initializer(proto, "w", value);
    const Model model = Model::load(test::write_model(proto, folder.path()));
    const auto view = model.view(model.graph().initializer(0));
    unfit |= reinterpret_cast<std::uintptr_t>(view.bytes.data()) % alignof(float) != 0;
    EXPECT_EQ(to_floats(view), floats_of(value));
  }
  EXPECT_TRUE(unfit);
}

TEST(ModelTensor, ViewsMayBeTakenFromSeveralThreads) {
  const TempDir folder;
  auto proto = identity_model();
  const Tensor value = test::random_tensor({5000}, 1);
  test::add_initializer(proto, "w", value);
  const Model model = Model::load(test::write_model(proto, folder.path()));
  std::vector<std::vector<float>> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& values : seen) {
      threads.emplace_back([&] { values = floats_of(model, model.graph().initializer(0)); });
    }
  }
  for (const auto& values : seen) EXPECT_EQ(values, floats_of(value));
}

TEST(ModelTensor, SetReplacesTypeShapeAndBytes) {
  Model model = Model::from_proto(identity_model());
  auto& tensor = model.add_initializer(model.graph(), "w", test::random_tensor({40, 40}, 1));
  model.set(tensor, Tensor::of<std::int8_t>({3}, std::vector<std::int8_t>{1, -2, 3}));
  EXPECT_EQ(tensor.name(), "w");
  EXPECT_EQ(
      tensor.SerializeAsString(),
      test::tensor_proto("w", Tensor::of<std::int8_t>({3}, std::vector<std::int8_t>{1, -2, 3}))
          .SerializeAsString());
  model.set(tensor, test::random_tensor({600}, 2));
  EXPECT_TRUE(tensor.raw_data().empty());
  EXPECT_EQ(floats_of(model, tensor), floats_of(test::random_tensor({600}, 2)));
}

TEST(ModelTensor, StringsAreKeptAsStrings) {
  Model model = Model::from_proto(identity_model());
  auto& tensor =
      model.add_initializer(model.graph(), "s", Tensor{DType::kString, {2}, {}, {"a", "bc"}});
  EXPECT_EQ(tensor.string_data_size(), 2);
  const auto view = model.view(tensor);
  EXPECT_EQ(std::vector<std::string>(view.strings.begin(), view.strings.end()),
            (std::vector<std::string>{"a", "bc"}));
  tensor.set_string_data(0, "z");
  EXPECT_EQ(model.view(tensor).strings[0], "z");
  EXPECT_EQ(model.weight_bytes(), 3U);
}

TEST(ModelTensor, BytesThatDoNotFitAreRefused) {
  auto proto = identity_model();
  auto& tensor = test::add_initializer(proto, "w", test::random_tensor({3}, 1));
  tensor.set_dims(0, 4);
  auto& typeless = *proto.mutable_graph()->add_initializer();
  typeless.set_name("t");
  auto& negative = test::add_initializer(proto, "n", test::random_tensor({3}, 1));
  negative.set_dims(0, -1);
  auto& strings = test::add_initializer(proto, "s", Tensor{DType::kString, {2}, {}, {"a", "bc"}});
  strings.set_dims(0, 5);
  auto& future = test::add_initializer(proto, "f", test::random_tensor({3}, 1));
  future.set_data_type(99);
  const Model model = Model::from_proto(proto);
  const auto view = [&](int index) {
    return [&model, index] { model.view(model.graph().initializer(index)); };
  };
  expect_error(Code::kInput, "tensor 'w': 12 bytes are there; float32 of shape [4] wants 16",
               view(0));
  expect_error(Code::kInput, "tensor 't': element type 0 is not known", view(1));
  expect_error(Code::kInput,
               "tensor 'n': shape [?] has a dimension that is not fixed; wanted all of them",
               view(2));
  expect_error(Code::kInput, "tensor 's': 2 strings are there; shape [5] wants 5", view(3));
  expect_error(Code::kInput, "tensor 'f': element type 99 is not known", view(4));
}

TEST(ModelTensor, ClonesShareBytesUntilSet) {
  const Tensor before = test::random_tensor({50, 50}, 1);
  const Tensor after = test::random_tensor({50, 50}, 2);
  auto proto = identity_model();
  test::add_initializer(proto, "w", before);
  auto original = std::make_unique<Model>(Model::from_proto(proto));
  Model copy = original->clone();
  EXPECT_EQ(copy.view(copy.graph().initializer(0)).bytes.data(),
            original->view(original->graph().initializer(0)).bytes.data());
  copy.set(*copy.graph().mutable_initializer(0), after);
  copy.graph().set_name("other");
  EXPECT_EQ(floats_of(*original, original->graph().initializer(0)), floats_of(before));
  EXPECT_EQ(original->graph().name(), "g");
  const Model second = original->clone();
  original.reset();
  EXPECT_EQ(floats_of(copy, copy.graph().initializer(0)), floats_of(after));
  EXPECT_EQ(floats_of(second, second.graph().initializer(0)), floats_of(before));
}

TEST(ModelTensor, ShareCopiesNoBytes) {
  Model model = Model::from_proto(identity_model());
  model.add_initializer(model.graph(), "large", test::random_tensor({500}, 1));
  model.add_initializer(model.graph(), "small", test::random_tensor({5}, 2));
  model.add_initializer(model.graph(), "to", test::random_tensor({7}, 3));
  auto& initializers = *model.graph().mutable_initializer();
  model.share(initializers[0], initializers[2]);
  EXPECT_EQ(model.view(initializers[2]).bytes.data(), model.view(initializers[0]).bytes.data());
  EXPECT_EQ(model.view(initializers[2]).shape, (Shape{500}));
  model.share(initializers[1], initializers[2]);
  EXPECT_EQ(floats_of(model, initializers[2]), floats_of(test::random_tensor({5}, 2)));
  EXPECT_EQ(initializers[2].name(), "to");
}

TEST(ModelTensor, AMarkerFromAnotherModelIsOurBug) {
  Model first = Model::from_proto(identity_model());
  Model second = Model::from_proto(identity_model());
  const auto& tensor = first.add_initializer(first.graph(), "w", test::random_tensor({500}, 1));
  try {
    second.view(tensor);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInternal);
  }
}

TEST(ModelTensor, FourBitTensorsArePacked) {
  Model model = Model::from_proto(identity_model());
  Tensor packed = Tensor::zeros(DType::kInt4, {3, 3});
  ASSERT_EQ(packed.bytes.size(), 5U);
  packed.bytes[4] = std::byte{0x0f};
  const auto& tensor = model.add_initializer(model.graph(), "q", packed);
  EXPECT_EQ(model.view(tensor).as<std::uint8_t>()[4], 0x0f);
}

}  // namespace
}  // namespace ingot::graph
