#include "vulkan/timelines.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "faults.h"
#include "vulkan/exported_semaphore.h"

namespace substitute {
namespace {

class Timeline final : public ExportedSemaphore {
 public:
  Timeline(const TimelineFunctions& functions, VkSemaphore semaphore)
      : functions_(functions), semaphore_(semaphore) {}

  bool wait(uint64_t value, int milliseconds) override {
    openGate(functions_.device);
    const auto last = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (std::chrono::steady_clock::now() < last) {
      // In steps, so that a device that ends is noticed.
      std::lock_guard lock(mutex_);
      if (isGone_) return false;
      VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
      info.semaphoreCount = 1;
      info.pSemaphores = &semaphore_;
      info.pValues = &value;
      if (functions_.wait(functions_.device, &info, 5'000'000) == VK_SUCCESS) return true;
    }
    return false;
  }

  bool signal(uint64_t value) override {
    std::lock_guard lock(mutex_);
    if (isGone_) return false;
    VkSemaphoreWaitInfo reached{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    reached.semaphoreCount = 1;
    reached.pSemaphores = &semaphore_;
    reached.pValues = &value;
    if (functions_.wait(functions_.device, &reached, 0) == VK_SUCCESS) return false;
    VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    info.semaphore = semaphore_;
    info.value = value;
    return functions_.signal(functions_.device, &info) == VK_SUCCESS;
  }

  uint64_t promised() override {
    std::lock_guard lock(promising_);
    return promised_;
  }
  void promise(uint64_t value) override {
    std::lock_guard lock(promising_);
    promised_ = std::max(promised_, value);
  }

  void end() {
    std::lock_guard lock(mutex_);
    if (!isGone_) functions_.destroy(functions_.device, semaphore_, nullptr);
    isGone_ = true;
  }
  VkDevice device() const { return functions_.device; }

 private:
  const TimelineFunctions functions_;
  const VkSemaphore semaphore_;
  std::mutex mutex_, promising_;
  bool isGone_ = false;
  uint64_t promised_ = 0;
};

struct Gate {
  TimelineFunctions functions;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t submissions = 0, open = 0;
};

std::mutex mutex;
std::map<VkSemaphore, ExportedSemaphorePtr> timelines;
std::map<VkDevice, Gate> gates;

ExportedSemaphorePtr* find(VkSemaphore semaphore) {
  const auto found = timelines.find(semaphore);
  return found == timelines.end() ? nullptr : &found->second;
}

}  // namespace

void addTimeline(const TimelineFunctions& functions, VkSemaphore semaphore) {
  std::lock_guard lock(mutex);
  timelines[semaphore] = std::make_shared<Timeline>(functions, semaphore);
}

bool removeTimeline(VkSemaphore semaphore) {
  ExportedSemaphorePtr removed;
  {
    std::lock_guard lock(mutex);
    ExportedSemaphorePtr* const found = find(semaphore);
    if (found == nullptr) return false;
    removed = *found;
    timelines.erase(semaphore);
  }
  if (removed.use_count() > 1) report("a semaphore is destroyed before its import");
  static_cast<Timeline&>(*removed).end();
  return true;
}

void removeTimelines(VkDevice device) {
  std::lock_guard lock(mutex);
  std::erase_if(timelines, [&](const auto& each) {
    auto& timeline = static_cast<Timeline&>(*each.second);
    if (timeline.device() != device) return false;
    report("a semaphore outlives its device");
    timeline.end();
    return true;
  });
  const auto gate = gates.find(device);
  if (gate == gates.end()) return;
  gate->second.functions.destroy(device, gate->second.semaphore, nullptr);
  gates.erase(gate);
}

int exportTimeline(VkSemaphore semaphore) {
  std::lock_guard lock(mutex);
  ExportedSemaphorePtr* const found = find(semaphore);
  return found == nullptr ? -1 : descriptorOf(*found);
}

bool promiseTimeline(VkSemaphore semaphore, uint64_t value) {
  std::lock_guard lock(mutex);
  ExportedSemaphorePtr* const found = find(semaphore);
  if (found == nullptr) return true;
  const bool isGreater = value > (*found)->promised();
  (*found)->promise(value);
  return isGreater;
}

uint64_t promisedOf(VkSemaphore semaphore) {
  std::lock_guard lock(mutex);
  ExportedSemaphorePtr* const found = find(semaphore);
  return found == nullptr ? ~uint64_t{0} : (*found)->promised();
}

VkSemaphore gateOf(const TimelineFunctions& functions, uint64_t& value) {
  if (settingOf("VULKAN_SUBSTITUTE", "withholds", 0) == 0) return VK_NULL_HANDLE;
  std::lock_guard lock(mutex);
  Gate& gate = gates[functions.device];
  if (gate.semaphore == VK_NULL_HANDLE) {
    gate.functions = functions;
    const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                         VK_SEMAPHORE_TYPE_TIMELINE, 0};
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    if (functions.create(functions.device, &info, nullptr, &gate.semaphore) != VK_SUCCESS)
      gate.semaphore = VK_NULL_HANDLE;
  }
  value = ++gate.submissions;
  return gate.semaphore;
}

void openGate(VkDevice device) {
  std::lock_guard lock(mutex);
  const auto found = gates.find(device);
  if (found == gates.end() || found->second.open == found->second.submissions) return;
  Gate& gate = found->second;
  gate.open = gate.submissions;
  VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  info.semaphore = gate.semaphore;
  info.value = gate.open;
  gate.functions.signal(device, &info);
}

}  // namespace substitute
