#pragma once

#include <optional>
#include <string>
#include <vector>

#include "devices/device_registry.h"
#include "libav/encode/video/family.h"

namespace framewright {

// Where to open an encoder: on a render node, on a CUDA device, or (neither) on libav's default device.
struct EncoderDevice {
  std::string node;
  std::optional<int> cudaOrdinal;
  bool operator==(const EncoderDevice&) const = default;
};

// A family's devices in the order to try them. The compositor's device comes first, so that frames stay on it
// and several devices share the load.
std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor,
                                          const std::vector<int>& renderNodes);
// The same with the devices of this host.
std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor);

}  // namespace framewright
