// SPDX-License-Identifier: Apache-2.0
// Finding and opening the ONNX Runtime library.
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "runtime/ort_api.h"

namespace ingot::runtime {
namespace {

namespace fs = std::filesystem;

constexpr int kFloorMajor = 1, kFloorMinor = 21;
static_assert(ORT_API_VERSION == kFloorMinor, "compile against the floor's header");

#if defined(__x86_64__)
constexpr Elf64_Half kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kOwnMachine = EM_AARCH64;
#else
#error "unknown processor"
#endif

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    case EM_RISCV:
      return "riscv";
    case EM_386:
      return "i386";
    default:
      return fmt::format("machine {}", machine);
  }
}

/// The bytes that the file has to have, by its segments and section headers; 0 when they cannot be
/// read.
std::uint64_t wanted_bytes(std::ifstream& file, const Elf64_Ehdr& header) {
  std::uint64_t wanted = header.e_shoff + std::uint64_t{header.e_shentsize} * header.e_shnum;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (Elf64_Half i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) break;
    if (segment.p_type == PT_LOAD) wanted = std::max(wanted, segment.p_offset + segment.p_filesz);
  }
  return wanted;
}

/// dlopen's own text for these does not say what was wanted, and a file that is cut short ends the
/// process in it (SIGBUS).
void check_file(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status)) {
    throw Error(Code::kEnvironment,
                fmt::format("ONNX Runtime library '{}' does not exist", path.string()),
                "name the file libonnxruntime.so.X.Y.Z with --runtime or INGOT_RUNTIME");
  }
  if (!fs::is_regular_file(status)) {
    throw Error(Code::kEnvironment,
                fmt::format("ONNX Runtime library '{}' is not a regular file", path.string()));
  }
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    throw Error(Code::kEnvironment, fmt::format("'{}' is not a shared library", path.string()));
  }
  if (header.e_machine != kOwnMachine) {
    throw Error(Code::kEnvironment,
                fmt::format("'{}' is for {}, wanted {}", path.string(),
                            machine_name(header.e_machine), machine_name(kOwnMachine)));
  }
  const std::uint64_t size = fs::file_size(path), wanted = wanted_bytes(file, header);
  if (size < wanted) {
    throw Error(Code::kEnvironment, fmt::format("'{}' is cut short: it has {} bytes, wanted {}",
                                                path.string(), size, wanted));
  }
}

bool is_below_floor(const std::string& version) {
  char* rest = nullptr;
  const long major = std::strtol(version.c_str(), &rest, 10);
  const long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
  return major < kFloorMajor || (major == kFloorMajor && minor < kFloorMinor);
}

/// The runtime would print to stderr; what matters comes as a status.
void ORT_API_CALL drop_log(void*, OrtLoggingLevel, const char*, const char*, const char*,
                           const char*) {}

/// The system's copy as a file, empty when there is none.
fs::path system_library() {
  for (const char* name : {"libonnxruntime.so", "libonnxruntime.so.1"}) {
    void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) continue;
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name != nullptr) return map->l_name;
    return name;
  }
  return {};
}

}  // namespace

Library::Library(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

// The library stays mapped until the process ends: unloading gains nothing, and threads of the
// runtime may still hold thread-local destructors in it.
Library::~Library() {
  if (impl_->env != nullptr) impl_->api->ReleaseEnv(impl_->env);
}

const fs::path& Library::path() const { return impl_->path; }
const std::string& Library::version() const { return impl_->version; }

std::shared_ptr<const Library> Library::open(const fs::path& path) {
  check_file(path);
  // A name without '/' would make dlopen search the system's folders.
  const fs::path file = path.has_parent_path() ? path : fs::path(".") / path;
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw Error(Code::kEnvironment,
                fmt::format("'{}' cannot be loaded: {}", path.string(), dlerror()));
  using GetApiBase = const OrtApiBase*(ORT_API_CALL*)();
  const auto get_api_base = reinterpret_cast<GetApiBase>(dlsym(handle, "OrtGetApiBase"));
  if (get_api_base == nullptr) {
    throw Error(Code::kEnvironment,
                fmt::format("'{}' is not ONNX Runtime: it has no OrtGetApiBase", path.string()));
  }
  const OrtApiBase& base = *get_api_base();
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->version = base.GetVersionString();
  // Asked before GetApi, which prints when it refuses.
  impl->api = is_below_floor(impl->version) ? nullptr : base.GetApi(ORT_API_VERSION);
  if (impl->api == nullptr) {
    throw Error(Code::kEnvironment,
                fmt::format("'{}' is ONNX Runtime {}, wanted {}.{} or newer", path.string(),
                            impl->version, kFloorMajor, kFloorMinor));
  }
  // The environment is one per loaded file, shared by its sessions; the callback holds no state, so
  // it may outlive this object.
  check_status(*impl->api,
               impl->api->CreateEnvWithCustomLogger(drop_log, nullptr, ORT_LOGGING_LEVEL_FATAL,
                                                    "ingot", &impl->env),
               path);
  return std::shared_ptr<const Library>(new Library(std::move(impl)));
}

fs::path find_library(const fs::path& named, const char* environment_value,
                      const fs::path& binary_dir) {
  if (!named.empty()) return named;
  if (environment_value != nullptr && *environment_value != '\0') return environment_value;
  const fs::path beside = (binary_dir / ".." / "lib").lexically_normal();
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(beside, ignored)) {
    if (entry.path().filename().string().starts_with("libonnxruntime.so") &&
        entry.is_regular_file(ignored)) {
      found.push_back(entry.path());
    }
  }
  if (!found.empty()) return *std::min_element(found.begin(), found.end());
  if (fs::path system = system_library(); !system.empty()) return system;
  throw Error(Code::kEnvironment,
              fmt::format("no ONNX Runtime library: --runtime and INGOT_RUNTIME are not given, "
                          "'{}' has no libonnxruntime.so*, "
                          "the system has no libonnxruntime.so",
                          beside.string()),
              "name the file libonnxruntime.so.X.Y.Z with --runtime or INGOT_RUNTIME");
}

}  // namespace ingot::runtime
