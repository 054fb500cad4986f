// SPDX-License-Identifier: Apache-2.0
// Writing models. The oracle is protobuf: it must read what we wrote, and write the same bytes
// itself.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "graph/graph_index.h"
#include "graph/model.h"
#include "graph/skeleton.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"
#include "tests/support/same_bytes.h"

namespace ingot::graph {
namespace {

using test::expect_error;
using test::same_bytes;
namespace fs = std::filesystem;

onnx::ModelProto model_with_weights() {
  auto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17], producer_name: "test", metadata_props: ["k": "v"]>
    g (float[2,4] x) => (float[2,4] y) <float[4] b> { y = Add (x, b) })");
  proto.mutable_graph()->clear_initializer();
  test::add_initializer(proto, "b", test::random_tensor({4}, 99));
  for (std::uint32_t i = 0; i < 3; ++i) {
    auto& tensor =
        test::add_initializer(proto, fmt::format("w{}", i), test::random_tensor({17, 31}, i));
    tensor.set_doc_string("a field after raw_data");
  }
  return proto;
}

SaveOptions external_from(std::uint64_t bytes) {
  SaveOptions options;
  options.external_bytes = bytes;
  return options;
}

/// `proto` with its external data read back, straight from the file named in it.
onnx::ModelProto with_external_data(onnx::ModelProto proto, const fs::path& folder) {
  for_each_tensor(proto, [&](onnx::TensorProto& tensor) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    EXPECT_EQ(tensor.external_data_size(), 3);
    EXPECT_EQ(tensor.external_data(0).key(), "location");
    EXPECT_EQ(tensor.external_data(1).key(), "offset");
    EXPECT_EQ(tensor.external_data(2).key(), "length");
    const auto offset = std::stoull(tensor.external_data(1).value());
    EXPECT_EQ(offset % 4096, 0U);
    const std::string data = test::read_bytes(folder / tensor.external_data(0).value());
    tensor.set_raw_data(data.substr(offset, std::stoull(tensor.external_data(2).value())));
    tensor.clear_external_data();
    tensor.clear_data_location();
  });
  return proto;
}

TEST(ModelSave, InlineBytesEqualProtobufs) {
  const TempDir folder;
  const auto proto = model_with_weights();
  const Model model = Model::load(test::write_model(proto, folder.path()));
  const auto out = folder.path() / "out.onnx";
  const std::uint64_t bytes = model.save(out);
  EXPECT_TRUE(same_bytes(test::read_bytes(out), proto.SerializeAsString()));
  EXPECT_EQ(bytes, fs::file_size(out));
  EXPECT_TRUE(same_bytes(model.serialize(), proto.SerializeAsString()));
  EXPECT_TRUE(same_bytes(Model::from_proto(proto).serialize(), proto.SerializeAsString()));
}

TEST(ModelSave, ExternalDataIsReadBackByProtobufAlone) {
  const TempDir folder;
  const auto proto = model_with_weights();
  const Model model = Model::from_proto(proto);
  const auto out = folder.path() / "out.onnx";
  const std::uint64_t bytes = model.save(out, external_from(1024));
  const auto data = folder.path() / "out.onnx.data";
  EXPECT_EQ(bytes, fs::file_size(out) + fs::file_size(data));
  EXPECT_EQ(fs::file_size(data), 2U * 4096 + 17 * 31 * 4);
  const auto read = test::parse_model(out);
  EXPECT_FALSE(read.graph().initializer(0).has_data_location());
  EXPECT_EQ(read.graph().initializer(1).data_location(), onnx::TensorProto::EXTERNAL);
  EXPECT_TRUE(same_bytes(with_external_data(read, folder.path()).SerializeAsString(),
                         proto.SerializeAsString()));
}

TEST(ModelSave, SmallTensorsGoOutWhenAskedButForShapes) {
  const TempDir folder;
  auto proto = model_with_weights();
  test::add_initializer(proto, "small", test::random_tensor({2, 2}, 7));
  const Model model = Model::from_proto(proto);
  model.save(folder.path() / "out.onnx", external_from(1));
  const auto read = test::parse_model(folder.path() / "out.onnx");
  for (const auto& tensor : read.graph().initializer()) {
    EXPECT_EQ(tensor.data_location() == onnx::TensorProto::EXTERNAL, tensor.name() != "b");
  }
  EXPECT_TRUE(same_bytes(with_external_data(read, folder.path()).SerializeAsString(),
                         proto.SerializeAsString()));
  EXPECT_TRUE(same_bytes(model.serialize(), proto.SerializeAsString()));
}

