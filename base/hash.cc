// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <openssl/evp.h>

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/mapped_guard.h"

namespace ingot {
namespace {

// What is mapped of a file while it is hashed.
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

std::string hex_of(std::span<const unsigned char> digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

struct Sha256::Impl {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  EVP_MD_CTX_free};
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  INGOT_CHECK(impl_->context != nullptr);
  INGOT_CHECK(EVP_DigestInit_ex(impl_->context.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
  INGOT_CHECK(EVP_DigestUpdate(impl_->context.get(), bytes.data(), bytes.size()) == 1);
}

void Sha256::update(std::string_view text) { update(std::as_bytes(std::span(text))); }

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest;
  INGOT_CHECK(EVP_DigestFinal_ex(impl_->context.get(), digest.data(), nullptr) == 1);
  return hex_of(digest);
}

struct Xxh3::Impl {
  XXH3_state_t state;
};

Xxh3::Xxh3() : impl_(std::make_unique<Impl>()) { XXH3_128bits_reset(&impl_->state); }

Xxh3::~Xxh3() = default;

void Xxh3::update(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&impl_->state, bytes.data(), bytes.size());
}

std::string Xxh3::hex() {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&impl_->state));
  return hex_of(canonical.digest);
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  Sha256 hash;
  for (std::span<const std::byte> rest = file.bytes(); !rest.empty();) {
    check_interrupt();
    const auto piece = rest.first(std::min(rest.size(), kPieceBytes));
    hash.update(piece);
    release_pages(piece);
    rest = rest.subspan(piece.size());
  }
  check_mapped_files();
  return hash.hex();
}

}  // namespace ingot
