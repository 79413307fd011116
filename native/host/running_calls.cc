#include "host/running_calls.h"

#include <system_error>
#include <thread>
#include <utility>

#include "core/guarded.h"
#include "core/this_thread.h"
#include "host/messages.h"

namespace framewright::host {
namespace {

// A movie's files, often a hundred, are probed at once.
constexpr int kMaxShortThreads = 4;

}  // namespace

void RunningCalls::start(int64_t id, Command command) {
  Call call{id, std::move(command), std::make_shared<CancelToken>()};
  {
    std::lock_guard lock(mutex_);
    running_[id] = call.cancel;
    if (call.command.isShort && shortThreads_ >= kMaxShortThreads) {
      waiting_.push_back(std::move(call));
      return;
    }
    shortThreads_ += call.command.isShort ? 1 : 0;
  }
  startThread(std::move(call));
}

void RunningCalls::cancel(int64_t id) {
  std::lock_guard lock(mutex_);
  const auto found = running_.find(id);
  if (found != running_.end()) found->second->cancel();
}

void RunningCalls::startThread(Call call) {
  const int64_t id = call.id;
  const bool isShort = call.command.isShort;
  try {
    std::thread([this, call = std::move(call)]() mutable {
      nameThisThread("fw-call");
      run(call);
      if (!call.command.isShort) return;
      while (auto next = nextShort()) run(*next);
    }).detach();
  } catch (const std::system_error& error) {
    {
      std::lock_guard lock(mutex_);
      running_.erase(id);
      shortThreads_ -= isShort ? 1 : 0;
    }
    channel_.writeLine(
        resultLine(id, Error{ErrorCode::OUT_OF_MEMORY, "No thread can be started.", error.what()}));
  }
}

void RunningCalls::run(const Call& call) {
  const ProgressSink progress = [&](int64_t done) { channel_.writeLine(progressLine(call.id, done)); };
  const Result<CommandResult> result = guarded([&] { return call.command.run(*call.cancel, progress); });
  {
    std::lock_guard lock(mutex_);
    running_.erase(call.id);
  }
  channel_.writeLine(resultLine(call.id, result));
}

std::optional<RunningCalls::Call> RunningCalls::nextShort() {
  std::lock_guard lock(mutex_);
  if (waiting_.empty()) {
    --shortThreads_;
    return std::nullopt;
  }
  Call next = std::move(waiting_.front());
  waiting_.pop_front();
  return next;
}

}  // namespace framewright::host
