// SPDX-License-Identifier: Apache-2.0
#include "pipeline/evaluation.h"

#include <gtest/gtest.h>

#include "tests/pipeline/small_project.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;

fs::path scaled_model(const fs::path& folder, const std::string& name, float factor) {
  onnx::ModelProto model = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 4] x) => (float[1, 4] y) { y = Mul(x, f) })");
  test::add_initializer(model, "f", Tensor::of<float>({}, std::vector<float>{factor}));
  return test::write_model(model, folder, name);
}

class EvaluationTest : public testing::Test {
 protected:
  Evaluation run(const fs::path& converted, const fs::path& quantized) {
    data::write_npz(folder_.path() / "0.npz",
                    {{"x", Tensor::of<float>({1, 4}, std::vector<float>{1, 2, 3, 4})}},
                    Overwrite::kYes);
    data::write_npz(folder_.path() / "1.npz",
                    {{"x", Tensor::of<float>({1, 4}, std::vector<float>{0, 0, 8, 0})}},
                    Overwrite::kYes);
    RecordingReporter reporter;
    return evaluate({scaled_model(folder_.path(), "a.onnx", 1), converted, quantized,
                     INGOT_TEST_RUNTIME, folder_.path(), 1},
                    reporter);
  }
  TempDir folder_;
};

TEST_F(EvaluationTest, HoldsBothModelsAgainstTheOriginal) {
  const Evaluation found =
      run(scaled_model(folder_.path(), "b.onnx", 1), scaled_model(folder_.path(), "c.onnx", 1.5F));
  EXPECT_EQ(found.samples, 2U);
  EXPECT_EQ(found.complaint, "");
  ASSERT_EQ(found.converted.size(), 1U);
  EXPECT_EQ(found.converted[0].value("max_abs"), 0);
  ASSERT_EQ(found.quantized.size(), 1U);
  EXPECT_EQ(found.quantized[0].value("max_abs"), 4);  // 1.5 * 8 - 8
  EXPECT_DOUBLE_EQ(found.quantized[0].value("rel_l2").value(), 0.5);
  EXPECT_DOUBLE_EQ(found.quantized[0].value("cosine").value(), 1);
  EXPECT_TRUE(found.readings.empty());
}

TEST_F(EvaluationTest, SaysWhyItCannotCompare) {
  onnx::ModelProto other = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 4] x) => (float[1, 4] z) { z = Relu(x) })");
  const fs::path model = test::write_model(other, folder_.path(), "other.onnx");
  const Evaluation found = run(model, model);
  EXPECT_TRUE(found.quantized.empty());
  EXPECT_EQ(found.complaint.substr(0, 29), "the converted model differs: ") << found.complaint;
}

}  // namespace
}  // namespace ingot::pipeline
