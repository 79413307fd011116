#pragma once

#include <atomic>

namespace framewright {

// Polled by every loop of a render; set once from any thread.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_release); }
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace framewright
