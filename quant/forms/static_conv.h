// SPDX-License-Identifier: Apache-2.0
// The static form of a convolution; its own file because it alone quantizes its output.
#pragma once

#include "quant/forms/forms.h"

namespace ingot::quant {

Written write_static_conv(const FormRequest& request);

}  // namespace ingot::quant
