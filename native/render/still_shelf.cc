#include "render/still_shelf.h"

#include <algorithm>

#include <sys/stat.h>

namespace framewright {
namespace {

// A handful of photos of an HD movie; what segments themselves hold does not count.
constexpr int64_t kMaxBytes = 32 << 20;

}  // namespace

std::shared_ptr<StillShelf> StillShelf::ofProcess() {
  static std::mutex mutex;
  static std::weak_ptr<StillShelf> current;
  std::lock_guard lock(mutex);
  auto shelf = current.lock();
  if (shelf == nullptr) {
    shelf = std::make_shared<StillShelf>();
    current = shelf;
  }
  return shelf;
}

std::string StillShelf::keyOf(const std::string& path, double width, double height) {
  struct stat file {};
  stat(path.c_str(), &file);  // what cannot be read is the loader's to complain about
  std::string key = path;
  for (const auto part : {static_cast<int64_t>(file.st_dev), static_cast<int64_t>(file.st_ino),
                          static_cast<int64_t>(file.st_size), static_cast<int64_t>(file.st_mtim.tv_sec),
                          static_cast<int64_t>(file.st_mtim.tv_nsec)})
    key += '\n' + std::to_string(part);
  return key + '\n' + std::to_string(width) + 'x' + std::to_string(height);
}

Result<PreparedImagePtr> StillShelf::take(const std::string& key, int64_t bytes, const Load& load) {
  {
    std::unique_lock lock(mutex_);
    made_.wait(lock, [&] { return making_.count(key) == 0; });
    if (PreparedImagePtr known = known_[key].lock()) return known;
    making_[key] = 1;
  }
  auto picture = load();
  std::lock_guard lock(mutex_);
  making_.erase(key);
  made_.notify_all();
  if (picture.ok()) keep(key, picture.value(), bytes);
  return picture;
}

void StillShelf::keep(const std::string& key, const PreparedImagePtr& picture, int64_t bytes) {
  std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
  known_[key] = picture;
  kept_.push_back({key, picture, bytes});
  keptBytes_ += bytes;
  while (keptBytes_ > kMaxBytes && !kept_.empty()) {
    keptBytes_ -= kept_.front().bytes;
    kept_.pop_front();
  }
}

}  // namespace framewright
