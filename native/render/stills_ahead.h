#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Stills decoded before the timeline that shows them is there. Any thread.
class StillsAhead {
 public:
  static StillsAhead& ofProcess();

  // Decodes a still and keeps the picture until it is taken; does nothing with other files, or when enough
  // are kept already.
  void decode(const std::string& path);
  // The picture of a file, which is then kept no more: waits for one under way, and decodes one that nobody
  // has asked for. Fails as decodeStill() does.
  Result<ImagePtr> take(const std::string& path);

  size_t kept();

 private:
  std::mutex mutex_;
  std::map<std::string, std::future<Result<ImagePtr>>> pictures_;
};

}  // namespace framewright
