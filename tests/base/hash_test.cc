// SPDX-License-Identifier: Apache-2.0
// SHA-256 against FIPS 180-4's and NIST's published examples; XXH3-128 against the reference
// library 0.8.4 through python-xxhash.
#include "base/hash.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace ingot {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string xxh3_of(std::string_view text) {
  Xxh3 hash;
  hash.update(bytes_of(text));
  return hash.hex();
}

TEST(Sha256, EqualsTheStandardsExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesAreCut) {
  Sha256 hash;
  for (int i = 0; i < 1000; ++i) hash.update(std::string(1000, 'a'));
  EXPECT_EQ(hash.hex(), sha256_hex(std::string(1000000, 'a')));
}

TEST(Sha256, OfAFileEqualsThatOfItsBytes) {
  const TempDir dir;
  write_text_file(dir.path() / "f", "abc");
  EXPECT_EQ(sha256_file(dir.path() / "f"), sha256_hex("abc"));
  write_text_file(dir.path() / "empty", "");
  EXPECT_EQ(sha256_file(dir.path() / "empty"), sha256_hex(""));
}

TEST(Xxh3, EqualsXxhsum) {
  // One length for each of the algorithm's paths.
  EXPECT_EQ(xxh3_of(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(xxh3_of("abc"), "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(xxh3_of(std::string(1, 'x')), "5c7401c0ec22eeeeeaf06c6480b2cd11");
  EXPECT_EQ(xxh3_of(std::string(3, 'x')), "8467ca65b94d45f975920d64d617a183");
  EXPECT_EQ(xxh3_of(std::string(8, 'x')), "a2560a4ef6cd547b926874e5432bc207");
  EXPECT_EQ(xxh3_of(std::string(16, 'x')), "ceb3fbd8af7001ac76ba55acf0be061e");
  EXPECT_EQ(xxh3_of(std::string(17, 'x')), "9e8a29b5dfc13013416e526dfb687d89");
  EXPECT_EQ(xxh3_of(std::string(128, 'x')), "fd990d088a9365ae7813452547ab9912");
  EXPECT_EQ(xxh3_of(std::string(129, 'x')), "e7f1abc92bce4135ae9ec8f29e5baa27");
  EXPECT_EQ(xxh3_of(std::string(240, 'x')), "bfede978870834bedf2b586ca80bb7aa");
  EXPECT_EQ(xxh3_of(std::string(241, 'x')), "586c2f1b13edf30f14da9e5c301a6a1d");
  EXPECT_EQ(xxh3_of(std::string(1025, 'x')), "ae69e0b3ccd9c7399cd2e05a61b8a761");
  EXPECT_EQ(xxh3_of(std::string(100000, 'x')), "0fe996a84987456bd8b99a30e426ac41");
}

TEST(Xxh3, DoesNotDependOnHowTheBytesAreCut) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 31 % 251);
  for (const std::size_t step : {1u, 7u, 64u, 255u, 4096u}) {
    Xxh3 hash;
    for (std::size_t at = 0; at < text.size(); at += step)
      hash.update(bytes_of(std::string_view(text).substr(at, step)));
    EXPECT_EQ(hash.hex(), xxh3_of(text)) << step;
  }
}

}  // namespace
}  // namespace ingot
