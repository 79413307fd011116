#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"
#include "compositor/cpu/transitions/overlay_rows.h"
#include "kernels/blend/blend.h"

namespace framewright {

// Row buffers, reused between layers.
struct EraseBuffers {
  std::vector<uint16_t> luma[2], chroma;
  std::vector<uint8_t> nothing;
};

// Erases parts of a surface with alpha. `fillHidden(y, weights)` computes the Q15 share to erase of each
// pixel of a luma row and returns whether any is above 0; it is called once per row, top down. Chroma uses
// the mean of its pixels.
template <class FillHidden>
void eraseRows(const Surface& surface, EraseBuffers& buffers, const FillHidden& fillHidden) {
  const auto width = static_cast<size_t>(surface.width), chromaWidth = width / 2;
  for (auto* row : {&buffers.luma[0], &buffers.luma[1], &buffers.chroma}) row->resize(width);
  buffers.nothing.resize(width, 0);
  const ImagePlanes& planes = surface.planes;
  const auto hide = [&](const Plane& plane, int y, const std::vector<uint16_t>& hidden, size_t count) {
    uint8_t* const row = plane.data + y * plane.stride;
    kernels::overRowMasked(row, buffers.nothing.data(), nullptr, hidden.data(), count, surface.rounding(y));
  };
  for (int y = 0; y < surface.height; y += 2) {
    bool hides[2];
    for (int i = 0; i < 2; ++i) {
      std::vector<uint16_t>& hidden = buffers.luma[i];
      hides[i] = fillHidden(y + i, hidden.data());
      if (!hides[i]) continue;
      hide(planes.y, y + i, hidden, width);
      hide(planes.alpha, y + i, hidden, width);
    }
    if (!hides[0] && !hides[1]) continue;
    for (int i = 0; i < 2; ++i) {
      if (!hides[i]) std::fill(buffers.luma[i].begin(), buffers.luma[i].end(), uint16_t{0});
    }
    halveWeights(buffers.chroma.data(), buffers.luma[0].data(), buffers.luma[1].data(),
                 static_cast<int>(chromaWidth));
    for (const Plane* plane : {&planes.u, &planes.v, &planes.chromaAlpha}) {
      hide(*plane, y / 2, buffers.chroma, chromaWidth);
    }
  }
}

}  // namespace framewright
