// SPDX-License-Identifier: Apache-2.0
// Oracle: files that NumPy wrote (tests/golden/data/make.py).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "data/npz.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::as_bytes;
using test::expect_error;
using test::file_bytes;
using test::golden;
using testing::ElementsAre;

std::vector<std::int16_t> counting(std::size_t count) {
  std::vector<std::int16_t> values(count);
  std::iota(values.begin(), values.end(), std::int16_t{0});
  return values;
}

void expect_cube(const std::string& name) {
  const Tensor cube = read_npy(golden(name));
  EXPECT_EQ(cube.dtype, DType::kInt16);
  EXPECT_EQ(cube.shape, (Shape{2, 3, 4}));
  EXPECT_THAT(cube.as<std::int16_t>(), testing::ElementsAreArray(counting(24)));
}

TEST(Npy, ReadsRowMajorOrder) { expect_cube("c_order.npy"); }
TEST(Npy, ConvertsFortranOrder) { expect_cube("fortran.npy"); }
TEST(Npy, ConvertsBigEndian) { expect_cube("big_endian.npy"); }
TEST(Npy, ReadsVersion2) { expect_cube("version2.npy"); }

TEST(Npy, ConvertsBigEndianText) {
  EXPECT_THAT(read_npy(golden("big_endian_text.npy")).strings, ElementsAre("ab", "é"));
}

TEST(Npy, ReadsBytesAsTexts) {
  const Tensor texts = read_npy(golden("bytes.npy"));
  EXPECT_EQ(texts.dtype, DType::kString);
  EXPECT_THAT(texts.strings, ElementsAre("ab", "c"));
  EXPECT_TRUE(texts.bytes.empty());
}

TEST(Npy, ReadsTwoByteVoidAsBfloat16) {
  const Tensor values = read_npy(golden("bfloat16.npy"));
  EXPECT_EQ(values.dtype, DType::kBfloat16);
  EXPECT_THAT(to_floats(values.view()), ElementsAre(1, -2));
}

TEST(Npy, WritesWhatNumpyWrites) {
  const std::string bytes = file_bytes(golden("c_order.npy"));
  EXPECT_EQ(npy_bytes(read_npy(golden("c_order.npy")).view()), bytes);
}

TEST(Npy, DoesNotWriteTypesThatNumpyLacks) {
  expect_error(Code::kUnsupported, "int4 cannot be stored in a .npy array: NumPy has no such type",
               [] { npy_bytes(Tensor::zeros(DType::kInt4, {2}).view()); });
}

TEST(Npy, RefusesPythonObjects) {
  const std::string path = golden("objects.npy").string();
  expect_error(Code::kInput,
               fmt::format("'{}': holds Python objects, wanted numbers, bool or text", path),
               [&] { read_npy(path); });
}

TEST(Npy, RefusesStructures) {
  const std::string path = golden("structure.npy").string();
  expect_error(Code::kInput,
               fmt::format("'{}': holds structures, wanted numbers, bool or text", path),
               [&] { read_npy(path); });
}

/// A version 1 file with `dictionary` as its header.
std::string npy(const std::string& dictionary, const std::string& data = {}) {
  const auto length = static_cast<unsigned>(dictionary.size());
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xFFU) +
         static_cast<char>(length >> 8) + dictionary + data;
}

void expect_refused(const std::string& file, const std::string& message) {
  expect_error(Code::kInput, "x" + message, [&] { parse_npy(as_bytes(file), "x"); });
}

TEST(NpyHeader, AcceptsWhatPythonAccepts) {
  const Tensor scalar = parse_npy(
      as_bytes(npy("{\"shape\":( ) ,'fortran_order':True,'descr':'|u1'}\n", "\x07")), "x");
  EXPECT_EQ(scalar.shape, Shape{});
  EXPECT_THAT(scalar.as<std::uint8_t>(), ElementsAre(7));
}

