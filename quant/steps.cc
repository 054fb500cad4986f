// SPDX-License-Identifier: Apache-2.0
#include "quant/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ingot::quant {
namespace {

constexpr const char* kNodeReason =
    "among the most sensitive nodes: {}, the model misses the goal of its red line";
constexpr const char* kStorageReason =
    "among the weights with the largest int8 error: stored so, the model misses the goal of its "
    "red line";

struct RankedStep {
  double cost;  ///< noise that the step takes away, per share of multiply-adds
  Step step;
};

double noise_of(const NoiseRatios& noise, const std::string& node, Form form) {
  const auto it = noise.find(node);
  if (it == noise.end()) return 0;
  const auto found = it->second.find(form);
  return found == it->second.end() ? 0 : found->second;
}

/// The steps of one node, most noise first because each leaves less for the next.
void add_node_steps(const Scheme& scheme, const Site& site, const NodePlan& node, const Plan& plan,
                    const NoiseRatios& noise, std::vector<RankedStep>& ranked) {
  const double work = std::max(node.multiply_adds.value_or(0), 1e-6);
  Form from = node.form;
  double left = noise_of(noise, site.node, from);
  std::vector<Form> forms = forms_after(scheme, site, from, plan.ranges);
  forms.push_back(Form::kFloat);
  for (const Form form : forms) {
    const double next = form == Form::kFloat ? 0 : noise_of(noise, site.node, form);
    if (form != Form::kFloat && sqnr_db_of(next) < sqnr_db_of(left) + kLeastStepDb) continue;
    ranked.push_back(
        {left / work, {site.node, "", form, {}, fmt::format(kNodeReason, form_name(from))}});
    from = form;
    left = next;
  }
}

}  // namespace

std::vector<ProbeRequest> probes_for(const Scheme& scheme, const Sites& sites, const Plan& plan) {
  std::vector<ProbeRequest> requests;
  for (const NodePlan& node : plan.nodes) {
    if (node.form == Form::kFloat) continue;
    const Site& site = *sites.find(node.node);
    if (site.graph != 0) continue;
    requests.push_back({node.node, node.form});
    for (const Form form : forms_after(scheme, site, node.form, plan.ranges))
      requests.push_back({node.node, form});
  }
  return requests;
}

std::vector<Step> steps_for(const Scheme& scheme, const Sites& sites, const Plan& plan,
                            const NoiseRatios& noise) {
  std::vector<RankedStep> ranked;
  for (const NodePlan& node : plan.nodes) {
    if (node.form != Form::kFloat)
      add_node_steps(scheme, *sites.find(node.node), node, plan, noise, ranked);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedStep& a, const RankedStep& b) { return a.cost > b.cost; });
  std::vector<Step> steps;
  for (RankedStep& one : ranked) steps.push_back(std::move(one.step));
  std::vector<const WeightPlan*> stored;
  for (const WeightPlan& weight : plan.weights) {
    if (weight.storage == Storage::kInt8) stored.push_back(&weight);
  }
  std::stable_sort(stored.begin(), stored.end(), [](const WeightPlan* a, const WeightPlan* b) {
    return a->error_db < b->error_db;
  });
  for (const WeightPlan* weight : stored)
    steps.push_back({"", weight->tensor, {}, Storage::kFloat16, kStorageReason});
  return steps;
}

}  // namespace ingot::quant
