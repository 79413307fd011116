#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Maps samples through a curve. Pure; any thread.
namespace framewright::kernels {

// Replaces premultiplied samples by those of `curve`, which has 256 values for straight samples. `alpha`:
// null for an opaque row; transparent samples stay.
void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count);

// A curve without bends: 0 to 255 from `offset` at a slope of 2^kSlopeBits for each level.
struct LinearCurve {
  static constexpr int kSlopeBits = 12;
  int16_t slope = 1 << kSlopeBits, offset = 0;

  constexpr uint8_t at(int sample) const {
    return static_cast<uint8_t>(std::clamp((sample * slope >> kSlopeBits) + offset, 0, 255));
  }
};
// The same for a linear curve, without a table.
void linearCurveRow(uint8_t* row, const uint8_t* alpha, const LinearCurve& curve, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count);
void linearCurveRow(uint8_t* row, const uint8_t* alpha, const LinearCurve& curve, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
