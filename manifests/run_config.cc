// SPDX-License-Identifier: Apache-2.0
#include "manifests/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "manifests/json_fields.h"

namespace ingot::manifests {
namespace {

constexpr std::string_view kSchema = "ingot.run/1";
constexpr std::array<std::string_view, 4> kLevels{"none", "basic", "extended", "all"};

RunConfig read(const Json& json, const std::string& source) {
  const Fields fields(json, source, "");
  fields.require_known({"schema", "model", "memory"});
  if (fields.text("schema") != kSchema)
    fields.refuse("schema", fmt::format("is '{}', '{}' is wanted", fields.text("schema"), kSchema));
  RunConfig config;
  if (fields.has("model")) {
    const Fields model = fields.object("model");
    model.require_known({"intra_op_threads", "spinning", "prepack", "graph_opt"});
    if (model.has("intra_op_threads"))
      config.intra_op_threads = static_cast<int>(model.integer("intra_op_threads", 0, 1024));
    if (model.has("spinning")) config.spinning = model.boolean("spinning");
    if (model.has("prepack")) config.prepack = model.boolean("prepack");
    if (model.has("graph_opt")) config.graph_opt = model.text("graph_opt");
    if (std::ranges::find(kLevels, config.graph_opt) == kLevels.end()) {
      model.refuse("graph_opt", fmt::format("is '{}', one of none, basic, extended, all is wanted",
                                            config.graph_opt));
    }
  }
  if (fields.has("memory")) {
    const Fields memory = fields.object("memory");
    memory.require_known({"hard_bytes"});
    if (memory.has("hard_bytes"))
      config.hard_bytes = static_cast<std::uint64_t>(memory.integer("hard_bytes", 1, kMaxInteger));
  }
  return config;
}

}  // namespace

std::string write_run_config(const RunConfig& config) {
  Json json{{"schema", kSchema},
            {"model",
             {{"intra_op_threads", config.intra_op_threads},
              {"spinning", config.spinning},
              {"prepack", config.prepack},
              {"graph_opt", config.graph_opt}}}};
  if (config.hard_bytes != 0) json["memory"] = {{"hard_bytes", config.hard_bytes}};
  read(json, "run.json");
  return canonical_json(json);
}

RunConfig parse_run_config(std::string_view text, std::string_view source) {
  return read(parse_json(text, source, 8), std::string(source));
}

}  // namespace ingot::manifests
