// SPDX-License-Identifier: Apache-2.0
#include "data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "data/dataset_file.h"
#include "data/file_patterns.h"
#include "data/labels.h"
#include "data/npz.h"
#include "data/pictures.h"

namespace ingot::data {
namespace {

namespace fs = std::filesystem;

/// A file of the data set: its name in the digest and where it is.
struct NamedFile {
  std::string name;
  fs::path path;
};

std::vector<NamedFile> npz_files_of(const fs::path& folder) {
  std::vector<NamedFile> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".npz") && !name.starts_with('.')) files.push_back({name, entry.path()});
  }
  std::sort(files.begin(), files.end(),
            [](const NamedFile& a, const NamedFile& b) { return a.name < b.name; });
  if (files.empty())
    throw Error(Code::kInput, fmt::format("folder '{}' has no .npz file", folder.string()));
  return files;
}

Sample load_npz(const fs::path& path, const std::vector<InputSpec>& specs) {
  const auto begin = std::chrono::steady_clock::now();
  const NpzFile file(path);
  Sample sample;
  sample.name = path.string();
  for (const InputSpec& spec : specs) {
    if (file.has(spec.name)) {
      sample.inputs.emplace(spec.name, file.read(spec.name));
    } else if (spec.required) {
      throw Error(Code::kInput,
                  fmt::format("'{}': input '{}' is missing, wanted {} {}{}", sample.name, spec.name,
                              dtype_name(spec.dtype), to_string(spec.shape),
                              did_you_mean(spec.name, file.names())));
    }
  }
  sample.decode_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return sample;
}

/// The files of one [[input]], relative to the dataset file's folder.
std::vector<std::string> files_of(const DatasetFile& file, const ImageInput& input) {
  if (input.files.empty()) {
    throw Error(Code::kInput,
                fmt::format("'{}': input '{}' has no 'files', wanted a glob or a list of files",
                            file.path.string(), input.name));
  }
  std::vector<std::string> files;
  for (const std::string& pattern : input.files) {
    std::vector<std::string> found = expand_pattern(file.path.parent_path(), pattern);
    if (found.empty()) {
      throw Error(Code::kInput, fmt::format("'{}': input '{}': no file matches '{}'",
                                            file.path.string(), input.name, pattern));
    }
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  return files;
}

/// Whether all float values seen so far are one and the same.
class ConstantFloats {
 public:
  void add(const TensorView& view) {
    if (!is_float(view.dtype) || varied_) return;
    if (view.dtype == DType::kDouble) return add_values(view.as<double>());
    add_values(std::span<const float>(to_floats(view)));
  }
  bool is_constant() const { return count_ > 1 && !varied_; }
  bool varied() const { return varied_; }

 private:
  template <class T>
  void add_values(std::span<const T> values) {
    for (const T value : values) {
      if (count_++ == 0) first_ = static_cast<double>(value);
      if (static_cast<double>(value) != first_) {
        varied_ = true;
        return;
      }
    }
  }

  std::size_t count_ = 0;
  double first_ = 0;
  bool varied_ = false;
};

bool same_inputs(const Sample& a, const Sample& b) {
  return std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && x.second.shape == y.second.shape &&
                             x.second.bytes == y.second.bytes &&
                             x.second.strings == y.second.strings;
                    });
}

}  // namespace

struct Dataset::Impl {
  std::vector<InputSpec> specs;
  std::vector<std::vector<NamedFile>>
      samples;  ///< files by sample; .npz: one, pictures: one per input
  std::optional<DatasetFile> declared;
  std::vector<NamedFile> others;  ///< labels, dataset.toml and its companions
  std::vector<OutputMeaning> no_outputs;
  std::vector<std::int64_t> classes;
  std::vector<std::string> texts;

  void open_folder(const fs::path& folder);
  void open_files(const std::vector<fs::path>& paths);
  void open_declared(const fs::path& path);
  void read_declared_answers();
  void keep_first(std::size_t limit);
};

void Dataset::Impl::open_folder(const fs::path& folder) {
  for (NamedFile& file : npz_files_of(folder)) samples.push_back({std::move(file)});
  const fs::path labels = folder / "labels.npy";
  if (!fs::exists(labels)) return;
  classes = read_class_labels(labels, samples.size());
  others.push_back({"labels.npy", labels});
}

void Dataset::Impl::open_files(const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) {
    if (path.extension() != ".npz") {
      throw Error(
          Code::kInput,
          fmt::format(
              "'{}' is no data set, wanted a folder of .npz, .npz files, or one dataset.toml",
              path.string()));
    }
    samples.push_back({{path.filename().string(), path}});
  }
}

