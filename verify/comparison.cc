// SPDX-License-Identifier: Apache-2.0
#include "verify/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/elements.h"

namespace ingot::verify {
namespace {

Shape index_of(std::int64_t flat, const Shape& shape) {
  Shape index(shape.size(), 0);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

template <class T>
double stored(const TensorView& view, std::int64_t i) {
  return static_cast<double>(reinterpret_cast<const T*>(view.bytes.data())[i]);
}

/// Element `i` as a number; 0 for types that have none of C++'s (strings, sub-byte and 8-bit float
/// types).
double number_at(const TensorView& view, std::int64_t i) {
  switch (view.dtype) {
    case DType::kInt8:
      return stored<std::int8_t>(view, i);
    case DType::kBool:
    case DType::kUint8:
      return stored<std::uint8_t>(view, i);
    case DType::kInt16:
      return stored<std::int16_t>(view, i);
    case DType::kUint16:
      return stored<std::uint16_t>(view, i);
    case DType::kInt32:
      return stored<std::int32_t>(view, i);
    case DType::kUint32:
      return stored<std::uint32_t>(view, i);
    case DType::kInt64:
      return stored<std::int64_t>(view, i);
    case DType::kUint64:
      return stored<std::uint64_t>(view, i);
    default:
      break;
  }
  if (!is_float(view.dtype)) return 0;
  return metrics::with_elements(view, [&](const auto& element) { return element(i); });
}

Place place_at(std::string_view sample, std::int64_t flat, const TensorView& reference,
               const TensorView& candidate) {
  return {std::string(sample), index_of(flat, reference.shape), number_at(reference, flat),
          number_at(candidate, flat)};
}

double value_of(std::string_view metric, const metrics::ElementErrors& errors) {
  return metrics::find_metric(metric)->of_errors(errors);
}

/// Records the first finding that starts with `kind`.
void note_first(std::vector<std::string>& findings, std::string_view kind, std::string finding) {
  const bool known = std::any_of(findings.begin(), findings.end(),
                                 [&](const std::string& other) { return other.starts_with(kind); });
  if (!known) findings.push_back(std::move(finding));
}

std::optional<double> metric_value(const metrics::Metric& metric,
                                   const metrics::ElementErrors& errors,
                                   const metrics::Agreement& top1, const metrics::Agreement& text) {
  if (metric.of_errors != nullptr) return metric.of_errors(errors);
  if (metric.name == "top1") return top1.share();
  return text.share();
}

}  // namespace

std::optional<double> OutputRow::value(std::string_view name) const {
  for (const MetricValue& entry : metrics) {
    if (entry.metric->name == name) return entry.value;
  }
  return std::nullopt;
}

Comparison::Comparison(const std::vector<runtime::ValueInfo>& outputs,
                       const std::vector<data::OutputMeaning>& meanings) {
  for (const runtime::ValueInfo& info : outputs) {
    Output& output = outputs_.emplace_back();
    output.name = info.name;
    output.dtype = info.dtype;
  }
  for (const data::OutputMeaning& meaning : meanings) {
    const auto output = std::find_if(outputs_.begin(), outputs_.end(), [&](const Output& o) {
      return meaning.output.empty() || o.name == meaning.output;
    });
    if (output == outputs_.end()) {
      throw Error(Code::kInput, fmt::format("the data declares output '{}', which the model "
                                            "does not have",
                                            meaning.output));
    }
    output->kind = meaning.kind;
    output->blank = meaning.blank;
  }
}

void Comparison::add(std::string_view sample, std::span<const TensorView> reference,
                     std::span<const TensorView> candidate) {
  INGOT_CHECK(reference.size() == outputs_.size() && candidate.size() == outputs_.size());
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    add_one(outputs_[i], sample, reference[i], candidate[i]);
  }
  ++samples_;
}

void Comparison::add(std::string_view sample, const runtime::Results& reference,
                     const runtime::Results& candidate) {
  std::vector<TensorView> a, b;
  for (std::size_t i = 0; i < reference.size(); ++i) a.push_back(reference.view(i));
  for (std::size_t i = 0; i < candidate.size(); ++i) b.push_back(candidate.view(i));
  add(sample, a, b);
}

void Comparison::add(std::string_view sample, std::span<const Tensor> reference,
                     std::span<const Tensor> candidate) {
  std::vector<TensorView> a, b;
  for (const Tensor& tensor : reference) a.push_back(tensor.view());
  for (const Tensor& tensor : candidate) b.push_back(tensor.view());
  add(sample, a, b);
}

void Comparison::add_one(Output& output, std::string_view sample, const TensorView& reference,
                         const TensorView& candidate) {
  if (output.dtype == DType::kUndefined) output.dtype = reference.dtype;
  if (reference.dtype != candidate.dtype) {
    note_first(output.findings, "type",
               fmt::format("type {}, wanted {} (sample '{}')", dtype_name(candidate.dtype),
                           dtype_name(reference.dtype), sample));
  }
  if (reference.shape != candidate.shape) {
    note_first(output.findings, "shape",
               fmt::format("shape {}, wanted {} (sample '{}')", to_string(candidate.shape),
                           to_string(reference.shape), sample));
    return;
  }
  if (is_float(reference.dtype) && is_float(candidate.dtype)) {
    add_floats(output, sample, reference, candidate);
  } else if (reference.dtype == candidate.dtype) {
    add_exact(output, sample, reference, candidate);
  }
}

void Comparison::add_floats(Output& output, std::string_view sample, const TensorView& reference,
                            const TensorView& candidate) {
  metrics::ElementErrors errors;
  const auto places = errors.add(reference, candidate);
  output.elements += errors.count();
  if (places.unlike >= 0 && !output.first_unlike) {
    output.first_unlike = place_at(sample, places.unlike, reference, candidate);
  }
  if (errors.max_abs_error() > output.errors.max_abs_error()) {
    output.largest_error = place_at(sample, places.largest_error, reference, candidate);
  }
  const double rel_l2 = value_of("rel_l2", errors);
  if (rel_l2 > output.worst_rel_l2) {
    output.worst_rel_l2 = rel_l2;
    output.worst_sample = sample;
  }
  output.errors.merge(errors);
  if (metrics::has_classes(reference)) metrics::add_top1(output.top1, reference, candidate);
  if (output.kind == data::OutputKind::kCtc) {
    with_context([&] { return fmt::format("output '{}', sample '{}'", output.name, sample); },
                 [&] { metrics::add_text(output.text, reference, candidate, output.blank); });
  }
}

void Comparison::add_exact(Output& output, std::string_view sample, const TensorView& reference,
                           const TensorView& candidate) {
  output.elements += reference.count();
  const auto unequal = metrics::count_unequal(reference, candidate);
  output.unequal += unequal.count;
  if (unequal.count > 0 && !output.largest_error) {
    output.largest_error = place_at(sample, unequal.first, reference, candidate);
  }
}

void Comparison::merge(const Comparison& other) {
  INGOT_CHECK(outputs_.size() == other.outputs_.size());
  samples_ += other.samples_;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output& mine = outputs_[i];
    const Output& theirs = other.outputs_[i];
    const bool larger = mine.errors.max_abs_error() < theirs.errors.max_abs_error();
    if (larger || !mine.largest_error) mine.largest_error = theirs.largest_error;
    if (!mine.first_unlike) mine.first_unlike = theirs.first_unlike;
    if (theirs.worst_rel_l2 > mine.worst_rel_l2) {
      mine.worst_rel_l2 = theirs.worst_rel_l2;
      mine.worst_sample = theirs.worst_sample;
    }
    if (mine.dtype == DType::kUndefined) mine.dtype = theirs.dtype;
    mine.errors.merge(theirs.errors);
    mine.top1.merge(theirs.top1);
    mine.text.merge(theirs.text);
    mine.elements += theirs.elements;
    mine.unequal += theirs.unequal;
    for (const std::string& finding : theirs.findings) {
      note_first(mine.findings, std::string_view(finding).substr(0, finding.find(' ')), finding);
    }
  }
}

std::vector<OutputRow> Comparison::rows() const {
  std::vector<OutputRow> rows;
  for (const Output& output : outputs_) {
    OutputRow& row = rows.emplace_back();
    row.output = output.name;
    row.dtype = output.dtype;
    row.kind = output.kind;
    row.samples = samples_;
    row.elements = output.elements;
    row.non_finite_alike = output.errors.non_finite_alike();
    row.non_finite_unlike = output.errors.non_finite_unlike();
    row.unequal = output.unequal;
    row.largest_error = output.largest_error;
    row.first_unlike = output.first_unlike;
    row.worst_sample = output.worst_sample;
    row.worst_sample_rel_l2 = output.worst_rel_l2;
    row.findings = output.findings;
    if (!row.is_float()) continue;
    for (const metrics::Metric& metric : metrics::comparison_metrics()) {
      const auto value = metric_value(metric, output.errors, output.top1, output.text);
      if (value) row.metrics.push_back({&metric, *value});
    }
  }
  return rows;
}

}  // namespace ingot::verify
