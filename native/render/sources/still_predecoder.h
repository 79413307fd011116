#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Decodes stills before the timeline that shows them has been compiled. Any thread.
class StillPredecoder {
 public:
  static StillPredecoder& ofProcess();

  // Decodes a still on the calling thread and stores it until take(). Ignores files that are no stills, and
  // any file while the store is full.
  void decode(const std::string& path);
  // Removes and returns the stored image, waiting while another thread decodes it; otherwise decodes the
  // file. Fails like decodeStill().
  Result<ImagePtr> take(const std::string& path);

  size_t storedCount();

 private:
  std::mutex mutex_;
  std::map<std::string, std::future<Result<ImagePtr>>> images_;
};

}  // namespace framewright
