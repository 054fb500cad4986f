// SPDX-License-Identifier: Apache-2.0
#include "cli/output_stream.h"

#include <unistd.h>

#include <cerrno>

#include "base/files.h"

namespace ingot::cli {

OutputStream::OutputStream(int fd, std::string name)
    : std::ostream(nullptr), buffer_(fd, std::move(name)) {
  rdbuf(&buffer_);
  // Lets what the buffer throws pass through the stream.
  exceptions(std::ios_base::badbit);
}

OutputStream::~OutputStream() {
  try {
    buffer_.write_out();
  } catch (...) {
    // A destructor has nobody to tell.
  }
}

OutputStream::Buffer::Buffer(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
  setp(bytes_.data(), bytes_.data() + bytes_.size());
}

OutputStream::Buffer::int_type OutputStream::Buffer::overflow(int_type c) {
  write_out();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  *pptr() = traits_type::to_char_type(c);
  pbump(1);
  return c;
}

int OutputStream::Buffer::sync() {
  write_out();
  return 0;
}

void OutputStream::Buffer::write_out() {
  const char* at = pbase();
  auto left = static_cast<std::size_t>(pptr() - pbase());
  // Emptied first: after a failure the same bytes must not be tried again.
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  while (left > 0) {
    const ssize_t written = ::write(fd_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw BrokenPipe{};
    if (written < 0) throw_errno("", name_, errno);
    at += written;
    left -= static_cast<std::size_t>(written);
  }
}

}  // namespace ingot::cli
