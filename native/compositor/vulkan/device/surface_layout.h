#pragma once

#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "compositor/plan/quad_coverage.h"

namespace framewright::gpu {

// Layout of an image's planes in a device buffer, in bytes. Rows are at least 64-byte aligned, so that
// shaders and copies use whole words.
struct SurfaceLayout {
  int width = 0, height = 0;
  bool hasAlpha = false;
  bool isDithered = false;  // see DrawList::isDithered
  uint32_t y = 0, u = 0, v = 0, alpha = 0, chromaAlpha = 0;
  uint32_t lumaStride = 0, chromaStride = 0;
  uint32_t bytes = 0;  // shaders may read a few words beyond

  CanvasSize size() const { return {width, height}; }
  int chromaWidth() const { return (width + 1) / 2; }
  int chromaHeight() const { return (height + 1) / 2; }
};

inline constexpr uint32_t kReadBeyond = 64;  // readable bytes after a buffer's last sample

// Lays out planes of width x height and chroma planes of the given size from `at` on.
inline SurfaceLayout layoutOf(int width, int height, int chromaWidth, int chromaHeight, bool hasAlpha,
                              uint32_t at = 0, uint32_t rowAlignment = 64) {
  const auto stride = [=](int samples) {
    return (static_cast<uint32_t>(samples) + rowAlignment - 1) / rowAlignment * rowAlignment;
  };
  SurfaceLayout layout{.width = width, .height = height, .hasAlpha = hasAlpha};
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

// The words of the shaders' struct Surface.
inline std::array<uint32_t, 10> surfaceWords(const SurfaceLayout& layout) {
  return {layout.y,
          layout.u,
          layout.v,
          layout.alpha,
          layout.chromaAlpha,
          layout.lumaStride,
          layout.chromaStride,
          static_cast<uint32_t>(layout.width),
          static_cast<uint32_t>(layout.height),
          layout.isDithered ? 1u : 0u};
}

}  // namespace framewright::gpu
