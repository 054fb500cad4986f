// SPDX-License-Identifier: Apache-2.0
#include "pipeline/report.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace ingot::pipeline {
namespace {

quant::NodePlan node(const std::string& name, quant::Form form, const std::string& reason,
                     const std::string& weight) {
  quant::NodePlan plan;
  plan.node = name;
  plan.op_type = "Conv";
  plan.form = form;
  plan.reason = reason;
  plan.weight = weight;
  return plan;
}

quant::WeightPlan weight(const std::string& name, quant::Storage storage,
                         const std::string& reason) {
  quant::WeightPlan plan;
  plan.tensor = name;
  plan.storage = storage;
  plan.reason = reason;
  return plan;
}

quant::Plan small_plan() {
  quant::Plan plan;
  plan.nodes = {node("c1", quant::Form::kStatic, "40 % of the multiply-adds", "w1"),
                node("c2", quant::Form::kFloat, "0.31 % of the multiply-adds", "w2"),
                node("c3", quant::Form::kFloat, "0.77 % of the multiply-adds", "w3"),
                node("relu", quant::Form::kFloat, "", "")};
  plan.weights = {weight("w1", quant::Storage::kKernel, ""),
                  weight("w2", quant::Storage::kInt8, ""),
                  weight("w3", quant::Storage::kFloat16, "30.1 dB")};
  return plan;
}

Report small_report() {
  Report report;
  report.name = "small";
  report.version = "1";
  report.scheme = "int8";
  report.runtime_version = "1.32.0";
  report.made_from.ingot_version = "0.1.0";
  report.original_bytes = 2000;
  report.converted_bytes = 1900;
  report.quantized_bytes = 500;
  report.calibration_samples = 8;
  report.nodes = 4;
  report.candidates = 3;
  report.quantized_nodes = 1;
  report.kept = kept_of(small_plan());
  report.gate =
      bench::judge(std::vector{metrics::parse_limit("size=1kB"), metrics::parse_limit("text=0.9")},
                   std::vector{bench::Measured{"size", 500, "files of the model"}});
  report.stages = {{"convert", 0.5}, {"quantize", 1.5}};
  report.verdict = "gate: 1 of 2 limits do not hold; nothing was packed";
  return report;
}

TEST(Kept, IsEveryCandidateInFloatAndEveryWeightWiderThanInt8) {
  const std::vector<Kept> kept = kept_of(small_plan());
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].name, "c2");
  EXPECT_EQ(kept[1].name, "c3");
  EXPECT_EQ(kept[2].name, "w3");
  EXPECT_EQ(kept[2].precision, "float16");
  EXPECT_EQ(kept[2].reason, "30.1 dB");
}

TEST(ReportText, SaysWhatWasFound) {
  EXPECT_EQ(report_text(small_report()),
            "small 1: scheme int8, 8 calibration samples, ingot 0.1.0, ONNX Runtime 1.32.0\n"
            "cost\n"
            "                      original     quantized    ratio\n"
            "  size                 2.0 KiB         500 B    0.250\n"
            "precision: 1 of 3 nodes with weights compute in a quantized form; what stayed higher, "
            "and why\n"
            "     2 nodes in float: 0.31 % of the multiply-adds (such as 'c2')\n"
            "     1 weight in float16: 30.1 dB ('w3')\n"
            "gate\n"
            "  holds  size<=1000 B             500 B, files of the model\n"
            "  FAILS  text>=0.9                not measured\n"
            "time: convert 500 ms, quantize 1.50 s\n"
            "verdict: gate: 1 of 2 limits do not hold; nothing was packed\n");
}

TEST(ReportText, ShowsTenLinesOfTextAtMost) {
  Report report = small_report();
  Reading& reading = report.evaluation.emplace().readings.emplace_back();
  reading.output = "y";
  for (int i = 0; i < 12; ++i)
    add_sample(reading, std::to_string(i) + ".png", "true", {"float"}, {"int8"});
  const std::string text = report_text(report);
  EXPECT_NE(text.find("text read, output 'y'\n"
                      "  as the original reads it: 0 of 12 lines\n"
                      "  right: the original 0 of 12, the quantized 0 of 12\n"
                      "  0.png\n"
                      "    true       'true'\n"
                      "    original   'float'\n"
                      "    quantized  'int8'\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  9.png\n"), std::string::npos);
  EXPECT_EQ(text.find("  10.png\n"), std::string::npos);
  EXPECT_NE(text.find("  … and 2 more\n"), std::string::npos);
}

TEST(ReportJson, HoldsEveryRow) {
  const Json json = Json::parse(report_json(small_report()));
  EXPECT_EQ(json["schema"], "ingot.build");
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["accepted"], false);
  EXPECT_EQ(json["size_bytes"]["quantized"], 500);
  EXPECT_EQ(json["gate"][0]["holds"], true);
  EXPECT_EQ(json["gate"][0]["value"], 500.0);
  EXPECT_EQ(json["gate"][1]["holds"], false);
  EXPECT_TRUE(json["gate"][1]["value"].is_null());
  EXPECT_EQ(json["gate"][1]["source"], "not measured");
  EXPECT_EQ(json["kept"].size(), 3U);
  EXPECT_EQ(json["kept"][2]["weight"], "w3");
  EXPECT_FALSE(json.contains("bundle"));
}

TEST(ReportJson, GetsItsBundleAfterwards) {
  const PackedBundle bundle{"out/small", "ab12", 9, 1234};
  const Json json = Json::parse(with_bundle(report_json(small_report()), bundle));
  EXPECT_EQ(json["bundle"]["id"], "ab12");
  EXPECT_EQ(json["up_to_date"], true);
  Report report = small_report();
  report.bundle = bundle;
  EXPECT_EQ(Json::parse(report_json(report))["bundle"], json["bundle"]);
  EXPECT_EQ(report_text(report), report_text(small_report()) + bundle_text(bundle));
  EXPECT_EQ(bundle_text(bundle), "bundle: out/small (9 files, 1.2 KiB)\n  id ab12\n");
}

}  // namespace
}  // namespace ingot::pipeline
