// SPDX-License-Identifier: Apache-2.0
// Opening the data files of a model that is not trusted: only what lies in the model's own folder,
// judged on the opened file and not on its name (docs/decisions/0013).
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"

namespace ingot::graph {

/// A data file: mapped, and who it is. Two names can lead to one file.
struct DataFile {
  std::pair<dev_t, ino_t> id;
  std::shared_ptr<const MappedFile> file;
};

/// The components of `location`, without ".". Throws kInput when it is empty, absolute, or contains
/// "..", a backslash (a separator elsewhere) or a zero byte.
std::vector<std::string> location_components(const std::string& location);

/// Opens `location` below the folder of `model`. The opened file must be regular, have one hard
/// link (an archive can make one to a file outside), and really lie below the real folder of the
/// model. Where the model itself is a symbolic link, it may also lie directly in the folder that
/// holds the linked model: so are the models of a Hugging Face cache stored. Nothing else is opened
/// for reading, and a FIFO or device not at all. Throws kInput with the reason alone, kEnvironment
/// when the system refuses.
DataFile open_data_file(const std::filesystem::path& model, const std::string& location);

}  // namespace ingot::graph
