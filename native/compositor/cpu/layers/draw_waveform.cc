#include "compositor/cpu/layers/draw_waveform.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compositor/plan/color.h"
#include "compositor/plan/coverage.h"
#include "kernels/blend/blend.h"

namespace framewright {
namespace {

constexpr double kSoftEdge = 0.5;  // half width of an antialiased outline, pixels

// Canvas pixels that may be covered by `rect` of the unit square under `m`.
Rect touchedBy(const Affine& m, const Rect& rect) {
  return grown(boundsOf(m * Affine{rect.width, 0, rect.x, 0, rect.height, rect.y}), 1);
}

}  // namespace

void WaveformDrawer::draw(const Surface& to, const Layer& layer, const Affine& toCanvas, const Rect& window,
                          double opacity, const PixelRect& part) {
  planWaveform(bars_, layer, toCanvas, opacity);
  if (bars_.empty()) return;
  const Rect touched = intersection(intersection(touchedBy(toCanvas, drawnPart()), window), to.size().rect());
  if (touched.width <= 0 || touched.height <= 0) return;
  const PixelRect pixels = intersection(intersection(evenPixels(touched), to.size().pixels()), part);
  if (pixels.empty()) return;
  const auto [first, top, end, bottom] = pixels;
  const int count = end - first, chromaCount = (count + 1) / 2;

  const std::array<uint8_t, 3> yuv = yuvOf(layer.fill);
  for (size_t i = 0; i < 4; ++i) values_[i].assign(static_cast<size_t>(count), i < 3 ? yuv[i] : 255);
  for (auto& line : lines_) line.assign(static_cast<size_t>(2 * chromaCount), 0);
  chroma_.resize(static_cast<size_t>(chromaCount));

  AxisCoverage columns, rows;
  coverAxis(columns, window.x, window.right(), to.width, 1);
  coverAxis(rows, window.y, window.bottom(), to.height, 1);
  for (int y = top; y < bottom; y += 2) {
    for (int i = 0; i < 2; ++i) {
      uint16_t* const line = lines_[i].data();
      const int row = y + i;
      if (row >= to.height) {
        std::copy_n(lines_[0].data(), 2 * chromaCount, line);
        continue;
      }
      std::fill_n(line, 2 * chromaCount, uint16_t{0});
      if (row >= rows.first && row < rows.end) {
        fillWeights(row, first, end, line);
        for (int k = 0; k < count; ++k) {
          const int column = first + k;
          const bool seen = column >= columns.first && column < columns.end;
          line[k] = seen ? weightProduct(line[k], weightProduct(columns.at(column), rows.at(row))) : 0;
        }
      }
      if (count % 2 == 1) line[count] = line[count - 1];
      compositeRowOf(to, PlaneGroup::kLuma, row, first, count, line);
    }
    for (int k = 0; k < chromaCount; ++k) {
      const auto& [above, below] = lines_;
      const size_t at = static_cast<size_t>(2 * k);
      chroma_[static_cast<size_t>(k)] =
          static_cast<uint16_t>((above[at] + above[at + 1] + below[at] + below[at + 1] + 2) / 4);
    }
    compositeRowOf(to, PlaneGroup::kChroma, y / 2, first / 2, chromaCount, chroma_.data());
  }
}

void WaveformDrawer::fillWeights(int y, int first, int end, uint16_t* weights) const {
  const Affine& m = bars_.toBox;
  for (int x = first; x < end; ++x) {
    const double u = m.xx * (x + 0.5) + m.xy * (y + 0.5) + m.dx;
    const double v = m.yx * (x + 0.5) + m.yy * (y + 0.5) + m.dy;
    const double outside = bars_.outside(u, v);
    if (outside < kSoftEdge)
      weights[x - first] = toWeight(std::clamp(kSoftEdge - outside, 0.0, 1.0) * bars_.opacity);
  }
}

// The part of the unit square that the waveform may cover.
Rect WaveformDrawer::drawnPart() const {
  if (bars_.shape != WaveformBars::Shape::kRow) return {0, 0, 1, 1};
  const double highest = *std::max_element(bars_.halfHeights.begin(), bars_.halfHeights.end());
  const double top = (bars_.baseline - highest) / bars_.height;
  return {0, top, 1, std::min(1.0, (bars_.baseline + highest) / bars_.height) - top};
}

void WaveformDrawer::compositeRowOf(const Surface& to, PlaneGroup group, int y, int first, int count,
                                    const uint16_t* weights) {
  const std::array<Plane, 3> planes = planesOf(to.planes, group);
  const auto lay = [&](const Plane& plane, const std::vector<uint8_t>& values) {
    kernels::overRowMasked(plane.data + y * plane.stride + first, values.data(), nullptr, weights,
                           static_cast<size_t>(count), to.rounding(y).after(first));
  };
  for (int colour = 0; colour < colourPlanes(group); ++colour) {
    lay(planes[static_cast<size_t>(colour)],
        values_[group == PlaneGroup::kLuma ? 0 : 1 + static_cast<size_t>(colour)]);
  }
  if (planes[kAlphaPlane].data != nullptr) lay(planes[kAlphaPlane], values_[3]);
}

}  // namespace framewright
