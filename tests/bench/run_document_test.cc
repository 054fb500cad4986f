// SPDX-License-Identifier: Apache-2.0
#include "bench/run_document.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/expect_error.h"

namespace ingot::bench {
namespace {

using test::expect_error;

// As docs/formats/run-bench.md has it, with two runs.
constexpr const char* kDocument =
    R"({"schema":"ingot.run.bench","schema_version":1,"code":"OK","verified":true,
 "bundle":{"id":"ab12","name":"lines","version":"1.0.0"},
 "model":"lines/model/model.onnx","runtime":"lines/runtime/libonnxruntime.so.1","runtime_version":"1.32.0",
 "threads":2,"spinning":false,"prepack":true,"graph_opt":"all","inputs":"data",
 "samples":8,"warmup":3,"runs":2,
 "verify_ns":5000000,"runtime_load_ns":20000000,"load_ns":300000000,"first_ns":40000000,"cold_start_ns":365000000,
 "latency_ns":[25000000,26000000],"decode_ns":[1000000,1500000],"preprocess_ns":[200000,300000],
 "memory":{"peak_after_load_bytes":100,"peak_bytes":123456789},"page_faults":{"minor":3,"major":0}})";

TEST(RunDocument, ReadsEveryMember) {
  const RunDocument run = parse_run_document(kDocument, "ingot-run bench");
  EXPECT_TRUE(run.verified);
  EXPECT_EQ(run.bundle_id, "ab12");
  EXPECT_EQ(run.model, "lines/model/model.onnx");
  EXPECT_EQ(run.runtime, "lines/runtime/libonnxruntime.so.1");
  EXPECT_EQ(run.runtime_version, "1.32.0");
  EXPECT_EQ(run.threads, 2);
  EXPECT_EQ(run.inputs, "data");
  EXPECT_EQ(run.samples, 8);
  EXPECT_EQ(run.warmup, 3);
  EXPECT_EQ(run.runs, 2);
  EXPECT_DOUBLE_EQ(run.verify_seconds, 0.005);
  EXPECT_DOUBLE_EQ(run.runtime_load_seconds, 0.02);
  EXPECT_DOUBLE_EQ(run.load_seconds, 0.3);
  EXPECT_DOUBLE_EQ(run.first_seconds, 0.04);
  EXPECT_DOUBLE_EQ(run.cold_start_seconds, 0.365);
  ASSERT_EQ(run.latency_seconds.size(), 2U);
  EXPECT_DOUBLE_EQ(run.latency_seconds[1], 0.026);
  EXPECT_DOUBLE_EQ(run.decode_seconds.at(0), 0.001);
  EXPECT_DOUBLE_EQ(run.preprocess_seconds.at(1), 0.0003);
  EXPECT_EQ(run.peak_bytes, 123456789U);
}

TEST(RunDocument, OfAPlainModelHasNoBundle) {
  std::string text = kDocument;
  const std::string bundle = R"({"id":"ab12","name":"lines","version":"1.0.0"})";
  text.replace(text.find(bundle), bundle.size(), "null");
  EXPECT_EQ(parse_run_document(text, "ingot-run bench").bundle_id, "");
}

TEST(RunDocument, OfAnotherSchemaIsRefused) {
  expect_error(Code::kInternal,
               "'ingot-run bench' did not print a document of schema ingot.run.bench 1", [] {
                 parse_run_document(R"({"schema":"ingot.run.bench","schema_version":2})",
                                    "ingot-run bench");
               });
  expect_error(Code::kInternal,
               "'ingot-run bench' did not print a document of schema ingot.run.bench 1",
               [] { parse_run_document("Segmentation fault", "ingot-run bench"); });
  expect_error(Code::kInternal,
               "'ingot-run bench' did not print a document of schema ingot.run.bench 1",
               [] { parse_run_document(R"({"schema":1})", "ingot-run bench"); });
}

TEST(RunDocument, WithoutAMemberIsRefused) {
  std::string text = kDocument;
  text.replace(text.find("latency_ns"), 10, "lateness_n");
  EXPECT_THROW(parse_run_document(text, "ingot-run bench"), Error);
}

TEST(RunError, IsFoundOnStandardErrorToo) {
  expect_error(Code::kEnvironment, "'r' is missing", [] {
    throw_run_error("", R"({"error":{"code":"environment","message":"'r' is missing"}})", 5,
                    "ingot-run bench");
  });
}

TEST(RunError, KeepsCodeMessageAndHint) {
  const std::string output =
      R"({"schema":"ingot.run.error","schema_version":1,"code":"E_HASH_MISMATCH",
    "error":{"code":"input","message":"'m' is damaged","context":["while opening 'm'"],"hint":"copy it anew"}})";
  try {
    throw_run_error(output, "", 3, "ingot-run bench");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    EXPECT_EQ(error.message(), "'m' is damaged");
    EXPECT_EQ(error.hint(), "copy it anew");
    EXPECT_STREQ(error.what(),
                 "'m' is damaged | while opening 'm' | while measuring with 'ingot-run bench'");
  }
}

TEST(RunError, OfAProcessThatSaysNothingNamesItsExitCode) {
  expect_error(Code::kEngine, "'ingot-run bench' ended with exit code 139",
               [] { throw_run_error("", "", 139, "ingot-run bench"); });
  expect_error(Code::kEngine, "'ingot-run bench' ended with exit code 1: terminate called", [] {
    throw_run_error("{\"error\":{\"code\":5}", "terminate called\n", 1, "ingot-run bench");
  });
  expect_error(Code::kEngine, "'ingot-run bench' ended with exit code 1: odd",
               [] { throw_run_error("{\"error\":{\"code\":5}}", "odd", 1, "ingot-run bench"); });
}

}  // namespace
}  // namespace ingot::bench
