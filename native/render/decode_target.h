#pragma once

#include <memory>

#include "compositor/compositor.h"
#include "libav/hardware/interop/decode_interop.h"
#include "timeline/timeline.h"

namespace framewright {

// Where decoders leave frames for a compositor on the same card; null: it draws from main memory.
inline std::shared_ptr<DecodeTarget> decodeTargetOf(const Compositor& compositor) {
  const std::optional<DeviceIdentity> device = compositor.device();
  auto memory = compositor.decodedFrameMemory();
  if (!device || memory == nullptr) return nullptr;
  auto target = std::make_shared<DecodeTarget>();
  target->device = *device;
  target->memory = std::move(memory);
  return target;
}

// The same for a timeline's compositor, unless its frames are to pass through main memory.
inline std::shared_ptr<DecodeTarget> decodeTargetFor(const Timeline& timeline, const Compositor& compositor) {
  if (timeline.interop == InteropMode::kOff || timeline.hardwareDecode == HardwareDecode::kOff)
    return nullptr;
  return decodeTargetOf(compositor);
}

}  // namespace framewright
