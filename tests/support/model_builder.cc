// SPDX-License-Identifier: Apache-2.0
#include "tests/support/model_builder.h"

#include <fmt/format.h>
#include <onnx/defs/parser.h>

#include <fstream>
#include <iterator>
#include <random>

#include "base/error.h"

namespace ingot::test {

onnx::ModelProto proto_from_text(std::string_view text) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text);
  if (!status.IsOK())
    throw Error(Code::kInternal, fmt::format("model text: {}", status.ErrorMessage()));
  return model;
}

graph::Model model_from_text(std::string_view text) {
  return graph::Model::from_proto(proto_from_text(text));
}

Tensor random_tensor(const Shape& shape, std::uint32_t seed, float scale) {
  // The distributions of <random> differ between standard libraries; the generator itself does not.
  std::mt19937 generator(seed);
  Tensor tensor = Tensor::zeros(DType::kFloat, shape);
  for (float& value : tensor.as_mutable<float>()) {
    value = scale * (static_cast<float>(generator() >> 8) * 0x1p-23F - 1.0F);
  }
  return tensor;
}

onnx::TensorProto tensor_proto(const std::string& name, const Tensor& value) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(static_cast<int>(value.dtype));
  for (const std::int64_t dim : value.shape) tensor.add_dims(dim);
  if (value.dtype == DType::kString) {
    for (const std::string& text : value.strings) tensor.add_string_data(text);
  } else {
    tensor.set_raw_data(value.bytes.data(), value.bytes.size());
  }
  return tensor;
}

onnx::TensorProto& add_initializer(onnx::ModelProto& model, const std::string& name,
                                   const Tensor& value) {
  return *model.mutable_graph()->add_initializer() = tensor_proto(name, value);
}

std::filesystem::path write_model(const onnx::ModelProto& model,
                                  const std::filesystem::path& folder, const std::string& name) {
  const auto path = folder / name;
  write_bytes(path, model.SerializeAsString());
  return path;
}

onnx::ModelProto parse_model(const std::filesystem::path& path) {
  onnx::ModelProto model;
  if (!model.ParseFromString(read_bytes(path)))
    throw Error(Code::kInternal, fmt::format("protobuf cannot read '{}'", path.string()));
  return model;
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(Code::kInternal, fmt::format("cannot read '{}'", path.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  // Truncating a file that exists makes ext4 write it out at once, which is slow in long loops.
  std::filesystem::remove(path);
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw Error(Code::kInternal, fmt::format("cannot write '{}'", path.string()));
}

}  // namespace ingot::test
