// SPDX-License-Identifier: Apache-2.0
// Breaks the layers on purpose.
#include <CLI/CLI.hpp>

#include "data/reader.h"
#include "verify/compare.h"
// TODO: later