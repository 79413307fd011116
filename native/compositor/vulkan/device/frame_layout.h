#pragma once

#include "compositor/vulkan/device/surface_layout.h"
#include "core/image.h"

namespace framewright::gpu {

// Layout of a frame in device memory. kNv12 frames are drawn as I420; a final pass interleaves their chroma
// behind the planes, and readback places it after the luma.
struct FrameLayout {
  PixelFormat format = PixelFormat::kI420;
  SurfaceLayout surface;               // from offset 0
  uint32_t pairStride = 0, pairs = 0;  // kNv12: stride and offset of the interleaved chroma
  uint32_t drawnBytes = 0, readBytes = 0;
  uint32_t rowAlignment = 0;

  // The frame's plane in a copy that starts at `memory`.
  Plane plane(int index, uint8_t* memory) const {
    const uint32_t starts[] = {surface.y, surface.u, surface.v};
    const uint32_t chromaStride = format == PixelFormat::kNv12 ? pairStride : surface.chromaStride;
    const bool isLuma = index == 0;
    return {memory + starts[index], static_cast<ptrdiff_t>(isLuma ? surface.lumaStride : chromaStride),
            isLuma ? surface.width : surface.chromaWidth(), isLuma ? surface.height : surface.chromaHeight()};
  }
};

inline constexpr uint32_t kHostRows = 64,
                          kDeviceRows = 256;  // row alignment; device encoders need the latter

inline FrameLayout frameLayoutOf(PixelFormat format, int width, int height,
                                 uint32_t rowAlignment = kHostRows) {
  FrameLayout layout{format, layoutOf(width, height, false, rowAlignment)};
  layout.rowAlignment = rowAlignment;
  const SurfaceLayout& surface = layout.surface;
  layout.drawnBytes = layout.readBytes = surface.bytes;
  if (format != PixelFormat::kNv12) return layout;
  layout.pairStride =
      (2 * static_cast<uint32_t>(surface.chromaWidth()) + rowAlignment - 1) / rowAlignment * rowAlignment;
  const uint32_t pairBytes = layout.pairStride * static_cast<uint32_t>(surface.chromaHeight());
  layout.pairs = surface.bytes;
  layout.drawnBytes = surface.bytes + pairBytes;
  layout.readBytes = surface.u + pairBytes;
  return layout;
}

inline FrameLayout frameLayoutOf(const Image& frame) {
  const uint32_t rows = frame.deviceMemory() == nullptr ? kHostRows : kDeviceRows;
  return frameLayoutOf(frame.format(), frame.width(), frame.height(), rows);
}

}  // namespace framewright::gpu
