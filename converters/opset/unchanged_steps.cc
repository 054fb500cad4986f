// SPDX-License-Identifier: Apache-2.0
// Steps that leave a node as it is: types were added, and inputs and attributes whose default is
// the old behaviour. On the way down a node that uses such an addition is refused
// (older_version.h).
#include <array>

#include "converters/opset/steps.h"

namespace ingot::converters {
namespace {

// A new version of an operator: add it to the row of its step, or a row.
constexpr auto kUnchanged = std::to_array<StepRow>({
    {"GRU", 1, 3, {}, {}},
    {"Gemm", 1, 6, {}, {}},
    {"AveragePool", 1, 7, {}, {}},
    {"MaxPool", 1, 8, {}, {}},
    {"Constant Flatten MatMul", 1, 9, {}, {}},
    {"Conv ConvTranspose DepthToSpace If Loop", 1, 11, {}, {}},
    {"Identity LRN Shape Size SpaceToDepth Transpose", 1, 13, {}, {}},
    {"GlobalAveragePool GlobalMaxPool LpNormalization MaxRoiPool RandomNormal "
     "RandomNormalLike RandomUniform RandomUniformLike Softplus Softsign",
     1,
     22,
     {},
     {}},
    {"LpPool", 2, 11, {}, {}},
    {"GlobalLpPool", 2, 22, {}, {}},
    {"Reshape", 5, 13, {}, {}},
    {"Cast", 6, 9, {}, {}},
    {"Abs Ceil Exp Floor Log Neg Reciprocal Relu Sigmoid Sqrt Tanh Tile", 6, 13, {}, {}},
    {"LeakyRelu", 6, 16, {}, {}},
    {"Elu HardSigmoid InstanceNormalization Selu", 6, 22, {}, {}},
    {"Gemm Greater Less PRelu", 7, 9, {}, {}},
    {"AveragePool", 7, 10, {}, {}},
    {"Equal", 7, 11, {}, {}},
    {"Pow", 7, 12, {}, {}},
    {"Add Div Mul Sub", 7, 13, {}, {}},
    {"GRU LSTM RNN", 7, 14, {}, {}},
    {"Acos Asin Atan Cos Multinomial Sin Tan", 7, 22, {}, {}},
    {"MaxPool", 8, 10, {}, {}},
    {"Max Min", 8, 12, {}, {}},
    {"Expand Mean Sum", 8, 13, {}, {}},
    {"Constant Gemm MaxUnpool Scan", 9, 11, {}, {}},
    {"Cast Greater IsNaN Less MatMul MeanVarianceNormalization NonZero Sign", 9, 13, {}, {}},
    {"PRelu Where", 9, 16, {}, {}},
    {"ConstantOfShape", 9, 20, {}, {}},
    {"Acosh Asinh Atanh Cosh EyeLike Sinh", 9, 22, {}, {}},
    {"AveragePool MaxPool NonMaxSuppression Slice", 10, 11, {}, {}},
    {"DequantizeLinear Mod QuantizeLinear", 10, 13, {}, {}},
    {"IsInf", 10, 20, {}, {}},
    {"QLinearMatMul", 10, 21, {}, {}},
    {"ThresholdedRelu", 10, 22, {}, {}},
    {"ReverseSequence", 10, 28, {}, {}},
    {"ArgMax ArgMin Clip GatherND MaxPool ReduceMax ReduceMin", 11, 12, {}, {}},
    {"Concat DepthToSpace Equal Flatten Gather GatherElements Gemm If Loop Pad "
     "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceProd "
     "ReduceSumSquare ScatterElements ScatterND Slice",
     11,
     13,
     {},
     {}},
    {"CumSum", 11, 14, {}, {}},
    {"Scan", 11, 16, {}, {}},
    {"LpPool", 11, 18, {}, {}},
    {"AveragePool", 11, 19, {}, {}},
    {"Conv ConvTranspose Det MaxUnpool Round", 11, 22, {}, {}},
    {"SplitToSequence TopK", 11, 24, {}, {}},
    {"Range", 11, 27, {}, {}},
    {"BitShift Compress OneHot Unique", 11, 28, {}, {}},
    {"ArgMax ArgMin Clip Constant Dropout GatherND Max Min NegativeLogLikelihoodLoss "
     "Pow ReduceMax ReduceMin SoftmaxCrossEntropyLoss",
     12,
     13,
     {},
     {}},
    {"GreaterOrEqual LessOrEqual", 12, 16, {}, {}},
    {"MaxPool", 12, 22, {}, {}},
    {"Celu Einsum", 12, 28, {}, {}},
    {"Add Div Identity Mul Relu Sub", 13, 14, {}, {}},
    {"Pow", 13, 15, {}, {}},
    {"If Loop ScatterElements ScatterND", 13, 16, {}, {}},
    {"Cast Constant DequantizeLinear Equal QuantizeLinear Size", 13, 19, {}, {}},
    {"IsNaN", 13, 20, {}, {}},
    {"Flatten Squeeze Transpose Unsqueeze", 13, 21, {}, {}},
    {"Dropout NegativeLogLikelihoodLoss", 13, 22, {}, {}},
    {"DepthToSpace SpaceToDepth", 13, 28, {}, {}},
    {"BatchNormalization", 14, 15, {}, {}},
    {"Identity", 14, 16, {}, {}},
    {"Reshape", 14, 19, {}, {}},
    {"GRU HardSwish LSTM RNN", 14, 22, {}, {}},
    {"OptionalGetElement OptionalHasElement", 15, 18, {}, {}},
    {"CastLike Shape", 15, 19, {}, {}},
    {"Bernoulli", 15, 22, {}, {}},
    {"Optional", 15, 28, {}, {}},
    {"Identity If Loop Scan", 16, 19, {}, {}},
    {"RoiAlign", 16, 22, {}, {}},
    {"ReduceMax ReduceMin", 18, 20, {}, {}},
    {"LpPool Mish", 18, 22, {}, {}},
    {"OptionalGetElement OptionalHasElement", 18, 28, {}, {}},
    {"Cast CastLike Constant DequantizeLinear Identity If Loop Pad QuantizeLinear "
     "Reshape Scan Shape Size",
     19,
     21,
     {},
     {}},
    {"AveragePool DeformConv", 19, 22, {}, {}},
    {"ConstantOfShape", 20, 21, {}, {}},
    {"GridSample", 20, 22, {}, {}},
    {"Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop "
     "Pad QuantizeLinear Reshape Scan Shape Size Squeeze Transpose Unsqueeze",
     21,
     23,
     {},
     {}},
    {"Attention Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten "
     "Identity If Loop Pad QuantizeLinear Reshape Scan Shape Size Squeeze Transpose "
     "Unsqueeze",
     23,
     24,
     {},
     {}},
    {"Attention Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten "
     "Identity If Loop Pad QuantizeLinear Reshape Scan Shape Size Squeeze Transpose "
     "Unsqueeze",
     24,
     25,
     {},
     {}},
    {"Cast DequantizeLinear QuantizeLinear", 25, 28, {}, {}},
});

}  // namespace

std::span<const StepRow> unchanged_steps() { return kUnchanged; }

}  // namespace ingot::converters
