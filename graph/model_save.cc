// SPDX-License-Identifier: Apache-2.0
// Writing a model: the skeleton is serialised by protobuf, the weights stream past it.
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <limits>

#include "base/error.h"
#include "graph/graph_index.h"
#include "graph/lost_weights.h"
#include "graph/model_impl.h"
#include "graph/skeleton.h"

namespace ingot::graph {
namespace {

// Above this, weights go to a file of their own: other readers take at most 2 GiB in one.
constexpr std::uint64_t kInlineLimitBytes = std::uint64_t{1} << 30;
// onnx.proto's advice for offsets, so that runtimes can map the weights.
constexpr std::uint64_t kDataAlignment = 4096;

constexpr std::uint64_t kMaxMessageBytes = std::numeric_limits<int>::max();

using Placements = std::unordered_map<std::uint64_t, Placement>;

std::string serialize_skeleton(const onnx::ModelProto& proto) {
  const std::uint64_t size_bytes = proto.ByteSizeLong();
  if (size_bytes > kMaxMessageBytes) {
    throw Error(
        Code::kUnsupported,
        fmt::format("the graph without the weights takes {} bytes; less than 2 GiB is wanted",
                    size_bytes));
  }
  std::string skeleton;
  skeleton.reserve(size_bytes);
  google::protobuf::io::StringOutputStream stream(&skeleton);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  INGOT_CHECK(proto.SerializePartialToCodedStream(&out));
  out.Trim();
  return skeleton;
}

std::filesystem::path data_path_of(const std::filesystem::path& path) {
  std::filesystem::path data = path;
  return data += ".data";
}

/// Places each tensor of at least `threshold_bytes` in the data file: in file order, a shared
/// buffer once.
Placements place(const onnx::ModelProto& proto, const TensorStore& store,
                 std::uint64_t threshold_bytes, const std::string& location) {
  Placements placed;
  std::uint64_t end = 0;
  for_each_tensor(proto, [&](const onnx::TensorProto& tensor) {
    const auto number = store_number(tensor);
    if (!number || placed.contains(*number)) return;
    const std::uint64_t length = store.at(*number).bytes().size();
    if (length < threshold_bytes) return;
    const std::uint64_t offset = (end + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
    placed.emplace(*number, Placement{location, offset, length});
    end = offset + length;
  });
  return placed;
}

void write_data(OutputFile& out, const onnx::ModelProto& proto, const TensorStore& store,
                const Placements& placed) {
  for_each_tensor(proto, [&](const onnx::TensorProto& tensor) {
    const auto number = store_number(tensor);
    if (!number) return;
    const auto where = placed.find(*number);
    // Written already: another tensor shares the buffer.
    if (where == placed.end() || where->second.offset_bytes < out.position_bytes()) return;
    out.align(kDataAlignment);
    INGOT_CHECK(out.position_bytes() == where->second.offset_bytes);
    store.at(*number).stream([&out](std::span<const std::byte> piece) { out.write(piece); });
  });
}

std::uint64_t write_model(OutputFile& out, const onnx::ModelProto& proto, const TensorStore& store,
                          const Placements& placed, const std::filesystem::path& path) {
  const std::string skeleton = serialize_skeleton(proto);
  SkeletonWriter writer(skeleton, store, placed);
  if (writer.total_bytes() > kMaxMessageBytes) {
    throw Error(
        Code::kUnsupported,
        fmt::format("'{}' would take {} bytes; a runtime reads less than 2 GiB in one file",
                    path.string(), writer.total_bytes()),
        fmt::format("--external-data {} puts the weights into a file of their own", kInlineBytes));
  }
  writer.write([&out](std::span<const std::byte> bytes) { out.write(bytes); });
  INGOT_CHECK(out.position_bytes() == writer.total_bytes());
  return writer.total_bytes();
}

}  // namespace

void refuse_lost_weights(const Model& model, const std::filesystem::path& output) {
  std::error_code missing;
  if (std::filesystem::equivalent(output, model.path(), missing)) return;
  for (const std::string& location : model.external_locations()) {
    const std::filesystem::path source = model.path().parent_path() / location;
    for (const auto& written : {output, data_path_of(output)}) {
      if (!std::filesystem::equivalent(written, source, missing)) continue;
      throw Error(Code::kUsage,
                  fmt::format("'{}' holds weights of '{}'; it would be overwritten",
                              written.string(), model.path().string()),
                  "choose another name for the output");
    }
  }
}

std::uint64_t Model::save(const std::filesystem::path& path, const SaveOptions& options) const {
  refuse_existing(path, options.overwrite);
  refuse_lost_weights(*this, path);
  std::optional<std::uint64_t> threshold = options.external_bytes;
  if (!threshold && (impl_->has_external_weights || weight_bytes() >= kInlineLimitBytes))
    threshold = kInlineBytes;
  if (!threshold) {
    OutputFile out(path);
    const std::uint64_t total = write_model(out, impl_->proto, impl_->store, {}, path);
    out.commit();
    return total;
  }

  Impl copy;  // small tensors may have to go out too; the copy's weights are shared
  copy.proto = impl_->proto;
  copy.store = impl_->store;
  for_each_tensor(copy.proto, [&](onnx::TensorProto& tensor) {
    // Shape inference reads shapes, axes and scales, and the runtime refuses to load such a tensor
    // from outside; what is below kInlineBytes and has at most one dimension may be one.
    const std::size_t bytes = tensor.raw_data().size();
    if (tensor.dims_size() > 1 && bytes > 0 && bytes >= *threshold) copy.move_out(tensor);
  });
  const std::filesystem::path data_path = data_path_of(path);
  const Placements placed =
      place(copy.proto, copy.store, *threshold, data_path.filename().string());
  std::optional<OutputFile> data;
  std::uint64_t data_bytes = 0;
  if (!placed.empty()) {
    refuse_existing(data_path, options.overwrite);
    data.emplace(data_path);
    write_data(*data, copy.proto, copy.store, placed);
    data_bytes = data->position_bytes();
  }
  OutputFile out(path);
  const std::uint64_t model_bytes = write_model(out, copy.proto, copy.store, placed, path);
  if (data) {
    // Never a model beside weights that are not its own: an older one goes first.
    std::error_code missing;
    if (std::filesystem::exists(data_path, missing)) std::filesystem::remove(path, missing);
    data->commit();
  }
  out.commit();
  return model_bytes + data_bytes;
}

std::string Model::serialize() const {
  const std::string skeleton = serialize_skeleton(impl_->proto);
  const Placements nothing_placed;
  SkeletonWriter writer(skeleton, impl_->store, nothing_placed);
  if (writer.total_bytes() > kMaxMessageBytes) {
    throw Error(Code::kUnsupported,
                fmt::format("the model takes {} bytes; less than 2 GiB is wanted for one string",
                            writer.total_bytes()));
  }
  std::string out;
  out.reserve(writer.total_bytes());
  writer.write([&out](std::span<const std::byte> bytes) {
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return out;
}

}  // namespace ingot::graph
