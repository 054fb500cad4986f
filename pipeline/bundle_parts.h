// SPDX-License-Identifier: Apache-2.0
// What a bundle is made of, in the form the writer of bundles wants, which itself knows neither
// ONNX nor data sets.
#pragma once

#include <filesystem>
#include <vector>

#include "manifests/writer.h"

namespace ingot::pipeline {

/// The model file, the files its weights lie in, its opset, inputs and outputs. Name, version,
/// destination, runtimes and all else are left to the caller. Throws as graph::Model::load and
/// model_info do.
manifests::PackOptions model_parts(const std::filesystem::path& model_file);
/// The same of a model in the ORT format: `runtime`, a library for this machine, says its inputs
/// and outputs. Throws as runtime::Session and model_info do.
manifests::PackOptions ort_model_parts(const std::filesystem::path& model_file,
                                       const std::filesystem::path& runtime);
/// What a device needs of a dataset.toml: the preprocessing and the meaning of outputs, with their
/// dictionaries and labels. Throws as data::travel_copy.
std::vector<manifests::PackFile> preprocess_parts(const std::filesystem::path& dataset_file);

}  // namespace ingot::pipeline
