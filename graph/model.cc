// SPDX-License-Identifier: Apache-2.0
// A model in memory: loading, and access to its tensors. Writing is in model_save.cc.
#include "graph/model.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/mapped_guard.h"
#include "graph/external_data.h"
#include "graph/graph_index.h"
#include "graph/model_impl.h"
#include "graph/ort_format.h"
#include "graph/skeleton.h"
#include "graph/typed_data.h"

namespace ingot::graph {
namespace {

// Floats from here on are left where they lie: copying large weights to fit would hold them all.
constexpr std::size_t kAlignedBytes = 4096;

onnx::ModelProto parse_skeleton(const std::string& skeleton, const wire::Source& source) {
  onnx::ModelProto proto;
  google::protobuf::io::CodedInputStream input(
      reinterpret_cast<const std::uint8_t*>(skeleton.data()), static_cast<int>(skeleton.size()));
  input.SetRecursionLimit(wire::kMaxDepth +
                          32);  // types nest a little below the messages the walker enters
  if (!proto.ParseFromCodedStream(&input) || !input.ConsumedEntireMessage())
    wire::refuse(source, "protobuf cannot read it");
  if (!proto.has_graph()) wire::refuse(source, "it has no graph");
  // Every writer since IR version 3 puts this after the graph: without it the file ends too early.
  if (proto.ir_version() >= 3 && proto.opset_import_size() == 0)
    wire::refuse(source, "it imports no operator set");
  return proto;
}

/// Values in two places: two messages merged by protobuf, or a careless writer. Nobody could say
/// which one holds.
void require_one_place(const onnx::TensorProto& tensor) {
  const bool marked = std::any_of(tensor.external_data().begin(), tensor.external_data().end(),
                                  [](const auto& entry) { return entry.key() == kStoreKey; });
  const bool external = tensor.data_location() == onnx::TensorProto::EXTERNAL;
  const bool inside = !tensor.raw_data().empty() || tensor.float_data_size() > 0 ||
                      tensor.int32_data_size() > 0 || tensor.string_data_size() > 0 ||
                      tensor.int64_data_size() > 0 || tensor.double_data_size() > 0 ||
                      tensor.uint64_data_size() > 0;
  if ((external && inside) || (marked && tensor.external_data_size() != 1)) {
    throw Error(Code::kInput,
                fmt::format("{} keeps values in more than one place", tensor_label(tensor)));
  }
}

Shape shape_of(const onnx::TensorProto& tensor) {
  return {tensor.dims().begin(), tensor.dims().end()};
}

/// `body` with its errors led by the tensor they are about.
template <class Body>
decltype(auto) about(const onnx::TensorProto& tensor, Body body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", tensor_label(tensor), error.message()),
                error.hint());
  }
}

}  // namespace

void Model::Impl::put_bytes(onnx::TensorProto& tensor, std::vector<std::byte> bytes) {
  if (bytes.size() >= kInlineBytes) return set_marker(tensor, store.add(std::move(bytes)));
  clear_content(tensor);
  tensor.set_raw_data(bytes.data(), bytes.size());
}

void Model::Impl::put_range(onnx::TensorProto& tensor, std::span<const std::byte> bytes,
                            std::shared_ptr<const MappedFile> file) {
  if (bytes.size() >= kInlineBytes) return set_marker(tensor, store.add(bytes, std::move(file)));
  clear_content(tensor);
  tensor.set_raw_data(bytes.data(), bytes.size());
}

void Model::Impl::move_out(onnx::TensorProto& tensor) {
  const std::unique_ptr<std::string> raw(tensor.release_raw_data());
  set_marker(tensor, store.add(std::move(*raw)));
}

std::span<const std::byte> Model::Impl::stored(const onnx::TensorProto& tensor) const {
  if (const auto number = store_number(tensor)) return store.at(*number).bytes();
  return std::as_bytes(std::span(tensor.raw_data()));
}

std::span<const std::string> Model::Impl::strings_of(const onnx::TensorProto& tensor) const {
  const std::lock_guard lock(strings_mutex);
  auto& kept = strings[&tensor];
  const auto& now = tensor.string_data();
  if (!std::equal(kept.begin(), kept.end(), now.begin(), now.end()))
    kept.assign(now.begin(), now.end());
  return kept;
}

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model Model::load(const std::filesystem::path& path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  const auto file = std::make_shared<const MappedFile>(path);
  if (is_ort_format(file->bytes())) {
    throw Error(Code::kUnsupported,
                fmt::format("'{}' is in the ORT format, which only the runtime reads; an ONNX "
                            "model is wanted",
                            path.string()));
  }
  impl->proto = parse_skeleton(split_model(file, impl->store), {file->bytes(), path.string()});
  ExternalFiles external(path);
  for_each_tensor(impl->proto, [&](onnx::TensorProto& tensor) {
    try {
      require_one_place(tensor);
      if (auto bytes = typed_bytes(tensor)) return impl->put_bytes(tensor, std::move(*bytes));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("'{}': {}", path.string(), error.message()),
                  error.hint());
    }
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL || store_number(tensor)) return;
    const ExternalBytes found = external.resolve(tensor);
    impl->put_range(tensor, found.bytes, found.file);
    impl->has_external_weights = true;
  });
  impl->external_locations = external.locations();
  check_mapped_files();
  return Model(std::move(impl));
}

