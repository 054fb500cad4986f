// SPDX-License-Identifier: Apache-2.0
// Moving a model that was written for trial to the place where it belongs.
#pragma once

#include <filesystem>

namespace ingot::converters {

/// Moves `trial` and its ".data" file, if there is one, to `destination`, on the same file system
/// and under the same file name: first the weights, so that a model never lies there without them
/// or, where both are replaced, with others. What was there is replaced. Throws kEnvironment.
void publish_model(const std::filesystem::path& trial, const std::filesystem::path& destination);

}  // namespace ingot::converters