TEST(NpyHeader, MakesEveryTrueOne) {
  const std::string file =
      npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", std::string("\x00\xFF", 2));
  EXPECT_THAT(parse_npy(as_bytes(file), "x").as<std::uint8_t>(), ElementsAre(0, 1));
}

TEST(NpyHeader, RefusesAClaimBeyondTheFile) {
  expect_refused(
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000), }", "1234"),
      ": shape [1000000,1000000] of 4 bytes each does not fit the 4 bytes that are there");
}

TEST(NpyHeader, RefusesBytesBeyondTheClaim) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "12345678"),
                 ": shape [1] of 4 bytes each does not fit the 8 bytes that are there");
}

TEST(NpyHeader, RefusesEmptyTextsWithoutEnd) {
  expect_refused(npy("{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000,), }"),
                 ": shape [1000000000] of 0 bytes each does not fit the 0 bytes that are there");
}

TEST(NpyHeader, RefusesAProductThatOverflows) {
  const std::string file =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, "
          "4611686018427387904), }");
  EXPECT_THROW(parse_npy(as_bytes(file), "x"), Error);
}

TEST(NpyHeader, RefusesTooManyDimensions) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                     "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1), }"),
                 ": malformed .npy header: more than 16 dimensions");
}

TEST(NpyHeader, RefusesANegativeDimension) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }"),
                 ": malformed .npy header: wanted a dimension, an integer of at least 0");
}

TEST(NpyHeader, RefusesUnknownTypes) {
  expect_refused(npy("{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }"),
                 ": element type '<f3' is not supported, wanted numbers, bool or text");
  expect_refused(npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }"),
                 ": element type '<M8[s]' is not supported, wanted numbers, bool or text");
  expect_refused(npy("{'descr': '<U99999999999', 'fortran_order': False, 'shape': (0,), }"),
                 ": element type '<U99999999999' is not supported, wanted numbers, bool or text");
}

TEST(NpyHeader, RefusesMissingUnknownAndDoubleKeys) {
  expect_refused(npy("{'descr': '<f4', 'shape': (1,), }"),
                 ": malformed .npy header: wanted the keys descr, fortran_order and shape");
  expect_refused(npy("{'descr': '<f4', 'descr': '<f4', }"),
                 ": malformed .npy header: key 'descr' is unknown or given twice");
  expect_refused(npy("{'color': '<f4', }"),
                 ": malformed .npy header: key 'color' is unknown or given twice");
}

TEST(NpyHeader, RefusesTextAfterTheDictionary) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x"),
                 ": malformed .npy header: text after the dictionary");
}

TEST(NpyHeader, RefusesOtherFilesAndVersions) {
  expect_refused("hello, this is text", " is not a .npy array: it does not begin with \\x93NUMPY");
  expect_refused("", " is not a .npy array: it does not begin with \\x93NUMPY");
  expect_refused(std::string("\x93NUMPY\x01\x00\x40", 9), ": truncated .npy header");
  expect_refused(std::string("\x93NUMPY\x09\x00\x40\x00\x00\x00\x00\x00", 14),
                 ": .npy version 9, wanted 1 to 3");
}

TEST(NpyHeader, RefusesAHeaderLongerThanTheFile) {
  expect_refused(std::string("\x93NUMPY\x01\x00\xFF\x00{'", 12),
                 ": the .npy header claims 255 bytes, 2 are there (at most 65536 allowed)");
}

TEST(NpyHeader, RefusesEveryTruncation) {
  const std::string whole = file_bytes(golden("c_order.npy"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    EXPECT_THROW(parse_npy(as_bytes(part), "x"), Error) << length;
  }
}

TEST(NpyHeader, RefusesTextThatIsNotUnicode) {
  expect_refused(npy("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }",
                     std::string("\x00\xD8\x00\x00", 4)),
                 ": text holds 0xd800, which is no Unicode character");
}

}  // namespace
}  // namespace ingot::data
