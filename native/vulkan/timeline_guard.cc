#include "vulkan/timeline_guard.h"

namespace framewright::vulkan {
namespace {

// A destructor does not wait longer than this for the thread.
constexpr uint64_t kStepNanoseconds = 50'000'000;
// The thread looks at values this often and finds most of them there, so that it wakes less than once a
// frame.
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

std::chrono::milliseconds TimelineGuard::maxWait{20'000};

TimelineGuard::~TimelineGuard() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TimelineGuard::watch(std::shared_ptr<const Timeline> timeline, uint64_t value, Signaller signaller) {
  std::lock_guard lock(mutex_);
  promises_.push_back({std::move(timeline), value, signaller, std::chrono::steady_clock::now() + maxWait});
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

Status TimelineGuard::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

Status TimelineGuard::settle() {
  std::unique_lock lock(mutex_);
  isSettling_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return promises_.empty(); });
  isSettling_ = false;
  return status_;
}

bool TimelineGuard::isEnding() const {
  std::lock_guard lock(mutex_);
  return ends_;
}

void TimelineGuard::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !promises_.empty(); });
    changed_.wait_for(lock, kPause, [this] { return ends_ || isSettling_; });
    while (!ends_ && !promises_.empty()) {
      const Promise promise = promises_.front();
      lock.unlock();
      waitFor(promise);
      lock.lock();
      promises_.pop_front();
    }
    if (ends_) return;
    changed_.notify_all();
  }
}

void TimelineGuard::waitFor(const Promise& promise) {
  Status failure;
  bool isLost = false;
  while (failure.ok()) {
    const Result<bool> isReached = promise.timeline->wait(promise.value, kStepNanoseconds);
    if (!isReached.ok()) {
      isLost = true;
      failure = isReached.error();
    } else if (isReached.value() || isEnding()) {
      return;
    } else if (std::chrono::steady_clock::now() > promise.deadline) {
      failure = Error{ErrorCode::GPU_FAILED, "The graphics device or its encoder hangs.",
                      "a semaphore was not signalled within " + std::to_string(maxWait.count()) + " ms"};
    }
  }
  // The other API goes on once the device's values are signalled, and on a lost device nothing waits for it.
  if (!isLost || promise.signaller == Signaller::kDevice) promise.timeline->signalByHost(promise.value);
  std::lock_guard lock(mutex_);
  if (status_.ok()) status_ = failure;
}

}  // namespace framewright::vulkan
