#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/device_memory.h"
#include "core/result.h"

namespace framewright {

class DecodedFrame;

// Horizontal position of 4:2:0 chroma samples in their pair of luma columns; vertically they are always
// between the rows. H.264 output and most video use kLeft, JPEG uses kCenter.
enum class ChromaSiting { kLeft, kCenter };

enum class PixelFormat {
  kI420,          // planes Y, U, V: 8-bit BT.709 limited range 4:2:0, opaque
  kNv12,          // kI420 with U and V interleaved in one plane
  kI010,          // planes Y, U, V: 10 bits in 16-bit words, limited range 4:2:0 in the colors of the canvas
  kP010,          // kI010 with U and V interleaved in one plane and codes in the upper 10 bits
  kRgbaStraight,  // plane 0: 8-bit R, G, B, A, full range sRGB
  kRgbaPremultiplied,  // kRgbaStraight with colour multiplied by alpha
  kRgba16Straight,     // plane 0: 16-bit R, G, B, A, full range sRGB, or signals of the canvas if `isHdr`
};

struct Plane {
  uint8_t* data = nullptr;
  ptrdiff_t stride = 0;  // bytes per row
  int width = 0;         // samples (RGBA: pixels, interleaved chroma: pairs)
  int height = 0;
};

// Pixels in memory. Shared between threads as shared_ptr<const Image>; a writer needs the only reference.
// Rows of allocated images are 64-byte aligned and may be read up to the stride.
class Image {
 public:
  // Fails with OUT_OF_MEMORY. Chroma sizes are rounded up. The contents are uninitialised.
  static Result<std::shared_ptr<Image>> create(PixelFormat format, int width, int height);
  // Wraps external pixels; `owner` keeps them alive. `planes` has planeCount() entries.
  static std::shared_ptr<Image> wrap(PixelFormat format, int width, int height, const Plane* planes,
                                     std::shared_ptr<const void> owner);
  // A kNv12 frame in device memory: its planes have sizes but no samples.
  static std::shared_ptr<Image> onDevice(int width, int height, std::shared_ptr<const DeviceMemory> memory);
  // A decoded frame of kNv12 or kP010 in device memory, which can be downloaded.
  static std::shared_ptr<Image> decodedOnDevice(PixelFormat format, int width, int height,
                                                std::shared_ptr<const DeviceMemory> memory,
                                                std::shared_ptr<const DecodedFrame> frame);

  PixelFormat format() const { return format_; }
  int width() const { return width_; }
  int height() const { return height_; }
  int planeCount() const {
    if (format_ == PixelFormat::kNv12 || format_ == PixelFormat::kP010) return 2;
    return format_ == PixelFormat::kI420 || format_ == PixelFormat::kI010 ? 3 : 1;
  }
  const Plane& plane(int index) const { return planes_[index]; }
  // Null if the samples are in host memory.
  const std::shared_ptr<const DeviceMemory>& deviceMemory() const { return deviceMemory_; }
  // Null unless it is a decoded frame in device memory; see core/decoded_frame.h.
  const std::shared_ptr<const DecodedFrame>& decodedFrame() const { return decodedFrame_; }
  ChromaSiting siting = ChromaSiting::kLeft;
  // Whether the pixels contain gradients that were dithered to 8 bits; a conversion keeps them smooth by
  // dithering too.
  bool hasGradient = false;
  // Of kRgba16Straight, for HDR canvases.
  bool isHdr = false;
  // Whether its luma hides a layer: its colors are then SDR on HDR canvases, too.
  bool isMask = false;
  // Identifies the frame that a compositor stored here; 0: unknown. Other writers reset it to 0.
  uint64_t contents = 0;

 private:
  Image() = default;
  PixelFormat format_ = PixelFormat::kI420;
  int width_ = 0;
  int height_ = 0;
  Plane planes_[3];
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const DeviceMemory> deviceMemory_;
  std::shared_ptr<const DecodedFrame> decodedFrame_;
};

using ImagePtr = std::shared_ptr<const Image>;

}  // namespace framewright
