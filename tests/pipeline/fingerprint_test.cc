// SPDX-License-Identifier: Apache-2.0
#include "pipeline/fingerprint.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "tests/pipeline/small_project.h"

namespace ingot::pipeline {
namespace {

using Words = std::vector<std::string>;

/// The fingerprint of the project as it is now; any file does for a runtime here.
Fingerprint now(const test::SmallProject& small) {
  return fingerprint(read_project(small.path() / "ingot.toml"), small.path() / "runtime", "0.1.0");
}

class FingerprintTest : public testing::Test {
 protected:
  FingerprintTest() {
    write_text_file(small_.path() / "runtime", "library");
    small_.project("cosine = 0.9");
    before_ = now(small_);
  }
  test::SmallProject small_;
  Fingerprint before_;
};

TEST_F(FingerprintTest, OfTheSameInputsIsTheSame) {
  EXPECT_EQ(differences(before_, now(small_)), Words{});
}

TEST_F(FingerprintTest, NamesWhatChanged) {
  small_.project("cosine = 0.91");
  EXPECT_EQ(differences(before_, now(small_)), Words{"the project file"});
  small_.project("cosine = 0.9");
  small_.write_samples("eval", 6, 999);
  EXPECT_EQ(differences(before_, now(small_)), Words{"the evaluation data"});
  small_.write_samples("calib", 11, 100);
  write_text_file(small_.path() / "runtime", "another library");
  EXPECT_EQ(differences(before_, now(small_)),
            (Words{"the calibration data", "the evaluation data", "the runtime library"}));
}

TEST_F(FingerprintTest, SeesWeightsThatLieOutsideTheModel) {
  const auto model = small_.path() / "model.onnx";
  graph::SaveOptions outside;
  outside.external_bytes = 1;
  outside.overwrite = Overwrite::kYes;
  graph::Model::load(model).save(model, outside);
  const Fingerprint before = now(small_);
  std::string weights = test::read_bytes(small_.path() / "model.onnx.data");
  weights[5000] = static_cast<char>(weights[5000] ^ 1);
  test::write_bytes(small_.path() / "model.onnx.data", weights);
  EXPECT_EQ(differences(before, now(small_)), Words{"the model"});
}

TEST_F(FingerprintTest, SurvivesJson) {
  EXPECT_EQ(fingerprint_from_json(Json::parse(fingerprint_json(before_).dump())), before_);
  EXPECT_EQ(fingerprint_from_json(Json::parse(R"({"project_sha256":5})")), Fingerprint{});
  EXPECT_EQ(fingerprint_from_json(Json()), Fingerprint{});
}

}  // namespace
}  // namespace ingot::pipeline