Model Model::from_proto(onnx::ModelProto proto) {
  auto impl = std::make_unique<Impl>();
  impl->proto = std::move(proto);
  for_each_tensor(impl->proto, [&](onnx::TensorProto& tensor) {
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
      throw Error(Code::kInput,
                  fmt::format("{} keeps its values outside; a complete model is wanted",
                              tensor_label(tensor)));
    }
    if (auto bytes = typed_bytes(tensor)) return impl->put_bytes(tensor, std::move(*bytes));
    if (tensor.raw_data().size() >= kInlineBytes) impl->move_out(tensor);
  });
  return Model(std::move(impl));
}

Model Model::clone() const {
  auto impl = std::make_unique<Impl>();
  impl->proto = impl_->proto;
  impl->store = impl_->store;
  impl->path = impl_->path;
  impl->has_external_weights = impl_->has_external_weights;
  impl->external_locations = impl_->external_locations;
  return Model(std::move(impl));
}

onnx::ModelProto& Model::proto() { return impl_->proto; }
const onnx::ModelProto& Model::proto() const { return impl_->proto; }
bool Model::has_external_weights() const { return impl_->has_external_weights; }
const std::vector<std::string>& Model::external_locations() const {
  return impl_->external_locations;
}
const std::filesystem::path& Model::path() const { return impl_->path; }

TensorView Model::view(const onnx::TensorProto& tensor) const {
  const auto dtype = static_cast<DType>(tensor.data_type());
  TensorView view{dtype, shape_of(tensor), {}, {}};
  return about(tensor, [&] {
    const std::int64_t count = element_count(view.shape);
    if (dtype == DType::kString) {
      if (tensor.string_data_size() != count) {
        throw Error(Code::kInput,
                    fmt::format("{} strings are there; shape {} wants {}",
                                tensor.string_data_size(), to_string(view.shape), count));
      }
      view.strings = impl_->strings_of(tensor);
      return view;
    }
    if (dtype_bits(dtype) == 0)
      throw Error(Code::kInput, fmt::format("element type {} is not known", tensor.data_type()));
    const std::size_t wanted = byte_count(dtype, count);
    const std::span<const std::byte> stored = impl_->stored(tensor);
    if (stored.size() != wanted) {
      throw Error(Code::kInput,
                  fmt::format("{} bytes are there; {} of shape {} wants {}", stored.size(),
                              dtype_name(dtype), to_string(view.shape), wanted));
    }
    const auto number = store_number(tensor);
    if (number && (!is_float(dtype) || stored.size() < kAlignedBytes)) {
      const int bits = dtype_bits(dtype);
      view.bytes = impl_->store.at(*number).aligned(bits < 16 ? 1 : bits < 64 ? bits / 8 : 8);
    } else {
      view.bytes = stored;
    }
    return view;
  });
}

void Model::set(onnx::TensorProto& tensor, Tensor value) {
  tensor.set_data_type(static_cast<int>(value.dtype));
  tensor.mutable_dims()->Assign(value.shape.begin(), value.shape.end());
  if (value.dtype != DType::kString) {
    INGOT_CHECK(value.bytes.size() == byte_count(value.dtype, value.count()));
    return impl_->put_bytes(tensor, std::move(value.bytes));
  }
  INGOT_CHECK(static_cast<std::int64_t>(value.strings.size()) == value.count());
  clear_content(tensor);
  for (std::string& text : value.strings) tensor.add_string_data(std::move(text));
}

onnx::TensorProto& Model::add_initializer(onnx::GraphProto& graph, const std::string& name,
                                          Tensor value) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  set(tensor, std::move(value));
  return tensor;
}

void Model::share(const onnx::TensorProto& from, onnx::TensorProto& to) {
  if (&from == &to) return;
  to.set_data_type(from.data_type());
  *to.mutable_dims() = from.dims();
  if (const auto number = store_number(from)) return set_marker(to, *number);
  clear_content(to);
  if (from.data_type() == onnx::TensorProto::STRING) {
    *to.mutable_string_data() = from.string_data();
  } else {
    to.set_raw_data(from.raw_data());
  }
}

std::uint64_t Model::weight_bytes() const {
  std::uint64_t total = 0;
  for_each_tensor(impl_->proto, [&](const onnx::TensorProto& tensor) {
    total += impl_->stored(tensor).size();
    for (const std::string& text : tensor.string_data()) total += text.size();
  });
  return total;
}

}  // namespace ingot::graph
