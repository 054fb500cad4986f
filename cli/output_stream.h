// SPDX-License-Identifier: Apache-2.0
// Standard output as a stream whose failures are not lost: a full disk is an Error, a reader that
// went away is BrokenPipe.
#pragma once

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

namespace ingot::cli {

/// The reader closed the pipe ("ingot … | head"): not a failure; run_cli ends with 0.
struct BrokenPipe {};

/// Writes to a file descriptor that stays open. What cannot be written throws from the insertion or
/// flush that met it.
class OutputStream : public std::ostream {
 public:
  /// `name` is for messages.
  OutputStream(int fd, std::string name);
  /// Bytes not yet flushed are written as far as possible; failures are lost: flush first.
  ~OutputStream() override;

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(int fd, std::string name);
    void write_out();

   protected:
    int_type overflow(int_type c) override;
    int sync() override;

   private:
    int fd_;
    std::string name_;
    std::array<char, 8192> bytes_;
  };

  Buffer buffer_;
};

}  // namespace ingot::cli
