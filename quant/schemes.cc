// SPDX-License-Identifier: Apache-2.0
#include "quant/schemes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace ingot::quant {
namespace {

constexpr std::array kStatic = {Form::kStatic};
constexpr std::array kStaticMatMul = {Form::kStatic, Form::kDynamic, Form::kPerToken,
                                      Form::kBlocks8x32};
constexpr std::array kDynamic = {Form::kDynamic};
constexpr std::array kDynamicMatMul = {Form::kDynamic, Form::kPerToken, Form::kBlocks8x32};
constexpr std::array kBlocks8 = {Form::kBlocks8x128, Form::kBlocks8x32};
constexpr std::array kBlocks4 = {Form::kBlocks4x32, Form::kBlocks8x128, Form::kBlocks8x32};
constexpr std::array kRows = {Form::kRows};
constexpr std::array kRows4 = {Form::kBlocks4x32, Form::kRows};

constexpr std::array kSchemes = {
    Scheme{"int8",
           "static integer kernels where they hold the red line, int8 or float16 storage elsewhere",
           true, kStatic, kStaticMatMul, kDynamic, kRows},
    Scheme{
        "int8-dynamic",
        "integer kernels whose activation ranges are found at run time; MatMul, Gemm, LSTM, tables",
        false,
        {},
        kDynamicMatMul,
        kDynamic,
        kRows},
    Scheme{"w8",
           "weights only, 8 bits in blocks; activations and results stay float",
           false,
           {},
           kBlocks8,
           {},
           kRows},
    Scheme{"w4",
           "weights only, 4 bits in blocks where a matrix product reads them, 8 "
           "elsewhere",
           false,
           {},
           kBlocks4,
           {},
           kRows4},
};

}  // namespace

std::span<const Form> Scheme::ladder(SiteKind kind) const {
  switch (kind) {
    case SiteKind::kConv:
      return conv;
    case SiteKind::kMatMul:
      return matmul;
    case SiteKind::kLstm:
      return lstm;
    case SiteKind::kTable:
      return table;
  }
  return {};
}

std::span<const Scheme> schemes() { return kSchemes; }

const Scheme& find_scheme(const std::string& name) {
  std::vector<std::string> names;
  for (const Scheme& scheme : kSchemes) {
    if (name == scheme.name) return scheme;
    names.emplace_back(scheme.name);
  }
  throw Error(Code::kUsage, fmt::format("unknown scheme '{}'{}", name, did_you_mean(name, names)),
              "ingot quantize --list shows the schemes");
}

}  // namespace ingot::quant
