// SPDX-License-Identifier: Apache-2.0
// BatchNormalization folded into the Conv, ConvTranspose or Gemm that feeds only it.
#include "converters/fold_chain.h"
#include "converters/passes/passes.h"

namespace ingot::converters {

void fold_batch_norm(PassContext& context) { fold_chains_back(context, read_batch_norm); }

}  // namespace ingot::converters
