#pragma once

#include <array>
#include <cstdint>

#include "compositor/plan/plane_mapping.h"
#include "compositor/plan/quad_coverage.h"

namespace framewright::gpu {

// Layout of an image's planes in a device buffer. Offsets, strides and `samples` count samples, which have
// one byte, or two in high precision. Rows are aligned to at least 64 samples, so that shaders and copies use
// whole words.
struct SurfaceLayout {
  int width = 0, height = 0;
  bool hasAlpha = false;
  bool isDithered = false;  // see DrawList::isDithered
  // Pixels instead of planes of two sizes: `y`, `u`, `v` and `alpha` are R, G, B and alpha at full size.
  bool isRgba = false;
  uint32_t sampleBytes = 1;
  uint32_t y = 0, u = 0, v = 0, alpha = 0, chromaAlpha = 0;
  uint32_t lumaStride = 0, chromaStride = 0;
  uint32_t samples = 0;  // shaders may read a few words beyond

  CanvasSize size() const { return {width, height}; }
  int chromaWidth() const { return (width + 1) / 2; }
  int chromaHeight() const { return (height + 1) / 2; }
  uint64_t bytes() const { return uint64_t{samples} * sampleBytes; }
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
  const auto take = [&](uint32_t rowSamples, int rows) {
    const uint32_t start = at;
    at += rowSamples * static_cast<uint32_t>(rows);
    return start;
  };
  layout.y = take(layout.lumaStride, height);
  layout.u = take(layout.chromaStride, chromaHeight);
  layout.v = take(layout.chromaStride, chromaHeight);
  if (hasAlpha) {
    layout.alpha = take(layout.lumaStride, height);
    layout.chromaAlpha = take(layout.chromaStride, chromaHeight);
  }
  layout.samples = at;
  return layout;
}

// Lays out R, G, B and alpha of 16 bits, one plane after another.
inline SurfaceLayout rgbaLayoutOf(int width, int height, uint32_t at = 0) {
  SurfaceLayout layout{.width = width, .height = height, .hasAlpha = true, .isRgba = true, .sampleBytes = 2};
  layout.lumaStride = layout.chromaStride = static_cast<uint32_t>(width + 63) / 64 * 64;
  const uint32_t plane = layout.lumaStride * static_cast<uint32_t>(height);
  layout.y = at;
  layout.u = at + plane;
  layout.v = at + 2 * plane;
  layout.alpha = layout.chromaAlpha = at + 3 * plane;
  layout.samples = at + 4 * plane;
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
