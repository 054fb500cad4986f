// SPDX-License-Identifier: Apache-2.0
// How much memory a command that only reads may take, whatever the file asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ingot::cli {

/// Runs `body` with at most `bytes` more memory than the process holds now (mapped files are not
/// counted). Where that is not enough: kInput, naming `subject` and --max-memory. Without effect
/// under sanitizers, which need more for themselves.
void with_memory_limit(std::uint64_t bytes, const std::string& subject,
                       const std::function<void()>& body);

}  // namespace ingot::cli
