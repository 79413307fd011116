#include "render/stills_ahead.h"

#include <utility>

#include "media/still_decoder.h"

namespace framewright {
namespace {

// Each may be the largest picture that there may be.
constexpr size_t kMostKept = 2;

}  // namespace

StillsAhead& StillsAhead::ofProcess() {
  static StillsAhead ahead;
  return ahead;
}

void StillsAhead::decode(const std::string& path) {
  std::packaged_task<Result<ImagePtr>()> task([&path] { return decodeStill(path); });
  {
    std::lock_guard lock(mutex_);
    if (pictures_.size() >= kMostKept || pictures_.count(path) != 0) return;
    pictures_[path] = task.get_future();
  }
  task();
}

Result<ImagePtr> StillsAhead::take(const std::string& path) {
  std::future<Result<ImagePtr>> picture;
  {
    std::lock_guard lock(mutex_);
    const auto found = pictures_.find(path);
    if (found != pictures_.end()) {
      picture = std::move(found->second);
      pictures_.erase(found);
    }
  }
  return picture.valid() ? picture.get() : decodeStill(path);
}

}  // namespace framewright
