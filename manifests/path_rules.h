// SPDX-License-Identifier: Apache-2.0
// Which relative paths a bundle may hold (docs/formats/bundle.md "Paths").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::manifests {

inline constexpr std::size_t kMaxPathBytes = 200;

/// "" when `path` may be in a bundle, else what is wrong with it ("a component begins with '.'").
/// Allowed: components of [A-Za-z0-9._-], joined by single '/', none beginning with '.', at most
/// 200 bytes in all.
std::string path_fault(std::string_view path);
/// `path` in lower-case ASCII: two paths of one bundle must differ in this form too.
std::string case_folded(std::string_view path);

}  // namespace ingot::manifests
