#include "host/running_calls.h"

#include <system_error>
#include <thread>
#include <utility>

#include "core/guarded.h"
#include "core/this_thread.h"
#include "host/messages.h"

namespace framewright::host {
namespace {

// A movie's hundred files are probed all at once.
constexpr int kShortAtOnce = 4;

}  // namespace

void RunningCalls::start(int64_t id, Act act) {
  Call call{id, std::move(act), std::make_shared<CancelToken>()};
  {
    std::lock_guard lock(mutex_);
    running_[id] = call.cancel;
    if (call.act.isShort && shortThreads_ >= kShortAtOnce) {
      waiting_.push_back(std::move(call));
      return;
    }
    shortThreads_ += call.act.isShort ? 1 : 0;
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
  const bool isShort = call.act.isShort;
  try {
    std::thread([this, call = std::move(call)]() mutable {
      nameThisThread("fw-call");
      answer(call);
      if (!call.act.isShort) return;
      while (auto next = nextShort()) answer(*next);
    }).detach();
  } catch (const std::system_error& error) {
    {
      std::lock_guard lock(mutex_);
      running_.erase(id);
      shortThreads_ -= isShort ? 1 : 0;
    }
    channel_.writeLine(
        answerLine(id, Error{ErrorCode::OUT_OF_MEMORY, "no further thread can be had", error.what()}));
  }
}

void RunningCalls::answer(const Call& call) {
  const ProgressSink progress = [&](int64_t done) { channel_.writeLine(progressLine(call.id, done)); };
  const Result<std::string> result = guarded([&] { return call.act.run(*call.cancel, progress); });
  {
    std::lock_guard lock(mutex_);
    running_.erase(call.id);
  }
  channel_.writeLine(answerLine(call.id, result));
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
