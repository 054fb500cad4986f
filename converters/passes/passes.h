// SPDX-License-Identifier: Apache-2.0
// The functions behind the rows of the pass table in pipeline.cc: one per file here, named like the
// row.
#pragma once

#include "converters/pipeline.h"

namespace ingot::converters {

void inline_functions(PassContext& context);
void rename_clashes(PassContext& context);
void sort_graphs(PassContext& context);
void name_nodes(PassContext& context);
void separate_weights(PassContext& context);
void lift_constants(PassContext& context);
void remove_identity(PassContext& context);
void fold_constants(PassContext& context);
void fold_batch_norm(PassContext& context);
void recover_hard_swish(PassContext& context);
void fold_affine_back(PassContext& context);
void fold_affine_forward(PassContext& context);
void remove_dead_code(PassContext& context);

}  // namespace ingot::converters
