// SPDX-License-Identifier: Apache-2.0
// The functions behind the rows of the pass table in pipeline.cc: one per file here, named like the
// row.
#pragma once

#include "converters/node_kinds.h"
#include "converters/pipeline.h"
#include "converters/proven_types.h"

namespace ingot::converters {

void inline_functions(PassContext& context);
void rename_clashes(PassContext& context);
void sort_graphs(PassContext& context);
void name_nodes(PassContext& context);
void separate_weights(PassContext& context);
void lift_constants(PassContext& context);
void inline_constant_if(PassContext& context);
void remove_identity(PassContext& context);
void remove_no_ops(PassContext& context);
void merge_casts(PassContext& context);
void merge_reshapes(PassContext& context);
void merge_transposes(PassContext& context);
void fold_constants(PassContext& context);
void fix_reshapes(PassContext& context);
void fold_batch_norm(PassContext& context);
void recover_hard_swish(PassContext& context);
void fold_affine_back(PassContext& context);
void fold_affine_forward(PassContext& context);
void share_nodes(PassContext& context);
void share_weights(PassContext& context);
void remove_dead_code(PassContext& context);

}  // namespace ingot::converters
