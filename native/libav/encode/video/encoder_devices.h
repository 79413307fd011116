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
  // "/dev/dri/renderD128", "cuda:0", or "default".
  std::string name() const;
};

// A family's devices in the order to try them. The compositor's device comes first, so that frames stay on it
// and several devices share the load.
std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor,
                                          const std::vector<int>& renderNodes,
                                          const std::vector<int>& cudaOrdinals);
// The same with the devices of this host, without those that excludeDevice() named.
std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor);

// Whether both are CUDA devices of one model.
bool isSameModel(const EncoderDevice& a, const EncoderDevice& b);

// Remembers that the device has no encoder of this family, while another device has one.
void excludeDevice(const EncoderFamily& family, const EncoderDevice& device);

}  // namespace framewright
