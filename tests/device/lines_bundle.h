// SPDX-License-Identifier: Apache-2.0
// A model that reads pictures of three rows, one character per column: the brightest row is the
// class (blank, 'a', 'b'). Its weights (an offset of zero) lie in a file of their own.
#pragma once

#include <png.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/process.h"
#include "manifests/writer.h"
#include "tests/support/model_builder.h"

namespace ingot::device {

namespace fs = std::filesystem;

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline void flip_bit(const fs::path& path, std::size_t bit) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(bit / 8));
  file.put(static_cast<char>(byte ^ (1 << (bit % 8))));
}

/// A picture whose column i is bright in row classes[i] alone.
inline fs::path write_line(const fs::path& path, const std::vector<int>& classes) {
  std::vector<std::uint8_t> pixels(classes.size() * 3, 0);
  for (std::size_t x = 0; x < classes.size(); ++x)
    pixels[static_cast<std::size_t>(classes[x]) * classes.size() + x] = 255;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(classes.size());
  image.height = 3;
  image.format = PNG_FORMAT_GRAY;
  if (png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr) == 0) {
    throw Error(Code::kInternal, image.message);
  }
  return path;
}

/// Writes model, weights, dictionary and dataset.toml to `folder`; the options pack them with
/// `runtime` into `folder`/out.
inline manifests::PackOptions lines_options(const fs::path& folder, const fs::path& runtime) {
  onnx::ModelProto model = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    lines (float[1,1,3,W] x) => (float[1,W,3] y) {
      axes = Constant<value = int64[1] {0}>()
      squeezed = Squeeze(x, axes)
      columns = Transpose<perm = [0, 2, 1]>(squeezed)
      y = Add(columns, offset)
    })");
  onnx::TensorProto& offset =
      test::add_initializer(model, "offset", Tensor::zeros(DType::kFloat, {3}));
  offset.clear_raw_data();
  offset.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& entry = *offset.add_external_data();
  entry.set_key("location");
  entry.set_value("lines.data");
  test::write_model(model, folder, "lines.onnx");
  put(folder / "lines.data", std::string(12, '\0'));
  put(folder / "symbols.txt", "a\nb\n");
  manifests::PackOptions options;
  options.destination = folder / "out";
  options.name = "lines";
  options.version = "1.0.0";
  options.model.opset = 17;
  options.model.inputs = {{"x", DType::kFloat, {1, 1, 3, -1}}};
  options.model.outputs = {{"y", DType::kFloat, {1, -1, 3}}};
  options.model_file = folder / "lines.onnx";
  options.external_locations = {"lines.data"};
  options.runtimes = {runtime};
  options.run.intra_op_threads = 1;
  options.preprocess = {
      {"preprocess/dataset.toml",
       {},
       "[[input]]\nname = \"x\"\nkind = \"image\"\ncolor = \"gray\"\ndivide = 255.0\n"
       "[[output]]\nkind = \"ctc\"\ndictionary = \"symbols.txt\"\nblank = 0\n"},
      {"preprocess/symbols.txt", folder / "symbols.txt", ""}};
  return options;
}

inline bench::ProcessEnd ingot_run(const std::vector<std::string>& words) {
  return bench::run_process(INGOT_RUN, words);
}

}  // namespace ingot::device
