#include "compositor/cpu/draw_picture.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr int kLargestWalkable = 32000;  // whole numbers that 16.16 holds
constexpr PlaneGroup kGroups[] = {PlaneGroup::kLuma, PlaneGroup::kChroma};

LevelChoice chooseLevel(double shrink, double blendFrom) {
  // Within [1, 2) of a level its filter copes; close to 2 the next level is blended in, so nothing pops.
  LevelChoice choice;
  if (shrink <= blendFrom) return choice;
  choice.level = static_cast<int>(std::floor(std::log2(shrink)));
  const double rest = shrink / std::exp2(choice.level);
  choice.towardsNext = toWeight((rest - blendFrom) / (2 - blendFrom));
  return choice;
}

}  // namespace

void PictureDrawer::begin(const CanvasSize& size, const PlanarPicture& picture,
                          const PicturePlacement& placement) {
  const Rect& crop = placement.crop;
  const Affine& m = placement.toCanvas;
  groups_ = 0;
  if (crop.width <= 0 || crop.height <= 0 || std::abs(m.xx * m.yy - m.xy * m.yx) < 1e-9) return;
  groups_ = placement.lumaOnly ? 1 : 2;
  const Affine toPicture{crop.width, 0, crop.x, 0, crop.height, crop.y};
  const Affine pictureFromCanvas = toPicture * inverse(m);
  const double shrink = std::max(std::hypot(pictureFromCanvas.xx, pictureFromCanvas.yx),
                                 std::hypot(pictureFromCanvas.xy, pictureFromCanvas.yy));
  isUpright_ = m.isAxisAligned();
  LevelChoice choice = isUpright_ ? chooseLevel(shrink / 1.15, 1.8) : chooseLevel(shrink / 1.2, 1.0);
  if (!isUpright_) {
    while (std::max(picture.width(), picture.height()) >> choice.level > kLargestWalkable) ++choice.level;
  }
  for (int i = 0; i < groups_; ++i) {
    if (isUpright_) {
      upright_[i].begin(size, picture, placement, kGroups[i], pictureFromCanvas, choice);
    } else {
      turned_[i].begin(size, picture, placement, kGroups[i], pictureFromCanvas, choice);
    }
  }
}

void PictureDrawer::drawRows(const Surface& to, int top, int bottom) {
  for (int i = 0; i < groups_; ++i) {
    const SampleRange rows = samplesOf(top, bottom, kGroups[i]);
    if (isUpright_) {
      upright_[i].drawRows(to, rows);
    } else {
      turned_[i].drawRows(to, rows);
    }
  }
}

}  // namespace framewright
