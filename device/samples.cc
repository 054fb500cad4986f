// SPDX-License-Identifier: Apache-2.0
#include "device/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>

#include "base/error.h"
#include "data/dataset_file.h"
#include "data/npz.h"
#include "data/pictures.h"
#include "device/stopwatch.h"

namespace ingot::device {
namespace {

namespace fs = std::filesystem;

bool is_npz(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension == ".npz";
}

data::Sample load_npz(const fs::path& path, const std::vector<data::InputSpec>& specs) {
  const Stopwatch watch;
  data::Sample sample;
  sample.name = path.string();
  sample.inputs = data::read_npz(path);
  data::check_sample(sample, specs);
  sample.decode_seconds = static_cast<double>(watch.ns()) * 1e-9;
  return sample;
}

data::Sample load_pictures(const data::DatasetFile& file, const std::vector<fs::path>& paths,
                           const std::vector<data::InputSpec>& specs) {
  data::Sample sample = data::prepare_sample(file.inputs, paths);
  sample.name = paths.front().string();
  data::check_sample(sample, specs);
  return sample;
}

/// Uniform from 0 to 1.
void fill(Tensor& tensor) {
  std::mt19937 random(20261130);
  const auto next = [&] { return static_cast<float>(random() >> 8) * 0x1p-24F; };
  switch (tensor.dtype) {
    case DType::kFloat:
      for (float& value : tensor.as_mutable<float>()) value = next();
      break;
    case DType::kDouble:
      for (double& value : tensor.as_mutable<double>()) value = static_cast<double>(next());
      break;
    case DType::kFloat16:
      for (std::uint16_t& value : tensor.as_mutable<std::uint16_t>()) value = float_to_half(next());
      break;
    default:
      break;
  }
}

}  // namespace

Samples Samples::from_data(const std::vector<fs::path>& paths, std::vector<data::InputSpec> specs) {
  Samples samples;
  const auto dataset = std::make_shared<data::Dataset>(
      data::Dataset::open(paths, std::move(specs)));  // shared by the loaders
  samples.outputs_ = dataset->outputs();
  for (std::size_t i = 0; i < dataset->size(); ++i)
    samples.loaders_.emplace_back([dataset, i] { return dataset->load(i); });
  return samples;
}

Samples Samples::from_files(const std::vector<fs::path>& files, const fs::path& dataset_file,
                            std::vector<data::InputSpec> specs) {
  Samples samples;
  std::shared_ptr<const data::DatasetFile> declared;  // shared by the loaders
  if (!dataset_file.empty()) {
    declared = std::make_shared<data::DatasetFile>(data::parse_dataset_file(dataset_file));
    samples.outputs_ = declared->outputs;
  }
  const std::size_t together = declared ? declared->inputs.size() : 1;
  std::vector<fs::path> pictures;
  for (const fs::path& file : files) {
    if (is_npz(file)) {
      samples.loaders_.emplace_back([file, specs] { return load_npz(file, specs); });
      continue;
    }
    if (!declared) {
      throw Error(
          Code::kInput,
          fmt::format("'{}' is not an .npz file, and no preprocessing of pictures is declared",
                      file.string()),
          "pack the bundle with --preprocess, or give an .npz with the model's inputs");
    }
    pictures.push_back(file);
    if (pictures.size() < together) continue;
    samples.loaders_.emplace_back(
        [declared, pictures, specs] { return load_pictures(*declared, pictures, specs); });
    pictures.clear();
  }
  if (!pictures.empty()) {
    throw Error(Code::kUsage,
                fmt::format("the model takes {} pictures for one run, the last run has {}",
                            together, pictures.size()));
  }
  return samples;
}

Samples Samples::generated(const std::vector<data::InputSpec>& specs) {
  data::Sample sample;
  sample.name = "generated";
  for (const data::InputSpec& spec : specs) {
    if (!spec.required) continue;
    if (spec.dtype == DType::kString || dtype_bits(spec.dtype) == 0) {
      throw Error(Code::kUnsupported,
                  fmt::format("input '{}' is of type {}: no values are made up for it", spec.name,
                              dtype_name(spec.dtype)),
                  "give inputs with --data");
    }
    Shape shape = spec.shape;
    std::ranges::replace(shape, -1, 1);
    Tensor tensor = Tensor::zeros(spec.dtype, std::move(shape));
    fill(tensor);
    sample.inputs.emplace(spec.name, std::move(tensor));
  }
  Samples samples;
  samples.loaders_.emplace_back([sample] { return sample; });
  return samples;
}

}  // namespace ingot::device
