#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/image.h"
#include "libav/encode/video_encoder.h"

namespace framewright {

// Who draws the frames. createFrame() is called by the thread that chooses.
struct FrameSource {
  DeviceIdentity device;
  std::function<Result<std::shared_ptr<Image>>(FramePlace place, int width, int height)> createFrame;
};

struct HandoverChoice {
  std::string name;  // empty: through main memory
  FramePlace place = FramePlace::kHost;
  std::shared_ptr<FrameHandover> handover;  // for VideoEncoderSettings
  std::string reason;                       // what speaks against the ways that were tried
};

// All ways, best first, and which of them serves an encoder.
std::vector<std::string> handoverNames();
bool servesEncoder(const std::string& way, const std::string& encoder);

// The first way that works with these settings, which is found out by trying. Any thread.
HandoverChoice chooseHandover(const VideoEncoderSettings& settings, const FrameSource& source);

// It broke in use: this process does not take it again for these settings and this device.
void dropHandover(const std::string& name, const VideoEncoderSettings& settings, const DeviceIdentity& device,
                  const std::string& why);

}  // namespace framewright
