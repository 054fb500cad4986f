// SPDX-License-Identifier: Apache-2.0
// A sample against the model's inputs.
#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "data/dataset.h"

namespace ingot::data {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

template <class T, class IsBad>
std::size_t find_bad(const TensorView& view, IsBad is_bad) {
  const std::span<const T> values = view.as<T>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_bad(values[i])) return i;
  }
  return kNone;
}

/// Index of the first NaN or Inf; kNone when there is none.
std::size_t first_not_finite(const TensorView& view) {
  // All bits of the exponent set.
  constexpr unsigned kHalfExponent = 0x7C00, kBfloat16Exponent = 0x7F80;
  switch (view.dtype) {
    case DType::kFloat:
      return find_bad<float>(view, [](float v) { return !std::isfinite(v); });
    case DType::kDouble:
      return find_bad<double>(view, [](double v) { return !std::isfinite(v); });
    case DType::kFloat16:
      return find_bad<std::uint16_t>(
          view, [](unsigned v) { return (v & kHalfExponent) == kHalfExponent; });
    case DType::kBfloat16:
      return find_bad<std::uint16_t>(
          view, [](unsigned v) { return (v & kBfloat16Exponent) == kBfloat16Exponent; });
    default:
      return kNone;
  }
}

bool fits(const Shape& wanted, const Shape& got) {
  if (wanted.empty()) return true;
  if (wanted.size() != got.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] >= 0 && wanted[i] != got[i]) return false;
  }
  return true;
}

void check_tensor(const std::string& sample, const InputSpec& spec, const Tensor& tensor) {
  if (tensor.dtype != spec.dtype || !fits(spec.shape, tensor.shape)) {
    throw Error(Code::kInput, fmt::format("'{}': input '{}' wants {} {}, got {} {}", sample,
                                          spec.name, dtype_name(spec.dtype), to_string(spec.shape),
                                          dtype_name(tensor.dtype), to_string(tensor.shape)));
  }
  if (const std::size_t bad = first_not_finite(tensor.view()); bad != kNone) {
    throw Error(Code::kInput,
                fmt::format("'{}': input '{}' has a NaN or Inf (element {}), wanted finite numbers",
                            sample, spec.name, bad));
  }
}

}  // namespace

void check_sample(Sample& sample, const std::vector<InputSpec>& specs) {
  std::map<std::string, Tensor> taken;
  for (const InputSpec& spec : specs) {
    const auto found = sample.inputs.find(spec.name);
    if (found != sample.inputs.end()) {
      check_tensor(sample.name, spec, found->second);
      taken.insert(sample.inputs.extract(found));
    } else if (spec.required) {
      std::vector<std::string> names;
      for (const auto& [name, tensor] : sample.inputs) names.push_back(name);
      throw Error(Code::kInput, fmt::format("'{}': input '{}' is missing, wanted {} {}{}",
                                            sample.name, spec.name, dtype_name(spec.dtype),
                                            to_string(spec.shape), did_you_mean(spec.name, names)));
    }
  }
  sample.inputs = std::move(taken);
}

}  // namespace ingot::data
