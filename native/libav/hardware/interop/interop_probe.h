#pragma once

#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/interop_backend.h"

namespace framewright {

// Checks that the encoder receives the samples that are in device memory. ENCODER_BUSY: no session was free
// for the probe.
Status probeInterop(const InteropBackend& backend, const EncoderFamily& family,
                    const VideoEncoderSettings& settings, const FrameSource& source);

}  // namespace framewright
