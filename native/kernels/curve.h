#pragma once

#include <cstddef>
#include <cstdint>

// Maps samples through a curve. Pure; any thread.
namespace framewright::kernels {

// Replaces premultiplied samples by those of `curve`, which has 256 values for straight samples. `alpha`:
// null for an opaque row; transparent samples stay.
void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count);

// Scalar version that defines the result bit for bit.
namespace reference {
void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
