#pragma once

#include <atomic>
#include <cstdint>

#include "core/cancel_token.h"

namespace framewright {

// How the owner of a writer follows it from another thread. Both parts outlive the writer.
struct WriteWatch {
  const CancelToken& cancel;
  std::atomic<int64_t>& steps;  // grows while the writer works, also after the last frame

  void step() const { steps.fetch_add(1, std::memory_order_relaxed); }
};

}  // namespace framewright
