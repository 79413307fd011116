#pragma once

#include <array>
#include <optional>
#include <vector>

#include "compositor/cpu/layers/image_placement.h"
#include "compositor/cpu/layers/row_resampler.h"
#include "compositor/cpu/layers/surface.h"
#include "compositor/plan/image_sampling.h"

namespace framewright {

// Draws the planes of one group of an axis-aligned image with separable filters. Reuses its buffers; used by
// one thread.
class AxisAlignedImage {
 public:
  // `image` must outlive the drawing.
  void begin(const CanvasSize& size, const PlanarImage& image, const ImagePlacement& placement,
             PlaneGroup group, const ImageSampling& sampling);
  // Draws rows of samples; fastest from top to bottom.
  void drawRows(const Surface& to, SampleRange range);

 private:
  // Resamples the planes of one mip level to the canvas, row by row.
  struct Sampler {
    std::array<Plane, 3> planes;  // colours, then alpha
    SampleBounds bounds;
    std::optional<std::array<int, 2>> shift;  // set if samples are copied unfiltered from this offset
    AxisFilter columnFilter, rowFilter;
    ColumnTables columns;
    std::array<RowResampler, 3> resamplers;
    std::array<std::vector<uint8_t>, 3> rows;
    int firstColumn = 0, firstRow = 0, count = 0;
  };

  void prepare(Sampler& sampler, const PlanarImage& image, const ImagePlacement& placement,
               const Affine& imageFromCanvas, int level);
  void drawRow(const Surface& to, int y);
  static const uint8_t* rowOf(Sampler& sampler, int plane, int y, uint8_t* direct);
  const uint8_t* blendedRow(int plane, int y, uint8_t* direct);

  PlaneGroup group_ = PlaneGroup::kLuma;
  LevelChoice levels_;
  double opacity_ = 1;
  bool opaque_ = true;
  RectCoverage coverage_, whole_;  // of the drawn part and of the whole layer
  Sampler samplers_[2];
  std::vector<uint8_t> blended_[3];
};

}  // namespace framewright
