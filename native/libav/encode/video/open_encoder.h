#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "libav/encode/video/family.h"
#include "libav/encode/video/frame_input.h"

namespace framewright {

// Closes an encoder. SVT-AV1 hangs when it is closed or drained before its first frame, so it gets one.
struct CloseEncoder {
  void operator()(AVCodecContext* context) const;
  bool needsFrame = false;
};
using EncoderContextPtr = std::unique_ptr<AVCodecContext, CloseEncoder>;

struct OpenedEncoder {
  EncoderContextPtr context;
  FrameInput input;
  int variant = 0;
  std::vector<std::string> ignoredOptions;  // names that this libav does not know
};

struct EncoderRefusal {
  RefusalReason why = RefusalReason::kRefused;
  std::string reason;  // the library's or driver's message, or ours
  Error error;
};

// The encoder, or why it is unavailable.
struct OpenResult {
  std::optional<OpenedEncoder> opened;
  EncoderRefusal refusal;
};

// Classifies a log message of the family's library or driver.
RefusalReason classifyRefusal(const EncoderFamily& family, std::string_view message);

// Tries every device and variant of the family. Fails with ENCODER_BUSY (all sessions in use),
// INVALID_TIMELINE (crf out of range) or ENCODER_UNAVAILABLE.
OpenResult openEncoder(const EncoderFamily& family, const VideoEncoderSettings& settings);

}  // namespace framewright
