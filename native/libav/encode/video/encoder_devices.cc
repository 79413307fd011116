#include "libav/encode/video/encoder_devices.h"

#include <algorithm>

#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_driver.h"

namespace framewright {

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& drawing,
                                          const std::vector<int>& renderNodes, std::optional<int> card) {
  std::vector<EncoderDevice> devices;
  if (family.device == AV_HWDEVICE_TYPE_VAAPI) {
    for (const int node : renderNodes) devices.push_back({renderNodePath(node), std::nullopt});
    std::stable_partition(devices.begin(), devices.end(), [&](const EncoderDevice& device) {
      return device.node == renderNodePath(drawing.renderNode);
    });
    return devices;
  }
  if (family.isNvenc && card) devices.push_back({"", card});
  devices.emplace_back();
  return devices;
}

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& drawing) {
  std::optional<int> card;
  if (family.isNvenc && drawing.isKnown()) {
    const Result<int> ordinal = cuda::ordinalOf(drawing);
    if (ordinal.ok()) card = ordinal.value();
  }
  const bool onNodes = family.device == AV_HWDEVICE_TYPE_VAAPI;
  return encoderDevices(family, drawing, onNodes ? renderNodes() : std::vector<int>{}, card);
}

}  // namespace framewright
