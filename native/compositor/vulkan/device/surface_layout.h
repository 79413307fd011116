#pragma once

#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "compositor/plan/quad_coverage.h"

namespace framewright::gpu {

// Where the planes of an image lie in a device buffer. Byte offsets; rows start on 64 bytes at least, so
// that shaders and copies work on whole words.
struct SurfaceLayout {
  int width = 0, height = 0;
  bool hasAlpha = false;
  uint32_t y = 0, u = 0, v = 0, alpha = 0, chromaAlpha = 0;
  uint32_t lumaStride = 0, chromaStride = 0;
  uint32_t bytes = 0;  // shaders may read some words beyond

  CanvasSize size() const { return {width, height}; }
  int chromaWidth() const { return (width + 1) / 2; }
  int chromaHeight() const { return (height + 1) / 2; }
};

inline constexpr uint32_t kReadBeyond = 64;  // bytes after a buffer's last sample that may be read

// Planes of width x height from `at` on; chroma planes of the given size.
inline SurfaceLayout layoutOf(int width, int height, int chromaWidth, int chromaHeight, bool hasAlpha,
                              uint32_t at = 0, uint32_t rowAlignment = 64) {
  const auto stride = [=](int samples) {
    return (static_cast<uint32_t>(samples) + rowAlignment - 1) / rowAlignment * rowAlignment;
  };
  SurfaceLayout layout{width, height, hasAlpha};
  layout.lumaStride = stride(width);
  layout.chromaStride = stride(chromaWidth);
  const auto take = [&](uint32_t rowBytes, int rows) {
    const uint32_t start = at;
    at += rowBytes * static_cast<uint32_t>(rows);
    return start;
  };
  layout.y = take(layout.lumaStride, height);
  layout.u = take(layout.chromaStride, chromaHeight);
  layout.v = take(layout.chromaStride, chromaHeight);
  if (hasAlpha) {
    layout.alpha = take(layout.lumaStride, height);
    layout.chromaAlpha = take(layout.chromaStride, chromaHeight);
  }
  layout.bytes = at;
  return layout;
}

inline SurfaceLayout layoutOf(int width, int height, bool hasAlpha, uint32_t rowAlignment = 64) {
  return layoutOf(width, height, (width + 1) / 2, (height + 1) / 2, hasAlpha, 0, rowAlignment);
}

// As the shaders' Surface has it.
inline std::array<uint32_t, 9> surfaceWords(const SurfaceLayout& layout) {
  return {layout.y,
          layout.u,
          layout.v,
          layout.alpha,
          layout.chromaAlpha,
          layout.lumaStride,
          layout.chromaStride,
          static_cast<uint32_t>(layout.width),
          static_cast<uint32_t>(layout.height)};
}

}  // namespace framewright::gpu
