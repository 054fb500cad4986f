// SPDX-License-Identifier: Apache-2.0
// The child of the check for tests: what `ingot __check-child REQUEST` is, with ways to misbehave
// that no model offers. The name under which it is started chooses: "child_killed" dies of a
// signal, "child_killed_on_result" only as the second child, "child_hanging" never ends,
// "child_mute" writes no answer.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "verify/check.h"

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  const std::string request = argc > 2 ? std::filesystem::path(argv[2]).filename().string() : "";
  if (name == "child_killed" || (name == "child_killed_on_result" && request == "result.request")) {
    std::raise(SIGKILL);
  }
  if (name == "child_hanging") {
    for (;;) pause();
  }
  if (name == "child_mute") return 3;
  if (argc != 3 || std::string_view(argv[1]) != "__check-child") return 2;
  return ingot::verify::check_child(argv[2], std::cout);
}
