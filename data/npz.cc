// SPDX-License-Identifier: Apache-2.0
// .npz: several arrays in a zip file. Reading goes through minizip; writing stores without
// compression, so that the bytes depend on no library's version.
#include "data/npz.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "base/error.h"
#include "data/zip_reader.h"

namespace ingot::data {
namespace {

constexpr std::string_view kExtension = ".npy";
constexpr std::uint64_t kMaxZipBytes = 0xFFFF'FFFE;  // without the zip64 extension
constexpr std::size_t kMaxZipEntries = 0xFFFE;

void put16(std::string& out, std::uint64_t value) {
  out.push_back(static_cast<char>(value & 0xFFU));
  out.push_back(static_cast<char>(value >> 8 & 0xFFU));
}

void put32(std::string& out, std::uint64_t value) {
  put16(out, value & 0xFFFFU);
  put16(out, value >> 16);
}

std::uint32_t crc_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// What local header and directory share: version 2.0, names in UTF-8, stored, 1 January 1980.
std::string zip_fields(const std::string& name, std::uint32_t crc, std::size_t size_bytes) {
  std::string fields;
  put16(fields, 20);
  put16(fields, 0x800);
  put16(fields, 0);
  put32(fields, 0x0021'0000);
  put32(fields, crc);
  put32(fields, size_bytes);
  put32(fields, size_bytes);
  put16(fields, name.size());
  put16(fields, 0);
  return fields;
}

std::string local_header(const std::string& name, std::uint32_t crc, std::size_t size_bytes) {
  return "PK\x03\x04" + zip_fields(name, crc, size_bytes) + name;
}

std::string directory_entry(const std::string& name, std::uint32_t crc, std::size_t size_bytes,
                            std::uint64_t offset) {
  std::string entry = "PK\x01\x02";
  put16(entry, 20);
  entry += zip_fields(name, crc, size_bytes);
  put16(entry, 0);  // comment
  put16(entry, 0);  // disk
  put16(entry, 0);  // internal attributes
  put32(entry, 0);  // external attributes
  put32(entry, offset);
  return entry + name;
}

std::string directory_end(std::size_t count, std::size_t size_bytes, std::uint64_t offset) {
  std::string end = "PK\x05\x06";
  put32(end, 0);
  put16(end, count);
  put16(end, count);
  put32(end, size_bytes);
  put32(end, offset);
  put16(end, 0);
  return end;
}

}  // namespace

struct NpzFile::Impl {
  MappedFile file;
  ZipReader zip;
  std::vector<std::string> names;
  mutable std::size_t left_bytes = kMaxArrayBytes;

  explicit Impl(const std::filesystem::path& path) : file(path), zip(file.bytes(), path.string()) {
    for (const std::string& entry : zip.names()) {
      if (!entry.ends_with(kExtension)) {
        throw Error(Code::kInput,
                    fmt::format("'{}': entry '{}' is not a .npy array", path.string(), entry));
      }
      names.push_back(entry.substr(0, entry.size() - kExtension.size()));
    }
    std::sort(names.begin(), names.end());
  }
};

NpzFile::NpzFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
NpzFile::~NpzFile() = default;
NpzFile::NpzFile(NpzFile&&) noexcept = default;

const std::vector<std::string>& NpzFile::names() const { return impl_->names; }
bool NpzFile::has(std::string_view name) const {
  return std::binary_search(impl_->names.begin(), impl_->names.end(), name);
}

Tensor NpzFile::read(std::string_view name) const {
  const std::string path = impl_->file.path().string();
  if (!has(name)) throw Error(Code::kInput, fmt::format("'{}' has no array '{}'", path, name));
  const std::vector<std::byte> bytes =
      impl_->zip.read(fmt::format("{}{}", name, kExtension), impl_->left_bytes);
  impl_->left_bytes -= bytes.size();
  return parse_npy(bytes, fmt::format("'{}': array '{}'", path, name));
}

std::map<std::string, Tensor> read_npz(const std::filesystem::path& path) {
  const NpzFile file(path);
  std::map<std::string, Tensor> arrays;
  for (const std::string& name : file.names()) arrays.emplace(name, file.read(name));
  return arrays;
}

void write_npz(const std::filesystem::path& path, const std::map<std::string, Tensor>& arrays,
               Overwrite overwrite) {
  refuse_existing(path, overwrite);
  OutputFile file(path);
  std::string directory;
  for (const auto& [array, tensor] : arrays) {
    const std::string name = array + std::string(kExtension);
    const std::string bytes = with_context(
        [&] { return fmt::format("while writing array '{}' to '{}'", array, path.string()); },
        [&] { return npy_bytes(tensor.view()); });
    const std::uint64_t offset = file.position_bytes();
    if (offset + bytes.size() + directory.size() + name.size() > kMaxZipBytes - 65536 ||
        name.size() > 0xFFFF || arrays.size() > kMaxZipEntries) {
      throw Error(
          Code::kUnsupported,
          fmt::format("'{}': the arrays need more than 4 GiB, 65534 entries or 64 KiB of name",
                      path.string()));
    }
    file.write(local_header(name, crc_of(bytes), bytes.size()));
    file.write(bytes);
    directory += directory_entry(name, crc_of(bytes), bytes.size(), offset);
  }
  const std::uint64_t offset = file.position_bytes();
  file.write(directory);
  file.write(directory_end(arrays.size(), directory.size(), offset));
  file.commit();
}

}  // namespace ingot::data
