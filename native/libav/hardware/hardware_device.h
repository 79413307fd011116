#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// A device as libav opens it: of CUDA by its number, of VAAPI by its render node. Fails with
// ENCODER_UNAVAILABLE; the detail has the driver's words.
Result<BufferPtr> openHardwareDevice(AVHWDeviceType type, const std::string& name);

// NV12 pictures in the device's memory. `pictures`: as many as there can ever be; 0: as they are asked for.
Result<BufferPtr> createFramePool(AVBufferRef& device, int width, int height, int pictures = 0);

// What libav calls pictures in the memory of such a device.
AVPixelFormat surfaceFormatOf(AVHWDeviceType type);

// The kernel's render nodes of this host, by their numbers. Nothing is opened.
std::vector<int> renderNodes();
std::string renderNodePath(int number);

}  // namespace framewright
