// SPDX-License-Identifier: Apache-2.0
#include "manifests/path_rules.h"

#include <gtest/gtest.h>

namespace ingot::manifests {
namespace {

TEST(PathRules, PlainPathsAreAllowed) {
  for (const char* path :
       {"a", "model/model.onnx", "runtime/x86_64-linux-gnu/libonnxruntime.so.1", "A-b_c.d/..e.f"}) {
    EXPECT_EQ(path_fault(path),
              path == std::string("A-b_c.d/..e.f") ? "a component begins with '.'" : "")
        << path;
  }
  EXPECT_EQ(path_fault(std::string(200, 'a')), "");
}

TEST(PathRules, EveryFaultIsNamed) {
  EXPECT_EQ(path_fault(""), "it is empty");
  EXPECT_EQ(path_fault(std::string(201, 'a')), "it has 201 bytes, at most 200 are allowed");
  EXPECT_EQ(path_fault("/etc/passwd"), "it begins with '/'");
  EXPECT_EQ(path_fault("a//b"), "a component is empty");
  EXPECT_EQ(path_fault("a/"), "it ends in '/'");
  EXPECT_EQ(path_fault(".git/x"), "a component begins with '.'");
  EXPECT_EQ(path_fault("a/../b"), "a component begins with '.'");
  EXPECT_EQ(path_fault("./a"), "a component begins with '.'");
  constexpr auto kCharacters = "only letters, digits, '.', '_', '-' and '/' are allowed";
  EXPECT_EQ(path_fault("a b"), kCharacters);
  EXPECT_EQ(path_fault("a\\b"), kCharacters);
  EXPECT_EQ(path_fault("\xc3\xa4"), kCharacters);
  EXPECT_EQ(path_fault(std::string_view("a\0b", 3)), kCharacters);
}

TEST(PathRules, FoldingChangesAsciiLettersOnly) {
  EXPECT_EQ(case_folded("Model/A_b-Z.9"), "model/a_b-z.9");
}

}  // namespace
}  // namespace ingot::manifests
