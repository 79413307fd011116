#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "libav/encode/video/family.h"
#include "libav/encode/video/frame_input.h"

namespace framewright {

// SVT-AV1 waits for ever when it is closed, or told that there are no more pictures, before it has had one.
struct CloseEncoder {
  void operator()(AVCodecContext* context) const;
  bool needsFrame = false;
};
using EncoderContextPtr = std::unique_ptr<AVCodecContext, CloseEncoder>;

struct OpenedEncoder {
  EncoderContextPtr context;
  FrameInput input;
};

struct EncoderRefusal {
  RefusalReason why = RefusalReason::kRefused;
  std::string reason;  // in the words of the library or driver, or ours
  Error error;
};

// Either of the two.
struct OpenResult {
  std::optional<OpenedEncoder> opened;
  EncoderRefusal refusal;
};

// Tries every device and variant of the family. Hardware that has no session free fails with ENCODER_BUSY,
// settings outside the family's scales with INVALID_TIMELINE, all else with ENCODER_UNAVAILABLE.
OpenResult openEncoder(const EncoderFamily& family, const VideoEncoderSettings& settings);

}  // namespace framewright
