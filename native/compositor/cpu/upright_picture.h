#pragma once

#include <array>
#include <optional>
#include <vector>

#include "compositor/cpu/picture_placement.h"
#include "compositor/cpu/row_resampler.h"
#include "compositor/cpu/surface.h"

namespace framewright {

// Planes of one group of a picture that is not turned. Keeps its buffers; used by one thread.
class UprightPicture {
 public:
  // `picture` must outlive the drawing.
  void begin(const CanvasSize& size, const PlanarPicture& picture, const PicturePlacement& placement,
             PlaneGroup group, const Affine& pictureFromCanvas, LevelChoice choice);
  // Rows of samples; best downwards.
  void drawRows(const Surface& to, SampleRange range);

 private:
  // Rows of a picture's planes of one level, on the columns of the canvas.
  struct Sampler {
    std::array<Plane, 3> planes;  // colours, then alpha
    SampleBounds bounds;
    std::optional<std::array<int, 2>> shift;  // samples map one to one, at this distance
    AxisFilter columnFilter, rowFilter;
    ColumnTables columns;
    std::array<RowResampler, 3> resamplers;
    std::array<std::vector<uint8_t>, 3> rows;
    int firstColumn = 0, firstRow = 0, count = 0;
  };

  void prepare(Sampler& sampler, const PlanarPicture& picture, const PicturePlacement& placement,
               const Affine& pictureFromCanvas, int level);
  void drawRow(const Surface& to, int y);
  static const uint8_t* rowOf(Sampler& sampler, int plane, int y, uint8_t* direct);
  const uint8_t* blendedRow(int plane, int y, uint8_t* direct);

  PlaneGroup group_ = PlaneGroup::kLuma;
  LevelChoice choice_;
  double opacity_ = 1;
  bool opaque_ = true;
  RectCoverage coverage_, whole_;  // of what is drawn, and of all there is
  Sampler samplers_[2];
  std::vector<uint8_t> blended_[3];
};

}  // namespace framewright
