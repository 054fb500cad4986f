// SPDX-License-Identifier: Apache-2.0
// Mul, Add, Sub and Div by constants per channel folded into the Conv, ConvTranspose or Gemm that
// feeds only them.
#include "converters/fold_chain.h"
#include "converters/passes/passes.h"

namespace ingot::converters {

void fold_affine_back(PassContext& context) { fold_chains_back(context, read_elementwise); }

}  // namespace ingot::converters
