#pragma once

#include <array>
#include <vector>

#include "compositor/cpu/layers/image_placement.h"
#include "compositor/cpu/layers/quad_rows.h"
#include "compositor/cpu/layers/surface.h"
#include "compositor/plan/image_sampling.h"

namespace framewright {

// Draws the planes of one group of a rotated or sheared image with bilinear sampling. Reuses its buffers;
// used by one thread.
class RotatedImage {
 public:
  // `image` must outlive the drawing.
  void begin(const CanvasSize& size, const PlanarImage& image, const ImagePlacement& placement,
             PlaneGroup group, const ImageSampling& sampling);
  void drawRows(const Surface& to, SampleRange range);

 private:
  struct Level {
    std::array<Plane, 3> planes;  // colours, then alpha
    SampleBounds bounds;
    Affine map;  // canvas sample positions -> image sample positions
  };

  void drawRow(const Surface& to, int y);
  // Samples of `plane` under the covered columns of canvas row y.
  const uint8_t* sampledRow(int plane, int y);
  void walk(std::vector<uint8_t>& out, const Level& from, int plane, int y) const;

  PlaneGroup group_ = PlaneGroup::kLuma;
  int levelCount_ = 1;
  uint16_t towardsNext_ = 0;
  double opacity_ = 1;
  bool opaque_ = true;
  RectCoverage coverage_;
  QuadRows quad_;
  Level levels_[2];
  std::vector<uint8_t> walked_[3];
  std::vector<uint8_t> full_;  // alpha of opaque images
};

}  // namespace framewright
