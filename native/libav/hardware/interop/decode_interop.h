#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/decoded_frame.h"
#include "devices/device_registry.h"
#include "libav/av_handle.h"

namespace framewright {

// The compositor that draws decoded frames.
struct DecodeTarget {
  DeviceIdentity device;
  std::shared_ptr<const DecodedFrameMemory> memory;
  // Set when a frame that the compositor has received cannot be downloaded.
  mutable std::atomic<bool> hasLostFrame = false;
};

// Number of copies of decoded frames to main memory, and on the device.
struct FrameCopies {
  std::atomic<int64_t> host = 0, device = 0;
};

// Size of a frame in samples, and their bits.
struct FrameShape {
  int bits = 8, width = 0, height = 0;

  bool operator==(const FrameShape&) const = default;
  PixelFormat deviceFormat() const { return bits > 8 ? PixelFormat::kP010 : PixelFormat::kNv12; }
  PixelFormat hostFormat() const { return bits > 8 ? PixelFormat::kI010 : PixelFormat::kI420; }
  AVPixelFormat surfaceFormat() const { return bits > 8 ? AV_PIX_FMT_P010LE : AV_PIX_FMT_NV12; }
  int sampleBytes() const { return bits > 8 ? 2 : 1; }
};

// A decoder's path to the compositor that runs on its device. keep() is called by one thread at a time.
class DecodeInterop {
 public:
  virtual ~DecodeInterop() = default;
  // "cuda", "vaapi"
  virtual const char* name() const = 0;
  // Makes the top left part of a surface of NV12 or P010 an image of the compositor's device. The surface may
  // be released. Fails with ENCODER_BUSY while too many frames are in use, and with OUT_OF_MEMORY, GPU_FAILED
  // or ENCODER_UNAVAILABLE.
  virtual Result<ImagePtr> keep(const AVFrame& surface, FrameShape shape) = 0;
};

// Open the path from a libav device to the target. Fail with ENCODER_UNAVAILABLE, also if they are different
// cards. `name`: CUDA's ordinal, or the render node.
Result<std::unique_ptr<DecodeInterop>> openCudaDecodeInterop(
    AVBufferRef& device, const std::string& name, const std::shared_ptr<const DecodeTarget>& target,
    const std::shared_ptr<FrameCopies>& copies);
Result<std::unique_ptr<DecodeInterop>> openVaapiDecodeInterop(
    AVBufferRef& device, const std::string& name, const std::shared_ptr<const DecodeTarget>& target,
    const std::shared_ptr<FrameCopies>& copies);

// Surfaces of a VAAPI decoder that the compositor may use at once, in addition to its own.
inline constexpr int kVaapiExtraSurfaces = 12;

// A decoded frame that is downloaded once.
class DownloadedOnce : public DecodedFrame {
 public:
  DownloadedOnce(FrameShape shape, std::shared_ptr<const DecodeTarget> target,
                 std::shared_ptr<FrameCopies> copies)
      : shape_(shape), target_(std::move(target)), copies_(std::move(copies)) {}

  Result<ImagePtr> download() const final;

 protected:
  // Downloads the frame to the planes of an image. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Status downloadTo(const Image& image) const = 0;
  const FrameShape& shape() const { return shape_; }

 private:
  const FrameShape shape_;
  const std::shared_ptr<const DecodeTarget> target_;
  const std::shared_ptr<FrameCopies> copies_;
  mutable std::mutex downloading_;
  mutable std::optional<Result<ImagePtr>> downloaded_;
};

}  // namespace framewright
