#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Opens a device: CUDA by its ordinal, VAAPI by its render node. Fails with ENCODER_UNAVAILABLE; the detail
// is the driver's message.
Result<BufferPtr> openHardwareDevice(AVHWDeviceType type, const std::string& name);

// A pool of NV12 frames in device memory. `maxFrames` 0: no limit. `owned` is released with the pool's last
// reference, before the device. Fails as openHardwareDevice() does.
Result<BufferPtr> createFramePool(AVBufferRef& device, int width, int height, int maxFrames = 0,
                                  std::shared_ptr<void> owned = nullptr);

// The pixel format of frames in the device's memory.
AVPixelFormat surfaceFormatOf(AVHWDeviceType type);

}  // namespace framewright
