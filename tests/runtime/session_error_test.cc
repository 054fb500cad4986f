// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/runtime/engine.h"
#include "tests/support/expect_error.h"

namespace ingot::runtime {
namespace {

using test::expect_error;

class SessionError : public testing::Test {
 protected:
  test::ModelFile model{R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,2] image, int64[2] size) => (float[A,B] result) { result = Reshape(image, size) })"};
  Session session{test::engine(), model.path};
  Tensor image = Tensor::zeros(DType::kFloat, {3, 2});
  Tensor size = Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{2, 3});

  std::string message(std::string_view rest) const {
    return fmt::format("'{}': {}", model.path.string(), rest);
  }
};

TEST_F(SessionError, NamesAMissingInput) {
  expect_error(Code::kInput, message("input 'image' is missing, wanted float32 [?,2]"),
               [&] { session.run({{"size", size.view()}}); });
}

TEST_F(SessionError, NamesAnUnknownInputAndItsNeighbour) {
  expect_error(Code::kInput, message("no input 'imagf'; did you mean 'image'?"), [&] {
    session.run({{"image", image.view()}, {"imagf", image.view()}, {"size", size.view()}});
  });
}

TEST_F(SessionError, NamesAnUnknownOutputAndItsNeighbour) {
  expect_error(Code::kInput, message("no output 'resul'; did you mean 'result'?"),
               [&] { session.run({{"image", image.view()}, {"size", size.view()}}, {"resul"}); });
}

TEST_F(SessionError, NamesAWrongType) {
  const Tensor wrong = Tensor::zeros(DType::kDouble, {3, 2});
  expect_error(Code::kInput, message("input 'image' wants float32, got float64"),
               [&] { session.run({{"image", wrong.view()}, {"size", size.view()}}); });
}

TEST_F(SessionError, NamesAWrongShape) {
  const Tensor wrong = Tensor::zeros(DType::kFloat, {3, 4});
  expect_error(Code::kInput, message("input 'image' wants shape [?,2], got [3,4]"),
               [&] { session.run({{"image", wrong.view()}, {"size", size.view()}}); });
}

TEST_F(SessionError, NamesAWrongRank) {
  const Tensor wrong = Tensor::zeros(DType::kFloat, {2});
  expect_error(Code::kInput, message("input 'image' wants shape [?,2], got [2]"),
               [&] { session.run({{"image", wrong.view()}, {"size", size.view()}}); });
}

TEST_F(SessionError, KeepsTheEnginesTextWhenARunFails) {
  const Tensor wrong = Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{5, 5});
  try {
    session.run({{"image", image.view()}, {"size", wrong.view()}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(code_name(error.code()), "engine");
    const std::string begin =
        message("ONNX Runtime: Non-zero status code returned while running Reshape node. Name:''");
    EXPECT_TRUE(error.message().starts_with(begin)) << error.message();
    EXPECT_EQ(error.message().find("onnxruntime_src"), std::string::npos) << error.message();
    EXPECT_EQ(error.message().find('\n'), std::string::npos) << error.message();
  }
}

TEST(SessionOpen, RefusesAMissingModel) {
  expect_error(Code::kInput, "cannot open '/nowhere/m.onnx': no such file or directory",
               [] { Session(test::engine(), "/nowhere/m.onnx"); });
}

TEST(SessionOpen, RefusesAFolder) {
  expect_error(Code::kInput, "'/' is not a regular file", [] { Session(test::engine(), "/"); });
}

TEST(SessionOpen, CallsAFileThatIsNoModelBadInput) {
  const TempDir folder;
  const auto path = folder.path() / "m.onnx";
  write_text_file(path, "this is not a model");
  expect_error(
      Code::kInput,
      fmt::format("'{0}': ONNX Runtime: Load model from {0} failed:Protobuf parsing failed",
                  path.string()),
      [&] { Session(test::engine(), path); });
}

TEST(SessionOpen, CallsAnUnknownOperatorUnsupported) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17, "com.example" : 1]>
    g (float[2] x) => (float[2] y) { y = com.example.Mystery(x) })");
  try {
    Session(test::engine(), model.path);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(code_name(error.code()), "unsupported");
    EXPECT_NE(error.message().find("com.example:Mystery(-1) is not a registered function/op"),
              std::string::npos)
        << error.message();
  }
}

TEST(SessionOpen, CallsAMissingKernelUnsupported) {
  // ONNX allows Erf of float64, the runtime has no kernel for it.
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (double[2] x) => (double[2] y) { y = Erf(x) })");
  try {
    Session(test::engine(), model.path);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(code_name(error.code()), "unsupported");
    EXPECT_NE(error.message().find("Could not find an implementation for Erf"), std::string::npos)
        << error.message();
  }
}

}  // namespace
}  // namespace ingot::runtime
