#include "compositor/vulkan/device/device_list.h"

#include <doctest/doctest.h>

#include "vulkan/device.h"

namespace framewright {
namespace {

using vulkan::DeviceType;

vulkan::DeviceProperties device(const std::string& name, DeviceType type, const std::string& missing = "") {
  vulkan::DeviceProperties properties;
  properties.name = name;
  properties.type = type;
  properties.missing = missing;
  return properties;
}

}  // namespace

TEST_CASE("the best devices are used in rotation, failed ones no more") {
  DeviceList devices({device("soft", DeviceType::kCpu), device("A", DeviceType::kDiscrete),
                      device("chip", DeviceType::kIntegrated), device("B", DeviceType::kDiscrete),
                      device("old", DeviceType::kDiscrete, "it does not offer Vulkan 1.1")},
                     1);
  CHECK(devices.next(false) == 3);
  CHECK(devices.next(false) == 1);
  CHECK(devices.next(true) == 3);
  CHECK(
      devices.describe() ==
      "A, B in rotation; not used: soft: in software; chip: others are better; old: it does not offer Vulkan "
      "1.1");
  devices.exclude(3, "it was lost while it drew");
  CHECK(devices.next(false) == 1);
  CHECK(devices.next(false) == 1);
  devices.exclude(1, "it draws something else than the CPU");
  CHECK(devices.next(false) == 2);
  devices.exclude(2, "gone");
  CHECK_FALSE(devices.next(false).has_value());
  CHECK(devices.next(true) == 0);
  devices.exclude(0, "gone too");
  CHECK_FALSE(devices.next(true).has_value());
  CHECK(devices.describe() ==
        "not used: soft: gone too; A: it draws something else than the CPU; chip: gone; B: it was lost while "
        "it drew; "
        "old: it does not offer Vulkan 1.1");
}

TEST_CASE("memory goes to the queue family of the driver that imports it") {
  using vulkan::recipientFamily;
  CHECK(recipientFamily(FramePlace::kOpaque, true) == VK_QUEUE_FAMILY_EXTERNAL);
  CHECK(recipientFamily(FramePlace::kDmaBuf, true) == VK_QUEUE_FAMILY_FOREIGN_EXT);
  CHECK(recipientFamily(FramePlace::kDmaBuf, false) == VK_QUEUE_FAMILY_EXTERNAL);
}

}  // namespace framewright
