// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparisons and logic element by element, with numpy's broadcasting. Only what IEEE
// 754 or the integers leave no choice in; float16 and bfloat16 are computed in float32 by some
// runtimes and are left to them.
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "converters/evaluators.h"

namespace ingot::converters {
namespace {

/// Computes `f(a, b, out)` over the broadcast inputs; `f` returns false where the result is open.
template <class T, class R, class F>
Results broadcast(const Call& call, F f) {
  const TensorView &a = call.inputs[0], &b = call.inputs[1];
  const auto shape = broadcast_shape(a.shape, b.shape);
  if (!shape || !fits_bytes(dtype_of<R>(), *shape, call.max_bytes)) return std::nullopt;
  Tensor out = Tensor::zeros(dtype_of<R>(), *shape);
  StridedWalk walk(out.shape,
                   {broadcast_strides(a.shape, *shape), broadcast_strides(b.shape, *shape)});
  for (std::size_t i = 0; i * sizeof(R) < out.bytes.size(); ++i, walk.next()) {
    R result{};
    if (!f(element<T>(a, static_cast<std::size_t>(walk.at(0))),
           element<T>(b, static_cast<std::size_t>(walk.at(1))), result)) {
      return std::nullopt;
    }
    set_element(out, i, result);
  }
  return only(std::move(out));
}

template <class T>
bool divide(T a, T b, T& out) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0 || (std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == T(-1)))
      return false;
  }
  out = static_cast<T>(a / b);
  return true;
}

/// Takes the sign of the divisor, as Python's; `as_c`: of the dividend.
template <class T>
bool remainder(T a, T b, bool as_c, T& out) {
  T quotient{};
  if (!std::is_integral_v<T> || !divide(a, b, quotient)) return false;
  out = static_cast<T>(a - static_cast<T>(quotient * b));
  if (!as_c && out != 0 && ((out < 0) != (b < 0))) out = static_cast<T>(out + b);
  return true;
}

/// Which of two zeros or a NaN is the larger is not settled between runtimes.
template <class T>
bool is_ordered(T a, T b) {
  return a < b || a > b || (a == b && a != T{});
}

template <class T>
Results arithmetic(const Call& call, const std::string& op) {
  constexpr bool kFloating = std::is_floating_point_v<T>;
  const auto sum = [](T a, T b, T& out) {
    if constexpr (!kFloating) return !__builtin_add_overflow(a, b, &out);
    out = a + b;
    return true;
  };
  const auto difference = [](T a, T b, T& out) {
    if constexpr (!kFloating) return !__builtin_sub_overflow(a, b, &out);
    out = a - b;
    return true;
  };
  const auto product = [](T a, T b, T& out) {
    if constexpr (!kFloating) return !__builtin_mul_overflow(a, b, &out);
    out = a * b;
    return true;
  };
  if (op == "Add") return broadcast<T, T>(call, sum);
  if (op == "Sub") return broadcast<T, T>(call, difference);
  if (op == "Mul") return broadcast<T, T>(call, product);
  if (op == "Div") return broadcast<T, T>(call, divide<T>);
  if (op == "Max" || op == "Min") {
    const bool larger = op == "Max";
    return broadcast<T, T>(call, [larger](T a, T b, T& out) {
      out = (a > b) == larger ? a : b;
      return !kFloating || is_ordered(a, b);
    });
  }
  if (op == "Mod") {
    if constexpr (!kFloating) {
      const bool as_c = graph::int_attribute(call.node, "fmod", 0) != 0;
      return broadcast<T, T>(call, [as_c](T a, T b, T& out) { return remainder(a, b, as_c, out); });
    }
  }
  return std::nullopt;
}

template <class T>
Results comparison(const Call& call, const std::string& op) {
  const auto compare = [&call](auto holds) {
    return broadcast<T, bool>(call, [holds](T a, T b, bool& out) {
      out = holds(a, b);
      return true;
    });
  };
  if (op == "Equal") return compare(std::equal_to<T>());
  if constexpr (std::is_same_v<T, bool>) {
    if (op == "And") return compare(std::logical_and<T>());
    if (op == "Or") return compare(std::logical_or<T>());
    if (op == "Xor") return compare(std::not_equal_to<T>());
    return std::nullopt;
  }
  if (op == "Less") return compare(std::less<T>());
  if (op == "Greater") return compare(std::greater<T>());
  if (op == "LessOrEqual") return compare(std::less_equal<T>());
  if (op == "GreaterOrEqual") return compare(std::greater_equal<T>());
  return std::nullopt;
}

