#pragma once

#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/interop_backend.h"

namespace framewright {

// Whether what the encoder gets this way is what stands on the device. ENCODER_BUSY: the device had no
// session free to try it with.
Status proveHandover(const HandoverWay& way, const EncoderFamily& family,
                     const VideoEncoderSettings& settings, const FrameSource& source);

}  // namespace framewright
