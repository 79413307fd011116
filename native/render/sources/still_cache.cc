#include "render/sources/still_cache.h"

#include "core/file_key.h"

namespace framewright {
namespace {

// A few photos at HD size. Stills that segments own do not count.
constexpr int64_t kMaxRetainedBytes = 32 << 20;

}  // namespace

std::shared_ptr<StillCache> StillCache::ofProcess() {
  static std::mutex mutex;
  static std::weak_ptr<StillCache> current;
  std::lock_guard lock(mutex);
  auto cache = current.lock();
  if (cache == nullptr) {
    cache = std::make_shared<StillCache>();
    current = cache;
  }
  return cache;
}

std::string StillCache::keyOf(const std::string& path, double width, double height) {
  return fileKey(path) + '\n' + std::to_string(width) + 'x' + std::to_string(height);
}

Result<PreparedImagePtr> StillCache::get(const std::string& key, int64_t bytes, const Load& load) {
  {
    std::unique_lock lock(mutex_);
    loaded_.wait(lock, [&] { return loading_.count(key) == 0; });
    if (PreparedImagePtr still = stills_[key].lock()) return still;
    loading_.insert(key);
  }
  // Libraries throw when memory is short; callers that wait for the key would never return.
  struct Loading {
    StillCache& cache;
    const std::string& key;
    ~Loading() {
      const std::lock_guard lock(cache.mutex_);
      cache.loading_.erase(key);
      cache.loaded_.notify_all();
    }
  } const loading{*this, key};
  auto still = load();
  if (still.ok()) {
    const std::lock_guard lock(mutex_);
    add(key, still.value(), bytes);
  }
  return still;
}

void StillCache::add(const std::string& key, const PreparedImagePtr& still, int64_t bytes) {
  std::erase_if(stills_, [](const auto& entry) { return entry.second.expired(); });
  stills_[key] = still;
  retained_.push_back({still, bytes});
  retainedBytes_ += bytes;
  while (retainedBytes_ > kMaxRetainedBytes) {
    retainedBytes_ -= retained_.front().bytes;
    retained_.pop_front();
  }
}

}  // namespace framewright
