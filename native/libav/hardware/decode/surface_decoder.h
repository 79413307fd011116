#pragma once

#include <memory>

#include "core/result.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/hardware_decoder.h"

namespace framewright {

// Decodes into a device's surfaces and brings each picture to main memory at once, as libav's own decoder
// would have given it. It is held to more than that one: whatever damage or change it meets is a doubt, since
// hardware conceals in its own manner. Fails as openDecoderFor() does.
Result<std::unique_ptr<PictureDecoder>> decodeOnDevice(const AVStream& stream,
                                                       std::shared_ptr<const DecodeDevice> device);

}  // namespace framewright
