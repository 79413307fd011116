#pragma once

#include <atomic>
#include <cstdint>

#include "core/cancel_token.h"

namespace framewright {

// How the owner of a writer follows it from another thread. Both parts outlive the writer.
struct WriteWatch {
  const CancelToken& cancel;    // of the whole call
  const CancelToken& stop;      // of the outputs, because one of them failed
  std::atomic<int64_t>& steps;  // grows while the writer works, also after the last frame

  bool cancelled() const { return cancel.cancelled() || stop.cancelled(); }
  void step() const { steps.fetch_add(1, std::memory_order_relaxed); }
};

}  // namespace framewright
