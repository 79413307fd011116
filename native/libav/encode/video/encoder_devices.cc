#include "libav/encode/video/encoder_devices.h"

#include <algorithm>

#include "libav/hardware/interop/cuda_driver.h"

namespace framewright {

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor,
                                          const std::vector<int>& renderNodes) {
  std::vector<EncoderDevice> devices;
  if (family.device == AV_HWDEVICE_TYPE_VAAPI) {
    for (const int node : renderNodes) devices.push_back({renderNodePath(node), std::nullopt});
    std::stable_partition(devices.begin(), devices.end(), [&](const EncoderDevice& device) {
      return device.node == renderNodePath(compositor.renderNode);
    });
    return devices;
  }
  if (family.isNvenc && compositor.cudaOrdinal >= 0) devices.push_back({"", compositor.cudaOrdinal});
  devices.emplace_back();
  return devices;
}

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor) {
  if (family.isNvenc && compositor.isKnown()) (void)cuda::driver();  // registers CUDA's devices
  const DeviceRegistry& registry = DeviceRegistry::ofProcess();
  return encoderDevices(family, registry.find(compositor), registry.renderNodes());
}

}  // namespace framewright
