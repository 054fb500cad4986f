// SPDX-License-Identifier: Apache-2.0
#include "verify/generated_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/text.h"

namespace ingot::verify {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

enum class Floats { kNormal, kUnit, kWide };
enum class Integers { kIds, kBits, kOnes, kZeros };

/// One way to fill what a model leaves open.
struct Attempt {
  std::int64_t batch, sequence, spatial;
  Floats floats;
  Integers integers;
};

/// The first three differ in every free size and in the kind of values. Those after them are for
/// models that refuse: integers that are valid as index into a table of two, as count, axis or
/// shape; pictures, sequences and windows of sound of usual fixed sizes.
constexpr std::array<Attempt, 13> kAttempts{{
    {1, 8, 64, Floats::kNormal, Integers::kIds},
    {2, 5, 96, Floats::kUnit, Integers::kIds},
    {3, 12, 32, Floats::kWide, Integers::kIds},
    {1, 8, 64, Floats::kNormal, Integers::kBits},
    {2, 5, 96, Floats::kUnit, Integers::kBits},
    {1, 16, 224, Floats::kNormal, Integers::kIds},
    {1, 1, 32, Floats::kNormal, Integers::kOnes},
    {1, 8, 64, Floats::kNormal, Integers::kZeros},
    {4, 4, 4, Floats::kNormal, Integers::kBits},
    {2, 3, 3, Floats::kUnit, Integers::kOnes},
    {1, 1, 1, Floats::kUnit, Integers::kOnes},
    {1, 128, 512, Floats::kNormal, Integers::kBits},
    {1, 512, 512, Floats::kUnit, Integers::kBits},
}};

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
/// 2014): the same bits everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  /// In [0, 1), 32 bits.
  double unit() { return static_cast<double>(bits() >> 32U) * 0x1p-32; }
  /// Nearly normal: twelve uniforms minus six, which needs no function whose last bit differs
  /// between C libraries.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t word = bits();
      sum += static_cast<double>(word >> 32U) * 0x1p-32 +
             static_cast<double>(word & 0xffffffffU) * 0x1p-32;
    }
    return sum;
  }
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }

 private:
  std::uint64_t state_;
};

bool has_word(std::string_view name, std::string_view word) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find(word) != std::string::npos;
}

/// The size of a free dimension: by what its name says, else by its place.
std::int64_t size_of(std::string_view name, std::size_t axis, std::size_t rank,
                     const Attempt& attempt) {
  if (has_word(name, "batch")) return attempt.batch;
  if (has_word(name, "seq") || has_word(name, "length") || has_word(name, "time"))
    return attempt.sequence;
  if (has_word(name, "height") || has_word(name, "width")) return attempt.spatial;
  if (axis == 0) return attempt.batch;
  return rank >= 4 && axis >= 2 ? attempt.spatial : attempt.sequence;
}

/// Sizes of named dimensions, one per name; "past + 1" is the sum of its terms.
class Sizes {
 public:
  explicit Sizes(const Attempt& attempt) : attempt_(attempt) {}

  std::int64_t of(const std::string& name, std::size_t axis, std::size_t rank) {
    if (name.empty()) return size_of(name, axis, rank, attempt_);
    if (name.find(" + ") == std::string::npos) return term(name, axis, rank);
    std::int64_t sum = 0;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find(" + ", begin), name.size());
      sum += term(name.substr(begin, end - begin), axis, rank);
      begin = end + 3;
    }
    return sum;
  }

 private:
  std::int64_t term(const std::string& name, std::size_t axis, std::size_t rank) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc() && end == name.data() + name.size()) return number;
    return by_name_.try_emplace(name, size_of(name, axis, rank, attempt_)).first->second;
  }

  const Attempt& attempt_;
  std::map<std::string, std::int64_t> by_name_;
};

double float_value(Random& random, Floats style) {
  switch (style) {
    case Floats::kUnit:
      return random.unit();
    case Floats::kWide:
      return 4 * random.normal();
    case Floats::kNormal:
      break;
  }
  return random.normal();
}

std::int64_t integer_value(Random& random, Integers style) {
  switch (style) {
    case Integers::kBits:
      return static_cast<std::int64_t>(random.below(2));
    case Integers::kOnes:
      return 1;
    case Integers::kZeros:
      return 0;
    case Integers::kIds:
      break;
  }
  return static_cast<std::int64_t>(random.below(16));
}

/// Element number `i` of an input as a number: by the input's name where that says what it is.
double value_at(const InputDescription& input, const Shape& shape, std::int64_t i,
                const Attempt& attempt, Random& random) {
  const std::int64_t row = shape.empty() ? 1 : std::max<std::int64_t>(shape.back(), 1);
  const std::int64_t column = i % row;
  // Two thirds ones, then zeros: what a padded batch looks like. The first attempt keeps
  // everything.
  if (has_word(input.name, "mask"))
    return attempt.floats == Floats::kNormal || column * 3 < row * 2 ? 1 : 0;
  const bool integer = !is_float(input.dtype);
  if (integer && has_word(input.name, "position")) return static_cast<double>(column);
  if (integer && has_word(input.name, "length")) return static_cast<double>(attempt.sequence);
  if (integer) return static_cast<double>(integer_value(random, attempt.integers));
  return float_value(random, attempt.floats);
}

