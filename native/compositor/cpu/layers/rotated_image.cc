#include "compositor/cpu/layers/rotated_image.h"

#include <algorithm>

#include "compositor/cpu/layers/sample_plane.h"
#include "kernels/blend/blend.h"
#include "kernels/resample.h"

namespace framewright {
namespace {

constexpr int kRowsAhead = 6;  // rows between a prefetch and its use

}  // namespace

void RotatedImage::begin(const CanvasSize& size, const PlanarImage& image, const ImagePlacement& placement,
                         PlaneGroup group, const ImageSampling& sampling) {
  group_ = group;
  levelCount_ = sampling.levels.count();
  towardsNext_ = sampling.levels.towardsNext;
  opacity_ = placement.opacity;
  opaque_ = image.isOpaque();
  const Rect& window = placement.window;
  coverage_.cover(window, size, group);
  const int firstColumn = coverage_.columns.first;
  coverage_.trim(placement.part, group);
  if (coverage_.empty()) return;
  quad_.begin(placement.extendsEdges ? unitSquareTo(window) : placement.toCanvas, group, coverage_,
              firstColumn);
  for (int i = 0; i < levelCount_; ++i) {
    int found = 0;
    Level& level = levels_[i];
    level.planes = planesOf(image.level(sampling.levels.level + i, found), group);
    level.bounds = boundsOf(placement.crop, group, found, level.planes[0]);
    level.map = planeMapping(group, sampling.imageFromCanvas, image.chromaOffset(), found);
  }
}

void RotatedImage::drawRows(const Surface& to, SampleRange range) {
  if (coverage_.empty()) return;
  const int first = std::max(range.first, quad_.rows().first), end = std::min(range.end, quad_.rows().end);
  for (int y = first; y < end; ++y) {
    if (quad_.cover(y, opacity_)) drawRow(to, y);
  }
}

void RotatedImage::drawRow(const Surface& to, int y) {
  const std::array<Plane, 3> target = planesOf(to.planes, group_);
  const auto lay = [&](const Plane& plane, const uint8_t* samples, const uint8_t* alpha) {
    kernels::overRowMasked(plane.data + y * plane.stride + quad_.span.first, samples, alpha,
                           quad_.weights.data(), quad_.weights.size(),
                           to.rounding(y).after(quad_.span.first));
  };
  const uint8_t* alpha = opaque_ ? nullptr : sampledRow(kAlphaPlane, y);
  for (int colour = 0; colour < colourPlanes(group_); ++colour) {
    lay(target[static_cast<size_t>(colour)], sampledRow(colour, y), alpha);
  }
  if (target[kAlphaPlane].data == nullptr) return;
  full_.resize(quad_.weights.size(), 255);
  lay(target[kAlphaPlane], alpha ? alpha : full_.data(), alpha);
}

const uint8_t* RotatedImage::sampledRow(int plane, int y) {
  std::vector<uint8_t>& fine = walked_[plane == kAlphaPlane ? 0 : 1];
  walk(fine, levels_[0], plane, y);
  if (towardsNext_ > 0) {
    std::vector<uint8_t>& coarse = walked_[2];
    walk(coarse, levels_[1], plane, y);
    kernels::lerpRow(fine.data(), fine.data(), coarse.data(), fine.size(), towardsNext_);
  }
  return fine.data();
}

void RotatedImage::walk(std::vector<uint8_t>& out, const Level& from, int plane, int y) const {
  const Affine& m = from.map;
  const kernels::SamplePlane samples = samplePlaneOf(from.planes[static_cast<size_t>(plane)], from.bounds);
  const int32_t stepX = toFixedPosition(m.xx), stepY = toFixedPosition(m.yx);
  out.resize(static_cast<size_t>(quad_.span.end - quad_.span.first));
  // Walks start at the untrimmed row's begin, so that samples are independent of the drawn part.
  for (int x = quad_.span.first; x < quad_.span.end;) {
    const int start =
        quad_.span.untrimmedFirst + (x - quad_.span.untrimmedFirst) / kSamplesPerWalk * kSamplesPerWalk;
    const int end = std::min(quad_.span.end, start + kSamplesPerWalk), skipped = x - start;
    const kernels::SampleWalk steps{
        kernels::advanced(toFixedPosition(m.xx * (start + 0.5) + m.xy * (y + 0.5) + m.dx - 0.5), stepX,
                          skipped),
        kernels::advanced(toFixedPosition(m.yx * (start + 0.5) + m.yy * (y + 0.5) + m.dy - 0.5), stepY,
                          skipped),
        stepX,
        stepY,
        toFixedPosition(kRowsAhead * m.xy),
        toFixedPosition(kRowsAhead * m.yy)};
    kernels::sampleRow(&out[static_cast<size_t>(x - quad_.span.first)], samples, steps,
                       static_cast<size_t>(end - x));
    x = end;
  }
}

}  // namespace framewright
