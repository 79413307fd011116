#include "compositor/cpu/draw_picture.h"

#include <algorithm>
#include <cmath>

#include "compositor/cpu/stack_row.h"
#include "kernels/blend.h"
#include "kernels/resample.h"

namespace framewright {
namespace {

constexpr double kSnap = 1.0 / 256;         // samples; nearer than this to a whole step, samples are copied
constexpr int kWalkLength = 128;            // 16.16 steps are renewed so often that they do not drift
constexpr double kLargestPosition = 32400;  // leaves room for the steps of a walk
constexpr int kRowsAhead = 6;               // enough for memory to answer
constexpr int kLargestWalkable = 32000;     // whole numbers that 16.16 holds

// The whole distance at which an axis is copied, if it is.
std::optional<int> wholeShift(double scale, double offset, int first, int count, int low, int high) {
  const double shift = std::round(offset);
  if (std::abs(scale - 1) * (first + count) > kSnap || std::abs(offset - shift) > kSnap) return std::nullopt;
  const int whole = static_cast<int>(shift);
  if (first + whole < low || first + count - 1 + whole > high) return std::nullopt;
  return whole;
}

}  // namespace

PictureDrawer::LevelChoice PictureDrawer::chooseLevel(double shrink, double blendFrom) {
  // Within [1, 2) of a level its filter copes; close to 2 the next level is blended in, so nothing pops.
  LevelChoice choice;
  if (shrink <= blendFrom) return choice;
  choice.level = static_cast<int>(std::floor(std::log2(shrink)));
  const double rest = shrink / std::exp2(choice.level);
  choice.towardsNext = toWeight((rest - blendFrom) / (2 - blendFrom));
  return choice;
}

void PictureDrawer::draw(const Surface& to, const PlanarPicture& picture, const PicturePlacement& placement) {
  const Rect& crop = placement.crop;
  const double area =
      placement.toCanvas.xx * placement.toCanvas.yy - placement.toCanvas.xy * placement.toCanvas.yx;
  if (crop.width <= 0 || crop.height <= 0 || std::abs(area) < 1e-9) return;
  const Affine toPicture{crop.width, 0, crop.x, 0, crop.height, crop.y};
  const Affine pictureFromCanvas = toPicture * inverse(placement.toCanvas);
  const bool upright = placement.toCanvas.isAxisAligned();
  const double shrink = std::max(std::hypot(pictureFromCanvas.xx, pictureFromCanvas.yx),
                                 std::hypot(pictureFromCanvas.xy, pictureFromCanvas.yy));
  for (const PlaneGroup group : {PlaneGroup::kLuma, PlaneGroup::kChroma}) {
    if (group == PlaneGroup::kChroma && placement.lumaOnly) break;
    if (upright) {
      drawUpright(to, picture, placement, group, pictureFromCanvas, chooseLevel(shrink / 1.15, 1.8));
    } else {
      LevelChoice choice = chooseLevel(shrink / 1.2, 1.0);
      while (std::max(picture.width(), picture.height()) >> choice.level > kLargestWalkable) ++choice.level;
      drawTurned(to, picture, placement, group, pictureFromCanvas, choice);
    }
  }
}

void PictureDrawer::prepare(Sampler& sampler, const PlanarPicture& picture, const PicturePlacement& placement,
                            PlaneGroup group, const Affine& pictureFromCanvas, int level) {
  int found = level;
  sampler.planes = planesOf(picture.level(level, found), group);
  sampler.bounds = boundsOf(placement.crop, group, found, sampler.planes[0]);
  Affine map = planeMapping(group, pictureFromCanvas, picture.chromaOffset(), found);
  // Only pictures a few samples small, or without memory for levels, are shrunk further than the filter
  // reaches.
  map.xx = std::clamp(map.xx, -kLargestFilterScale, kLargestFilterScale);
  map.yy = std::clamp(map.yy, -kLargestFilterScale, kLargestFilterScale);
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const SampleBounds& bounds = sampler.bounds;
  sampler.firstColumn = columns.first;
  sampler.firstRow = rows.first;
  sampler.count = columns.count();
  const auto x = wholeShift(map.xx, map.dx, columns.first, columns.count(), bounds.left, bounds.right);
  const auto y = wholeShift(map.yy, map.dy, rows.first, rows.count(), bounds.top, bounds.bottom);
  sampler.shift.reset();
  if (x && y) {
    sampler.shift = {*x, *y};
    return;
  }
  buildAxisFilter(sampler.columnFilter, {map.xx, map.dx}, columns.first, columns.count(), bounds.left,
                  bounds.right, FilterShape::kSoft);
  buildAxisFilter(sampler.rowFilter, {map.yy, map.dy}, rows.first, rows.count(), bounds.top, bounds.bottom,
                  FilterShape::kSoft);
  packColumns(sampler.columns, sampler.columnFilter);
  for (size_t p = 0; p < 3; ++p) {
    if (sampler.planes[p].data == nullptr) continue;
    sampler.resamplers[p].begin(sampler.planes[p], bounds, sampler.columns, sampler.rowFilter);
    sampler.rows[p].resize(static_cast<size_t>(sampler.count));
  }
}

// The picture's samples under the covered columns of canvas row y. May write them to `direct` (if given) and
// then answers that.
const uint8_t* PictureDrawer::rowOf(Sampler& sampler, int plane, int y, uint8_t* direct) {
  const auto p = static_cast<size_t>(plane);
  const Plane& source = sampler.planes[p];
  if (sampler.shift) {
    return source.data + (y + (*sampler.shift)[1]) * source.stride + sampler.firstColumn +
           (*sampler.shift)[0];
  }
  uint8_t* const to = direct != nullptr ? direct : sampler.rows[p].data();
  sampler.resamplers[p].write(y - sampler.firstRow, to, sampler.count);
  return to;
}

const uint8_t* PictureDrawer::blendedRow(int plane, int y, LevelChoice choice, uint8_t* direct) {
  if (choice.towardsNext == 0) return rowOf(samplers_[0], plane, y, direct);
  const uint8_t* fine = rowOf(samplers_[0], plane, y, nullptr);
  const uint8_t* coarse = rowOf(samplers_[1], plane, y, nullptr);
  std::vector<uint8_t>& blended = blended_[plane];
  const auto count = static_cast<size_t>(samplers_[0].count);
  blended.resize(count);
  kernels::lerpRow(blended.data(), fine, coarse, count, choice.towardsNext);
  return blended.data();
}

void PictureDrawer::drawUpright(const Surface& to, const PlanarPicture& picture,
                                const PicturePlacement& placement, PlaneGroup group,
                                const Affine& pictureFromCanvas, LevelChoice choice) {
  const std::array<Plane, 3> target = planesOf(to.planes, group);
  const Rect drawn =
      placement.endless ? placement.window : intersection(drawnRect(placement.toCanvas), placement.window);
  coverage_.cover(drawn, to.size(), group);
  if (coverage_.empty()) return;
  prepare(samplers_[0], picture, placement, group, pictureFromCanvas, choice.level);
  if (choice.towardsNext > 0) {
    prepare(samplers_[1], picture, placement, group, pictureFromCanvas, choice.level + 1);
  }
  const AxisCoverage& rows = coverage_.rows;
  for (int y = rows.first; y < rows.end; ++y) {
    const uint16_t weight = toWeight(placement.opacity * rows.at(y) / kernels::kFullWeight);
    if (weight == 0) continue;
    const uint8_t* alpha = picture.isOpaque() ? nullptr : blendedRow(kAlphaPlane, y, choice, nullptr);
    const bool replaces = alpha == nullptr && weight == kernels::kFullWeight && coverage_.columns.isFull();
    for (int colour = 0; colour < colourPlanes(group); ++colour) {
      const Plane& plane = target[static_cast<size_t>(colour)];
      uint8_t* const line = plane.data + y * plane.stride;
      uint8_t* const direct = replaces ? line + coverage_.columns.first : nullptr;
      const uint8_t* row = blendedRow(colour, y, choice, direct);
      if (row != direct || direct == nullptr) stackRow(line, row, alpha, coverage_.columns, weight);
    }
    if (const Plane& plane = target[kAlphaPlane]; plane.data != nullptr) {
      uint8_t* const line = plane.data + y * plane.stride;
      if (alpha != nullptr) {
        stackRow(line, alpha, alpha, coverage_.columns, weight);
      } else {
        stackValue(line, 255, coverage_.columns, weight);
      }
    }
  }
}

void PictureDrawer::drawTurned(const Surface& to, const PlanarPicture& picture,
                               const PicturePlacement& placement, PlaneGroup group,
                               const Affine& pictureFromCanvas, LevelChoice choice) {
  const std::array<Plane, 3> target = planesOf(to.planes, group);
  coverage_.cover(placement.window, to.size(), group);
  if (coverage_.empty()) return;
  const Rect& window = placement.window;
  const Affine everywhere{window.width, 0, window.x, 0, window.height, window.y};
  quad_.cover(placement.endless ? everywhere : placement.toCanvas, group, coverage_);
  struct Walkable {
    std::array<Plane, 3> planes;
    SampleBounds bounds;
    Affine map;
  } walkables[2];
  const int levels = choice.towardsNext > 0 ? 2 : 1;
  for (int i = 0; i < levels; ++i) {
    int found = 0;
    walkables[i].planes = planesOf(picture.level(choice.level + i, found), group);
    walkables[i].bounds = boundsOf(placement.crop, group, found, walkables[i].planes[0]);
    walkables[i].map = planeMapping(group, pictureFromCanvas, picture.chromaOffset(), found);
  }
  const auto fixed = [](double value) {
    return static_cast<int32_t>(std::lround(std::clamp(value, -kLargestPosition, kLargestPosition) * 65536));
  };
  const auto walk = [&](std::vector<uint8_t>& out, const Walkable& from, int p, int y) {
    const Plane& plane = from.planes[static_cast<size_t>(p)];
    const SampleBounds& b = from.bounds;
    const kernels::SamplePlane samples{
        plane.data,
        static_cast<int32_t>(plane.stride),
        b.left,
        b.right,
        b.top,
        b.bottom,
        static_cast<int32_t>(std::max<ptrdiff_t>(0, (plane.height - 1) * plane.stride + plane.width - 4))};
    const int count = quad_.end - quad_.first;
    out.resize(static_cast<size_t>(count));
    for (int i = 0; i < count; i += kWalkLength) {
      const double x = quad_.first + i + 0.5;
      const kernels::SampleWalk steps{fixed(from.map.xx * x + from.map.xy * (y + 0.5) + from.map.dx - 0.5),
                                      fixed(from.map.yx * x + from.map.yy * (y + 0.5) + from.map.dy - 0.5),
                                      fixed(from.map.xx),
                                      fixed(from.map.yx),
                                      fixed(kRowsAhead * from.map.xy),
                                      fixed(kRowsAhead * from.map.yy)};
      kernels::sampleRow(out.data() + i, samples, steps,
                         static_cast<size_t>(std::min(kWalkLength, count - i)));
    }
  };
  const auto sampled = [&](int p, int y) -> const uint8_t* {
    std::vector<uint8_t>& fine = walked_[p == kAlphaPlane ? 0 : 1];
    walk(fine, walkables[0], p, y);
    if (levels == 2) {
      std::vector<uint8_t>& coarse = walked_[2];
      walk(coarse, walkables[1], p, y);
      kernels::lerpRow(fine.data(), fine.data(), coarse.data(), fine.size(), choice.towardsNext);
    }
    return fine.data();
  };
  for (int y = quad_.firstRow(); y < quad_.endRow(); ++y) {
    if (!quad_.coverRow(y, placement.opacity)) continue;
    const uint8_t* alpha = picture.isOpaque() ? nullptr : sampled(kAlphaPlane, y);
    for (int colour = 0; colour < colourPlanes(group); ++colour) {
      const Plane& plane = target[static_cast<size_t>(colour)];
      kernels::overRowMasked(plane.data + y * plane.stride + quad_.first, sampled(colour, y), alpha,
                             quad_.weights.data(), quad_.weights.size());
    }
    if (const Plane& plane = target[kAlphaPlane]; plane.data != nullptr) {
      opaque_.resize(quad_.weights.size(), 255);
      kernels::overRowMasked(plane.data + y * plane.stride + quad_.first, alpha ? alpha : opaque_.data(),
                             alpha, quad_.weights.data(), quad_.weights.size());
    }
  }
}

}  // namespace framewright
