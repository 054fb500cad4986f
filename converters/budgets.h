// SPDX-License-Identifier: Apache-2.0
// How much of everything a model may have. A hostile file is small and asks for a lot: each limit
// is a number that real models stay far below, and a message that goes over one names its option.
#pragma once

#include <cstdint>

namespace ingot::converters {

struct Budgets {
  std::uint64_t nested_graphs = 30;   ///< inside one another; the runtime opens no more
  std::uint64_t nodes = 1'000'000;    ///< of all graphs and functions
  std::uint64_t name_bytes = 65'536;  ///< of a node's, tensor's or graph's name
  std::uint64_t dimensions = 16;      ///< of a tensor or declared value
  std::uint64_t inlined_nodes = 0;    ///< with functions written out; 0: inlined_limit
  std::uint64_t dense_bytes = 0;      ///< of a sparse tensor made dense; 0: dense_limit
};

/// 4 × the nodes of the file, at least 100 000, never over 1 000 000; or what the user said.
std::uint64_t inlined_limit(const Budgets& budgets, std::uint64_t file_nodes);
/// 4 × the bytes stored, at least 1 MiB; or what the user said.
std::uint64_t dense_limit(const Budgets& budgets, std::uint64_t stored_bytes);

}  // namespace ingot::converters