template <class T, class Make>
void fill(Tensor& tensor, const Make& make) {
  const std::int64_t count = tensor.count();
  for (std::int64_t i = 0; i < count; ++i) {
    const T value = make(i);
    std::memcpy(tensor.bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
}

/// Types of 8 bits and less hold quantized values: any pattern, but for the NaN of 8-bit floats
/// (both top bits of the exponent off).
void fill_bytes(Tensor& tensor, Random& random) {
  const bool number = tensor.dtype == DType::kFloat8e4m3fn ||
                      tensor.dtype == DType::kFloat8e4m3fnuz ||
                      tensor.dtype == DType::kFloat8e5m2 ||
                      tensor.dtype == DType::kFloat8e5m2fnuz || tensor.dtype == DType::kFloat8e8m0;
  for (std::byte& byte : tensor.bytes)
    byte = std::byte{static_cast<unsigned char>(random.bits() & (number ? 0x3fU : 0xffU))};
}

template <class T, class Value>
void fill_cast(Tensor& tensor, const Value& value) {
  fill<T>(tensor, [&](std::int64_t i) { return static_cast<T>(value(i)); });
}

/// False when nothing can be made up for the type.
bool fill_values(Tensor& tensor, const InputDescription& input, const Attempt& attempt,
                 Random& random) {
  const auto value = [&](std::int64_t i) {
    return value_at(input, tensor.shape, i, attempt, random);
  };
  const bool small_ids = attempt.integers != Integers::kIds || has_word(input.name, "mask");
  switch (tensor.dtype) {
    case DType::kFloat:
      fill_cast<float>(tensor, value);
      return true;
    case DType::kDouble:
      fill_cast<double>(tensor, value);
      return true;
    case DType::kFloat16:
      fill<std::uint16_t>(
          tensor, [&](std::int64_t i) { return float_to_half(static_cast<float>(value(i))); });
      return true;
    case DType::kBfloat16:
      // The upper half of a float32 is a bfloat16.
      fill<std::uint16_t>(tensor, [&](std::int64_t i) {
        return static_cast<std::uint16_t>(
            std::bit_cast<std::uint32_t>(static_cast<float>(value(i))) >> 16U);
      });
      return true;
    case DType::kInt64:
      fill_cast<std::int64_t>(tensor, value);
      return true;
    case DType::kUint64:
      fill_cast<std::uint64_t>(tensor, value);
      return true;
    case DType::kInt32:
      fill_cast<std::int32_t>(tensor, value);
      return true;
    case DType::kUint32:
      fill_cast<std::uint32_t>(tensor, value);
      return true;
    case DType::kInt16:
      fill_cast<std::int16_t>(tensor, value);
      return true;
    case DType::kUint16:
      fill_cast<std::uint16_t>(tensor, value);
      return true;
    case DType::kInt8:
    case DType::kUint8:
      if (!small_ids)
        fill_bytes(tensor, random);
      else
        fill_cast<std::uint8_t>(tensor, value);
      return true;
    case DType::kBool:
      fill<std::uint8_t>(tensor, [&](std::int64_t i) {
        return static_cast<std::uint8_t>(
            has_word(input.name, "mask") ? value(i) : static_cast<double>(random.below(2)));
      });
      return true;
    case DType::kString:
      for (std::string& text : tensor.strings)
        text = std::string(1, static_cast<char>('a' + random.below(4)));
      return true;
    case DType::kUndefined:
    case DType::kComplex64:
    case DType::kComplex128:
      return false;
    default:
      fill_bytes(tensor, random);
      return true;
  }
}

Error cannot_generate(const InputDescription& input, std::string_view why) {
  return Error(Code::kUnsupported,
               fmt::format("input '{}' {}: no values can be made up for it", input.name, why),
               "give samples with --data");
}

}  // namespace

std::vector<InputDescription> describe_inputs(const std::vector<runtime::ValueInfo>& inputs,
                                              const graph::Model* model) {
  std::vector<InputDescription> descriptions;
  for (const runtime::ValueInfo& info : inputs) {
    InputDescription& input =
        descriptions.emplace_back(InputDescription{info.name, info.dtype, info.shape, {}});
    if (!info.is_tensor) throw cannot_generate(input, "is not a tensor");
    input.dimension_names.resize(info.shape.size());
    if (model == nullptr) continue;
    for (const onnx::ValueInfoProto& declared : model->graph().input()) {
      const auto& shape = declared.type().tensor_type().shape();
      if (declared.name() != info.name || shape.dim_size() != static_cast<int>(info.shape.size()))
        continue;
      for (int axis = 0; axis < shape.dim_size(); ++axis) {
        input.dimension_names[static_cast<std::size_t>(axis)] = shape.dim(axis).dim_param();
      }
    }
  }
  return descriptions;
}

int attempt_count() { return static_cast<int>(kAttempts.size()); }

std::map<std::string, Tensor> generate_inputs(const std::vector<InputDescription>& inputs,
                                              int attempt, std::uint64_t seed) {
  INGOT_CHECK(attempt >= 0 && attempt < attempt_count());
  const Attempt& how = kAttempts[static_cast<std::size_t>(attempt)];
  Random random(seed * 1000 + static_cast<std::uint64_t>(attempt));
  Sizes sizes(how);
  std::map<std::string, Tensor> made;
  for (const InputDescription& input : inputs) {
    Shape shape = input.shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] >= 0) continue;
      shape[axis] = sizes.of(
          axis < input.dimension_names.size() ? input.dimension_names[axis] : std::string(), axis,
          shape.size());
    }
    // Strings weigh more than their letters.
    const std::size_t bytes = byte_count(
        input.dtype == DType::kString ? DType::kComplex128 : input.dtype, element_count(shape));
    if (bytes > kMaxBytes)
      throw cannot_generate(
          input, fmt::format("of shape {} takes {}", to_string(shape), format_bytes(bytes)));
    Tensor tensor = Tensor::zeros(input.dtype, shape);
    if (!fill_values(tensor, input, how, random))
      throw cannot_generate(input, fmt::format("of type {}", dtype_name(input.dtype)));
    made.emplace(input.name, std::move(tensor));
  }
  return made;
}

}  // namespace ingot::verify
