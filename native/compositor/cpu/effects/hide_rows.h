#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compositor/cpu/mask_rows.h"
#include "compositor/cpu/surface.h"
#include "kernels/blend.h"

namespace framewright {

// Rows kept from layer to layer.
struct HideRowsBuffers {
  std::vector<uint16_t> luma[2], chroma;
  std::vector<uint8_t> nothing;
};

// Takes parts of a transparent surface away. `fillHidden(y, weights)` says how much of each pixel of a luma
// row, kFullWeight where all of it, and answers whether any; it is asked for each row once, downwards. Chroma
// takes the mean of its pixels.
template <class FillHidden>
void hideRows(const Surface& surface, HideRowsBuffers& buffers, const FillHidden& fillHidden) {
  const auto width = static_cast<size_t>(surface.width), chromaWidth = width / 2;
  for (auto* row : {&buffers.luma[0], &buffers.luma[1], &buffers.chroma}) row->resize(width);
  buffers.nothing.resize(width, 0);
  const PictureLevel& planes = surface.planes;
  const auto hide = [&](const Plane& plane, int y, const std::vector<uint16_t>& hidden, size_t count) {
    uint8_t* const row = plane.data + y * plane.stride;
    kernels::overRowMasked(row, buffers.nothing.data(), nullptr, hidden.data(), count);
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
