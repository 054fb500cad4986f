// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bundle_parts.h"

#include "data/travel_copy.h"
#include "graph/model.h"
#include "pipeline/model_info.h"

namespace ingot::pipeline {

manifests::PackOptions model_parts(const std::filesystem::path& model_file) {
  const graph::Model model = graph::Model::load(model_file);
  manifests::PackOptions options;
  options.model = model_info(model);
  options.model_file = model_file;
  options.external_locations = model.external_locations();
  return options;
}

manifests::PackOptions ort_model_parts(const std::filesystem::path& model_file,
                                       const std::filesystem::path& runtime) {
  manifests::PackOptions options;
  options.model = model_info(runtime::Session(runtime::Library::open(runtime), model_file));
  options.model_file = model_file;
  return options;
}

std::vector<manifests::PackFile> preprocess_parts(const std::filesystem::path& dataset_file) {
  data::TravelCopy copy = data::travel_copy(dataset_file);
  std::vector<manifests::PackFile> files{{"preprocess/dataset.toml", {}, std::move(copy.text)}};
  for (data::TravelCopy::File& file : copy.files) {
    files.push_back({"preprocess/" + file.name, std::move(file.source), ""});
  }
  return files;
}

}  // namespace ingot::pipeline
