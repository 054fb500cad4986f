// SPDX-License-Identifier: Apache-2.0
// Samples: what goes into a model, read one at a time from .npz files or from raw files that a
// dataset.toml declares with their preprocessing. The device uses the same code, so build machine
// and device treat data alike. No protobuf here.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor.h"

namespace ingot::data {

/// What a model wants under a name; -1 = dimension not fixed. `required` false: an overridable
/// initializer.
struct InputSpec {
  std::string name;
  DType dtype = DType::kUndefined;
  Shape shape;
  bool required = true;
};

/// One set of model inputs.
struct Sample {
  std::string name;  ///< for messages: the file it came from
  std::map<std::string, Tensor> inputs;
  std::optional<std::int64_t> label;  ///< true class
  std::optional<std::string> text;    ///< true text, where an output is declared ctc
  double decode_seconds = 0,
         preprocess_seconds = 0;  ///< time of reading and of preparing, apart from inference
};

enum class OutputKind { kNone, kCtc, kTopK };

/// What an output means, from a dataset.toml.
struct OutputMeaning {
  std::string output;  ///< name of the model's output; empty = the first
  OutputKind kind = OutputKind::kNone;
  std::vector<std::string>
      symbols;             ///< ctc: text of class i (blank included); topk: label of class i
  std::int64_t blank = 0;  ///< ctc: index of the blank class
};

/// Throws kInput naming sample, input, wanted and got unless `sample` has every required input with
/// fitting dtype and shape and without NaN or Inf. Inputs that no spec names are removed.
void check_sample(Sample& sample, const std::vector<InputSpec>& specs);

class Dataset {
 public:
  /// `paths`: a folder of .npz (sorted by name; optional labels.npy), .npz files, or one
  /// dataset.toml. `specs`: the model's inputs. Only the first `limit` samples count (0 = all).
  /// Throws kInput when a path is missing or there is no sample.
  static Dataset open(const std::vector<std::filesystem::path>& paths, std::vector<InputSpec> specs,
                      std::size_t limit = 0);
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;
  ~Dataset();

  std::size_t size() const;
  /// Reads and checks sample `i`: every required input there, dtype and shape fitting (-1 fits
  /// all), no NaN or Inf. Throws kInput naming sample, input, wanted and got. Arrays that the model
  /// does not take are ignored. Thread-safe.
  Sample load(std::size_t i) const;
  /// Declared meanings of outputs (empty for .npz).
  const std::vector<OutputMeaning>& outputs() const;
  /// True when true classes (Sample::label) are known for the samples.
  bool has_labels() const;
  /// True when true texts (Sample::text) are known for the samples.
  bool has_texts() const;
  /// SHA-256 over names and bytes of all files that make up the samples in use, lower-case hex.
  /// Independent of the folder's place.
  std::string digest() const;
  /// Throws kInput (hint: --allow-constant-data) when there is more than one sample and all are
  /// byte-equal, or every float value of every sample is one and the same.
  void refuse_constant() const;

 private:
  struct Impl;
  explicit Dataset(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingot::data
