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
  FilterKernel kernel = FilterKernel::kCatmullRom;
};

// Draws images, whole or row by row. Reuses its buffers; used by one thread.
class DeepImageDrawer {
 public:
  explicit DeepImageDrawer(const CanvasColor& color = {}) : scale_(kernels::ycbcrScale(10, color.isHdr())) {}

  // Fails with OUT_OF_MEMORY.
  Status draw(FloatImage& to, const DeepImage& image, const DeepPlacement& placement);

  // Prepares the rows of an image, which must outlive them, on a surface of this size. Fails with
  // OUT_OF_MEMORY.
  Status begin(const CanvasSize& size, const DeepImage& image, const DeepPlacement& placement);
  // Blends a row over that of the surface, which starts in column 0.
  void drawRow(int y, const kernels::FloatRow& to);

 private:
  // Reads rows of one mip level through separable filters.
  struct Sampler {
    const FloatImage* image = nullptr;
    SampleBounds bounds;
    Affine map;                               // surface pixels -> samples
    std::optional<std::array<int, 2>> shift;  // set where samples are copied
    AxisFilter rows;
    std::vector<int32_t> firsts;  // of the columns, in `lines`
    std::vector<float> weights;   // by tap, then column
    int taps = 0, lineLeft = 0, lineLength = 0;
    std::array<std::vector<float>, 4> lines;  // by channel
    std::array<std::vector<float>, 4> out;
  };

  static void beginAligned(Sampler& sampler, const Affine& map, FilterKernel kernel,
                           const RectCoverage& coverage);
  void drawAlignedRow(int y, const kernels::FloatRow& to);
  void drawRotatedRow(int y, const kernels::FloatRow& to);
  kernels::ConstFloatRow rowOf(Sampler& sampler, int y) const;
  // Mixes a row of the first level with one of the second.
  kernels::ConstFloatRow mixed(const kernels::ConstFloatRow& fine, const kernels::ConstFloatRow& coarse,
                               size_t count);

  kernels::YcbcrScale scale_;
  bool isAligned_ = true;
  int levels_ = 1;
  float opacity_ = 1, towardsNext_ = 0;
  RectCoverage coverage_;
  QuadCoverage quad_;
  SampleRange range_{0, 0};  // the rows that are drawn
  Sampler samplers_[2];
  std::vector<float> weights_;
  std::array<std::vector<float>, 4> rows_;
};

// Q15 weights as floats.
inline constexpr float kCoverageUnit = 1.0f / kernels::kFullWeight;
void writeWeights(std::vector<float>& to, const std::vector<uint16_t>& from);

}  // namespace framewright
