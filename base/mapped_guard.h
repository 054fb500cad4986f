// SPDX-License-Identifier: Apache-2.0
// Mapped files that are larger than memory should hold, and that may become shorter while they are
// read: then the missing pages read as zero and the next check throws, instead of a signal that
// ends the process with half-written files left behind. (A file whose bytes change, but not its
// length, cannot be told.)
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace ingot {

/// Installs the handler (once, from main). A bus error anywhere else ends the process as ever.
void install_mapped_guard();
/// Throws Error(kInput, "'w.bin' became shorter while it was read") when that has happened to any
/// mapped file since the process began. Whoever makes bytes of mapped files public asks first.
void check_mapped_files();

/// Gives the memory of the pages that lie wholly in `bytes`, a range of a MappedFile, back to the
/// system, so that passing a large file once does not hold all of it. The bytes stay valid: a page
/// is read again when it is touched.
void release_pages(std::span<const std::byte> bytes);

/// For MappedFile: guards a mapping until forget_mapping. The first few thousand at a time are.
void guard_mapping(std::span<const std::byte> mapping, const std::filesystem::path& path);
void forget_mapping(std::span<const std::byte> mapping);

}  // namespace ingot
