// SPDX-License-Identifier: Apache-2.0
// A library with the one symbol that ONNX Runtime exports; it is never called.
extern "C" __attribute__((visibility("default"))) const void* OrtGetApiBase() { return nullptr; }
