#pragma once

#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "devices/device_registry.h"
#include "devices/probe_cache.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// The ProbeCache key of the path from a decoding device to a compositor's device, for samples of `bits`.
std::string decodeInteropKey(const std::string& device, const DeviceIdentity& target, int bits = 8);

// Decodes a generated clip twice, with downloads and to the output, and compares the samples that the
// compositor's device sees, while later frames are decoded. Fails with CANCELLED.
Result<ProbeOutcome> probeDecodeInterop(const std::shared_ptr<const DecodeDevice>& device,
                                        const DecodeFormat& format, const DecoderOutput& output,
                                        const CancelToken& cancel);

}  // namespace framewright
