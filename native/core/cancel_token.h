#pragma once

#include <atomic>

#include "core/result.h"

namespace framewright {

// Polled by every loop of a render; set once from any thread.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_release); }
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> cancelled_{false};
};

// The error of every cancelled operation.
inline Error cancelledError() { return {ErrorCode::CANCELLED, "The operation was cancelled.", ""}; }

}  // namespace framewright
