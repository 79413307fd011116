#pragma once

#include <array>
#include <vector>

#include "compositor/cpu/picture_placement.h"
#include "compositor/cpu/row_resampler.h"
#include "compositor/cpu/surface.h"

namespace framewright {

// Planes of one group of a turned or sheared picture. Keeps its buffers; used by one thread.
class TurnedPicture {
 public:
  // `picture` must outlive the drawing.
  void begin(const CanvasSize& size, const PlanarPicture& picture, const PicturePlacement& placement,
             PlaneGroup group, const Affine& pictureFromCanvas, LevelChoice choice);
  void drawRows(const Surface& to, SampleRange range);

 private:
  struct Level {
    std::array<Plane, 3> planes;  // colours, then alpha
    SampleBounds bounds;
    Affine map;  // from sample positions of the canvas
  };

  void drawRow(const Surface& to, int y);
  // Samples of `plane` under the covered columns of canvas row y.
  const uint8_t* sampledRow(int plane, int y);
  void walk(std::vector<uint8_t>& out, const Level& from, int plane, int y) const;

  PlaneGroup group_ = PlaneGroup::kLuma;
  LevelChoice choice_;
  double opacity_ = 1;
  bool opaque_ = true;
  RectCoverage coverage_;
  QuadCoverage quad_;
  Level levels_[2];
  std::vector<uint8_t> walked_[3];
  std::vector<uint8_t> full_;  // alpha of opaque pictures
};

}  // namespace framewright
