// SPDX-License-Identifier: Apache-2.0
// Sizes, times and numbers as users write and read them; declared in text.h.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace ingot {
namespace {

/// "12.5 MB" cut into digits before and after the point and the unit.
struct Quantity {
  std::string_view whole, fraction, unit;
};

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

std::optional<Quantity> cut(std::string_view text) {
  Quantity quantity;
  quantity.whole = take_digits(text);
  if (quantity.whole.empty()) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    quantity.fraction = take_digits(text);
    if (quantity.fraction.empty()) return std::nullopt;
  }
  if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
  quantity.unit = text;
  return quantity;
}

struct SizeUnit {
  std::string_view name, lower;
  std::uint64_t bytes;
};

constexpr std::array<SizeUnit, 10> kSizeUnits{{{"", "", 1},
                                               {"B", "b", 1},
                                               {"kB", "kb", 1000},
                                               {"MB", "mb", 1000'000},
                                               {"GB", "gb", 1000'000'000},
                                               {"TB", "tb", 1000'000'000'000},
                                               {"KiB", "kib", std::uint64_t{1} << 10},
                                               {"MiB", "mib", std::uint64_t{1} << 20},
                                               {"GiB", "gib", std::uint64_t{1} << 30},
                                               {"TiB", "tib", std::uint64_t{1} << 40}}};

/// floor(quantity * unit) without rounding on the way; nothing when it does not fit 64 bits.
std::optional<std::uint64_t> scaled(const Quantity& quantity, std::uint64_t unit) {
  std::uint64_t whole = 0;
  const auto parsed =
      std::from_chars(quantity.whole.data(), quantity.whole.data() + quantity.whole.size(), whole);
  if (parsed.ec != std::errc() || whole > std::numeric_limits<std::uint64_t>::max() / unit)
    return std::nullopt;
  // 0.d1d2…dk * unit from the last digit on: floor((d*unit + x) / 10) is the same for x and
  // floor(x).
  std::uint64_t part = 0;
  for (auto digit = quantity.fraction.rbegin(); digit != quantity.fraction.rend(); ++digit) {
    part = (static_cast<std::uint64_t>(*digit - '0') * unit + part) / 10;
  }
  const std::uint64_t bytes = whole * unit;
  if (bytes > std::numeric_limits<std::uint64_t>::max() - part) return std::nullopt;
  return bytes + part;
}

struct TimeUnit {
  std::string_view name;
  int exponent;  // power of ten, applied in the decimal text so that 20ms is the double nearest to
                 // 0.02
  double seconds;  // for what is no power of ten
};

constexpr std::array<TimeUnit, 6> kTimeUnits{
    {{"ns", -9, 1}, {"us", -6, 1}, {"ms", -3, 1}, {"s", 0, 1}, {"min", 0, 60}, {"h", 0, 3600}}};

std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

}  // namespace

std::uint64_t parse_size_bytes(std::string_view text) {
  const auto fail = [&](std::string_view why) {
    return Error(
        Code::kUsage,
        fmt::format(
            "size '{}' {}; wanted a number and a unit, such as '6MB', '1.5GiB' or '4096' (bytes)",
            text, why));
  };
  const auto quantity = cut(text);
  if (!quantity) throw fail("is not a size");
  for (const SizeUnit& unit : kSizeUnits) {
    if (quantity->unit != unit.name && quantity->unit != unit.lower) continue;
    const auto bytes = scaled(*quantity, unit.bytes);
    if (!bytes) throw fail("is too large");
    return *bytes;
  }
  throw fail(fmt::format("has the unknown unit '{}'", quantity->unit));
}

double parse_seconds(std::string_view text) {
  const auto fail = [&](std::string_view why) {
    return Error(
        Code::kUsage,
        fmt::format("time '{}' {}; wanted a number and a unit, such as '20ms', '1.5s' or '2min'",
                    text, why));
  };
  const auto quantity = cut(text);
  if (!quantity) throw fail("is not a time");
  if (quantity->unit.empty()) throw fail("has no unit");
  for (const TimeUnit& unit : kTimeUnits) {
    if (quantity->unit != unit.name) continue;
    const std::string decimal =
        fmt::format("{}.{}e{}", quantity->whole,
                    quantity->fraction.empty() ? "0" : quantity->fraction, unit.exponent);
    double value = 0;
    const auto parsed = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    if (parsed.ec != std::errc()) throw fail("is out of range");
    return value * unit.seconds;
  }
  throw fail(fmt::format("has the unknown unit '{}'", quantity->unit));
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  constexpr std::array<const char*, 5> kNames{"KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t i = 0;
  // 1023.95 would be printed as 1024.0.
  while (value >= 1023.95 && i + 1 < kNames.size()) {
    value /= 1024;
    ++i;
  }
  return fmt::format("{:.1f} {}", value, kNames[i]);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return format_number(seconds) + " s";
  if (seconds < 0) return "-" + format_seconds(-seconds);
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds) + " s";
}

std::string format_number(double value) {
  // A NaN has a sign (0/0 gives one on x86), which says nothing.
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

}  // namespace ingot
