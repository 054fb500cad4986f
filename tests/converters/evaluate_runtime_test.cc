// SPDX-License-Identifier: Apache-2.0
// Operators that are computed ahead of time, each on constants, against the runtime bit for bit.
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"

namespace ingot {
namespace {

struct Case {
  const char* name;
  const char* type;     ///< of the result
  const char* weights;  ///< initializers in ONNX's text form
  const char* node;     ///< writes c
};

// f: one float of each kind that arithmetic treats apart, NaN left out.
const char* const kFloats = "float[6] f = {0.1, -0.0, 3.75, -2.5, 1e-42, 1e38}";

const Case kCases[] = {
    {"AddOfFloats", "float[2,6]", "float[2,1] g = {0.3, -7.7}", "c = Add(f, g)"},
    {"AddOfIntegers", "int64[3]", "int64[3] a = {1, -2, 3}, int64 b = {40}", "c = Add(a, b)"},
    {"SubOfIntegers", "int32[3]", "int32[3] a = {1, -2, 3}, int32[1] b = {40}", "c = Sub(a, b)"},
    {"MulOfFloats", "float[6]", "float g = {1e-3}", "c = Mul(f, g)"},
    {"DivOfFloats", "float[6]", "float g = {0.3}", "c = Div(f, g)"},
    {"DivOfIntegers", "int64[4]", "int64[4] a = {7, -7, 9, 0}, int64 b = {2}", "c = Div(a, b)"},
    {"ModOfIntegers", "int64[4]", "int64[4] a = {7, -7, 9, -9}, int64[4] b = {2, 3, -4, -4}",
     "c = Mod(a, b)"},
    {"ModAsInC", "int64[4]", "int64[4] a = {7, -7, 9, -9}, int64[4] b = {2, 3, -4, -4}",
     "c = Mod<fmod=1>(a, b)"},
    {"MaxOfIntegers", "int64[2]", "int64[2] a = {7, -7}, int64 b = {2}", "c = Max(a, b)"},
    {"MinOfFloats", "float[6]", "float g = {0.2}", "c = Min(f, g)"},
    {"Equal", "bool[3]", "int64[3] a = {1, -1, 3}, int64 b = {-1}", "c = Equal(a, b)"},
    {"GreaterOfFloats", "bool[6]", "float g = {0.1}", "c = Greater(f, g)"},
    {"LessOrEqual", "bool[3]", "int32[3] a = {1, 2, 3}, int32 b = {2}", "c = LessOrEqual(a, b)"},
    {"GreaterOrEqual", "bool[3]", "int64[3] a = {1, 2, 3}, int64 b = {2}",
     "c = GreaterOrEqual(a, b)"},
    {"And", "bool[2,2]", "bool[2,1] a = {0, 1}, bool[2] b = {0, 1}", "c = And(a, b)"},
    {"Or", "bool[2,2]", "bool[2,1] a = {0, 1}, bool[2] b = {0, 1}", "c = Or(a, b)"},
    {"Xor", "bool[2,2]", "bool[2,1] a = {0, 1}, bool[2] b = {0, 1}", "c = Xor(a, b)"},
    {"Not", "bool[2]", "bool[2] a = {0, 1}", "c = Not(a)"},
    {"NegOfFloats", "float[6]", "", "c = Neg(f)"},
    {"AbsOfIntegers", "int64[3]", "int64[3] a = {1, -2, 0}", "c = Abs(a)"},
    {"Floor", "float[6]", "", "c = Floor(f)"},
    {"Ceil", "float[6]", "", "c = Ceil(f)"},
    {"SqrtOfOne", "float", "float a = {64.3}", "c = Sqrt(a)"},
    {"Where", "int64[2,3]", "bool[2,1] p = {0, 1}, int64[3] a = {1, 2, 3}, int64 b = {-1}",
     "c = Where(p, a, b)"},
    {"RangeDown", "int64[3]", "int64 a = {9}, int64 b = {2}, int64 d = {-3}", "c = Range(a, b, d)"},
    {"RangeOfFloats", "float[5]", "float a = {-1}, float b = {4}, float d = {1}",
     "c = Range(a, b, d)"},
    {"ConstantOfShape", "int32[2,3]", "int64[2] s = {2, 3}",
     "c = ConstantOfShape<value = int32[1] {7}>(s)"},
    {"ConstantOfShapeOfZeros", "float[2,3]", "int64[2] s = {2, 3}", "c = ConstantOfShape(s)"},
    {"Expand", "float[2,6]", "int64[2] s = {2, 1}", "c = Expand(f, s)"},
    {"Tile", "int64[4,6]", "int64[2,2] a = {1, 2, 3, 4}, int64[2] r = {2, 3}", "c = Tile(a, r)"},
    {"GatherAlongTheSecondAxis", "int64[2,2,2]",
     "int64[2,3] a = {1, 2, 3, 4, 5, 6}, int64[2,2] i = {0, -1, 1, 1}", "c = Gather<axis=1>(a, i)"},
    {"Flatten", "int64[2,3]", "int64[2,3,1] a = {1, 2, 3, 4, 5, 6}", "c = Flatten(a)"},
    {"ShapeOfAPart", "int64[1]", "int64[2,3,1] a = {1, 2, 3, 4, 5, 6}",
     "c = Shape<start=-2, end=-1>(a)"},
    {"Size", "int64", "int64[2,3] a = {1, 2, 3, 4, 5, 6}", "c = Size(a)"},
    {"ReduceProd", "int64[2,1]", "int64[2,3] a = {1, 2, 3, 4, 5, -6}",
     "c = ReduceProd<axes=[1]>(a)"},
    {"ReduceMaxOfAll", "int64", "int64[2,3] a = {1, 2, 3, 4, 5, -6}",
     "c = ReduceMax<keepdims=0>(a)"},
    {"ReduceSum", "int64[3]", "int64[2,3] a = {1, 2, 3, 4, 5, -6}, int64[1] x0 = {0}",
     "c = ReduceSum<keepdims=0>(a, x0)"},
    {"ReduceMin", "int32[1,3]", "int32[2,3] a = {1, 2, 3, 4, 5, -6}", "c = ReduceMin<axes=[0]>(a)"},
    {"NonZero", "int64[2,3]", "int64[2,3] a = {1, 0, 3, 0, 0, -6}", "c = NonZero(a)"},
    {"CastFloatToInteger", "int64[3]", "float[3] a = {1.9, -1.9, 1000000.5}", "c = Cast<to=7>(a)"},
    {"CastIntegerWraps", "uint8[3]", "int64[3] a = {-1, 300, 7}", "c = Cast<to=2>(a)"},
    {"CastToBool", "bool[6]", "", "c = Cast<to=9>(f)"},
    {"CastToHalf", "float16[6]", "", "c = Cast<to=10>(f)"},
    {"CastIntegerToFloat", "float[2]", "int64[2] a = {16777217, -9007199254740993}",
     "c = Cast<to=1>(a)"},
};

class EvaluatedNode : public testing::TestWithParam<Case> {};

TEST_P(EvaluatedNode, GivesWhatTheRuntimeGives) {
  const Case& tested = GetParam();
  const std::string weights =
      std::string(kFloats) + (*tested.weights == 0 ? "" : ", ") + tested.weights;
  const auto proto =
      test::proto_of("g (float[1] x) => (" + std::string(tested.type) + " y, float[1] z) <" +
                     weights + "> { " + tested.node + " y = Identity(c) z = Abs(x) }");
  converters::PassOptions options;
  options.skip = {"remove_identity"};
  const test::Cleaned result = test::clean_and_compare(proto, options);
  EXPECT_EQ(result.operators(), "Identity Abs");
  EXPECT_TRUE(result.identical);
}

INSTANTIATE_TEST_SUITE_P(Table, EvaluatedNode, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// What is open in the standard, differs between runtimes or would be a bomb stays in the graph.
const Case kLeft[] = {
    {"DivisionByZero", "int64[1]", "int64[1] a = {7}, int64[1] b = {0}", "c = Div(a, b)"},
    {"Overflow", "int64[1]", "int64[1] a = {9223372036854775807}, int64[1] b = {1}",
     "c = Add(a, b)"},
    {"IndexOutOfRange", "int64[1]", "int64[2] a = {7, 8}, int64[1] i = {2}",
     "c = Gather<axis=0>(a, i)"},
    {"FloatThatFitsNoInteger", "int64[1]", "float[1] a = {1e30}", "c = Cast<to=7>(a)"},
    {"Bomb", "float[N]", "int64[1] s = {4611686018427387904}", "c = ConstantOfShape(s)"},
    {"BombOfTiles", "float[N]", "int64[1] s = {1000000}", "c = Tile(f, s)"},
    {"BombOfTwoAxes", "float[N,M]", "int64[2] s = {4294967296, 4294967296}",
     "c = ConstantOfShape(s)"},
    {"EndlessRange", "int64[N]", "int64 a = {0}, int64 b = {9000000000}, int64 d = {1}",
     "c = Range(a, b, d)"},
    {"RangeWithoutStep", "int64[N]", "int64 a = {0}, int64 b = {9}, int64 d = {0}",
     "c = Range(a, b, d)"},
};

class LeftNode : public testing::TestWithParam<Case> {};

TEST_P(LeftNode, Stays) {
  const Case& tested = GetParam();
  graph::Model model = graph::Model::from_proto(
      test::proto_of("g (float[1] x) => (" + std::string(tested.type) + " y) <" + kFloats + ", " +
                     tested.weights + "> { " + tested.node + " y = Identity(c) }"));
  RecordingReporter reporter;
  converters::PassOptions options;
  options.skip = {"remove_identity"};
  EXPECT_EQ(converters::clean(model, options, reporter).nodes_after, 2U);
}

INSTANTIATE_TEST_SUITE_P(Table, LeftNode, testing::ValuesIn(kLeft),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace ingot
