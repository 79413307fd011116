#pragma once

#include "core/result.h"
#include "libav/hardware/decode/decode_device.h"

namespace framewright {

// Decoding by several decoders of one device at once, downloads included.
struct DecodeStreams {
  int width = 0, height = 0;
  int decoders = 0;            // more of them decode no more frames per second
  double framesPerSecond = 0;  // of all together
  double joulesPerFrame = 0;   // 0: unknown
};

// Doubles the number of decoders as long as they decode clearly more frames per second together. Fails as
// opening the device or encoding the test clip does, or with DECODE_FAILED.
Result<DecodeStreams> measureDecodeStreams(const DecodeDeviceId& id, const DecodeFormat& format, int width,
                                           int height);

}  // namespace framewright
