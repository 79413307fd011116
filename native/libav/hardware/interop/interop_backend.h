#pragma once

#include <memory>
#include <vector>

#include "core/image.h"
#include "core/result.h"
#include "devices/device_registry.h"
#include "libav/av_handle.h"

namespace framewright {

struct EncoderFamily;

// An open interop session for frames of one size from one device. Used by one thread at a time.
class FrameInterop {
 public:
  virtual ~FrameInterop() = default;
  // The pixel format the encoder receives.
  virtual AVPixelFormat format() const = 0;
  virtual AVBufferRef* pool() const = 0;  // AVHWFramesContext; null: frames in host memory
  // Whether the encoder reads the image's memory, which may not change before its frame is released.
  virtual bool isInPlace() const { return false; }
  // Number of frames that were copied on the device. Any thread.
  virtual int64_t copiedFrames() const = 0;
  // Turns an image in device memory, which is complete or has a timeline, into an encoder frame, which
  // retains the image while it is read. Fails with ENCODE_FAILED or OUT_OF_MEMORY.
  virtual Result<FramePtr> frame(const ImagePtr& image) = 0;
};

// A way to pass frames of a graphics device to encoders.
struct InteropBackend {
  const char* name;
  FramePlace place;
  bool (*supports)(const EncoderFamily& family);
  Result<std::unique_ptr<FrameInterop>> (*open)(const DeviceIdentity& device, int width, int height);
  bool isInPlace = false;  // the encoder reads the compositor's memory, without a copy
};

extern const InteropBackend kCudaDirectSemaphoreInterop, kCudaDirectInterop, kCudaSemaphoreInterop,
    kCudaInterop, kVaapiInterop, kVaapiCopyInterop;

// All backends, best first.
const std::vector<const InteropBackend*>& interopBackends();
// Registers a backend before all others, for tests. It must live as long as the process; not thread-safe.
void addInteropBackend(const InteropBackend& backend);

}  // namespace framewright
