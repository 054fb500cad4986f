// SPDX-License-Identifier: Apache-2.0
// The external-data entries of one tensor, as lines "key=value", over a folder of good and hostile
// files: weights.bin, sub/weights.bin, empty.bin, and link.bin, hard.bin, out/, fifo, which all
// must be refused. Lines "dims=2,3", "type=1" and "raw=…" shape the tensor itself.
#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "graph/model.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

namespace {

constexpr unsigned char kOutside =
    0xee;  // fills the file outside, and none below the model's folder

const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    namespace fs = std::filesystem;
    const fs::path outside = fuzz::scratch_folder() / "outside",
                   path = fuzz::scratch_folder() / "in";
    fs::create_directories(outside);
    fs::create_directories(path / "sub");
    fuzz::put(outside / "secret.bin", std::string(8192, static_cast<char>(kOutside)));
    fuzz::put(path / "weights.bin", std::string(8192, 'a'));
    fuzz::put(path / "sub/weights.bin", std::string(5000, 'b'));
    fuzz::put(path / "empty.bin", "");
    fs::create_symlink(outside / "secret.bin", path / "link.bin");
    fs::create_hard_link(outside / "secret.bin", path / "hard.bin");
    fs::create_directory_symlink(outside, path / "out");
    fuzz::require(::mkfifo((path / "fifo").c_str(), 0600) == 0, "no FIFO can be made");
    return path;
  }();
  return made;
}

void add_dims(onnx::TensorProto& tensor, std::string_view text) {
  while (!text.empty()) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    tensor.add_dims(value);
    const std::size_t comma = text.find(',');
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
}

onnx::TensorProto tensor_from(std::string_view text) {
  onnx::TensorProto tensor;
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equal = std::min(line.find('='), line.size());
    const std::string_view key = line.substr(0, equal);
    const std::string_view value = line.substr(std::min(line.size(), equal + 1));
    if (key == "dims") {
      add_dims(tensor, value);
    } else if (key == "type") {
      int type = 0;
      std::from_chars(value.data(), value.data() + value.size(), type);
      tensor.set_data_type(type);
    } else if (key == "raw") {
      tensor.set_raw_data(std::string(value));
    } else {
      auto& entry = *tensor.add_external_data();
      entry.set_key(std::string(key));
      entry.set_value(std::string(value));
    }
  }
  return tensor;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  proto.mutable_graph()->set_name("g");
  *proto.mutable_graph()->add_initializer() = tensor_from(fuzz::text_of(data, size));
  const std::filesystem::path path = folder() / "model.onnx";
  fuzz::put(path, proto.SerializeAsString());
  const std::filesystem::path copy = folder() / "copy.onnx";
  fuzz::accepts([&] {
    const graph::Model model = graph::Model::load(path);
    const TensorView view = model.view(model.graph().initializer(0));
    const bool is_secret = view.bytes.size() >= 8 && std::ranges::all_of(view.bytes, [](auto byte) {
                             return byte == std::byte{kOutside};
                           });
    fuzz::require(!is_secret, "bytes from outside the model's folder");
    graph::SaveOptions out;
    out.external_bytes = 1;
    out.overwrite = Overwrite::kYes;
    model.save(copy, out);
    const graph::Model again = graph::Model::load(copy);
    const TensorView read = again.view(again.graph().initializer(0));
    fuzz::require(std::ranges::equal(read.bytes, view.bytes), "weights changed on their way out");
  });
  return 0;
}
