// SPDX-License-Identifier: Apache-2.0
#include "manifests/runtime_library.h"

#include <elf.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace ingot::manifests {
namespace {

struct Machine {
  unsigned char elf_class;
  std::uint16_t machine;
  const char* triplet;
};
/// Little-endian machines; Debian's names.
constexpr std::array<Machine, 6> kMachines{{{ELFCLASS64, EM_X86_64, "x86_64-linux-gnu"},
                                            {ELFCLASS64, EM_AARCH64, "aarch64-linux-gnu"},
                                            {ELFCLASS64, EM_RISCV, "riscv64-linux-gnu"},
                                            {ELFCLASS64, EM_PPC64, "powerpc64le-linux-gnu"},
                                            {ELFCLASS32, EM_ARM, "arm-linux-gnueabihf"},
                                            {ELFCLASS32, EM_386, "i386-linux-gnu"}}};
/// More symbol versions than any real library has: lists beyond this are damaged or made to loop.
constexpr std::size_t kMaxLinks = 4096;

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Segment = Elf32_Phdr;
  using Dynamic = Elf32_Dyn;
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Segment = Elf64_Phdr;
  using Dynamic = Elf64_Dyn;
};

/// The parts of an ELF file we need. Every read is held against the file's size.
template <class Elf>
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const std::filesystem::path& path)
      : bytes_(bytes), path_(path) {
    const auto header = at<typename Elf::Header>(0);
    if (header.e_type != ET_DYN) refuse("is not a shared library");
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
      segments_.push_back(
          at<typename Elf::Segment>(header.e_phoff + i * sizeof(typename Elf::Segment)));
    }
    read_dynamic();
  }

  /// The text of a string-table entry named by the dynamic tag `tag`; empty when there is none.
  std::string text_of(std::int64_t tag) const {
    const auto found = dynamic_.find(tag);
    return found == dynamic_.end() ? "" : string_at(found->second);
  }

  /// Names of the symbol versions the library defines.
  std::vector<std::string> defined_versions() const {
    std::vector<std::string> names;
    if (!dynamic_.contains(DT_VERDEF)) return names;
    std::uint64_t position = offset_of(dynamic_.at(DT_VERDEF));
    for (std::size_t i = 0; i < kMaxLinks; ++i) {
      const auto definition = at<Elf64_Verdef>(position);  // alike in both classes
      names.push_back(string_at(at<Elf64_Verdaux>(position + definition.vd_aux).vda_name));
      if (definition.vd_next == 0) break;
      position += definition.vd_next;
    }
    return names;
  }

  /// Names of the symbol versions the library asks others for.
  std::vector<std::string> needed_versions() const {
    std::vector<std::string> names;
    if (!dynamic_.contains(DT_VERNEED)) return names;
    std::uint64_t position = offset_of(dynamic_.at(DT_VERNEED));
    for (std::size_t i = 0; i < kMaxLinks; ++i) {
      const auto need = at<Elf64_Verneed>(position);
      std::uint64_t aux = position + need.vn_aux;
      for (int k = 0; k < need.vn_cnt; ++k) {
        // Lists may share their entries: their lengths alone would bound nothing.
        if (names.size() == kMaxLinks) refuse("is a damaged library: it has too many versions");
        const auto version = at<Elf64_Vernaux>(aux);
        names.push_back(string_at(version.vna_name));
        if (version.vna_next == 0) break;
        aux += version.vna_next;
      }
      if (need.vn_next == 0) break;
      position += need.vn_next;
    }
    return names;
  }

 private:
  [[noreturn]] void refuse(std::string_view fault) const {
    throw Error(Code::kInput, fmt::format("'{}' {}", path_.string(), fault));
  }

  template <class T>
  T at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
      refuse("is a damaged library: it points beyond its end");
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  std::uint64_t offset_of(std::uint64_t address) const {
    for (const auto& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz) {
        return segment.p_offset + (address - segment.p_vaddr);
      }
    }
    refuse("is a damaged library: an address lies in no segment");
  }

  std::string string_at(std::uint64_t index) const {
    if (!dynamic_.contains(DT_STRTAB)) refuse("is a damaged library: it has no string table");
    const std::uint64_t start = offset_of(dynamic_.at(DT_STRTAB)) + index;
    if (start >= bytes_.size()) refuse("is a damaged library: it points beyond its end");
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + start,
                                bytes_.size() - start);
    const std::size_t end = rest.substr(0, 256).find('\0');
    if (end == std::string_view::npos) refuse("is a damaged library: a name does not end");
    return std::string(rest.substr(0, end));
  }

  void read_dynamic() {
    for (const auto& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (std::uint64_t i = 0; i < segment.p_filesz / sizeof(typename Elf::Dynamic); ++i) {
        const auto entry =
            at<typename Elf::Dynamic>(segment.p_offset + i * sizeof(typename Elf::Dynamic));
        if (entry.d_tag == DT_NULL) break;
        dynamic_.try_emplace(entry.d_tag, entry.d_un.d_val);
      }
    }
  }

  std::span<const std::byte> bytes_;
  const std::filesystem::path& path_;
  std::vector<typename Elf::Segment> segments_;
  std::map<std::int64_t, std::uint64_t> dynamic_;
};

