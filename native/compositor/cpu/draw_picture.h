#pragma once

#include <array>
#include <optional>
#include <vector>

#include "compositor/cpu/row_resampler.h"
#include "compositor/cpu/surface.h"

namespace framewright {

// How a picture lies on the canvas.
struct PicturePlacement {
  Rect crop;        // the part that is drawn, in picture pixels; sampling stays inside it
  Affine toCanvas;  // unit square of the crop -> canvas pixels
  Rect window;      // canvas pixels
  double opacity = 1;
  bool endless = false;  // the crop's edges go on to the window's instead of ending
  bool lumaOnly = false;
};

// Draws picture layers. Keeps its buffers between layers and frames; used by one thread.
class PictureDrawer {
 public:
  void draw(const Surface& to, const PlanarPicture& picture, const PicturePlacement& placement);

 private:
  // One or two neighbouring mip levels and how far to go towards the second.
  struct LevelChoice {
    int level = 0;
    uint16_t towardsNext = 0;
  };
  static LevelChoice chooseLevel(double shrink, double blendFrom);

  // Rows of a picture's planes of one group and level, on the columns of the canvas.
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
  struct Group;

  void drawUpright(const Surface& to, const PlanarPicture& picture, const PicturePlacement& placement,
                   PlaneGroup group, const Affine& pictureFromCanvas, LevelChoice choice);
  void drawTurned(const Surface& to, const PlanarPicture& picture, const PicturePlacement& placement,
                  PlaneGroup group, const Affine& pictureFromCanvas, LevelChoice choice);
  void prepare(Sampler& sampler, const PlanarPicture& picture, const PicturePlacement& placement,
               PlaneGroup group, const Affine& pictureFromCanvas, int level);
  const uint8_t* rowOf(Sampler& sampler, int plane, int y, uint8_t* direct);
  const uint8_t* blendedRow(int plane, int y, LevelChoice choice, uint8_t* direct);

  RectCoverage coverage_;
  QuadCoverage quad_;
  Sampler samplers_[2];
  std::vector<uint8_t> blended_[3];
  std::vector<uint8_t> walked_[3];
  std::vector<uint8_t> opaque_;
};

}  // namespace framewright
