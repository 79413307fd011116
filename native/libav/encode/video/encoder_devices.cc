#include "libav/encode/video/encoder_devices.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "libav/hardware/interop/cuda_driver.h"

namespace framewright {
namespace {

std::mutex mutex;
std::set<std::string> excluded;  // keyOf()

std::string keyOf(const EncoderFamily& family, const EncoderDevice& device) {
  return std::string(family.name) + " " + device.name();
}

}  // namespace

std::string EncoderDevice::name() const {
  if (cudaOrdinal) return "cuda:" + std::to_string(*cudaOrdinal);
  return node.empty() ? "default" : node;
}

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor,
                                          const std::vector<int>& renderNodes,
                                          const std::vector<int>& cudaOrdinals) {
  std::vector<EncoderDevice> devices;
  if (family.device == AV_HWDEVICE_TYPE_VAAPI) {
    for (const int node : renderNodes) devices.push_back({renderNodePath(node), std::nullopt});
  } else if (family.isNvenc) {
    for (const int ordinal : cudaOrdinals) devices.push_back({"", ordinal});
  }
  std::ranges::stable_partition(devices, [&](const EncoderDevice& device) {
    return device.cudaOrdinal ? *device.cudaOrdinal == compositor.cudaOrdinal
                              : device.node == renderNodePath(compositor.renderNode);
  });
  // libav's own search says why there is no device.
  if (devices.empty() && family.device != AV_HWDEVICE_TYPE_VAAPI) devices.emplace_back();
  return devices;
}

std::vector<EncoderDevice> encoderDevices(const EncoderFamily& family, const DeviceIdentity& compositor) {
  if (family.isNvenc) (void)cuda::driver();  // registers CUDA's devices
  const DeviceRegistry& registry = DeviceRegistry::ofProcess();
  const std::vector<EncoderDevice> all =
      encoderDevices(family, registry.find(compositor), registry.renderNodes(), registry.cudaOrdinals());
  std::vector<EncoderDevice> left;
  const std::lock_guard lock(mutex);
  for (const EncoderDevice& device : all)
    if (excluded.count(keyOf(family, device)) == 0) left.push_back(device);
  return left.empty() ? all : left;
}

bool isSameModel(const EncoderDevice& a, const EncoderDevice& b) {
  const DeviceRegistry& registry = DeviceRegistry::ofProcess();
  const std::string model = a.cudaOrdinal ? registry.cudaModel(*a.cudaOrdinal) : "";
  return !model.empty() && b.cudaOrdinal && registry.cudaModel(*b.cudaOrdinal) == model;
}

void excludeDevice(const EncoderFamily& family, const EncoderDevice& device) {
  const std::lock_guard lock(mutex);
  excluded.insert(keyOf(family, device));
}

}  // namespace framewright
