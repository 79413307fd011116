#include "compositor/vulkan/device/device_list.h"

#include <doctest/doctest.h>

namespace framewright {
namespace {

using vulkan::DeviceType;

vulkan::DeviceProperties device(const std::string& name, DeviceType type, const std::string& missing = "") {
  vulkan::DeviceProperties facts;
  facts.name = name;
  facts.type = type;
  facts.missing = missing;
  return facts;
}

}  // namespace

TEST_CASE("the best devices of a host draw by turns, and those that fail no more") {
  DeviceList roster({device("soft", DeviceType::kCpu), device("A", DeviceType::kDiscrete),
                     device("chip", DeviceType::kIntegrated), device("B", DeviceType::kDiscrete),
                     device("old", DeviceType::kDiscrete, "it does not offer Vulkan 1.1")},
                    1);
  CHECK(roster.next(false) == 3);
  CHECK(roster.next(false) == 1);
  CHECK(roster.next(true) == 3);
  CHECK(roster.describe() ==
        "A, B by turns; not used: soft: in software; chip: others are better; old: it does not offer Vulkan "
        "1.1");
  roster.exclude(3, "it was lost while it drew");
  CHECK(roster.next(false) == 1);
  CHECK(roster.next(false) == 1);
  roster.exclude(1, "it draws something else than the CPU");
  CHECK(roster.next(false) == 2);
  roster.exclude(2, "gone");
  CHECK_FALSE(roster.next(false).has_value());
  CHECK(roster.next(true) == 0);
  roster.exclude(0, "gone too");
  CHECK_FALSE(roster.next(true).has_value());
  CHECK(roster.describe() ==
        "not used: soft: gone too; A: it draws something else than the CPU; chip: gone; B: it was lost while "
        "it drew; "
        "old: it does not offer Vulkan 1.1");
}

}  // namespace framewright