TEST(ModelSave, NoDataFileWithoutExternalTensors) {
  const TempDir folder;
  const Model model = Model::from_proto(model_with_weights());
  model.save(folder.path() / "out.onnx", external_from(1 << 20));
  EXPECT_FALSE(fs::exists(folder.path() / "out.onnx.data"));
}

TEST(ModelSave, LoadedExternalWeightsStayOutside) {
  const TempDir folder;
  const auto proto = model_with_weights();
  Model::from_proto(proto).save(folder.path() / "a.onnx", external_from(1024));
  const Model model = Model::load(folder.path() / "a.onnx");
  EXPECT_TRUE(model.has_external_weights());
  model.save(folder.path() / "b.onnx");
  EXPECT_TRUE(same_bytes(test::read_bytes(folder.path() / "a.onnx.data"),
                         test::read_bytes(folder.path() / "b.onnx.data")));
  EXPECT_TRUE(same_bytes(model.serialize(), proto.SerializeAsString()));
}

TEST(ModelSave, SecondSaveHasTheSameBytes) {
  const TempDir folder;
  fs::create_directory(folder.path() / "1");
  fs::create_directory(folder.path() / "2");
  const Model model = Model::from_proto(model_with_weights());
  model.save(folder.path() / "1" / "m.onnx", external_from(1024));
  Model::load(folder.path() / "1" / "m.onnx").save(folder.path() / "2" / "m.onnx");
  for (const char* name : {"m.onnx", "m.onnx.data"}) {
    EXPECT_TRUE(same_bytes(test::read_bytes(folder.path() / "1" / name),
                           test::read_bytes(folder.path() / "2" / name)))
        << name;
  }
}

TEST(ModelSave, AModelMayReplaceTheFilesItIsMappedFrom) {
  const TempDir folder;
  const auto proto = model_with_weights();
  const auto path = folder.path() / "m.onnx";
  Model::from_proto(proto).save(path, external_from(1024));
  Model model = Model::load(path);
  SaveOptions options;
  options.overwrite = Overwrite::kYes;
  model.set(*model.graph().mutable_initializer(1), test::random_tensor({5, 300}, 9));
  model.save(path, options);
  const Model again = Model::load(path);
  EXPECT_TRUE(same_bytes(again.serialize(), model.serialize()));
  options.external_bytes = 1 << 20;
  again.save(path, options);
  EXPECT_TRUE(same_bytes(test::read_bytes(path), model.serialize()));
}

TEST(ModelSave, ExistingFilesAreRefusedUnlessToldOtherwise) {
  const TempDir folder;
  const Model model = Model::from_proto(model_with_weights());
  const auto path = folder.path() / "m.onnx";
  test::write_bytes(path, "old");
  expect_error(Code::kUsage, fmt::format("'{}' exists already", path.string()),
               [&] { model.save(path); });
  EXPECT_EQ(test::read_bytes(path), "old");
  fs::remove(path);
  test::write_bytes(folder.path() / "m.onnx.data", "old");
  expect_error(Code::kUsage, fmt::format("'{}.data' exists already", path.string()),
               [&] { model.save(path, external_from(1024)); });
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(test::read_bytes(folder.path() / "m.onnx.data"), "old");
}

TEST(ModelSave, SharedWeightsAreWrittenOnceOutside) {
  const TempDir folder;
  Model model = Model::from_proto(model_with_weights());
  auto& initializers = *model.graph().mutable_initializer();
  model.share(initializers[1], initializers[2]);
  model.share(initializers[1], initializers[3]);
  model.save(folder.path() / "m.onnx", external_from(1024));
  EXPECT_EQ(fs::file_size(folder.path() / "m.onnx.data"), 17U * 31 * 4);
  EXPECT_TRUE(same_bytes(Model::load(folder.path() / "m.onnx").serialize(), model.serialize()));
}

TEST(ModelSave, UnknownFieldsSurvive) {
  const TempDir folder;
  auto proto = model_with_weights();
  proto.GetReflection()->MutableUnknownFields(&proto)->AddLengthDelimited(900, "later version");
  auto& tensor = *proto.mutable_graph()->mutable_initializer(2);
  tensor.GetReflection()->MutableUnknownFields(&tensor)->AddVarint(3000, 7);
  const Model model = Model::load(test::write_model(proto, folder.path()));
  EXPECT_TRUE(same_bytes(model.serialize(), proto.SerializeAsString()));
}

