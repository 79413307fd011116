#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// A short generated video with moving texture and B-frames, and its stream's owner.
struct ProbeClip {
  OutputContextPtr owner;
  ClipHead head;
};

// Not multiples of the block size, and above the minimum of every device.
inline constexpr int kProbeWidth = 322, kProbeHeight = 194;

// Encodes a clip of the format in software. Fails with ENCODER_UNAVAILABLE or ENCODE_FAILED.
Result<ProbeClip> makeProbeClip(const DecodeFormat& format, int width, int height, int frameCount);

}  // namespace framewright
