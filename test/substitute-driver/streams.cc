#include "streams.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace substitute {
namespace {

class Work : public std::enable_shared_from_this<Work> {
 public:
  CUresult add(std::function<CUresult()> step, bool waits) {
    std::unique_lock lock(mutex_);
    if (error_ != CUDA_SUCCESS) return error_;
    if (steps_.empty() && !waits && !hasThread_) return error_ = step();
    steps_.push_back(std::move(step));
    if (!hasThread_ && setting("lazy-streams", 0) == 0 && setting("delay", 0) == 0) {
      hasThread_ = true;
      // Processes end without their streams being destroyed.
      std::thread([self = shared_from_this()] { self->run(); }).detach();
    }
    changed_.notify_all();
    return CUDA_SUCCESS;
  }

  CUresult synchronize() {
    std::unique_lock lock(mutex_);
    while (!steps_.empty() && !ends_) {
      // Several threads may need the results.
      if (hasThread_ || isDoing_)
        changed_.wait(lock);
      else
        doFirst(lock);
    }
    return error_;
  }

  bool isBusy() {
    std::lock_guard lock(mutex_);
    return !steps_.empty();
  }

  void end() {
    std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ends_ || !steps_.empty(); });
      if (ends_) return;
      doFirst(lock);
    }
  }

  // Steps after an error do nothing.
  void doFirst(std::unique_lock<std::mutex>& lock) {
    isDoing_ = true;
    const std::function<CUresult()> step = steps_.front();
    if (error_ == CUDA_SUCCESS) {
      lock.unlock();
      const CUresult status = step();
      lock.lock();
      error_ = status;
    }
    steps_.pop_front();
    isDoing_ = false;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<CUresult()>> steps_;  // the first one is being done
  CUresult error_ = CUDA_SUCCESS;
  bool hasThread_ = false, isDoing_ = false, ends_ = false;
};

std::mutex mutex;
// By context, and stream; null is the context's default stream. Never destroyed, because threads use it.
auto& streams = *new std::map<std::pair<CUcontext, CUstream>, std::shared_ptr<Work>>;

Work& workOf(CUcontext context, CUstream stream) {
  std::lock_guard lock(mutex);
  std::shared_ptr<Work>& work = streams[{context, stream}];
  if (work == nullptr) work = std::make_shared<Work>();
  return *work;
}

std::vector<std::shared_ptr<Work>> allOf(CUcontext context) {
  std::vector<std::shared_ptr<Work>> all;
  std::lock_guard lock(mutex);
  for (const auto& [key, work] : streams)
    if (key.first == context) all.push_back(work);
  return all;
}

}  // namespace

CUresult enqueue(CUstream stream, std::function<CUresult()> work) {
  return workOf(currentContext(), stream).add(std::move(work), false);
}

CUresult enqueueWait(CUstream stream, std::function<CUresult()> work) {
  return workOf(currentContext(), stream).add(std::move(work), true);
}

CUresult synchronize(CUstream stream, CUcontext context) { return workOf(context, stream).synchronize(); }

CUresult synchronizeContext() {
  CUresult status = CUDA_SUCCESS;
  for (const auto& work : allOf(currentContext()))
    if (const CUresult failed = work->synchronize()) status = failed;
  return status;
}

bool hasWork(CUcontext context) {
  for (const auto& work : allOf(context))
    if (work->isBusy()) return true;
  return false;
}

void dropStreams(CUcontext context) {
  for (const auto& work : allOf(context)) work->end();
  std::lock_guard lock(mutex);
  std::erase_if(streams, [&](const auto& each) { return each.first.first == context; });
}

}  // namespace substitute
