// SPDX-License-Identifier: Apache-2.0
// Texts as ONNX Runtime 1.21 to 1.32 writes them, and what is left of them.
#include <gtest/gtest.h>

#include "runtime/ort_api.h"

namespace ingot::runtime {
namespace {

TEST(EngineText, LosesSourcePositionAndSignature) {
  EXPECT_EQ(shorten_engine_text(
                "Non-zero status code returned while running Reshape node. Name:'r' Status "
                "Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/"
                "reshape_helper.h:47 onnxruntime::ReshapeHelper::ReshapeHelper(const "
                "onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) "
                "input_shape_size == size was false. Bad shape:{4}\n"),
            "Non-zero status code returned while running Reshape node. Name:'r' Status Message: "
            "input_shape_size == size was false. Bad shape:{4}");
}

TEST(EngineText, LosesTemplateParametersOfASignature) {
  EXPECT_EQ(shorten_engine_text("/a/b.cc:7 void ns::f(int) const [with T = float] it broke"),
            "it broke");
}

TEST(EngineText, KeepsPathsThatAreNoSourcePosition) {
  EXPECT_EQ(shorten_engine_text("Load model from /tmp/a:b/m.onnx failed:no (really)"),
            "Load model from /tmp/a:b/m.onnx failed:no (really)");
}

TEST(EngineText, KeepsParenthesesWithoutASignature) {
  EXPECT_EQ(shorten_engine_text("/a/b.h:12 (x) of node (y)"), "(x) of node (y)");
}

TEST(EngineText, CutsAtAWholeCharacter) {
  std::string text(999, 'a');
  text += "é and more";
  EXPECT_EQ(shorten_engine_text(text), std::string(999, 'a') + "…");
}

TEST(EngineText, MayBeEmpty) { EXPECT_EQ(shorten_engine_text(" \n"), ""); }

}  // namespace
}  // namespace ingot::runtime
