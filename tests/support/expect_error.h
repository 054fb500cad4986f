// SPDX-License-Identifier: Apache-2.0
// Errors are a product: tests compare the code and the whole message.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace ingot::test {

/// Fails the test unless `body` throws an Error of `code` whose message is exactly `message`.
template <class Body>
void expect_error(Code code, const std::string& message, Body body) {
  try {
    body();
    ADD_FAILURE() << "no error; wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), message);
    EXPECT_STREQ(code_name(error.code()), code_name(code));
  }
}

}  // namespace ingot::test
