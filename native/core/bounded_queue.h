#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace framewright {

// A blocking queue between two threads with room for `capacity` items. After close(), push() fails and pop()
// drains the remaining items, then returns nothing.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

  // Blocks while full. False when the queue is closed; the item is dropped.
  bool push(T item) {
    std::unique_lock lock(mutex_);
    writable_.wait(lock, [&] { return closed_ || items_.size() < capacity_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    readable_.notify_one();
    return true;
  }

  // Blocks while empty. Nothing when the queue is closed and drained.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    readable_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop_front();
    writable_.notify_one();
    return item;
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    readable_.notify_all();
    writable_.notify_all();
  }

  // Closes the queue and drops its items, for cancellation.
  void abort() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    items_.clear();
    readable_.notify_all();
    writable_.notify_all();
  }

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable readable_;
  std::condition_variable writable_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace framewright
