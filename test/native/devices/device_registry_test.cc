#include "devices/device_registry.h"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <stdlib.h>

using namespace framewright;
namespace fs = std::filesystem;

namespace {

constexpr std::array<uint8_t, 16> kFirst{1, 2, 3}, kSecond{4, 5, 6};

// A folder with device files like those of a host.
class HostFiles {
 public:
  HostFiles() { REQUIRE(mkdtemp(root_) != nullptr); }
  ~HostFiles() { fs::remove_all(root_); }
  HostFiles(const HostFiles&) = delete;
  HostFiles& operator=(const HostFiles&) = delete;

  std::string root() const { return root_; }
  void addFile(const std::string& path) const {
    fs::create_directories(fs::path(root() + path).parent_path());
    std::ofstream(root() + path) << "";
  }
  void addRenderNode(int number, const std::string& bus) const {
    const std::string folder = root() + "/sys/class/drm/renderD" + std::to_string(number);
    addFile(renderNodePath(number));
    fs::create_directories(folder);
    fs::create_symlink("../../../" + bus, folder + "/device");
  }

 private:
  char root_[40] = "/tmp/framewright-devices-XXXXXX";
};

}  // namespace

TEST_CASE("the device registry lists render nodes, NVIDIA's devices and their PCI addresses") {
  const HostFiles host;
  CHECK(!DeviceRegistry(host.root()).hasDeviceFiles());
  host.addFile("/dev/nvidia3");
  host.addFile("/dev/nvidia7");
  CHECK(!DeviceRegistry(host.root()).hasDeviceFiles());
  host.addFile("/dev/nvidiactl");
  CHECK(DeviceRegistry(host.root()).hasDeviceFiles());
  host.addRenderNode(129, "0000:65:00.0");
  host.addRenderNode(128, "vgem");
  const DeviceRegistry registry(host.root());
  CHECK(registry.renderNodes() == std::vector<int>{128, 129});
  CHECK(registry.nvidiaCount() == 2);
  CHECK(registry.find({.renderNode = 129}).pciAddress == "0000:65:00.0");
  CHECK(registry.find({.renderNode = 128}).pciAddress.empty());
  CHECK(pciAddress(0, 0x65, 0) == "0000:65:00.0");
}

TEST_CASE("the device registry joins what Vulkan, CUDA and the kernel call one device") {
  const HostFiles host;
  host.addRenderNode(128, "0000:03:00.0");
  host.addRenderNode(129, "0000:65:00.0");
  DeviceRegistry registry(host.root());
  // A Vulkan driver that knows the PCI address only, then CUDA, which knows the UUID too.
  const DeviceIdentity drawing =
      registry.add({.uuid = kFirst, .vulkanIndex = 0, .pciAddress = "0000:65:00.0"});
  CHECK(drawing.renderNode == 129);
  registry.add({.uuid = kFirst, .cudaOrdinal = 1});
  CHECK(registry.find(drawing).cudaOrdinal == 1);
  CHECK(registry.find({.renderNode = 129}).cudaOrdinal == 1);
  CHECK(registry.find({.renderNode = 128}).cudaOrdinal == -1);
}

TEST_CASE("the device registry keeps devices with different UUIDs apart, even at one PCI address") {
  DeviceRegistry registry("/nowhere");
  registry.add({.uuid = kFirst, .cudaOrdinal = 0, .pciAddress = "0000:65:00.0"});
  registry.add({.uuid = kSecond, .cudaOrdinal = 1, .pciAddress = "0000:65:00.0"});
  CHECK(registry.find({.uuid = kSecond}).cudaOrdinal == 1);
  CHECK(registry.find({.uuid = kFirst, .pciAddress = "0000:65:00.0"}).cudaOrdinal == 0);
  // Unknown devices keep what the caller knows.
  CHECK(registry.find({.renderNode = 140}) == DeviceIdentity{.renderNode = 140});
  CHECK(registry.find({}) == DeviceIdentity{});
}
