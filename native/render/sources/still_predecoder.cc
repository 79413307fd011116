#include "render/sources/still_predecoder.h"

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "formats/image_header.h"
#include "libav/decode/still_decoder.h"

namespace framewright {
namespace {

constexpr size_t kMaxStoredImages = 2;  // each may have the maximum image size

// Reads only the header, so that videos cost nothing.
bool isStill(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  std::array<uint8_t, 64> header;
  if (file == nullptr) return false;
  return sniffImageType({header.data(), std::fread(header.data(), 1, header.size(), file.get())}).has_value();
}

}  // namespace

StillPredecoder& StillPredecoder::ofProcess() {
  static StillPredecoder instance;
  return instance;
}

void StillPredecoder::decode(const std::string& path) {
  if (!isStill(path)) return;
  std::packaged_task<Result<ImagePtr>()> task([&path] { return decodeStill(path); });
  {
    std::lock_guard lock(mutex_);
    if (images_.size() >= kMaxStoredImages || images_.count(path) != 0) return;
    images_[path] = task.get_future();
  }
  task();
}

Result<ImagePtr> StillPredecoder::take(const std::string& path) {
  std::future<Result<ImagePtr>> image;
  {
    std::lock_guard lock(mutex_);
    const auto found = images_.find(path);
    if (found != images_.end()) {
      image = std::move(found->second);
      images_.erase(found);
    }
  }
  return image.valid() ? image.get() : decodeStill(path);
}

size_t StillPredecoder::storedCount() {
  std::lock_guard lock(mutex_);
  return images_.size();
}

}  // namespace framewright
