#pragma once

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "compositor/vulkan/vulkan_compositor.h"
#include "vulkan/instance.h"

namespace framewright {

// The host's software Vulkan driver (lavapipe) with validation and synchronisation checks. With
// FRAMEWRIGHT_TEST_ON_CARD set, the first graphics card instead, without validation layers, which hosts with a card
// rarely have: the tests then prove the card's driver.
struct SoftwareDevice {
#ifdef __SANITIZE_ADDRESS__
  __lsan::ScopedDisabler drivers;  // drivers and layers leak memory when they are unloaded
#endif
  std::vector<std::string> messages;
  std::mutex writing;
  std::shared_ptr<const vulkan::Instance> instance;
  std::shared_ptr<vulkan::Device> device;

  // Tests require the driver; the setup for tests installs it.
  explicit SoftwareDevice(bool validate = true) {
    vulkan::InstanceOptions options;
    const bool onCard = std::getenv("FRAMEWRIGHT_TEST_ON_CARD") != nullptr;
    options.validate = validate && !onCard;
    options.onMessage = [this](const std::string& text) {
      std::lock_guard lock(writing);
      messages.push_back(text);
    };
    auto opened = vulkan::Instance::open(std::move(options));
    REQUIRE_MESSAGE(opened.ok(), (opened.ok() ? "" : opened.error().message + " " + opened.error().detail));
    instance = opened.take();
    for (size_t i = 0; i < instance->devices().size() && device == nullptr; ++i) {
      if ((instance->devices()[i].type != vulkan::DeviceType::kCpu) != onCard) continue;
      auto created = vulkan::Device::create(instance, i);
      REQUIRE(created.ok());
      device = created.take();
    }
    REQUIRE(device != nullptr);
  }

  std::unique_ptr<VulkanCompositor> compositor(const VulkanCompositorOptions& options = {}) {
    auto created = createVulkanCompositor(device, options);
    REQUIRE(created.ok());
    return created.take();
  }

  std::string firstMessage() const { return messages.empty() ? "" : messages.front(); }
};

}  // namespace framewright
