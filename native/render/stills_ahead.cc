#include "render/stills_ahead.h"

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "formats/image_header.h"
#include "libav/decode/still_decoder.h"

namespace framewright {
namespace {

// Each may be the largest picture that there may be.
constexpr size_t kMostKept = 2;

// By the first bytes: of a film, nothing more need be read.
bool isStill(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  std::array<uint8_t, 64> first;
  if (file == nullptr) return false;
  return sniffImageType({first.data(), std::fread(first.data(), 1, first.size(), file.get())}).has_value();
}

}  // namespace

StillsAhead& StillsAhead::ofProcess() {
  static StillsAhead ahead;
  return ahead;
}

void StillsAhead::decode(const std::string& path) {
  if (!isStill(path)) return;
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

size_t StillsAhead::kept() {
  std::lock_guard lock(mutex_);
  return pictures_.size();
}

}  // namespace framewright
