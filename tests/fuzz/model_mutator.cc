// SPDX-License-Identifier: Apache-2.0
// Mutations of a model by the fields of its protobuf, so that most mutants still are models:
// values, names and operators change, elements come, go and swap, parts are copied over others. One
// mutation in eight is of the bytes. Linked by the libFuzzer build of fuzz_model only.
#include <google/protobuf/message.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Every message of a model, outermost first, and every text in it.
struct Parts {
  std::vector<Message*> messages;
  std::vector<std::string> texts;
};

void collect(Message& message, Parts& parts) {
  parts.messages.push_back(&message);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING && !field->is_repeated())
      parts.texts.push_back(reflection.GetString(message, field));
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collect(*reflection.MutableMessage(&message, field), parts);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      collect(*reflection.MutableRepeatedMessage(&message, field, i), parts);
  }
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  bool one_in(std::size_t n) { return below(n) == 0; }

  void mutate(onnx::ModelProto& model) {
    Parts parts;
    collect(model, parts);
    texts_ = std::move(parts.texts);
    Message& target = *parts.messages[below(parts.messages.size())];
    if (one_in(6)) return copy_over(target, parts.messages);
    const auto* descriptor = target.GetDescriptor();
    std::vector<const FieldDescriptor*> fields;
    target.GetReflection()->ListFields(target, &fields);
    // Mostly what is there; sometimes what is not.
    const FieldDescriptor* field =
        fields.empty() || one_in(5)
            ? descriptor->field(
                  static_cast<int>(below(static_cast<std::size_t>(descriptor->field_count()))))
            : fields[below(fields.size())];
    if (field->is_repeated()) return mutate_list(target, *field);
    if (one_in(8)) return target.GetReflection()->ClearField(&target, field);
    set_value(target, *field, -1);
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  std::int64_t number(std::int64_t old) {
    constexpr std::int64_t kEdges[] = {0,
                                       1,
                                       2,
                                       3,
                                       4,
                                       7,
                                       16,
                                       255,
                                       1000,
                                       4096,
                                       65536,
                                       2147483647,
                                       -2147483648LL,
                                       std::int64_t{1} << 40,
                                       INT64_MAX,
                                       INT64_MIN};
    switch (below(4)) {
      case 0:
        return old == INT64_MAX ? old : old + 1;
      case 1:
        return old == INT64_MIN ? old : old - 1;
      case 2:
        return old == INT64_MIN ? old : -old;
      default:
        return kEdges[below(std::size(kEdges))];
    }
  }

  double real() {
    constexpr double kEdges[] = {0, -0.0, 1, -1, 0.5, 2, 1e-30, 1e30};
    const std::size_t i = below(std::size(kEdges) + 2);
    if (i == std::size(kEdges)) return std::numeric_limits<double>::quiet_NaN();
    if (i > std::size(kEdges)) return std::numeric_limits<double>::infinity();
    return kEdges[i];
  }

  std::string text(std::string old, const FieldDescriptor& field) {
    if (field.name() == "op_type" && !one_in(4)) {
      static const auto schemas = onnx::OpSchemaRegistry::get_all_schemas();
      return schemas[below(schemas.size())].Name();
    }
    if (!texts_.empty() && !one_in(3)) return texts_[below(texts_.size())];
    const std::size_t size = old.size();
    old.resize(size + 64);
    old.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(old.data()), size, size + 64));
    return old;
  }

  /// Sets a value of `field`: the one at `index`, a new last one at -2, the only one at -1.
  void set_value(Message& m, const FieldDescriptor& field, int index) {
    const Reflection& r = *m.GetReflection();
    const auto* f = &field;
    const auto put = [&](auto value, auto set, auto set_at, auto add) {
      if (index == -1)
        (r.*set)(&m, f, std::move(value));
      else if (index == -2)
        (r.*add)(&m, f, std::move(value));
      else
        (r.*set_at)(&m, f, index, std::move(value));
    };
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return put(static_cast<std::int32_t>(number(index == -1 ? r.GetInt32(m, f) : 1)),
                   &Reflection::SetInt32, &Reflection::SetRepeatedInt32, &Reflection::AddInt32);
      case FieldDescriptor::CPPTYPE_INT64:
        return put(number(index == -1  ? r.GetInt64(m, f)
                          : index >= 0 ? r.GetRepeatedInt64(m, f, index)
                                       : 1),
                   &Reflection::SetInt64, &Reflection::SetRepeatedInt64, &Reflection::AddInt64);
      case FieldDescriptor::CPPTYPE_UINT64:
        return put(static_cast<std::uint64_t>(number(1)), &Reflection::SetUInt64,
                   &Reflection::SetRepeatedUInt64, &Reflection::AddUInt64);
      case FieldDescriptor::CPPTYPE_FLOAT:
        return put(static_cast<float>(real()), &Reflection::SetFloat, &Reflection::SetRepeatedFloat,
                   &Reflection::AddFloat);
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return put(real(), &Reflection::SetDouble, &Reflection::SetRepeatedDouble,
                   &Reflection::AddDouble);
      case FieldDescriptor::CPPTYPE_STRING:
        return put(text(index == -1  ? r.GetString(m, f)
                        : index >= 0 ? r.GetRepeatedString(m, f, index)
                                     : "",
                        field),
                   &Reflection::SetString, &Reflection::SetRepeatedString, &Reflection::AddString);
      case FieldDescriptor::CPPTYPE_ENUM:
        if (index == -1) r.SetEnumValue(&m, f, static_cast<int>(below(28)));
        return;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        if (index == -1) r.MutableMessage(&m, f);
        if (index == -2) r.AddMessage(&m, f);
        return;
      default:
        return;
    }
  }

  void mutate_list(Message& m, const FieldDescriptor& field) {
    const Reflection& r = *m.GetReflection();
    const int size = r.FieldSize(m, &field);
    const auto any = [&] { return static_cast<int>(below(static_cast<std::size_t>(size))); };
    switch (size == 0 ? 0 : below(4)) {
      case 0:
        return set_value(m, field, -2);
      case 1:
        return r.SwapElements(&m, &field, any(), any());
      case 2:
        r.SwapElements(&m, &field, any(), size - 1);
        return r.RemoveLast(&m, &field);
      default:
        return set_value(m, field, any());
    }
  }

  void copy_over(Message& target, const std::vector<Message*>& messages) {
    std::vector<const Message*> alike;
    for (const Message* message : messages)
      if (message->GetDescriptor() == target.GetDescriptor()) alike.push_back(message);
    // A copy first: one may lie inside the other.
    const std::unique_ptr<Message> copy(target.New());
    copy->CopyFrom(*alike[below(alike.size())]);
    if (one_in(2))
      target.MergeFrom(*copy);
    else
      target.CopyFrom(*copy);
  }

  std::minstd_rand random_;
  std::vector<std::string> texts_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  Mutator mutator(seed);
  onnx::ModelProto model;
  if (mutator.one_in(8) || !model.ParseFromArray(data, static_cast<int>(size)))
    return LLVMFuzzerMutate(data, size, max_size);
  mutator.mutate(model);
  const std::string bytes = model.SerializeAsString();
  if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}
