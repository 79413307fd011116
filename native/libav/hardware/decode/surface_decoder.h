#pragma once

#include <memory>

#include "core/result.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// Decodes into surfaces and downloads every frame at once, in the software decoder's format, or leaves it on
// the card of FrameDecoder::setOutput(), which needs `keepsFrames`. Any damage or format change is a fault,
// because hardware conceals errors in its own way. Fails as openDecoder() does.
Result<std::unique_ptr<FrameDecoder>> decodeOnDevice(const AVStream& stream,
                                                     std::shared_ptr<const DecodeDevice> device,
                                                     bool keepsFrames = false);

}  // namespace framewright
