#include "compositor/cpu/turned_picture.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend.h"
#include "kernels/resample.h"

namespace framewright {
namespace {

constexpr int kWalkLength = 128;            // 16.16 steps are renewed so often that they do not drift
constexpr double kLargestPosition = 32400;  // leaves room for the steps of a walk
constexpr int kRowsAhead = 6;               // enough for memory to answer

int32_t fixed(double value) {
  return static_cast<int32_t>(std::lround(std::clamp(value, -kLargestPosition, kLargestPosition) * 65536));
}

kernels::SamplePlane sampleable(const Plane& plane, const SampleBounds& bounds) {
  const ptrdiff_t last = (plane.height - 1) * plane.stride + plane.width - 4;
  return {plane.data,
          static_cast<int32_t>(plane.stride),
          bounds.left,
          bounds.right,
          bounds.top,
          bounds.bottom,
          static_cast<int32_t>(std::max<ptrdiff_t>(0, last))};
}

}  // namespace

void TurnedPicture::begin(const CanvasSize& size, const PlanarPicture& picture,
                          const PicturePlacement& placement, PlaneGroup group,
                          const Affine& pictureFromCanvas, LevelChoice choice) {
  group_ = group;
  choice_ = choice;
  opacity_ = placement.opacity;
  opaque_ = picture.isOpaque();
  const Rect& window = placement.window;
  coverage_.cover(window, size, group);
  const int firstColumn = coverage_.columns.first;
  coverage_.trim(placement.part, group);
  if (coverage_.empty()) return;
  const Affine everywhere{window.width, 0, window.x, 0, window.height, window.y};
  quad_.cover(placement.endless ? everywhere : placement.toCanvas, group, coverage_, firstColumn);
  for (int i = 0; i < (choice.towardsNext > 0 ? 2 : 1); ++i) {
    int found = 0;
    Level& level = levels_[i];
    level.planes = planesOf(picture.level(choice.level + i, found), group);
    level.bounds = boundsOf(placement.crop, group, found, level.planes[0]);
    level.map = planeMapping(group, pictureFromCanvas, picture.chromaOffset(), found);
  }
}

void TurnedPicture::drawRows(const Surface& to, SampleRange range) {
  if (coverage_.empty()) return;
  const int first = std::max(range.first, quad_.firstRow()), end = std::min(range.end, quad_.endRow());
  for (int y = first; y < end; ++y) {
    if (quad_.coverRow(y, opacity_)) drawRow(to, y);
  }
}

void TurnedPicture::drawRow(const Surface& to, int y) {
  const std::array<Plane, 3> target = planesOf(to.planes, group_);
  const auto lay = [&](const Plane& plane, const uint8_t* samples, const uint8_t* alpha) {
    kernels::overRowMasked(plane.data + y * plane.stride + quad_.first, samples, alpha, quad_.weights.data(),
                           quad_.weights.size());
  };
  const uint8_t* alpha = opaque_ ? nullptr : sampledRow(kAlphaPlane, y);
  for (int colour = 0; colour < colourPlanes(group_); ++colour) {
    lay(target[static_cast<size_t>(colour)], sampledRow(colour, y), alpha);
  }
  if (target[kAlphaPlane].data == nullptr) return;
  full_.resize(quad_.weights.size(), 255);
  lay(target[kAlphaPlane], alpha ? alpha : full_.data(), alpha);
}

const uint8_t* TurnedPicture::sampledRow(int plane, int y) {
  std::vector<uint8_t>& fine = walked_[plane == kAlphaPlane ? 0 : 1];
  walk(fine, levels_[0], plane, y);
  if (choice_.towardsNext > 0) {
    std::vector<uint8_t>& coarse = walked_[2];
    walk(coarse, levels_[1], plane, y);
    kernels::lerpRow(fine.data(), fine.data(), coarse.data(), fine.size(), choice_.towardsNext);
  }
  return fine.data();
}

void TurnedPicture::walk(std::vector<uint8_t>& out, const Level& from, int plane, int y) const {
  const Affine& m = from.map;
  const kernels::SamplePlane samples = sampleable(from.planes[static_cast<size_t>(plane)], from.bounds);
  const int32_t stepX = fixed(m.xx), stepY = fixed(m.yx);
  out.resize(static_cast<size_t>(quad_.end - quad_.first));
  // Steps are counted from where the row of the whole picture begins, so that every part has its samples.
  for (int x = quad_.first; x < quad_.end;) {
    const int start = quad_.wholeFirst + (x - quad_.wholeFirst) / kWalkLength * kWalkLength;
    const int end = std::min(quad_.end, start + kWalkLength), skipped = x - start;
    const kernels::SampleWalk steps{
        fixed(m.xx * (start + 0.5) + m.xy * (y + 0.5) + m.dx - 0.5) + skipped * stepX,
        fixed(m.yx * (start + 0.5) + m.yy * (y + 0.5) + m.dy - 0.5) + skipped * stepY,
        stepX,
        stepY,
        fixed(kRowsAhead * m.xy),
        fixed(kRowsAhead * m.yy)};
    kernels::sampleRow(&out[static_cast<size_t>(x - quad_.first)], samples, steps,
                       static_cast<size_t>(end - x));
    x = end;
  }
}

}  // namespace framewright
