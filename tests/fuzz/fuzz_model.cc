// SPDX-License-Identifier: Apache-2.0
// The bytes of a model, taken the way of inspect and of convert up to the saved file: read,
// summarised, validated; a valid one is cleaned, must still be valid with the same inputs and
// outputs, and must read back as it was saved.
#include "converters/pipeline.h"
#include "converters/validate.h"
#include "graph/model.h"
#include "graph/summary.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

namespace {

void clean_and_save(graph::Model& model) {
  const auto ports = [&model] {
    std::string all;
    for (const auto& output : model.graph().output()) all += output.SerializeAsString();
    return all;
  };
  const std::string before = ports();
  RecordingReporter reporter;
  (void)converters::clean(model, {}, reporter);
  fuzz::require(ports() == before, "cleaning changed the outputs");
  for (const converters::Finding& finding : converters::validate(model).findings)
    fuzz::fail("cleaning broke the model: " + finding.message);
  const std::filesystem::path saved = fuzz::scratch_folder() / "saved.onnx";
  model.save(saved, {.external_bytes = {}, .overwrite = Overwrite::kYes});
  try {
    fuzz::require(graph::Model::load(saved).serialize() == model.serialize(),
                  "the saved model differs");
  } catch (const Error& error) {
    fuzz::fail(std::string("the saved model cannot be read: ") + error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path = fuzz::scratch_folder() / "case.onnx";
  fuzz::put(path, fuzz::text_of(data, size));
  fuzz::accepts([] {
    graph::Model model = graph::Model::load(path);
    fuzz::accepts([&] { (void)graph::summarize(model); });
    if (converters::validate(model).findings.empty()) clean_and_save(model);
  });
  return 0;
}
