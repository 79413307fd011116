#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/device_memory.h"
#include "libav/encode/video/family.h"

namespace framewright {

// Where an encoder may be opened: on a render node, on the card that CUDA knows by a number, or (neither)
// wherever libav finds it.
struct EncoderDevice {
  std::string node;
  std::optional<int> card;
  bool operator==(const EncoderDevice&) const = default;
};

// In the order in which they are tried: the device that draws comes first, so that frames stay with it and
// several cards encode as much as they draw.
std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& drawing,
                                          const std::vector<int>& renderNodes, std::optional<int> card);
// Of this host.
std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& drawing);

}  // namespace framewright
