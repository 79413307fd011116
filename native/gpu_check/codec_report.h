#pragma once

#include <memory>
#include <string>

#include "vulkan/device.h"

namespace framewright {

// Codecs that libav finds on this host: text lines, and the items of a JSON array. Empty in builds without
// libav.
struct CodecReport {
  std::string lines, json;
};

// Opens every encoder of the engine and encodes a frame with it; reports the library's or driver's message
// for those that fail. `isTimed`: measures how much hardware encoders do at once, alone and in whole renders.
CodecReport checkEncoders(bool isTimed);

// Whether this host's devices decode video bit-exactly. `isTimed`: with 1080p frames, comparing the speed
// with software decoding; otherwise with small frames. Empty when the host has no device node.
CodecReport checkDecoders(bool isTimed);

// Whether frames that this host's devices decode stay on a card for its compositor.
CodecReport checkDecodeInterop(std::shared_ptr<vulkan::Device> device);

}  // namespace framewright
