#include "render/encoding_turn.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace framewright {
namespace {

struct Turns {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<int64_t> waiting;
  int64_t last = 0;
  bool taken = false;
};

Turns& turns() {
  static Turns instance;
  return instance;
}

}  // namespace

Result<EncodingTurn> EncodingTurn::wait(const CancelToken& cancel) {
  Turns& all = turns();
  std::unique_lock lock(all.mutex);
  const int64_t own = ++all.last;
  all.waiting.push_back(own);
  const auto isNext = [&] { return !all.taken && all.waiting.front() == own; };
  while (!all.changed.wait_for(lock, std::chrono::milliseconds(20), isNext)) {
    if (!cancel.cancelled()) continue;
    std::erase(all.waiting, own);
    all.changed.notify_all();
    return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
  }
  all.waiting.pop_front();
  all.taken = true;
  return EncodingTurn();
}

EncodingTurn::~EncodingTurn() {
  if (!held_) return;
  Turns& all = turns();
  std::lock_guard lock(all.mutex);
  all.taken = false;
  all.changed.notify_all();
}

}  // namespace framewright
