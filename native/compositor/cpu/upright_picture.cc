#include "compositor/cpu/upright_picture.h"

#include <algorithm>
#include <cmath>

#include "compositor/cpu/stack_row.h"
#include "kernels/blend.h"

namespace framewright {
namespace {

constexpr double kSnap = 1.0 / 256;  // samples; nearer than this to a whole step, samples are copied

// The whole distance at which an axis is copied, if it is.
std::optional<int> wholeShift(double scale, double offset, int first, int count, int low, int high) {
  const double shift = std::round(offset);
  if (std::abs(scale - 1) * (first + count) > kSnap || std::abs(offset - shift) > kSnap) return std::nullopt;
  const int whole = static_cast<int>(shift);
  if (first + whole < low || first + count - 1 + whole > high) return std::nullopt;
  return whole;
}

}  // namespace

void UprightPicture::begin(const CanvasSize& size, const PlanarPicture& picture,
                           const PicturePlacement& placement, PlaneGroup group,
                           const Affine& pictureFromCanvas, LevelChoice choice) {
  group_ = group;
  choice_ = choice;
  opacity_ = placement.opacity;
  opaque_ = picture.isOpaque();
  const Rect drawn =
      placement.endless ? placement.window : intersection(drawnRect(placement.toCanvas), placement.window);
  coverage_.cover(drawn, size, group);
  whole_ = coverage_;
  coverage_.trim(placement.part, group);
  if (coverage_.empty()) return;
  prepare(samplers_[0], picture, placement, pictureFromCanvas, choice.level);
  if (choice.towardsNext > 0) {
    prepare(samplers_[1], picture, placement, pictureFromCanvas, choice.level + 1);
  }
}

void UprightPicture::prepare(Sampler& sampler, const PlanarPicture& picture,
                             const PicturePlacement& placement, const Affine& pictureFromCanvas, int level) {
  int found = level;
  sampler.planes = planesOf(picture.level(level, found), group_);
  sampler.bounds = boundsOf(placement.crop, group_, found, sampler.planes[0]);
  Affine map = planeMapping(group_, pictureFromCanvas, picture.chromaOffset(), found);
  // Only pictures a few samples small, or without memory for levels, are shrunk further than the filter
  // reaches.
  map.xx = std::clamp(map.xx, -kLargestFilterScale, kLargestFilterScale);
  map.yy = std::clamp(map.yy, -kLargestFilterScale, kLargestFilterScale);
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const SampleBounds& bounds = sampler.bounds;
  sampler.firstColumn = columns.first;
  sampler.firstRow = rows.first;
  sampler.count = columns.count();
  const auto x =
      wholeShift(map.xx, map.dx, whole_.columns.first, whole_.columns.count(), bounds.left, bounds.right);
  const auto y =
      wholeShift(map.yy, map.dy, whole_.rows.first, whole_.rows.count(), bounds.top, bounds.bottom);
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
const uint8_t* UprightPicture::rowOf(Sampler& sampler, int plane, int y, uint8_t* direct) {
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

const uint8_t* UprightPicture::blendedRow(int plane, int y, uint8_t* direct) {
  if (choice_.towardsNext == 0) return rowOf(samplers_[0], plane, y, direct);
  const uint8_t* fine = rowOf(samplers_[0], plane, y, nullptr);
  const uint8_t* coarse = rowOf(samplers_[1], plane, y, nullptr);
  std::vector<uint8_t>& blended = blended_[plane];
  const auto count = static_cast<size_t>(samplers_[0].count);
  blended.resize(count);
  kernels::lerpRow(blended.data(), fine, coarse, count, choice_.towardsNext);
  return blended.data();
}

void UprightPicture::drawRows(const Surface& to, SampleRange range) {
  if (coverage_.empty()) return;
  const int first = std::max(range.first, coverage_.rows.first),
            end = std::min(range.end, coverage_.rows.end);
  for (int y = first; y < end; ++y) drawRow(to, y);
}

void UprightPicture::drawRow(const Surface& to, int y) {
  const std::array<Plane, 3> target = planesOf(to.planes, group_);
  const uint16_t weight = toWeight(opacity_ * coverage_.rows.at(y) / kernels::kFullWeight);
  if (weight == 0) return;
  const uint8_t* alpha = opaque_ ? nullptr : blendedRow(kAlphaPlane, y, nullptr);
  const bool replaces = alpha == nullptr && weight == kernels::kFullWeight && coverage_.columns.isFull();
  for (int colour = 0; colour < colourPlanes(group_); ++colour) {
    const Plane& plane = target[static_cast<size_t>(colour)];
    uint8_t* const line = plane.data + y * plane.stride;
    uint8_t* const direct = replaces ? line + coverage_.columns.first : nullptr;
    const uint8_t* row = blendedRow(colour, y, direct);
    if (row != direct || direct == nullptr) stackRow(line, row, alpha, coverage_.columns, weight);
  }
  const Plane& plane = target[kAlphaPlane];
  if (plane.data == nullptr) return;
  uint8_t* const line = plane.data + y * plane.stride;
  if (alpha != nullptr) {
    stackRow(line, alpha, alpha, coverage_.columns, weight);
  } else {
    stackValue(line, 255, coverage_.columns, weight);
  }
}

}  // namespace framewright