/// Writes a model whose one uint8 tensor of `weight_bytes` is a hole in the file, so that it takes
/// no space.
void write_sparse_model(const fs::path& path, std::uint64_t weight_bytes) {
  std::string tensor;  // dims, data_type, name, then raw_data without its payload
  wire::append_tag(tensor, 1, wire::kVarint);
  wire::append_varint(tensor, weight_bytes);
  tensor += std::string("\x10\x02", 2);
  wire::append_text(tensor, 8, "w");
  wire::append_tag(tensor, wire::kRawData, wire::kLengthDelimited);
  wire::append_varint(tensor, weight_bytes);
  std::string graph;
  wire::append_text(graph, 2, "g");
  wire::append_tag(graph, 5, wire::kLengthDelimited);
  wire::append_varint(graph, tensor.size() + weight_bytes);
  graph += tensor;
  std::string model("\x08\x08", 2);
  wire::append_tag(model, 7, wire::kLengthDelimited);
  wire::append_varint(model, graph.size() + weight_bytes);
  model += graph;
  std::ofstream out(path, std::ios::binary);
  out << model;
  out.seekp(static_cast<std::streamoff>(weight_bytes), std::ios::cur);
  out << "\x42\x02\x10\x11";
}

TEST(ModelSave, ModelsAboveTwoGibibytesKeepTheirBytes) {
  const TempDir folder;
  const auto path = folder.path() / "large.onnx";
  const std::uint64_t weight_bytes = (std::uint64_t{5} << 30) + 3;
  write_sparse_model(path, weight_bytes);

  const Model model = Model::load(path);
  EXPECT_EQ(model.weight_bytes(), weight_bytes);
  const auto view = model.view(model.graph().initializer(0));
  EXPECT_EQ(view.bytes.size(), weight_bytes);
  EXPECT_EQ(view.bytes.back(), std::byte{0});
  EXPECT_THROW(model.serialize(), Error);

  // Streaming it out is compared chunk by chunk with the file: the weights must come from the
  // mapping itself.
  const auto file = std::make_shared<const MappedFile>(path);
  TensorStore store;
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(split_model(file, store)));
  const std::string skeleton = proto.SerializeAsString();
  const std::unordered_map<std::uint64_t, Placement> inside;
  SkeletonWriter writer(skeleton, store, inside);
  EXPECT_EQ(writer.total_bytes(), file->bytes().size());
  std::uint64_t position = 0;
  writer.write([&](std::span<const std::byte> chunk) {
    const auto original = file->bytes().subspan(position, chunk.size());
    if (chunk.data() != original.data()) {
      ASSERT_LT(chunk.size(), 1024U);
      EXPECT_EQ(std::memcmp(chunk.data(), original.data(), chunk.size()), 0)
          << "at byte " << position;
    }
    position += chunk.size();
  });
  EXPECT_EQ(position, file->bytes().size());
}

TEST(ModelSave, FilesThatNoRuntimeReadsAreRefused) {
  const TempDir folder;
  write_sparse_model(folder.path() / "large.onnx", std::uint64_t{1} << 31);
  const Model model = Model::load(folder.path() / "large.onnx");
  const auto path = folder.path() / "out.onnx";
  SaveOptions options;
  options.external_bytes = std::uint64_t{1} << 40;
  expect_error(Code::kUnsupported,
               fmt::format("'{}' would take {} bytes; a runtime reads less than 2 GiB in one file",
                           path.string(), fs::file_size(folder.path() / "large.onnx")),
               [&] { model.save(path, options); });
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(ModelSave, WeightsOfAnotherModelAreNotOverwritten) {
  const TempDir folder;
  const auto a = folder.path() / "a.onnx", b = folder.path() / "b.onnx";
  Model::from_proto(model_with_weights()).save(b, external_from(1024));
  const std::string weights = test::read_bytes(folder.path() / "b.onnx.data");
  fs::rename(b, a);  // a.onnx now reads b.onnx.data
  const Model model = Model::load(a);
  SaveOptions options;
  options.overwrite = Overwrite::kYes;
  for (const char* output : {"b.onnx", "b.onnx.data"}) {
    expect_error(Code::kUsage,
                 fmt::format("'{}.data' holds weights of '{}'; it would be overwritten", b.string(),
                             a.string()),
                 [&] { model.save(folder.path() / output, options); });
  }
  EXPECT_EQ(test::read_bytes(folder.path() / "b.onnx.data"), weights);
  model.save(a, options);
  EXPECT_TRUE(same_bytes(Model::load(a).serialize(), model.serialize()));
}

TEST(ModelSave, StringsAboveTwoGibibytesAreRefusedAsOneString) {
  const TempDir folder;
  const auto path = folder.path() / "large.onnx";
  write_sparse_model(path, std::uint64_t{1} << 31);
  const Model model = Model::load(path);
  expect_error(Code::kUnsupported,
               fmt::format("the model takes {} bytes; less than 2 GiB is wanted for one string",
                           fs::file_size(path)),
               [&] { model.serialize(); });
}

}  // namespace
}  // namespace ingot::graph