/// "VERS_1.32.0" after "VERS_" → "1.32.0"; nothing when `name` does not begin so or is no version.
std::optional<std::string> version_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  const bool is_version = !name.empty() && name.size() <= 16 &&
                          name.find('.') != std::string_view::npos &&
                          name.find_first_not_of("0123456789.") == std::string_view::npos;
  if (!is_version) return {};
  return std::string(name);
}

template <class Elf>
RuntimeLibrary read(std::span<const std::byte> bytes, const std::filesystem::path& path) {
  const Reader<Elf> reader(bytes, path);
  RuntimeLibrary library;
  library.soname = reader.text_of(DT_SONAME);
  for (const std::string& name : reader.defined_versions()) {
    if (const auto release = version_after("VERS_", name)) library.version = *release;
  }
  if (library.version.empty() || !library.soname.starts_with("libonnxruntime.so")) {
    throw Error(
        Code::kInput,
        fmt::format("'{}' is not ONNX Runtime: its name is '{}' and its symbol version '{}', "
                    "'libonnxruntime.so.1' and 'VERS_1.x.y' are wanted",
                    path.string(), library.soname, library.version));
  }
  const std::string minor = library.version.substr(library.version.find('.') + 1);
  library.api_version = std::atoll(minor.c_str());
  for (const std::string& name : reader.needed_versions()) {
    const auto version = version_after("GLIBC_", name);
    if (version && version_less(library.min_glibc, *version)) library.min_glibc = *version;
  }
  return library;
}

}  // namespace

RuntimeLibrary read_runtime_library(const std::filesystem::path& path) {
  static_assert(std::endian::native == std::endian::little);
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < sizeof(Elf32_Ehdr) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
    throw Error(Code::kInput, fmt::format("'{}' is not an ELF shared library", path.string()));
  }
  const int machine = byte_at(18) | byte_at(19) << 8;
  for (const Machine& known : kMachines) {
    if (byte_at(EI_DATA) != ELFDATA2LSB || byte_at(EI_CLASS) != known.elf_class ||
        machine != known.machine)
      continue;
    RuntimeLibrary library =
        known.elf_class == ELFCLASS64 ? read<Elf64>(bytes, path) : read<Elf32>(bytes, path);
    library.triplet = known.triplet;
    return library;
  }
  throw Error(Code::kInput,
              fmt::format("'{}' is for a machine that is not known (ELF machine {}, class {})",
                          path.string(), machine, byte_at(EI_CLASS)));
}

const char* own_triplet() noexcept {
#if defined(__x86_64__) && defined(__LP64__)
  return "x86_64-linux-gnu";
#elif defined(__aarch64__)
  return "aarch64-linux-gnu";
#elif defined(__riscv) && __riscv_xlen == 64
  return "riscv64-linux-gnu";
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
  return "powerpc64le-linux-gnu";
#elif defined(__arm__) && defined(__ARM_PCS_VFP)
  return "arm-linux-gnueabihf";
#elif defined(__i386__)
  return "i386-linux-gnu";
#else
  return "";
#endif
}

std::string own_glibc() { return gnu_get_libc_version(); }

bool version_less(const std::string& a, const std::string& b) {
  const auto next = [](std::string_view& rest) {
    long long part = 0;
    while (!rest.empty() && rest.front() != '.') {
      part = part * 10 + (rest.front() - '0');
      rest.remove_prefix(1);
    }
    if (!rest.empty()) rest.remove_prefix(1);
    return part;
  };
  std::string_view x = a, y = b;
  while (!x.empty() || !y.empty()) {
    const long long part_x = x.empty() ? -1 : next(x);
    const long long part_y = y.empty() ? -1 : next(y);
    if (part_x != part_y) return part_x < part_y;
  }
  return false;
}

}  // namespace ingot::manifests
