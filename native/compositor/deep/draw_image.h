#pragma once

#include <array>
#include <optional>
#include <vector>

#include "compositor/deep/deep_image.h"
#include "compositor/plan/axis_filter.h"
#include "compositor/plan/coverage.h"
#include "compositor/plan/image_sampling.h"
#include "compositor/plan/quad_coverage.h"

namespace framewright {

// How an image is placed on a surface.
struct DeepPlacement {
  Rect crop;         // the drawn part in pixels of the image
  Affine toSurface;  // unit square of the crop -> surface pixels
  Rect window;       // surface pixels
  double opacity = 1;
  bool extendsEdges = false;  // the crop's edge samples fill the window
};

// Draws images. Reuses its buffers; used by one thread.
class DeepImageDrawer {
 public:
  // Fails with OUT_OF_MEMORY.
  Status draw(FloatImage& to, const DeepImage& image, const DeepPlacement& placement);

 private:
  // Reads rows of one mip level through separable filters.
  struct Sampler {
    const FloatImage* image = nullptr;
    SampleBounds bounds;
    std::optional<std::array<int, 2>> shift;  // set where samples are copied
    AxisFilter rows;
    std::vector<int32_t> firsts;  // of the columns, in `pixels`
    std::vector<float> weights;   // by column
    int taps = 0, lineLeft = 0, lineLength = 0;
    std::array<std::vector<float>, 4> lines;  // by channel
    std::vector<float> pixels;                // the lines, interleaved
    std::array<std::vector<float>, 4> out;
  };

  Status drawAligned(FloatImage& to, const DeepImage& image, const DeepPlacement& placement,
                     const ImageSampling& sampling);
  Status drawRotated(FloatImage& to, const DeepImage& image, const DeepPlacement& placement,
                     const ImageSampling& sampling);
  Status begin(Sampler& sampler, const DeepImage& image, const DeepPlacement& placement,
               const Affine& imageFromCanvas, int level, const RectCoverage& coverage);
  static kernels::ConstFloatRow rowOf(Sampler& sampler, int y, const RectCoverage& coverage);

  RectCoverage coverage_;
  Sampler samplers_[2];
  std::vector<float> weights_;
  std::array<std::vector<float>, 8> rows_;
};

// Q15 weights as floats.
inline constexpr float kCoverageUnit = 1.0f / kernels::kFullWeight;
void writeWeights(std::vector<float>& to, const std::vector<uint16_t>& from);

}  // namespace framewright
