// SPDX-License-Identifier: Apache-2.0
#include "data/zip_reader.h"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/error.h"

namespace ingot::data {
namespace {

constexpr std::size_t kMaxEntries = 100'000;
/// Deflate packs at most 258 bytes into 2 bits.
constexpr std::uint64_t kMaxDeflateRatio = 1032;
constexpr std::size_t kChunkBytes = std::size_t{1} << 24;

struct Memory {
  std::span<const std::byte> bytes;
  std::uint64_t position = 0;
};

voidpf ZCALLBACK open_memory(voidpf opaque, const void*, int) { return opaque; }

uLong ZCALLBACK read_memory(voidpf, voidpf stream, void* buffer, uLong wanted) {
  auto& memory = *static_cast<Memory*>(stream);
  const auto count = std::min<std::uint64_t>(wanted, memory.bytes.size() - memory.position);
  if (count > 0) std::memcpy(buffer, memory.bytes.data() + memory.position, count);
  memory.position += count;
  return static_cast<uLong>(count);
}

uLong ZCALLBACK write_memory(voidpf, voidpf, const void*, uLong) { return 0; }
ZPOS64_T ZCALLBACK tell_memory(voidpf, voidpf stream) {
  return static_cast<Memory*>(stream)->position;
}

long ZCALLBACK seek_memory(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  auto& memory = *static_cast<Memory*>(stream);
  std::uint64_t base = 0;
  if (origin == ZLIB_FILEFUNC_SEEK_CUR) base = memory.position;
  if (origin == ZLIB_FILEFUNC_SEEK_END) base = memory.bytes.size();
  if (base > memory.bytes.size() || offset > memory.bytes.size() - base) return -1;
  memory.position = base + offset;
  return 0;
}

int ZCALLBACK close_memory(voidpf, voidpf) { return 0; }
int ZCALLBACK test_memory(voidpf, voidpf) { return 0; }

}  // namespace

struct ZipReader::Archive {
  struct Entry {
    unz64_file_pos position{};
    unz_file_info64 info{};
  };

  Memory memory;
  unzFile handle = nullptr;
  std::map<std::string, Entry> entries;

  explicit Archive(std::span<const std::byte> bytes) : memory{bytes} {
    zlib_filefunc64_def functions{open_memory, read_memory,  write_memory, tell_memory,
                                  seek_memory, close_memory, test_memory,  &memory};
    handle = unzOpen2_64("", &functions);
  }
  ~Archive() {
    if (handle != nullptr) unzClose(handle);
  }
};

ZipReader::ZipReader(std::span<const std::byte> archive, std::string source)
    : source_(std::move(source)), archive_(std::make_unique<Archive>(archive)) {
  if (archive_->handle == nullptr)
    throw Error(Code::kInput, fmt::format("'{}' is not a complete .npz (zip) file", source_));
  unzFile handle = archive_->handle;
  std::string name(65536, '\0');
  int status = unzGoToFirstFile(handle);
  for (; status == UNZ_OK; status = unzGoToNextFile(handle)) {
    Archive::Entry entry;
    if (unzGetCurrentFileInfo64(handle, &entry.info, name.data(), name.size(), nullptr, 0, nullptr,
                                0) != UNZ_OK ||
        unzGetFilePos64(handle, &entry.position) != UNZ_OK) {
      throw Error(Code::kInput,
                  fmt::format("'{}': the directory of the zip file is damaged", source_));
    }
    const std::string text = name.substr(0, entry.info.size_filename);
    if (!archive_->entries.emplace(text, entry).second) {
      throw Error(Code::kInput,
                  fmt::format("'{}': the zip file has two entries '{}'", source_, text));
    }
    if (archive_->entries.size() > kMaxEntries) {
      throw Error(Code::kInput,
                  fmt::format("'{}': more than {} entries in the zip file", source_, kMaxEntries));
    }
  }
  if (status != UNZ_END_OF_LIST_OF_FILE && status != UNZ_OK) {
    throw Error(Code::kInput,
                fmt::format("'{}': the directory of the zip file is damaged", source_));
  }
}

ZipReader::~ZipReader() = default;

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : archive_->entries) names.push_back(name);
  return names;
}

std::vector<std::byte> ZipReader::read(const std::string& name, std::size_t max_bytes) const {
  const auto found = archive_->entries.find(name);
  INGOT_CHECK(found != archive_->entries.end());
  const unz_file_info64& info = found->second.info;
  const auto fail = [&](const std::string& why) {
    throw Error(Code::kInput, fmt::format("'{}': entry '{}' {}", source_, name, why));
  };
  if ((info.flag & 1U) != 0) fail("is encrypted");
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED) {
    fail(fmt::format("is packed by method {}, wanted 0 (stored) or 8 (deflated)",
                     info.compression_method));
  }
  if (info.uncompressed_size > max_bytes)
    fail(fmt::format("claims {} bytes, at most {} are allowed", info.uncompressed_size, max_bytes));
  const std::uint64_t ratio = info.compression_method == 0 ? 1 : kMaxDeflateRatio;
  if (info.compressed_size > archive_->memory.bytes.size() ||
      info.uncompressed_size > info.compressed_size * ratio) {
    fail(fmt::format("claims {} bytes, more than its {} packed bytes can hold",
                     info.uncompressed_size, info.compressed_size));
  }
  unzFile handle = archive_->handle;
  unz64_file_pos position = found->second.position;
  if (unzGoToFilePos64(handle, &position) != UNZ_OK || unzOpenCurrentFile(handle) != UNZ_OK)
    fail("is damaged");
  std::vector<std::byte> bytes(info.uncompressed_size);
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t chunk = std::min(bytes.size() - done, kChunkBytes);
    const int count = unzReadCurrentFile(handle, bytes.data() + done, static_cast<unsigned>(chunk));
    if (count <= 0) {
      unzCloseCurrentFile(handle);
      fail(fmt::format("is damaged: it ends after {} of {} bytes", done, bytes.size()));
    }
    done += static_cast<std::size_t>(count);
  }
  if (unzCloseCurrentFile(handle) != UNZ_OK) fail("is damaged: its CRC does not match");
  return bytes;
}

}  // namespace ingot::data
