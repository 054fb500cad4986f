// SPDX-License-Identifier: Apache-2.0
// Which ONNX this build was made with.
#pragma once

#include <string>

namespace ingot::graph {

struct OnnxRelease {
  std::string version;       ///< "1.23.2"
  int ir_version;            ///< the newest it can read
  int min_opset, max_opset;  ///< of the default domain
};

OnnxRelease onnx_release();

}  // namespace ingot::graph
