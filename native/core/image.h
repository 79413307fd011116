#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/device_memory.h"
#include "core/result.h"

namespace framewright {

// Where a 4:2:0 chroma sample sits horizontally in its pair of luma columns. Vertically always between
// its two rows. H.264 output and almost all video is kLeft; JPEG is kCenter.
enum class ChromaSiting { kLeft, kCenter };

enum class PixelFormat {
  kI420,               // planes Y, U, V: 8-bit BT.709 limited range 4:2:0, opaque
  kNv12,               // the same samples, U and V in turns in one plane
  kRgbaStraight,       // plane 0: 8-bit R, G, B, A, full range sRGB
  kRgbaPremultiplied,  // the same with colour already multiplied by alpha
};

struct Plane {
  uint8_t* data = nullptr;
  ptrdiff_t stride = 0;  // bytes from row to row
  int width = 0;         // samples (for RGBA: pixels, for chroma in one plane: pairs)
  int height = 0;
};

// Pixels in memory. Shared between threads as shared_ptr<const Image>; whoever writes holds the only
// reference. Rows of owned images start on 64-byte boundaries and may be read up to the stride.
class Image {
 public:
  // Fails with OUT_OF_MEMORY. Chroma planes of odd sizes are rounded up. Contents are undefined.
  static Result<std::shared_ptr<Image>> create(PixelFormat format, int width, int height);
  // Wraps foreign pixels; `owner` keeps them alive. `planes` has planeCount() entries.
  static std::shared_ptr<Image> wrap(PixelFormat format, int width, int height, const Plane* planes,
                                     std::shared_ptr<const void> owner);
  // A kNv12 frame on a graphics device: its planes have sizes and no samples.
  static std::shared_ptr<Image> onDevice(int width, int height, std::shared_ptr<const DeviceMemory> memory);

  PixelFormat format() const { return format_; }
  int width() const { return width_; }
  int height() const { return height_; }
  int planeCount() const { return format_ == PixelFormat::kI420 ? 3 : format_ == PixelFormat::kNv12 ? 2 : 1; }
  const Plane& plane(int index) const { return planes_[index]; }
  // Null: the samples are in the planes.
  const std::shared_ptr<const DeviceMemory>& deviceMemory() const { return deviceMemory_; }
  ChromaSiting siting = ChromaSiting::kLeft;
  // Tells a compositor which of its frames is in here; 0: none. Whoever else writes sets it to 0.
  uint64_t contents = 0;

 private:
  Image() = default;
  PixelFormat format_ = PixelFormat::kI420;
  int width_ = 0;
  int height_ = 0;
  Plane planes_[3];
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const DeviceMemory> deviceMemory_;
};

using ImagePtr = std::shared_ptr<const Image>;

}  // namespace framewright
