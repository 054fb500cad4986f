// SPDX-License-Identifier: Apache-2.0
#include "graph/onnx_release.h"

#include <onnx/common/version.h>
#include <onnx/defs/schema.h>

namespace ingot::graph {

OnnxRelease onnx_release() {
  const auto& ranges = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto [min_opset, max_opset] = ranges.at("");
  return {onnx::LAST_RELEASE_VERSION, static_cast<int>(onnx::Version::IR_VERSION), min_opset,
          max_opset};
}

}  // namespace ingot::graph
