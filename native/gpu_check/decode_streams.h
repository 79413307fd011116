#pragma once

#include "gpu_check/stream_search.h"
#include "libav/hardware/decode/decode_device.h"

namespace framewright {

// Measures decoding by several decoders of one device at once, downloads included: 1, 2, 4 … as long as they
// decode clearly more frames per second together. Fails as opening the device or encoding the test clip does,
// or with DECODE_FAILED.
Result<StreamRate> measureDecodeStreams(const DecodeDeviceId& id, const DecodeFormat& format, int width,
                                        int height);

}  // namespace framewright
