#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "compositor/compositor.h"
#include "core/result.h"

namespace framewright {

// Prepared stills, shared by segments that are rendered at the same time or one after another. Any thread.
class StillCache {
 public:
  using Load = std::function<Result<PreparedImagePtr>()>;

  // The process's cache; freed when its last user releases it.
  static std::shared_ptr<StillCache> ofProcess();
  // Identifies the file's current contents and the size at which it is drawn.
  static std::string keyOf(const std::string& path, double width, double height);

  // The still of `key`. On a miss the calling thread runs `load`, and concurrent callers with the same key
  // wait for it; failures are not cached, exceptions become errors. `bytes`: approximate size of the still.
  Result<PreparedImagePtr> get(const std::string& key, int64_t bytes, const Load& load);

 private:
  struct Entry {
    PreparedImagePtr still;
    int64_t bytes = 0;
  };
  void add(const std::string& key, const PreparedImagePtr& still, int64_t bytes);

  std::mutex mutex_;
  std::condition_variable loaded_;
  std::map<std::string, std::weak_ptr<const PreparedImage>> stills_;  // also those that only segments own
  std::set<std::string> loading_;
  std::deque<Entry> retained_;  // oldest first
  int64_t retainedBytes_ = 0;
};

}  // namespace framewright
