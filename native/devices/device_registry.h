#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace framewright {

// A graphics device of this host and its name in each API. Members that are unknown keep their defaults.
struct DeviceIdentity {
  std::array<uint8_t, 16> uuid{};  // the same in Vulkan and CUDA
  int renderNode = -1;             // N of /dev/dri/renderDN
  int cudaOrdinal = -1;            // of CUDA, NVDEC and NVENC
  int vulkanIndex = -1;
  std::string pciAddress;  // "0000:65:00.0"
  std::string model;       // as CUDA names it

  bool isKnown() const { return uuid != std::array<uint8_t, 16>{}; }
  bool operator==(const DeviceIdentity&) const = default;
};

// The graphics devices of this host, as far as device files and the APIs in use report them. Any thread.
class DeviceRegistry {
 public:
  // Reads the names of device files below `root`; opens none.
  explicit DeviceRegistry(const std::string& root = "");
  static DeviceRegistry& ofProcess();

  // Adds what an API reports about a device to the entry of that device, or as a new entry; returns the
  // entry. The same device has the same UUID or, where one is unknown, the same PCI address or render node.
  DeviceIdentity add(const DeviceIdentity& reported);
  // The entry of a device; `device` itself if there is none.
  DeviceIdentity find(const DeviceIdentity& device) const;

  // CUDA's ordinals of the devices that CUDA has reported, ascending.
  std::vector<int> cudaOrdinals() const;
  // The model of a device that CUDA has reported; empty for others.
  std::string cudaModel(int ordinal) const;
  // Numbers of the DRM render nodes, ascending.
  const std::vector<int>& renderNodes() const { return renderNodes_; }
  // Number of NVIDIA's device files. CUDA numbers these devices from 0; the files of a container may have the
  // host's numbers.
  int nvidiaCount() const { return nvidiaCount_; }
  // Whether a driver may find a device: a render node, NVIDIA's driver, or Windows' device under WSL.
  bool hasDeviceFiles() const { return hasDeviceFiles_; }

 private:
  std::vector<int> renderNodes_;
  int nvidiaCount_ = 0;
  bool hasDeviceFiles_ = false;
  mutable std::mutex mutex_;
  std::vector<DeviceIdentity> devices_;
};

std::string renderNodePath(int number);
// The form in which the kernel writes PCI addresses.
std::string pciAddress(uint32_t domain, uint32_t bus, uint32_t device, uint32_t function = 0);

}  // namespace framewright
