#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/image.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

// The compositor's device. createFrame() is called on the thread that chooses.
struct FrameSource {
  DeviceIdentity device;
  std::function<Result<std::shared_ptr<Image>>(FramePlace place, int width, int height)> createFrame;
};

struct InteropChoice {
  std::string name;  // empty: through host memory
  FramePlace place = FramePlace::kHost;
  std::shared_ptr<FrameInterop> interop;  // for VideoEncoderSettings
  std::string reason;                     // why the probed backends were rejected
};

// Names of all backends, best first; and whether a backend supports an encoder.
std::vector<std::string> interopBackendNames();
bool interopSupportsEncoder(const std::string& backend, const std::string& encoder);

// Chooses the first backend whose probe succeeds with these settings; without `allowsInPlace`, one that
// copies frames on the device. Any thread.
InteropChoice chooseInterop(const VideoEncoderSettings& settings, const FrameSource& source,
                            bool allowsInPlace = true);

// After a failure in use: this process does not use the backend again for these settings and this device.
void disableInterop(const std::string& name, const VideoEncoderSettings& settings,
                    const DeviceIdentity& device, const std::string& why);

}  // namespace framewright
