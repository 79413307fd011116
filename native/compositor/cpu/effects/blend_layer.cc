#include "compositor/cpu/effects/blend_layer.h"

#include <algorithm>

#include "kernels/blend/blend_modes.h"
#include "kernels/straight.h"

namespace framewright {

// Pixels of the frame that the layer's surface covers.
struct LayerBlender::Region {
  int x, y, width, height;
  double opacity;
};

namespace {

Plane part(const Plane& plane, int x, int y, int width, int height) {
  return {plane.data + y * plane.stride + x, plane.stride, width, height};
}

}  // namespace

void LayerBlender::blend(Image& frame, const LayerBuffer& layer, const Rect& window, double opacity,
                         BlendMode mode) {
  const Surface& from = layer.surface();
  const int left = std::max(0, layer.x()), top = std::max(0, layer.y());
  const int right = std::min(frame.width(), layer.x() + from.width),
            bottom = std::min(frame.height(), layer.y() + from.height);
  if (left >= right || top >= bottom) return;
  const Region region{left, top, right - left, bottom - top, opacity};
  coverage_.cover(window, {frame.width(), frame.height()}, PlaneGroup::kLuma);
  if (coverage_.empty()) return;
  const int chromaWidth = (region.width + 1) / 2, chromaHeight = (region.height + 1) / 2;
  const auto inFrame = [&](int p) {
    return part(frame.plane(p), left / 2, top / 2, chromaWidth, chromaHeight);
  };
  const auto inLayer = [&](const Plane& plane) {
    return part(plane, (left - layer.x()) / 2, (top - layer.y()) / 2, chromaWidth, chromaHeight);
  };
  backdrop_.begin(inFrame(1), inFrame(2), {});
  source_.begin(inLayer(from.planes.u), inLayer(from.planes.v), inLayer(from.planes.chromaAlpha));
  const auto width = static_cast<size_t>(region.width);
  for (auto& row : full_) row.resize(width);
  weights_.resize(width);
  for (auto& plane : changes_) {
    for (auto& row : plane) row.assign(width + 3, 0);
  }
  for (int y = 0; y < region.height; y += 2) {
    const bool both = y + 1 < region.height;
    blendLuma(frame, layer, region, y, mode);
    if (both) blendLuma(frame, layer, region, y + 1, mode);
    addChroma(frame, region, y, both);
  }
}

void LayerBlender::blendLuma(Image& frame, const LayerBuffer& layer, const Region& region, int y,
                             BlendMode mode) {
  const auto count = static_cast<size_t>(region.width);
  const int frameY = region.y + y, layerY = frameY - layer.y(), layerX = region.x - layer.x();
  int16_t* const du = changes_[0][y % 2].data() + 1;
  int16_t* const dv = changes_[1][y % 2].data() + 1;
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  if (frameY < rows.first || frameY >= rows.end) {
    std::fill_n(du, count, int16_t{0});
    std::fill_n(dv, count, int16_t{0});
    return;
  }
  const uint16_t rowWeight = toWeight(region.opacity * rows.at(frameY) / kernels::kFullWeight);
  std::fill(weights_.begin(), weights_.end(), uint16_t{0});
  for (int x = std::max(columns.first, region.x); x < std::min(columns.end, region.x + region.width); ++x) {
    weights_[static_cast<size_t>(x - region.x)] = weightProduct(columns.at(x), rowWeight);
  }
  backdrop_.fillRow(y, full_[0].data(), full_[1].data(), count);
  source_.fillRow(y, full_[2].data(), full_[3].data(), count);
  const ImagePlanes& planes = layer.surface().planes;
  const uint8_t* const alpha = planes.alpha.data + layerY * planes.alpha.stride + layerX;
  kernels::unpremultiplyRow(full_[4].data(), planes.y.data + layerY * planes.y.stride + layerX, alpha, count);
  uint8_t* const luma = frame.plane(0).data + frameY * frame.plane(0).stride + region.x;
  kernels::blendRow(mode, {luma, du, dv}, {luma, full_[0].data(), full_[1].data()},
                    {full_[4].data(), full_[2].data(), full_[3].data()}, alpha, weights_.data(), count);
}

// Averages the pixels around each chroma sample: [1 2 1] horizontally, both rows.
void LayerBlender::addChroma(Image& frame, const Region& region, int y, bool bothRows) {
  const int count = (region.width + 1) / 2;
  constexpr int kUnit = 8 * kernels::kDeltaUnit;
  for (int p = 0; p < 2; ++p) {
    for (auto& row : changes_[p]) {
      // The canvas edge is extended; outside a layer nothing changes.
      row[0] = region.x == 0 ? row[1] : int16_t{0};
      row[static_cast<size_t>(region.width) + 1] = row[static_cast<size_t>(region.width)];
    }
    const int16_t* const top = changes_[p][0].data() + 1;
    const int16_t* const bottom = bothRows ? changes_[p][1].data() + 1 : top;
    const Plane& plane = frame.plane(1 + p);
    uint8_t* const row = plane.data + (region.y + y) / 2 * plane.stride + region.x / 2;
    for (int k = 0; k < count; ++k) {
      const int at = 2 * k;
      const int sum =
          top[at - 1] + 2 * top[at] + top[at + 1] + bottom[at - 1] + 2 * bottom[at] + bottom[at + 1];
      const int change = (sum + kUnit / 2) >> 8;
      row[k] = static_cast<uint8_t>(std::clamp(row[k] + change, 0, 255));
    }
  }
}

}  // namespace framewright