void Dataset::Impl::open_declared(const fs::path& path) {
  declared = parse_dataset_file(path);
  const DatasetFile& file = *declared;
  std::vector<std::string> names;
  for (const InputSpec& spec : specs) names.push_back(spec.name);
  for (const ImageInput& input : file.inputs) {
    if (std::find(names.begin(), names.end(), input.name) == names.end()) {
      throw Error(Code::kInput, fmt::format("'{}': the model has no input '{}'{}", path.string(),
                                            input.name, did_you_mean(input.name, names)));
    }
    const std::vector<std::string> files = files_of(file, input);
    if (&input == &file.inputs.front()) samples.resize(files.size());
    if (files.size() != samples.size()) {
      throw Error(Code::kInput,
                  fmt::format("'{}': input '{}' has {} files, input '{}' has {}; wanted as many",
                              path.string(), input.name, files.size(), file.inputs.front().name,
                              samples.size()));
    }
    for (std::size_t i = 0; i < files.size(); ++i)
      samples[i].push_back({files[i], path.parent_path() / files[i]});
  }
  others.push_back({"dataset.toml", path});
  for (const Companion& companion : file.companions)
    others.push_back({companion.written, companion.path});
}

void Dataset::Impl::read_declared_answers() {
  if (!declared || !declared->labels_file) return;
  std::vector<std::string> names;
  for (const auto& files : samples) names.push_back(files.front().name);
  Answers answers = read_answers(*declared, names);
  classes = std::move(answers.classes);
  texts = std::move(answers.texts);
  others.push_back({*declared->labels_file, declared->path.parent_path() / *declared->labels_file});
}

void Dataset::Impl::keep_first(std::size_t limit) {
  if (limit == 0 || limit >= samples.size()) return;
  samples.resize(limit);
  if (!classes.empty()) classes.resize(limit);
}

Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;
Dataset::~Dataset() = default;
Dataset::Dataset(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Dataset Dataset::open(const std::vector<fs::path>& paths, std::vector<InputSpec> specs,
                      std::size_t limit) {
  if (paths.empty())
    throw Error(Code::kInput,
                "no data given, wanted a folder of .npz, .npz files, or one dataset.toml");
  for (const fs::path& path : paths) {
    if (!fs::exists(path))
      throw Error(Code::kInput, fmt::format("'{}': no such file or folder", path.string()));
    if (paths.size() > 1 && (fs::is_directory(path) || path.extension() == ".toml")) {
      throw Error(
          Code::kInput,
          fmt::format(
              "'{}' beside other data, wanted one folder, one dataset.toml, or only .npz files",
              path.string()));
    }
  }
  auto impl = std::make_unique<Impl>();
  impl->specs = std::move(specs);
  if (fs::is_directory(paths.front())) {
    impl->open_folder(paths.front());
  } else if (paths.front().extension() == ".toml") {
    impl->open_declared(paths.front());
  } else {
    impl->open_files(paths);
  }
  impl->keep_first(limit);
  impl->read_declared_answers();
  return Dataset(std::move(impl));
}

std::size_t Dataset::size() const { return impl_->samples.size(); }

Sample Dataset::load(std::size_t i) const {
  INGOT_CHECK(i < size());
  const std::vector<NamedFile>& files = impl_->samples[i];
  Sample sample;
  if (impl_->declared) {
    std::vector<fs::path> paths;
    for (const NamedFile& file : files) paths.push_back(file.path);
    sample = prepare_sample(impl_->declared->inputs, paths);
  } else {
    sample = load_npz(files.front().path, impl_->specs);
  }
  check_sample(sample, impl_->specs);
  if (has_labels()) sample.label = impl_->classes[i];
  if (has_texts()) sample.text = impl_->texts[i];
  return sample;
}

const std::vector<OutputMeaning>& Dataset::outputs() const {
  return impl_->declared ? impl_->declared->outputs : impl_->no_outputs;
}
bool Dataset::has_labels() const { return !impl_->classes.empty(); }
bool Dataset::has_texts() const { return !impl_->texts.empty(); }

std::string Dataset::digest() const {
  Sha256 digest;
  const auto add = [&](const NamedFile& file) {
    const MappedFile mapped(file.path);
    digest.update(fmt::format("{}:{}{}:", file.name.size(), file.name, mapped.bytes().size()));
    digest.update(mapped.bytes());
  };
  for (const auto& files : impl_->samples) std::for_each(files.begin(), files.end(), add);
  std::for_each(impl_->others.begin(), impl_->others.end(), add);
  return digest.hex();
}

void Dataset::refuse_constant() const {
  const Sample first = load(0);
  ConstantFloats floats;
  bool all_equal = size() > 1;
  for (std::size_t i = 0; i < size() && (i == 0 || all_equal || !floats.varied()); ++i) {
    const Sample sample = load(i);
    all_equal = all_equal && same_inputs(first, sample);
    for (const auto& [name, tensor] : sample.inputs) floats.add(tensor.view());
  }
  const char* hint = "give real data, or pass --allow-constant-data";
  if (all_equal)
    throw Error(Code::kInput,
                fmt::format("all {} samples are equal (first: '{}')", size(), first.name), hint);
  if (floats.is_constant()) {
    throw Error(Code::kInput,
                fmt::format("every float value of all {} samples is the same (first: '{}')", size(),
                            first.name),
                hint);
  }
}

}  // namespace ingot::data
