// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

#include <fmt/format.h>

#include <ostream>

#include "base/json.h"

namespace ingot::cli {

const char* version() { return INGOT_VERSION; }

void print_version(Io& io) {
  if (!io.json) {
    io.out << "ingot " << version() << '\n';
    return;
  }
  const OrderedJson document{{"schema", "ingot.version"},
                             {"schema_version", 1},
                             {"version", version()},
                             {"compiler", fmt::format("g++ {}", __VERSION__)},
                             {"hashes", {"sha256", "xxh3-128"}}};
  io.out << document.dump(2) << '\n';
}

}  // namespace ingot::cli
