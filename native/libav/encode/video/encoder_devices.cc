#include "libav/encode/video/encoder_devices.h"

#include <algorithm>

#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_driver.h"

namespace framewright {

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor,
                                          const std::vector<int>& renderNodes,
                                          std::optional<int> cudaOrdinal) {
  std::vector<EncoderDevice> devices;
  if (family.device == AV_HWDEVICE_TYPE_VAAPI) {
    for (const int node : renderNodes) devices.push_back({renderNodePath(node), std::nullopt});
    std::stable_partition(devices.begin(), devices.end(), [&](const EncoderDevice& device) {
      return device.node == renderNodePath(compositor.renderNode);
    });
    return devices;
  }
  if (family.isNvenc && cudaOrdinal) devices.push_back({"", cudaOrdinal});
  devices.emplace_back();
  return devices;
}

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor) {
  std::optional<int> cudaOrdinal;
  if (family.isNvenc && compositor.isKnown()) {
    const Result<int> ordinal = cuda::ordinalOf(compositor);
    if (ordinal.ok()) cudaOrdinal = ordinal.value();
  }
  const bool onNodes = family.device == AV_HWDEVICE_TYPE_VAAPI;
  return encoderDevices(family, compositor, onNodes ? renderNodes() : std::vector<int>{}, cudaOrdinal);
}

}  // namespace framewright
