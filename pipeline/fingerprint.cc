// SPDX-License-Identifier: Apache-2.0
#include "pipeline/fingerprint.h"

#include <array>
#include <unordered_set>

#include "base/hash.h"
#include "base/json.h"
#include "data/dataset.h"
#include "graph/graph_index.h"

namespace ingot::pipeline {
namespace {

/// A member with its name in JSON and in messages.
struct Part {
  const char* key;
  const char* words;
  std::string Fingerprint::* member;
};

constexpr std::array kParts{
    Part{"ingot_version", "the version of ingot", &Fingerprint::ingot_version},
    Part{"project_sha256", "the project file", &Fingerprint::project},
    Part{"source_sha256", "the model", &Fingerprint::source},
    Part{"calibration_sha256", "the calibration data", &Fingerprint::calibration},
    Part{"evaluation_sha256", "the evaluation data", &Fingerprint::evaluation},
    Part{"runtime_sha256", "the runtime library", &Fingerprint::runtime},
    Part{"files_sha256", "the extra files", &Fingerprint::files}};

std::string source_digest(const graph::Model& model, const std::filesystem::path& path) {
  const std::string of_file = sha256_file(path);
  if (!model.has_external_weights()) return of_file;
  Sha256 all;
  all.update(of_file);
  graph::for_each_tensor(model.proto(), [&](const onnx::TensorProto& tensor) {
    all.update(model.view(tensor).bytes);
  });
  return all.hex();
}

std::vector<data::InputSpec> input_specs(const graph::Model& model) {
  std::unordered_set<std::string> defaults;
  for (const auto& tensor : model.graph().initializer()) defaults.insert(tensor.name());
  std::vector<data::InputSpec> specs;
  for (const auto& input : model.graph().input()) {
    const graph::ValueType type = graph::declared_type(input);
    specs.push_back(
        {input.name(), type.dtype, type.shape.value_or(Shape{}), !defaults.contains(input.name())});
  }
  return specs;
}

std::string files_digest(const std::vector<ExtraFile>& files) {
  if (files.empty()) return {};
  Sha256 all;
  for (const ExtraFile& file : files) {
    all.update(file.name);
    all.update(sha256_file(file.source));
  }
  return all.hex();
}

}  // namespace

Fingerprint fingerprint(const Project& project, const std::filesystem::path& runtime,
                        const std::string& ingot_version) {
  const graph::Model model = graph::Model::load(project.source);
  const std::vector<data::InputSpec> specs = input_specs(model);
  Fingerprint result;
  result.ingot_version = ingot_version;
  result.project = sha256_file(project.file);
  result.source = source_digest(model, project.source);
  result.calibration = data::Dataset::open({project.calibration}, specs, project.samples).digest();
  result.evaluation = data::Dataset::open({project.evaluation}, specs).digest();
  result.runtime = sha256_file(runtime);
  result.files = files_digest(project.files);
  return result;
}

std::vector<std::string> differences(const Fingerprint& a, const Fingerprint& b) {
  std::vector<std::string> words;
  for (const Part& part : kParts) {
    if (a.*part.member != b.*part.member) words.emplace_back(part.words);
  }
  return words;
}

OrderedJson fingerprint_json(const Fingerprint& fingerprint) {
  OrderedJson json = OrderedJson::object();
  for (const Part& part : kParts) json[part.key] = fingerprint.*part.member;
  return json;
}

Fingerprint fingerprint_from_json(const Json& json) {
  Fingerprint result;
  for (const Part& part : kParts) {
    const auto found = json.find(part.key);
    if (found != json.end() && found->is_string()) result.*part.member = found->get<std::string>();
  }
  return result;
}

}  // namespace ingot::pipeline
