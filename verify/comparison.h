// SPDX-License-Identifier: Apache-2.0
// The outputs of a candidate against those of a reference, sample by sample: every metric of every
// output, and where it is worst. No model and no runtime here: verify, the check in the runtime and
// the search of quantize all feed it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.h"
#include "data/dataset.h"
#include "metrics/agreement.h"
#include "metrics/element_errors.h"
#include "metrics/metrics.h"
#include "runtime/session.h"

namespace ingot::verify {

struct MetricValue {
  const metrics::Metric* metric;
  double value;
};

/// An element of one sample's output; the values as numbers (true = 1; 0 for types that have none:
/// strings, 4-bit integers, 8-bit floats).
struct Place {
  std::string sample;
  Shape index;
  double reference = 0, candidate = 0;
};

/// What was found for one output over all samples.
struct OutputRow {
  std::string output;
  DType dtype = DType::kUndefined;
  data::OutputKind kind = data::OutputKind::kNone;
  std::size_t samples = 0;
  std::int64_t elements = 0;
  std::int64_t non_finite_alike =
      0;  ///< the same NaN or infinity in both: left out of every metric
  std::int64_t non_finite_unlike =
      0;  ///< a NaN or infinity in one only (left out too, so always look at this count)
  std::int64_t unequal = 0;  ///< elements not exactly equal; counted for outputs that are not float
  std::vector<MetricValue> metrics;  ///< in table order; float outputs only. top1: classes on the
                                     ///< last axis; text: declared ctc
  std::optional<Place>
      largest_error;  ///< float: where |a-b| is largest; other types: the first unequal element
  std::optional<Place> first_unlike;  ///< the first NaN or infinity that one has alone
  std::string
      worst_sample;  ///< the sample with the largest rel_l2 of its own; empty when all are equal
  double worst_sample_rel_l2 = 0;
  std::vector<std::string> findings;  ///< what kept values from being compared: a type or shape
                                      ///< that differs (first of each)

  bool is_float() const { return ingot::is_float(dtype); }
  /// The metric `name`; nothing when this output does not have it.
  std::optional<double> value(std::string_view name) const;
  /// Types, shapes and NaN/Inf patterns agree, so the metrics cover all elements.
  bool comparable() const { return findings.empty() && non_finite_unlike == 0; }
};

/// Accumulates; memory does not grow with the number of samples.
class Comparison {
 public:
  /// `outputs`: the reference's, in the order in which add() gets them. `meanings`: a dataset's
  /// declarations (an empty output name means the first output); throws kInput when one names no
  /// output.
  explicit Comparison(const std::vector<runtime::ValueInfo>& outputs,
                      const std::vector<data::OutputMeaning>& meanings = {});

  /// Adds one sample: output i of both. O(elements), nothing is copied or kept but sums and the
  /// place of the largest error. A shape or type that differs is recorded, not thrown. Throws
  /// kInternal when the number of outputs is wrong.
  void add(std::string_view sample, std::span<const TensorView> reference,
           std::span<const TensorView> candidate);
  /// The same from results as the runtime gives them.
  void add(std::string_view sample, const runtime::Results& reference,
           const runtime::Results& candidate);
  void add(std::string_view sample, std::span<const Tensor> reference,
           std::span<const Tensor> candidate);
  /// As if the samples of `other` (same outputs) had been added after these: for comparisons made
  /// in parallel, merged in order.
  void merge(const Comparison& other);

  std::size_t samples() const { return samples_; }
  /// One row per output, in order.
  std::vector<OutputRow> rows() const;

 private:
  struct Output {
    std::string name;
    DType dtype = DType::kUndefined;
    data::OutputKind kind = data::OutputKind::kNone;
    std::int64_t blank = 0;
    metrics::ElementErrors errors;
    metrics::Agreement top1, text;
    std::int64_t elements = 0, unequal = 0;
    std::optional<Place> largest_error, first_unlike;
    std::string worst_sample;
    double worst_rel_l2 = 0;
    std::vector<std::string> findings;
  };
  static void add_one(Output& output, std::string_view sample, const TensorView& reference,
                      const TensorView& candidate);
  static void add_floats(Output& output, std::string_view sample, const TensorView& reference,
                         const TensorView& candidate);
  static void add_exact(Output& output, std::string_view sample, const TensorView& reference,
                        const TensorView& candidate);

  std::vector<Output> outputs_;
  std::size_t samples_ = 0;
};

}  // namespace ingot::verify
