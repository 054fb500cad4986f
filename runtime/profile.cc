// SPDX-License-Identifier: Apache-2.0
// The runtime's profile: a JSON array of events; a node's kernel time is an event of category
// "Node" named "<node>_kernel_time".
#include "runtime/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"

namespace ingot::runtime {
namespace {

constexpr std::string_view kSuffix = "_kernel_time";
constexpr std::size_t kMaxProfileBytes = std::size_t{1} << 30;

using Key = std::tuple<std::string, std::string>;

void add_event(const Json& event, std::map<Key, NodeTime>& nodes) {
  if (event.value("cat", "") != "Node") return;
  std::string name = event.at("name").get<std::string>();
  if (!name.ends_with(kSuffix)) return;
  name.resize(name.size() - kSuffix.size());
  const Json& args = event.at("args");
  const std::string op_type = args.at("op_name").get<std::string>();
  NodeTime& node = nodes[{name, op_type}];
  node.name = name;
  node.op_type = op_type;
  node.provider = args.value("provider", "");
  node.calls += 1;
  node.total_us += event.at("dur").get<double>();
}

}  // namespace

std::vector<NodeTime> parse_profile(const std::filesystem::path& path) {
  const Json document = parse_json(read_text_file(path, kMaxProfileBytes), path.string());
  std::map<Key, NodeTime> nodes;
  try {
    if (!document.is_array())
      throw Error(Code::kInput,
                  fmt::format("'{}' is not a profile: wanted an array of events", path.string()));
    for (const Json& event : document) add_event(event, nodes);
  } catch (const Json::exception& error) {
    throw Error(Code::kInput, fmt::format("'{}' is not a profile of ONNX Runtime: {}",
                                          path.string(), error.what()));
  }
  std::vector<NodeTime> times;
  for (auto& [key, node] : nodes) times.push_back(std::move(node));
  std::stable_sort(times.begin(), times.end(),
                   [](const NodeTime& a, const NodeTime& b) { return a.total_us > b.total_us; });
  return times;
}

}  // namespace ingot::runtime
