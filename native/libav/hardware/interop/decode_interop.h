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

// A decoder's path to the compositor that runs on its device. keep() is called by one thread at a time.
class DecodeInterop {
 public:
  virtual ~DecodeInterop() = default;
  // "cuda", "vaapi"
  virtual const char* name() const = 0;
  // Makes the top left part of an NV12 surface an image of the compositor's device. The surface may be
  // released. Fails with ENCODER_BUSY while too many frames are in use, and with OUT_OF_MEMORY, GPU_FAILED or
  // ENCODER_UNAVAILABLE.
  virtual Result<ImagePtr> keep(const AVFrame& surface, int width, int height) = 0;
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
  DownloadedOnce(std::shared_ptr<const DecodeTarget> target, std::shared_ptr<FrameCopies> copies)
      : target_(std::move(target)), copies_(std::move(copies)) {}

  Result<ImagePtr> download() const final;

 protected:
  // Downloads the frame to the planes of an image. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Status downloadTo(const Image& image) const = 0;
  virtual int width() const = 0;
  virtual int height() const = 0;

 private:
  const std::shared_ptr<const DecodeTarget> target_;
  const std::shared_ptr<FrameCopies> copies_;
  mutable std::mutex downloading_;
  mutable std::optional<Result<ImagePtr>> downloaded_;
};

}  // namespace framewright
