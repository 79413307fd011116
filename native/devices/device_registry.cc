#include "devices/device_registry.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace framewright {
namespace {

constexpr int kFirstRenderNode = 128, kLastRenderNode = 191;
constexpr int kMaxNvidiaDevices = 32;

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The PCI address of a render node's device; empty for devices on other buses.
std::string pciAddressOf(const std::string& root, int renderNode) {
  std::error_code ignored;
  const std::string link = root + "/sys/class/drm/renderD" + std::to_string(renderNode) + "/device";
  const std::string name = std::filesystem::read_symlink(link, ignored).filename().string();
  return std::ranges::count(name, ':') == 2 ? name : "";
}

// Rank of the evidence that two entries describe one device; 0: none.
int matchOf(const DeviceIdentity& a, const DeviceIdentity& b) {
  if (a.isKnown() && b.isKnown()) return a.uuid == b.uuid ? 3 : 0;
  if (!a.pciAddress.empty() && a.pciAddress == b.pciAddress) return 2;
  return a.renderNode >= 0 && a.renderNode == b.renderNode ? 1 : 0;
}

template <typename Devices>
auto findMatch(Devices& devices, const DeviceIdentity& wanted) {
  const auto best =
      std::ranges::max_element(devices, {}, [&](const auto& device) { return matchOf(device, wanted); });
  return best != devices.end() && matchOf(*best, wanted) > 0 ? best : devices.end();
}

}  // namespace

std::string renderNodePath(int number) { return "/dev/dri/renderD" + std::to_string(number); }

std::string pciAddress(uint32_t domain, uint32_t bus, uint32_t device, uint32_t function) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain, bus, device, function);
  return text;
}

DeviceRegistry& DeviceRegistry::ofProcess() {
  static DeviceRegistry& registry = *new DeviceRegistry;
  return registry;
}

DeviceRegistry::DeviceRegistry(const std::string& root) {
  for (int i = kFirstRenderNode; i <= kLastRenderNode; ++i) {
    if (!exists(root + renderNodePath(i))) continue;
    renderNodes_.push_back(i);
    devices_.push_back({.renderNode = i, .pciAddress = pciAddressOf(root, i)});
  }
  for (int i = 0; i < kMaxNvidiaDevices; ++i)
    nvidiaCount_ += exists(root + "/dev/nvidia" + std::to_string(i));
  hasDeviceFiles_ = !renderNodes_.empty() || exists(root + "/dev/nvidiactl") || exists(root + "/dev/dxg");
}

DeviceIdentity DeviceRegistry::add(const DeviceIdentity& reported) {
  const std::lock_guard lock(mutex_);
  const auto known = findMatch(devices_, reported);
  if (known == devices_.end()) return devices_.emplace_back(reported);
  if (!known->isKnown()) known->uuid = reported.uuid;
  if (known->renderNode < 0) known->renderNode = reported.renderNode;
  if (known->cudaOrdinal < 0) known->cudaOrdinal = reported.cudaOrdinal;
  if (known->vulkanIndex < 0) known->vulkanIndex = reported.vulkanIndex;
  if (known->pciAddress.empty()) known->pciAddress = reported.pciAddress;
  if (known->model.empty()) known->model = reported.model;
  return *known;
}

DeviceIdentity DeviceRegistry::find(const DeviceIdentity& device) const {
  const std::lock_guard lock(mutex_);
  const auto known = findMatch(devices_, device);
  return known == devices_.end() ? device : *known;
}

std::string DeviceRegistry::cudaModel(int ordinal) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(devices_, ordinal, &DeviceIdentity::cudaOrdinal);
  return found == devices_.end() ? "" : found->model;
}

std::vector<int> DeviceRegistry::cudaOrdinals() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> ordinals;
  for (const DeviceIdentity& device : devices_)
    if (device.cudaOrdinal >= 0) ordinals.push_back(device.cudaOrdinal);
  std::ranges::sort(ordinals);
  return ordinals;
}

}  // namespace framewright