template <class T>
Results binary(const Call& call) {
  const std::string& op = call.node.op_type();
  if (auto compared = comparison<T>(call, op)) return compared;
  if constexpr (std::is_same_v<T, bool>) {
    return std::nullopt;
  } else {
    return arithmetic<T>(call, op);
  }
}

template <class T, class F>
Results each(const Call& call, F f) {
  const TensorView& source = call.inputs[0];
  Tensor out = Tensor::zeros(source.dtype, source.shape);
  for (std::size_t i = 0; i * sizeof(T) < out.bytes.size(); ++i) {
    set_element(out, i, f(element<T>(source, i)));
  }
  return only(std::move(out));
}

template <class T>
Results floating_unary(const Call& call) {
  const std::string& op = call.node.op_type();
  if (op == "Abs") return each<T>(call, [](T v) { return std::abs(v); });
  if (op == "Neg") return each<T>(call, [](T v) { return -v; });
  if (op == "Floor") return each<T>(call, [](T v) { return std::floor(v); });
  if (op == "Ceil") return each<T>(call, [](T v) { return std::ceil(v); });
  // A vector's square roots are estimated and refined in some runtimes; a single one is IEEE's.
  if (op == "Sqrt" && call.inputs[0].count() == 1) {
    return each<T>(call, [](T v) { return std::sqrt(v); });
  }
  return std::nullopt;
}

template <class T>
Results integer_unary(const Call& call) {
  const std::string& op = call.node.op_type();
  if (op != "Abs" && op != "Neg") return std::nullopt;
  const bool negates = op == "Neg";
  for (std::size_t i = 0; i < static_cast<std::size_t>(call.inputs[0].count()); ++i) {
    if (element<T>(call.inputs[0], i) == std::numeric_limits<T>::min()) return std::nullopt;
  }
  return each<T>(call, [negates](T v) { return static_cast<T>(negates || v < 0 ? -v : v); });
}

}  // namespace

Results evaluate_binary(const Call& call) {
  // Before opset 7 the second input was aligned by an attribute.
  if (call.opset < 7 || call.inputs.size() != 2 || !call.has(1)) return std::nullopt;
  if (call.inputs[0].dtype != call.inputs[1].dtype) return std::nullopt;
  switch (call.inputs[0].dtype) {
    case DType::kFloat:
      return binary<float>(call);
    case DType::kDouble:
      return binary<double>(call);
    case DType::kInt32:
      return binary<std::int32_t>(call);
    case DType::kInt64:
      return binary<std::int64_t>(call);
    case DType::kBool:
      return binary<bool>(call);
    default:
      return std::nullopt;
  }
}

Results evaluate_unary(const Call& call) {
  switch (call.inputs[0].dtype) {
    case DType::kFloat:
      return floating_unary<float>(call);
    case DType::kDouble:
      return floating_unary<double>(call);
    case DType::kInt32:
      return integer_unary<std::int32_t>(call);
    case DType::kInt64:
      return integer_unary<std::int64_t>(call);
    case DType::kBool:
      if (call.node.op_type() != "Not") return std::nullopt;
      return each<bool>(call, [](bool v) { return !v; });
    default:
      return std::nullopt;
  }
}

Results evaluate_where(const Call& call) {
  if (call.inputs.size() != 3 || !call.has(1) || !call.has(2)) return std::nullopt;
  const TensorView &condition = call.inputs[0], &yes = call.inputs[1], &no = call.inputs[2];
  if (condition.dtype != DType::kBool || yes.dtype != no.dtype) return std::nullopt;
  const auto values = broadcast_shape(yes.shape, no.shape);
  const auto shape = values ? broadcast_shape(condition.shape, *values) : std::nullopt;
  if (!shape || !fits_bytes(yes.dtype, *shape, call.max_bytes)) return std::nullopt;
  Tensor out = Tensor::zeros(yes.dtype, *shape);
  const auto width = static_cast<std::size_t>(dtype_bits(yes.dtype)) / 8;
  StridedWalk walk(
      out.shape, {broadcast_strides(condition.shape, *shape), broadcast_strides(yes.shape, *shape),
                  broadcast_strides(no.shape, *shape)});
  for (std::size_t to = 0; to < out.bytes.size(); to += width, walk.next()) {
    const bool chosen = element<bool>(condition, static_cast<std::size_t>(walk.at(0)));
    const TensorView& source = chosen ? yes : no;
    const auto at = static_cast<std::size_t>(walk.at(chosen ? 1 : 2));
    std::memcpy(out.bytes.data() + to, source.bytes.data() + at * width, width);
  }
  return only(std::move(out));
}

}  // namespace ingot::converters
