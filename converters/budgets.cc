// SPDX-License-Identifier: Apache-2.0
#include "converters/budgets.h"

#include <algorithm>

namespace ingot::converters {
namespace {

constexpr std::uint64_t kFewNodes = 100'000, kMostNodes = 1'000'000;
constexpr std::uint64_t kFewBytes = std::uint64_t{1} << 20;

}  // namespace

std::uint64_t inlined_limit(const Budgets& budgets, std::uint64_t file_nodes) {
  if (budgets.inlined_nodes > 0) return budgets.inlined_nodes;
  return std::min(std::max(4 * file_nodes, kFewNodes), kMostNodes);
}

std::uint64_t dense_limit(const Budgets& budgets, std::uint64_t stored_bytes) {
  if (budgets.dense_bytes > 0) return budgets.dense_bytes;
  return std::max(4 * stored_bytes, kFewBytes);
}

}  // namespace ingot::converters
