// SPDX-License-Identifier: Apache-2.0
// Loading: the skeleton of a serialised model.
#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "base/mapped_guard.h"
#include "graph/model.h"
#include "graph/skeleton.h"

namespace ingot::graph {
namespace {

using wire::Field;
using wire::Kind;

// Protobuf sizes are int. A little is kept free for the lengths that grow.
constexpr std::uint64_t kMaxSkeletonBytes = std::numeric_limits<int>::max() - (1 << 20);
// Lengths are written before they are known: five bytes hold any length that protobuf accepts,
// leading zero groups included.
constexpr std::size_t kLengthSlotBytes = 5;
constexpr std::uint64_t kReleaseBytes = std::uint64_t{16} << 20;

std::string_view text_of(const wire::Source& source, const Field& field) {
  return {reinterpret_cast<const char*>(source.bytes.data()) + field.payload,
          field.end - field.payload};
}

class Splitter {
 public:
  Splitter(std::shared_ptr<const MappedFile> file, TensorStore& store)
      : file_(std::move(file)), source_{file_->bytes(), file_->path().string()}, store_(store) {}

  std::string run() {
    if (source_.bytes.empty()) wire::refuse(source_, "the file is empty");
    require_model_start();
    message(Kind::kModel, 0, source_.bytes.size(), 0);
    return std::move(out_);
  }

 private:
  /// Text, pictures and archives shall be told apart from a model that was cut short.
  void require_model_start() const {
    const auto tag = static_cast<unsigned>(source_.bytes[0]);
    const bool is_number = tag == ((1U << 3) | wire::kVarint) || tag == ((5U << 3) | wire::kVarint);
    const unsigned field = tag >> 3;
    const bool is_message =
        (tag & 7) == wire::kLengthDelimited && field >= 2 && field <= 14 && field != 5;
    if (!is_number && !is_message)
      wire::refuse(source_,
                   fmt::format("its first byte, {:#04x}, starts no field of a model", tag));
  }

  void message(Kind kind, std::uint64_t begin, std::uint64_t end, int depth) {
    if (depth > wire::kMaxDepth)
      wire::refuse(source_,
                   fmt::format("its messages nest deeper than {} levels", wire::kMaxDepth));
    wire::FieldReader reader(source_, begin, end);
    for (Field field; reader.next(field);) {
      const auto child =
          field.type == wire::kLengthDelimited ? wire::child_of(kind, field.number) : std::nullopt;
      if (!child) {
        copy(field.begin, field.end);
        continue;
      }
      wire::append_tag(out_, field.number, wire::kLengthDelimited);
      const std::size_t slot = open_length();
      if (*child == Kind::kTensor) {
        tensor(field.payload, field.end);
        release_behind(field.end);
      } else {
        message(*child, field.payload, field.end, depth + 1);
      }
      close_length(slot);
    }
  }

  void tensor(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t number = 0;
    wire::FieldReader reader(source_, begin, end);
    for (Field field; reader.next(field);) {
      const bool delimited = field.type == wire::kLengthDelimited;
      if (delimited && field.number == wire::kExternalData) refuse_marker(field);
      if (delimited && field.number == wire::kRawData &&
          field.end - field.payload >= kInlineBytes) {
        if (number != 0)
          wire::refuse(source_, fmt::format("the tensor at byte {} has raw_data twice", begin));
        number = store_.add(source_.bytes.subspan(field.payload, field.end - field.payload), file_);
        continue;
      }
      copy(field.begin, field.end);
    }
    if (number != 0) append_marker(number);
  }

  void append_marker(std::uint64_t number) {
    std::string entry;
    wire::append_text(entry, wire::kEntryKey, kStoreKey);
    wire::append_text(entry, wire::kEntryValue, std::to_string(number));
    wire::append_text(out_, wire::kExternalData, entry);
    wire::append_tag(out_, wire::kDataLocation, wire::kVarint);
    wire::append_varint(out_, onnx::TensorProto::EXTERNAL);
  }

  /// Nobody but us writes this key; taken over, it would let a file name buffers of this process.
  void refuse_marker(const Field& entry) const {
    wire::FieldReader reader(source_, entry.payload, entry.end);
    for (Field field; reader.next(field);) {
      if (field.number == wire::kEntryKey && field.type == wire::kLengthDelimited &&
          text_of(source_, field) == kStoreKey) {
        throw Error(Code::kInput,
                    fmt::format("'{}': the external data key '{}' at byte {} is reserved",
                                source_.name, kStoreKey, field.begin));
      }
    }
  }

  void copy(std::uint64_t begin, std::uint64_t end) {
    if (out_.size() + (end - begin) > kMaxSkeletonBytes) {
      throw Error(
          Code::kUnsupported,
          fmt::format("'{}': its graph without the weights takes 2 GiB or more", source_.name));
    }
    out_.append(reinterpret_cast<const char*>(source_.bytes.data()) + begin, end - begin);
  }

  /// The walk touches a page or two of every tensor, and the system maps their neighbours too.
  void release_behind(std::uint64_t position) {
    if (position - released_ < kReleaseBytes) return;
    release_pages(source_.bytes.subspan(released_, position - released_));
    released_ = position;
  }

  std::size_t open_length() {
    out_.append(kLengthSlotBytes, '\0');
    return out_.size();
  }

  void close_length(std::size_t slot) {
    std::uint64_t length = out_.size() - slot;
    for (std::size_t i = slot - kLengthSlotBytes; i < slot; ++i, length >>= 7) {
      out_[i] = static_cast<char>((length & 0x7f) | (i + 1 < slot ? 0x80 : 0));
    }
  }

  std::shared_ptr<const MappedFile> file_;
  wire::Source source_;
  TensorStore& store_;
  std::string out_;
  std::uint64_t released_ = 0;
};

}  // namespace

std::string split_model(const std::shared_ptr<const MappedFile>& file, TensorStore& store) {
  return Splitter(file, store).run();
}

}  // namespace ingot::graph
