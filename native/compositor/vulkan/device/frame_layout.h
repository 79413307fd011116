#pragma once

#include <vector>

#include "compositor/vulkan/device/surface_layout.h"
#include "core/image.h"

namespace framewright::gpu {

// Where a frame is drawn: in memory of the compositor, from which it is copied to the frame's, or in place.
enum class DrawnIn { kOwnMemory, kFrame };

// Layout of a frame in device memory, of which offsets and strides count samples. kNv12 frames are drawn as
// I420; a final pass interleaves their chroma behind the planes, and readback places it after the luma. Drawn
// in place, the interleaved chroma lies between the luma and the planes that it is made of. Deep frames
// (kI010, kP010) are drawn in 16 bits; a final pass rounds them to codes behind the planes.
struct FrameLayout {
  // A copy from the drawn buffer to the frame's memory, in bytes.
  struct Copy {
    uint64_t from, to, bytes;
  };

  PixelFormat format = PixelFormat::kI420;
  SurfaceLayout surface;               // from offset 0
  uint32_t pairStride = 0, pairs = 0;  // interleaved: stride and offset of the chroma
  uint32_t codes = 0;                  // deep: offset of the finished frame
  uint64_t drawnBytes = 0, readBytes = 0;
  uint32_t rowAlignment = 0;
  DrawnIn drawnIn = DrawnIn::kOwnMemory;

  bool isDeep() const { return isDeepFormat(format); }
  bool isInterleaved() const { return format == PixelFormat::kNv12 || format == PixelFormat::kP010; }
  int planeCount() const { return isInterleaved() ? 2 : 3; }
  // Bytes of a sample of the frame's plane: a pair where chroma is interleaved.
  int sampleBytes(int plane) const {
    return static_cast<int>(surface.sampleBytes) * (isInterleaved() && plane > 0 ? 2 : 1);
  }

  // Offset of the first chroma plane in the frame's memory.
  uint32_t chroma() const { return drawnIn == DrawnIn::kFrame ? pairs : surface.u; }

  // The frame's plane in a copy that starts at `memory`.
  Plane plane(int index, uint8_t* memory) const {
    const uint32_t starts[] = {surface.y, chroma(), surface.v};
    const uint32_t chromaStride = isInterleaved() ? pairStride : surface.chromaStride;
    const bool isLuma = index == 0;
    const ptrdiff_t stride = isLuma ? surface.lumaStride : chromaStride;
    return {memory + size_t{starts[index]} * surface.sampleBytes, stride * surface.sampleBytes,
            isLuma ? surface.width : surface.chromaWidth(), isLuma ? surface.height : surface.chromaHeight()};
  }

  std::vector<Copy> copies() const {
    if (drawnIn == DrawnIn::kFrame) return {};
    if (isDeep()) return {{uint64_t{codes} * surface.sampleBytes, 0, readBytes}};
    if (!isInterleaved()) return {{0, 0, readBytes}};
    return {{0, 0, surface.u}, {pairs, surface.u, readBytes - surface.u}};
  }

  static bool isDeepFormat(PixelFormat format) {
    return format == PixelFormat::kI010 || format == PixelFormat::kP010;
  }
};

inline constexpr uint32_t kHostRows = 64,
                          kDeviceRows = 256;  // row alignment; device encoders need the latter

inline FrameLayout frameLayoutOf(PixelFormat format, int width, int height,
                                 uint32_t rowAlignment = kHostRows) {
  FrameLayout layout{format, layoutOf(width, height, false, rowAlignment)};
  layout.rowAlignment = rowAlignment;
  SurfaceLayout& surface = layout.surface;
  surface.sampleBytes = layout.isDeep() ? 2 : 1;
  uint32_t pairSamples = 0;
  if (layout.isInterleaved()) {
    layout.pairStride =
        (2 * static_cast<uint32_t>(surface.chromaWidth()) + rowAlignment - 1) / rowAlignment * rowAlignment;
    pairSamples = layout.pairStride * static_cast<uint32_t>(surface.chromaHeight());
  }
  const uint32_t readSamples = layout.isInterleaved() ? surface.u + pairSamples : surface.samples;
  uint32_t drawnSamples = surface.samples;
  if (layout.isDeep()) {
    layout.codes = surface.samples;
    layout.pairs = surface.samples + surface.u;
    drawnSamples += readSamples;
  } else if (layout.isInterleaved()) {
    layout.pairs = surface.samples;
    drawnSamples += pairSamples;
  }
  layout.drawnBytes = uint64_t{drawnSamples} * surface.sampleBytes;
  layout.readBytes = uint64_t{readSamples} * surface.sampleBytes;
  return layout;
}

// A kNv12 frame that is drawn where another API reads it.
inline FrameLayout sharedLayoutOf(int width, int height) {
  FrameLayout layout = frameLayoutOf(PixelFormat::kNv12, width, height, kDeviceRows);
  layout.drawnIn = DrawnIn::kFrame;
  const uint32_t pairSamples = layout.pairStride * static_cast<uint32_t>(layout.surface.chromaHeight());
  layout.pairs = layout.surface.u;
  for (uint32_t* const offset : {&layout.surface.u, &layout.surface.v, &layout.surface.samples})
    *offset += pairSamples;
  return layout;
}

inline FrameLayout frameLayoutOf(const Image& frame) {
  return frame.deviceMemory() == nullptr ? frameLayoutOf(frame.format(), frame.width(), frame.height())
                                         : sharedLayoutOf(frame.width(), frame.height());
}

}  // namespace framewright::gpu
