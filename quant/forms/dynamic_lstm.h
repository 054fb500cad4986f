// SPDX-License-Identifier: Apache-2.0
// The dynamic form of an LSTM.
#pragma once

#include "quant/forms/forms.h"

namespace ingot::quant {

Written write_dynamic_lstm(const FormRequest& request);

}  // namespace ingot::quant
