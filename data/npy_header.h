// SPDX-License-Identifier: Apache-2.0
// The head of a .npy file: a magic, a version, and a Python dictionary as text. Private to data/.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/tensor.h"

namespace ingot::data {

struct NpyHeader {
  DType dtype = DType::kUndefined;
  char kind = 0;               ///< NumPy's letter: b i u f c V U S
  std::size_t item_bytes = 0;  ///< of one element
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;  ///< where the elements begin
};

/// Parses the head of `file`. `source` begins each message ("'a.npz': array 'x'"). Throws kInput on
/// anything that is not a plain array.
NpyHeader parse_npy_header(std::span<const std::byte> file, std::string_view source);
/// The head (version 1, padded to 64 bytes) as NumPy writes it. `descr`: "<f4".
std::string npy_header(std::string_view descr, const Shape& shape);

}  // namespace ingot::data
