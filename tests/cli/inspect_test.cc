// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "tests/cli/session.h"
#include "tests/support/model_builder.h"

namespace ingot::cli {
namespace {

using test::Result;
using test::run;

/// A small model on disk.
struct Sample {
  Sample()
      : path(test::write_model(test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17], producer_name: "tester",
     metadata_props: ["task" : "none"]>
    g (float[N, 2] x, bool c) => (float[N, 2] y)
    <float[2] w = {1, 2}, int64[1] axes = {0}> {
      s = Add (x, w)
      y = If (c) <then_branch = t () => (float[N, 2] a) { a = Add (s, w) },
                  else_branch = e () => (float[N, 2] b) { b = Neg (s) }>
    })"),
                               dir.path())) {}

  TempDir dir;
  std::filesystem::path path;
};

TEST(Inspect, PrintsWhatIsInAModel) {
  const Sample sample;
  const Result result = run({"inspect", sample.path.string()});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const std::string size = std::to_string(std::filesystem::file_size(sample.path));
  EXPECT_EQ(result.out, sample.path.string() + ": " + size +
                            " B, IR 8, opset ai.onnx 17, by tester\n"
                            "inputs:\n"
                            "  name  type\n"
                            "  x     float32[N,2]\n"
                            "  c     bool[]\n"
                            "outputs:\n"
                            "  name  type\n"
                            "  y     float32[N,2]\n"
                            "operators: 4 nodes of 3 types, 2 subgraphs counted in\n"
                            "  operator  count\n"
                            "  Add           2\n"
                            "  If            1\n"
                            "  Neg           1\n"
                            "weights: 3 parameters, 16 B\n"
                            "  dtype    tensors  parameters  bytes\n"
                            "  float32        1           2      8\n"
                            "  int64          1           1      8\n"
                            "largest tensors:\n"
                            "  name  type        bytes\n"
                            "  w     float32[2]      8\n"
                            "  axes  int64[1]        8\n"
                            "metadata:\n"
                            "  task: none\n");
}

TEST(Inspect, WritesOneJsonDocument) {
  const Sample sample;
  const Result result = run({"inspect", sample.path.string(), "--json", "--largest", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const Json document = parse_json(result.out, "stdout");
  EXPECT_EQ(document["schema"], "ingot.inspect");
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["model"], sample.path.string());
  EXPECT_EQ(document["opset_imports"], (Json{{"ai.onnx", 17}}));
  EXPECT_EQ(document["inputs"][0], (Json{{"name", "x"},
                                         {"dtype", "float32"},
                                         {"type", "float32[N,2]"},
                                         {"has_initializer", false}}));
  EXPECT_EQ(document["operators"], (Json{{"Add", 2}, {"If", 1}, {"Neg", 1}}));
  EXPECT_EQ(document["subgraphs"], 2);
  EXPECT_EQ(document["weights"]["by_dtype"]["float32"],
            (Json{{"tensors", 1}, {"parameters", 2}, {"size_bytes", 8}}));
  EXPECT_EQ(document["weights"]["largest"].size(), 1u);
  EXPECT_EQ(document["metadata"], (Json{{"task", "none"}}));
}

TEST(Inspect, NamesFunctionsForeignOperatorsAndEveryFault) {
  const TempDir dir;
  const auto path = test::write_model(test::proto_from_text(R"(
    <ir_version: 10, opset_import: ["" : 17, "loc": 1, "acme": 2], doc_string: "a doc">
    g (float[2,3] x) => (y) { a = loc.F (x)  b = acme.Op (a)
                              [turn] c = Transpose <perm = [0, 5]> (x)  y = Abs (c) }
    <domain: "loc", opset_import: ["": 17]> F (p) => (q) { q = Neg (p) })"),
                                      dir.path());
  const Result result = run({"inspect", path.string(), "--json"});
  EXPECT_EQ(result.code, 0);
  const Json document = parse_json(result.out, "stdout");
  EXPECT_EQ(document["function_names"], (Json{"loc.F"}));
  EXPECT_EQ(document["foreign_operators"], (Json{"acme.Op"}));
  EXPECT_EQ(document["doc"], "a doc");
  EXPECT_EQ(document["findings"],
            (Json{{{"unsupported", false},
                   {"message",
                    "Transpose 'turn': Invalid attribute perm {0, 5}, input shape = {2, 3}"}}}));
  const std::string text = run({"inspect", path.string()}).out;
  EXPECT_NE(text.find("faults: 1; other commands refuse this model\n  Transpose 'turn': "),
            std::string::npos)
      << text;
}

TEST(Inspect, MissingFileIsBadInput) {
  const Result result = run({"inspect", "/no/such/model.onnx"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "error: cannot open '/no/such/model.onnx': no such file or directory\n");
}

TEST(Inspect, FolderOrTextIsBadInput) {
  const TempDir dir;
  EXPECT_EQ(run({"inspect", dir.path().string()}).code, 3);
  write_text_file(dir.path() / "m.onnx", "this is not a model at all");
  const Result result = run({"inspect", (dir.path() / "m.onnx").string()});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("m.onnx"), std::string::npos) << result.err;
}

TEST(Inspect, TruncatedModelIsBadInputAtEveryLength) {
  const Sample sample;
  const std::string bytes = test::read_bytes(sample.path);
  const auto cut = sample.dir.path() / "cut.onnx";
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    test::write_bytes(cut, std::string_view(bytes).substr(0, size));
    const Result result = run({"inspect", cut.string()});
    EXPECT_EQ(result.code, 3) << size << ": " << result.err << result.out;
    EXPECT_EQ(result.out, "") << size;
  }
}

}  // namespace
}  // namespace ingot::cli
