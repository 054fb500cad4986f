// SPDX-License-Identifier: Apache-2.0
// Initializers of one graph with the same type, shape and bytes become one. Types and sizes are
// compared first, then a few bytes, so that a weight is read in full only where it is all but
// certain to have a double.
#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "converters/edits.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

constexpr std::size_t kProbeBytes = 64;
/// Different weights that look alike at first sight; more are not compared with a further one.
constexpr std::size_t kMostAlike = 8;

/// Type, shape and bytes from start, middle and end.
std::string probe(const TensorView& view) {
  std::string key = std::to_string(static_cast<int>(view.dtype)) + to_string(view.shape);
  const std::size_t size = view.bytes.size();
  const std::size_t part = std::min(size, kProbeBytes);
  for (const std::size_t at : {std::size_t{0}, (size - part) / 2, size - part}) {
    key.append(reinterpret_cast<const char*>(view.bytes.data() + at), part);
  }
  return key;
}

bool same_bytes(const TensorView& a, const TensorView& b) {
  return a.bytes.data() == b.bytes.data() || a.bytes.empty() ||
         std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
}

void share_in(PassContext& context, onnx::GraphProto& graph) {
  if (graph.initializer_size() < 2) return;
  const graph::GraphIndex index(context.model, graph);
  std::unordered_map<std::string, std::vector<const onnx::TensorProto*>> seen;
  Edits edits;
  std::size_t shared = 0;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    const std::string& name = tensor.name();
    // What a caller may feed is no constant; what is returned keeps its name.
    if (index.is_graph_input(name) || index.is_graph_output(name)) continue;
    if (index.initializer(name) != &tensor || index.producer(name) != nullptr) continue;
    if (tensor.data_type() == onnx::TensorProto::STRING) continue;
    const TensorView view = context.model.view(tensor);
    std::vector<const onnx::TensorProto*>& alike = seen[probe(view)];
    const auto first = std::ranges::find_if(
        alike, [&](const auto* other) { return same_bytes(context.model.view(*other), view); });
    if (first == alike.end()) {
      if (alike.size() < kMostAlike) alike.push_back(&tensor);
    } else if (!index.uses(name).empty() || index.used_below(name)) {
      edits.replace_uses(name, (*first)->name());
      context.changed("weight '" + name + "'", "has the bytes of '" + (*first)->name() + "'");
      ++shared;
    }
  }
  if (shared > 0) edits.apply(graph);
}

}  // namespace

void share_weights(PassContext& context) {
  // The folds change only weights that one node reads: they come first, to the last round of them.
  if (!context.is_quiet()) return;
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { share_in(context, graph); });
}

}  // namespace ingot::converters
