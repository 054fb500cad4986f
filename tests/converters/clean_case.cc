// SPDX-License-Identifier: Apache-2.0
#include "tests/converters/clean_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/files.h"
#include "runtime/session.h"

namespace ingot::test {
namespace {

runtime::Session open_session(const std::filesystem::path& path) {
  static const auto library = runtime::Library::open(INGOT_TEST_RUNTIME);
  runtime::SessionOptions options;
  options.optimization = runtime::Optimization::kNone;
  return runtime::Session(library, path, options);
}

Tensor fill(const runtime::ValueInfo& input, std::uint32_t seed) {
  Shape shape = input.shape;
  for (std::int64_t& extent : shape) extent = extent < 0 ? 3 : extent;
  const Tensor floats = random_tensor(shape, seed, 4.0F);
  Tensor tensor = Tensor::zeros(input.dtype, shape);
  const auto values = floats.as<float>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (input.dtype == DType::kFloat) tensor.as_mutable<float>()[i] = values[i];
    if (input.dtype == DType::kDouble)
      tensor.as_mutable<double>()[i] = static_cast<double>(values[i]);
    if (input.dtype == DType::kFloat16) {
      tensor.as_mutable<std::uint16_t>()[i] = float_to_half(values[i]);
    }
    if (input.dtype == DType::kBool) tensor.bytes[i] = std::byte{values[i] > 0};
  }
  return tensor;
}

std::vector<double> numbers(const Tensor& tensor) {
  if (tensor.dtype == DType::kInt64) {
    const auto values = tensor.as<std::int64_t>();
    return {values.begin(), values.end()};
  }
  if (tensor.dtype == DType::kInt32) {
    const auto values = tensor.as<std::int32_t>();
    return {values.begin(), values.end()};
  }
  if (tensor.dtype == DType::kBool || tensor.dtype == DType::kUint8) {
    const auto values = tensor.as<std::uint8_t>();
    return {values.begin(), values.end()};
  }
  const std::vector<float> values = to_floats(tensor.view());
  return {values.begin(), values.end()};
}

double relative_error(const Tensor& reference, const Tensor& candidate) {
  EXPECT_EQ(to_string(reference.shape), to_string(candidate.shape));
  const std::vector<double> a = numbers(reference), b = numbers(candidate);
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max(largest, std::abs(a[i]));
    error = std::max(error, std::abs(a[i] - b[i]));
  }
  return error == 0 ? 0 : error / largest;
}

std::string ports_text(const std::vector<runtime::ValueInfo>& ports) {
  std::string text;
  for (const auto& port : ports) {
    text += port.name + " " + std::string(dtype_name(port.dtype)) + to_string(port.shape) + "; ";
  }
  return text;
}

void compare(const std::filesystem::path& original, const std::filesystem::path& cleaned,
             Cleaned& result) {
  runtime::Session a = open_session(original), b = open_session(cleaned);
  EXPECT_EQ(ports_text(a.inputs()), ports_text(b.inputs()));
  EXPECT_EQ(ports_text(a.outputs()), ports_text(b.outputs()));
  EXPECT_EQ(ports_text(a.overridable_initializers()), ports_text(b.overridable_initializers()));
  for (std::uint32_t round = 0; round < 2; ++round) {
    std::map<std::string, Tensor> inputs;
    std::uint32_t seed = 100 * round;
    // What may be fed is fed in the second round: a folded default would show.
    for (const auto& port : a.inputs()) inputs.emplace(port.name, fill(port, ++seed));
    for (const auto& port : a.overridable_initializers()) {
      if (round == 1) inputs.emplace(port.name, fill(port, ++seed));
    }
    runtime::Feeds feeds;
    for (const auto& [name, tensor] : inputs) feeds.emplace(name, tensor.view());
    const auto reference = a.run_copy(feeds), candidate = b.run_copy(feeds);
    for (std::size_t i = 0; i < reference.size(); ++i) {
      result.error = std::max(result.error, relative_error(reference[i], candidate[i]));
      result.identical = result.identical && reference[i].bytes == candidate[i].bytes;
    }
  }
}

}  // namespace

std::string Cleaned::operators() const {
  std::string text;
  for (const auto& node : model.graph().node()) {
    text += (text.empty() ? "" : " ") + node.op_type();
  }
  return text;
}

std::size_t Cleaned::changes(std::string_view pass) const {
  for (const auto& count : report.counts) {
    if (count.pass == pass) return count.changes;
  }
  return 0;
}

onnx::ModelProto proto_of(std::string_view graph, int opset) {
  return proto_from_text("<ir_version: 8, opset_import: [\"\": " + std::to_string(opset) + "]> " +
                         std::string(graph));
}

double compare_in_runtime(const std::filesystem::path& reference,
                          const std::filesystem::path& candidate) {
  Cleaned result{graph::Model::from_proto({}), {}, 0, true};
  compare(reference, candidate, result);
  return result.error;
}

Cleaned clean_and_compare(const onnx::ModelProto& proto, const converters::PassOptions& options,
                          const std::optional<onnx::ModelProto>& reference) {
  const TempDir folder;
  const std::filesystem::path original = write_model(proto, folder.path(), "original.onnx");
  RecordingReporter reporter;
  Cleaned result{graph::Model::load(original), {}, 0, true};
  result.report = converters::clean(result.model, options, reporter);
  const std::filesystem::path cleaned = folder.path() / "cleaned.onnx";
  result.model.save(cleaned);
  compare(reference ? write_model(*reference, folder.path(), "reference.onnx") : original, cleaned,
          result);
  return result;
}

}  // namespace ingot::test
