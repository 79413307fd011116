#include "compositor/cpu/layers/axis_aligned_image.h"

#include <algorithm>

#include "compositor/cpu/layers/composite_row.h"
#include "kernels/blend/blend.h"

namespace framewright {
void AxisAlignedImage::begin(const CanvasSize& size, const PlanarImage& image,
                             const ImagePlacement& placement, PlaneGroup group,
                             const ImageSampling& sampling) {
  group_ = group;
  levels_ = sampling.levels;
  opacity_ = placement.opacity;
  opaque_ = image.isOpaque();
  const Rect drawn = placement.extendsEdges
                         ? placement.window
                         : intersection(axisAlignedRect(placement.toCanvas), placement.window);
  coverage_.cover(drawn, size, group);
  whole_ = coverage_;
  coverage_.trim(placement.part, group);
  if (coverage_.empty()) return;
  prepare(samplers_[0], image, placement, sampling.imageFromCanvas, levels_.level);
  if (levels_.towardsNext > 0) {
    prepare(samplers_[1], image, placement, sampling.imageFromCanvas, levels_.level + 1);
  }
}

void AxisAlignedImage::prepare(Sampler& sampler, const PlanarImage& image, const ImagePlacement& placement,
                               const Affine& imageFromCanvas, int level) {
  int found = level;
  sampler.planes = planesOf(image.level(level, found), group_);
  sampler.bounds = boundsOf(placement.crop, group_, found, sampler.planes[0]);
  const Affine map = filterMapping(group_, imageFromCanvas, image.chromaOffset(), found);
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const SampleBounds& bounds = sampler.bounds;
  sampler.firstColumn = columns.first;
  sampler.firstRow = rows.first;
  sampler.count = columns.count();
  const auto x =
      copyOffset(map.xx, map.dx, whole_.columns.first, whole_.columns.count(), bounds.left, bounds.right);
  const auto y =
      copyOffset(map.yy, map.dy, whole_.rows.first, whole_.rows.count(), bounds.top, bounds.bottom);
  sampler.shift.reset();
  if (x && y) {
    sampler.shift = {*x, *y};
    return;
  }
  buildAxisFilter(sampler.columnFilter, {map.xx, map.dx}, columns.first, columns.count(), bounds.left,
                  bounds.right, FilterKernel::kCatmullRom);
  buildAxisFilter(sampler.rowFilter, {map.yy, map.dy}, rows.first, rows.count(), bounds.top, bounds.bottom,
                  FilterKernel::kCatmullRom);
  packColumns(sampler.columns, sampler.columnFilter);
  for (size_t p = 0; p < 3; ++p) {
    if (sampler.planes[p].data == nullptr) continue;
    sampler.resamplers[p].begin(sampler.planes[p], bounds, sampler.columns, sampler.rowFilter);
    sampler.rows[p].resize(static_cast<size_t>(sampler.count));
  }
}

// Returns the image's samples under the covered columns of canvas row y: a pointer into the image, into a
// buffer, or `direct` if given.
const uint8_t* AxisAlignedImage::rowOf(Sampler& sampler, int plane, int y, uint8_t* direct) {
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

const uint8_t* AxisAlignedImage::blendedRow(int plane, int y, uint8_t* direct) {
  if (levels_.towardsNext == 0) return rowOf(samplers_[0], plane, y, direct);
  const uint8_t* fine = rowOf(samplers_[0], plane, y, nullptr);
  const uint8_t* coarse = rowOf(samplers_[1], plane, y, nullptr);
  std::vector<uint8_t>& blended = blended_[plane];
  const auto count = static_cast<size_t>(samplers_[0].count);
  blended.resize(count);
  kernels::lerpRow(blended.data(), fine, coarse, count, levels_.towardsNext);
  return blended.data();
}

void AxisAlignedImage::drawRows(const Surface& to, SampleRange range) {
  if (coverage_.empty()) return;
  const int first = std::max(range.first, coverage_.rows.first),
            end = std::min(range.end, coverage_.rows.end);
  for (int y = first; y < end; ++y) drawRow(to, y);
}

void AxisAlignedImage::drawRow(const Surface& to, int y) {
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
    if (row != direct || direct == nullptr)
      compositeRow(line, row, alpha, coverage_.columns, weight, to.rounding(y));
  }
  const Plane& plane = target[kAlphaPlane];
  if (plane.data == nullptr) return;
  uint8_t* const line = plane.data + y * plane.stride;
  if (alpha != nullptr) {
    compositeRow(line, alpha, alpha, coverage_.columns, weight, to.rounding(y));
  } else {
    compositeValue(line, 255, coverage_.columns, weight, to.rounding(y));
  }
}

}  // namespace framewright
