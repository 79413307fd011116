#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "commands/commands.h"
#include "core/cancel_token.h"
#include "host/channel.h"

namespace framewright::host {

// Runs calls in parallel, each on its own thread; short ones share a few threads. Its detached threads refer
// to it, so it must live as long as the process.
class RunningCalls {
 public:
  explicit RunningCalls(Channel& channel) : channel_(channel) {}
  RunningCalls(const RunningCalls&) = delete;
  RunningCalls& operator=(const RunningCalls&) = delete;

  // Progress and the result go to the channel.
  void start(int64_t id, Command command);
  // The call still sends its result. Ignored when it has finished.
  void cancel(int64_t id);

 private:
  struct Call {
    int64_t id = 0;
    Command command;
    std::shared_ptr<CancelToken> cancel;
  };

  void run(const Call& call);
  // Runs `call` on a new thread; after a short call, also the short calls that wait.
  void startThread(Call call);
  std::optional<Call> nextShort();

  Channel& channel_;
  std::mutex mutex_;
  std::map<int64_t, std::shared_ptr<CancelToken>> running_;
  std::deque<Call> waiting_;
  int shortThreads_ = 0;
};

}  // namespace framewright::host
