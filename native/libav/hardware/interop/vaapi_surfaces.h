#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/image.h"
#include "core/result.h"
#include "devices/device_registry.h"
#include "libav/av_handle.h"

namespace framewright {

// The DMA-BUFs of a compositor's frames as surfaces of a VAAPI device, without copies. Used by one thread at
// a time.
class VaapiSurfaces {
 public:
  // Fails with ENCODER_UNAVAILABLE.
  Status open(const DeviceIdentity& compositor, int width, int height);

  AVBufferRef* device() const { return device_.get(); }
  // AVHWFramesContext whose frames the driver allocates itself; mapped frames refer to it, too.
  AVBufferRef* pool() const { return pool_.get(); }
  // Each memory is mapped once; the surface lives as long as this object. Fails with ENCODE_FAILED.
  Result<const AVFrame*> map(const Image& image);

 private:
  struct MappedSurface {
    std::shared_ptr<const DeviceMemory> memory;  // keeps its address unique
    FramePtr surface;
  };

  BufferPtr device_, pool_;
  std::map<const DeviceMemory*, MappedSurface> surfaces_;
};

}  // namespace framewright
