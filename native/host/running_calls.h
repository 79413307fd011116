#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "core/cancel_token.h"
#include "host/acts.h"
#include "host/channel.h"

namespace framewright::host {

// The calls under way, side by side, each on a thread of its own; short ones wait for one of a few. Lives as
// long as the process: its threads hold it.
class RunningCalls {
 public:
  explicit RunningCalls(Channel& channel) : channel_(channel) {}
  RunningCalls(const RunningCalls&) = delete;
  RunningCalls& operator=(const RunningCalls&) = delete;

  void start(int64_t id, Act act);
  // Its answer still comes; nothing when it has.
  void cancel(int64_t id);

 private:
  struct Call {
    int64_t id = 0;
    Act act;
    std::shared_ptr<CancelToken> cancel;
  };

  void answer(const Call& call);
  // Runs `call` on a new thread, and after a short one those that wait.
  void startThread(Call call);
  std::optional<Call> nextShort();

  Channel& channel_;
  std::mutex mutex_;
  std::map<int64_t, std::shared_ptr<CancelToken>> running_;
  std::deque<Call> waiting_;
  int shortThreads_ = 0;
};

}  // namespace framewright::host
