#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "compositor/compositor.h"
#include "core/result.h"

namespace framewright {

// Stills that were decoded and prepared, for whatever segments run at the same time or right after one
// another: a picture that two scenes show, or that a transition shows again, is made once. Any thread.
class StillShelf {
 public:
  using Load = std::function<Result<PreparedImagePtr>()>;

  // The process's shelf; it goes, with what is on it, when the last segment that uses it has ended.
  static std::shared_ptr<StillShelf> ofProcess();
  // Names the file as it is now, and the size at which it is drawn.
  static std::string keyOf(const std::string& path, double width, double height);

  // What is on the shelf under `key`, or what `load` makes, which runs on the calling thread. Others who ask
  // for the same meanwhile wait for it; what could not be made is tried anew by each. `bytes`: about what it
  // holds.
  Result<PreparedImagePtr> take(const std::string& key, int64_t bytes, const Load& load);

 private:
  struct Kept {
    std::string key;
    PreparedImagePtr picture;
    int64_t bytes = 0;
  };
  void keep(const std::string& key, const PreparedImagePtr& picture, int64_t bytes);

  std::mutex mutex_;
  std::condition_variable made_;
  std::map<std::string, std::weak_ptr<const PreparedImage>> known_;  // also those that only segments still hold
  std::map<std::string, int> making_;
  std::deque<Kept> kept_;  // latest last
  int64_t keptBytes_ = 0;
};

}  // namespace framewright
