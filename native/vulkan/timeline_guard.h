#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "vulkan/timeline.h"

namespace framewright::vulkan {

// Bounds how long a device or another API waits for a timeline semaphore: a thread waits for each value that
// was promised, and the host signals those that do not arrive, because a device is lost or something hangs.
// Any thread.
class TimelineGuard {
 public:
  TimelineGuard() = default;
  // Values that are still missing are no longer watched: whoever waits for them has to keep the guard.
  ~TimelineGuard();
  TimelineGuard(const TimelineGuard&) = delete;
  TimelineGuard& operator=(const TimelineGuard&) = delete;

  enum class Signaller { kDevice, kOtherApi };

  // `value` is the timeline's next one, and the work that signals it has been submitted.
  void watch(std::shared_ptr<const Timeline> timeline, uint64_t value, Signaller signaller);
  // The error of the first value that did not arrive. What waited for it went on, so that frames may have any
  // contents.
  Status status() const;
  // For one thread. Blocks until all watched values have arrived or were signalled by the host.
  Status settle();

  // Less than a supervisor lets an engine's process go on without progress. For tests; before the first
  // watch().
  static std::chrono::milliseconds maxWait;

 private:
  struct Promise {
    std::shared_ptr<const Timeline> timeline;
    uint64_t value = 0;
    Signaller signaller = Signaller::kDevice;
    std::chrono::steady_clock::time_point deadline;
  };

  void run();
  // Returns when the value has arrived, was signalled by the host, or the guard ends.
  void waitFor(const Promise& promise);
  bool isEnding() const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Promise> promises_;  // the first one is being waited for
  Status status_;
  bool ends_ = false, isSettling_ = false;
  std::thread thread_;  // started by the first watch()
};

}  // namespace framewright::vulkan
