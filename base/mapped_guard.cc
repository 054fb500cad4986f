// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_guard.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/error.h"

namespace ingot {
namespace {

constexpr std::size_t kSlots = 4096;

/// One mapping. The handler reads it, so that everything it needs is atomic and lies still.
struct Slot {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> cut{false};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

std::array<Slot, kSlots> slots;
std::atomic<std::size_t> used_slots{0};  ///< none at or behind this was ever used
std::atomic<bool> any_cut{false};
std::uintptr_t page_bytes = 4096;

std::mutex names_mutex;
std::array<std::string, kSlots> names;
std::string first_cut;       ///< of mappings that are gone already
std::size_t first_free = 0;  ///< all before it are taken

/// Puts zero pages over what the file lacks, to the end of the mapping: the read goes on, and
/// check_mapped_files says what it was worth. mmap is a plain system call on Linux.
bool replace_missing_pages(std::uintptr_t address) {
  const std::size_t count = used_slots.load();
  for (std::size_t i = 0; i < count; ++i) {
    Slot& slot = slots[i];
    const std::uintptr_t begin = slot.begin.load(), end = slot.end.load();
    if (begin == 0 || address < begin || address >= end) continue;
    const std::uintptr_t page = address / page_bytes * page_bytes;
    slot.cut = true;
    any_cut = true;
    return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

extern "C" void on_bus_error(int, siginfo_t* info, void*) {
  if (replace_missing_pages(reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  // Not ours: the instruction is tried again and meets the default action.
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(SIGBUS, &action, nullptr);
}

std::uintptr_t begin_of(std::span<const std::byte> mapping) {
  return reinterpret_cast<std::uintptr_t>(mapping.data());
}

/// kSlots when all are taken.
std::size_t free_slot() {
  for (std::size_t i = first_free; i < kSlots; ++i) {
    if (slots[i].end.load() != 0) continue;
    if (i >= used_slots.load()) used_slots = i + 1;
    first_free = i + 1;
    return i;
  }
  return kSlots;
}

}  // namespace

void install_mapped_guard() {
  page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

void check_mapped_files() {
  if (!any_cut.load()) return;
  const std::lock_guard lock(names_mutex);
  std::string name = first_cut;
  for (std::size_t i = 0; name.empty() && i < used_slots.load(); ++i) {
    if (slots[i].cut.load()) name = names[i];
  }
  throw Error(Code::kInput, fmt::format("'{}' became shorter while it was read", name));
}

void release_pages(std::span<const std::byte> bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + bytes.size()) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void guard_mapping(std::span<const std::byte> mapping, const std::filesystem::path& path) {
  const std::lock_guard lock(names_mutex);
  const std::size_t i = free_slot();
  if (i == kSlots) return;
  names[i] = path.string();
  slots[i].begin = begin_of(mapping);
  slots[i].end = begin_of(mapping) + mapping.size();
}

void forget_mapping(std::span<const std::byte> mapping) {
  const std::lock_guard lock(names_mutex);
  for (std::size_t i = 0; i < used_slots.load(); ++i) {
    Slot& slot = slots[i];
    if (slot.begin.load() != begin_of(mapping)) continue;
    slot.begin = 0;
    slot.end = 0;
    if (slot.cut.exchange(false) && first_cut.empty()) first_cut = names[i];
    names[i].clear();
    first_free = std::min(first_free, i);
    return;
  }
}

}  // namespace ingot
