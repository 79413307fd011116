#pragma once

#include <list>
#include <memory>
#include <thread>

#include "core/cancel_token.h"

namespace framewright {

// The running tasks of one addon instance, which unloading cancels and joins. JavaScript thread only.
class TaskRegistry {
 public:
  struct Entry {
    std::shared_ptr<CancelToken> cancel;
    std::thread thread;
  };
  using Id = std::list<Entry>::iterator;

  TaskRegistry() = default;
  TaskRegistry(const TaskRegistry&) = delete;
  TaskRegistry& operator=(const TaskRegistry&) = delete;
  ~TaskRegistry() { cancelAll(); }

  Id add(std::shared_ptr<CancelToken> cancel) {
    entries_.push_back({std::move(cancel), {}});
    return std::prev(entries_.end());
  }
  // Call when the task's thread has nothing left to do.
  void remove(Id id) {
    id->thread.join();
    entries_.erase(id);
  }
  // Blocks until every task has ended.
  void cancelAll() {
    for (Entry& entry : entries_) entry.cancel->cancel();
    for (Entry& entry : entries_) {
      if (entry.thread.joinable()) entry.thread.join();
    }
    entries_.clear();
    ++generation_;
  }
  // Changes when cancelAll() has invalidated all ids.
  int generation() const { return generation_; }

 private:
  std::list<Entry> entries_;
  int generation_ = 0;
};

}  // namespace framewright
