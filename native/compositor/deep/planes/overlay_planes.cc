#include "compositor/deep/planes/overlay_planes.h"

#include <algorithm>

#include "kernels/deep/plane_filters.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

constexpr size_t kPairMargin = 4;  // pixels around a row that chroma filters read

}  // namespace

size_t OverlaySite::index() const {
  size_t index = 0;
  for (const bool bit : {isOddColumn, isOddRow, repeatsLeft, repeatsRight, repeatsBottom})
    index = 2 * index + (bit ? 1 : 0);
  return index;
}

OverlaySite overlaySiteOf(const PixelRect& surface, const CanvasSize& canvas) {
  return {surface.left % 2 != 0, surface.top % 2 != 0, surface.left == 0,
          canvas.width % 2 != 0 && surface.right == canvas.width,
          canvas.height % 2 != 0 && surface.bottom == canvas.height};
}

void OverlaySamples::resize(int newWidth, int newHeight, size_t colourCount) {
  width = newWidth;
  height = newHeight;
  const auto samples = static_cast<size_t>(width) * static_cast<size_t>(height);
  alpha.resize(samples);
  for (size_t i = 0; i < colourCount; ++i) colours[i].resize(samples + kernels::kSampleBlock);
}

OverlayPair::OverlayPair(int surfaceWidth, const OverlaySite& site, const kernels::YcbcrScale& scale)
    : width_(surfaceWidth),
      chromaWidth_(((site.isOddColumn ? 1 : 0) + surfaceWidth) / 2 + 1),
      site_(site),
      scale_(scale) {
  for (auto& row : rows_) row.assign(2 * static_cast<size_t>(chromaWidth_) + 2 * kPairMargin, 0.0f);
}

kernels::FloatRow OverlayPair::rowFrom(int i, size_t first) {
  const auto at = static_cast<size_t>(4 * i);
  return {rows_[at].data() + first, rows_[at + 1].data() + first, rows_[at + 2].data() + first,
          rows_[at + 3].data() + first};
}

kernels::FloatRow OverlayPair::row(int i) { return rowFrom(i, kPairMargin + (site_.isOddColumn ? 1 : 0)); }

void OverlayPair::clear() {
  for (auto& row : rows_) std::fill(row.begin(), row.end(), 0.0f);
}

void OverlayPair::writeLuma(int i, OverlaySamples& to, int y) {
  kernels::premultipliedLuma(to.colours[0].data() + to.at(0, y), to.alpha.data() + to.at(0, y), row(i),
                             scale_, static_cast<size_t>(width_));
}

void OverlayPair::writeChroma(OverlaySamples& to, int y) {
  for (int i = 0; i < 2; ++i) {
    const kernels::FloatRow own = row(i);
    for (float* const channel : {own.r, own.g, own.b, own.a}) {
      if (site_.repeatsLeft) channel[-1] = channel[0];
      if (site_.repeatsRight) channel[width_] = channel[width_ - 1];
    }
  }
  const size_t at = to.at(0, y);
  kernels::premultipliedChroma(to.colours[0].data() + at, to.colours[1].data() + at, to.alpha.data() + at,
                               rowFrom(0, kPairMargin), rowFrom(1, kPairMargin), scale_,
                               2 * static_cast<size_t>(chromaWidth_));
}

OverlayPlanes::OverlayPlanes(const FloatImage& surface, const OverlaySite& site,
                             const kernels::YcbcrScale& scale) {
  const int above = site.isOddRow ? 1 : 0, width = surface.width(), height = surface.height();
  OverlayPair pair(width, site, scale);
  OverlaySamples &luma = groups_[0], &chroma = groups_[1];
  luma.resize(width, height, 1);
  chroma.resize(pair.chromaWidth(), (above + height + 1) / 2, 2);
  for (int k = 0; k < chroma.height; ++k) {
    pair.clear();
    for (int i = 0; i < 2; ++i) {
      const int y = 2 * k + i - above;
      const int source = site.repeatsBottom ? std::min(y, height - 1) : y;
      if (source < 0 || source >= height) continue;
      const kernels::FloatRow to = pair.row(i);
      float* const channels[4] = {to.r, to.g, to.b, to.a};
      for (int channel = 0; channel < 4; ++channel)
        std::copy_n(surface.row(channel, source), width, channels[channel]);
      if (y < height) pair.writeLuma(i, luma, y);
    }
    pair.writeChroma(chroma, k);
  }
}

}  // namespace framewright
