// SPDX-License-Identifier: Apache-2.0
#include "quant/trial.h"

#include <mutex>

namespace ingot::quant {
namespace {

constexpr std::uint64_t kAlignment = 64;

/// Where a result lies in the spool until it is mapped.
struct Spooled {
  DType dtype;
  Shape shape;
  std::uint64_t offset = 0, size_bytes = 0;
  const Tensor* strings = nullptr;
};

}  // namespace

Reference::Reference(const Workbench& bench, const std::filesystem::path& path, std::size_t count)
    : bench_(bench), samples_(count) {
  const runtime::Session session(bench.library, path, {});
  for (const runtime::ValueInfo& output : session.outputs()) {
    if (!output.is_tensor) continue;
    outputs_.push_back(output);
    names_.push_back(output.name);
  }
  std::vector<std::vector<Spooled>> spooled(count);
  const std::filesystem::path spool_path = bench.scratch / "reference.spool";
  OutputFile spool(spool_path);
  std::mutex mutex;
  run_samples(
      bench, path, names_, count,
      [&](std::size_t sample, std::size_t, const runtime::Feeds&, const runtime::Results& results) {
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < names_.size(); ++i) {
          const TensorView view = results.view(i);
          Spooled entry{view.dtype, view.shape, 0, view.bytes.size(), nullptr};
          if (view.dtype == DType::kString) {
            strings_.push_back(std::make_unique<Tensor>(Tensor::copy_of(view)));
            entry.strings = strings_.back().get();
          }
          spool.align(kAlignment);
          entry.offset = spool.position_bytes();
          spool.write(view.bytes);
          spooled[sample].push_back(std::move(entry));
        }
      });
  spool.align(kAlignment);
  if (spool.position_bytes() == 0) spool.write(std::string_view("\0", 1));
  spool.commit();
  spool_ = std::make_unique<MappedFile>(spool_path);
  for (std::size_t s = 0; s < count; ++s) {
    for (const Spooled& entry : spooled[s]) {
      TensorView view{
          entry.dtype, entry.shape, spool_->bytes().subspan(entry.offset, entry.size_bytes), {}};
      if (entry.strings != nullptr) view = entry.strings->view();
      samples_[s].push_back(std::move(view));
    }
  }
}

Reference::~Reference() = default;

std::vector<verify::OutputRow> Reference::compare(const std::filesystem::path& path) const {
  // One comparison per sample, merged in order: sums do not depend on which thread ran first.
  std::vector<verify::Comparison> each(samples_.size(),
                                       verify::Comparison(outputs_, bench_.data.outputs()));
  run_samples(
      bench_, path, names_, samples_.size(),
      [&](std::size_t sample, std::size_t, const runtime::Feeds&, const runtime::Results& results) {
        std::vector<TensorView> views;
        for (std::size_t i = 0; i < names_.size(); ++i) views.push_back(results.view(i));
        each[sample].add(std::to_string(sample), samples_[sample], views);
      });
  verify::Comparison all(outputs_, bench_.data.outputs());
  for (const verify::Comparison& one : each) all.merge(one);
  return all.rows();
}

}  // namespace ingot::quant
