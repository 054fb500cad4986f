// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/runtime_range.h"

#include <onnx/onnx_pb.h>

#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "converters/opset/change_opset.h"
#include "graph/onnx_release.h"
#include "runtime/session.h"

namespace ingot::converters {
namespace {

onnx::ModelProto identity_model(std::int64_t opset, std::int64_t ir_version) {
  onnx::ModelProto model;
  model.set_ir_version(ir_version);
  model.add_opset_import()->set_version(opset);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("probe");
  for (auto* port : {graph.add_input(), graph.add_output()}) {
    auto& type = *port->mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape()->add_dim()->set_dim_value(1);
  }
  graph.mutable_input(0)->set_name("x");
  graph.mutable_output(0)->set_name("y");
  graph::add_node(graph, "Identity", "probe", {"x"}, {"y"});
  return model;
}

class Probe {
 public:
  explicit Probe(const std::filesystem::path& library)
      : library_(runtime::Library::open(library)) {}

  const std::string& version() const { return library_->version(); }

  bool opens(std::int64_t opset, std::int64_t ir_version) const {
    const std::filesystem::path path = folder_.path() / "probe.onnx";
    graph::SaveOptions options;
    options.overwrite = Overwrite::kYes;
    graph::Model::from_proto(identity_model(opset, ir_version)).save(path, options);
    try {
      const runtime::Session session(library_, path);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

 private:
  std::shared_ptr<const runtime::Library> library_;
  TempDir folder_;
};

}  // namespace

RuntimeRange onnx_range() {
  const graph::OnnxRelease release = graph::onnx_release();
  return {release.max_opset, release.ir_version, "ONNX " + release.version};
}

RuntimeRange floor_range() { return {22, 10, "ONNX Runtime 1.21"}; }

RuntimeRange ask_runtime(const std::filesystem::path& library) {
  const Probe probe(library);
  RuntimeRange range = onnx_range();
  range.runtime = "ONNX Runtime " + probe.version();
  const RuntimeRange floor = floor_range();
  while (range.newest_opset > floor.newest_opset &&
         !probe.opens(range.newest_opset, floor.newest_ir_version)) {
    --range.newest_opset;
  }
  while (range.newest_ir_version > floor.newest_ir_version &&
         !probe.opens(floor.newest_opset, range.newest_ir_version)) {
    --range.newest_ir_version;
  }
  return range;
}

}  // namespace ingot::converters
