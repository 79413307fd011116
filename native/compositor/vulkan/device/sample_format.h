#pragma once

#include <array>
#include <memory>

#include "compositor/deep/canvas_curves.h"
#include "core/geometry.h"

namespace framewright::gpu {

// How surfaces store samples: as bytes, or in high precision as 16 bits, namely codes of 10 bits with four
// fraction bits, and alpha in Q15.
class SampleFormat {
 public:
  static constexpr int kFraction = 4;

  SampleFormat() = default;  // bytes
  // High precision. `curves` are those of a canvas whose layers are blended as signals.
  explicit SampleFormat(std::shared_ptr<const CanvasCurves> curves);

  bool isDeep() const { return curves_ != nullptr; }
  uint32_t sampleBytes() const { return isDeep() ? 2 : 1; }
  const std::shared_ptr<const CanvasCurves>& curves() const { return curves_; }
  // Y, Cb and Cr of an SDR colour, whose alpha is ignored.
  std::array<int, 3> valuesOf(const Color& color) const;
  // The brightest signals, which fades through white reach.
  std::array<int, 3> white() const;
  // The value of the specialization constant that chooses the matrix of Y'CbCr in shaders.
  uint32_t matrix() const { return isDeep() && curves_->color().isHdr() ? 1 : 0; }

 private:
  std::shared_ptr<const CanvasCurves> curves_;
};

}  // namespace framewright::gpu
