#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Keeps RGBA frames of one size in a file without a name, for encoders that read all frames more than once.
// The file exists only while the spool does. One thread.
class FrameSpool {
 public:
  FrameSpool() = default;
  ~FrameSpool();
  FrameSpool(const FrameSpool&) = delete;
  FrameSpool& operator=(const FrameSpool&) = delete;

  // Creates the file in the folder of `path`. Fails with IO_FAILED.
  Status open(const std::string& path, int width, int height);
  // Appends a kRgbaStraight image that is shown for `count` frames.
  Status add(const Image& image, int64_t count);
  // Reads a frame into a new image.
  Result<std::shared_ptr<Image>> read(size_t index) const;
  const std::vector<int64_t>& counts() const { return counts_; }

 private:
  int descriptor_ = -1;
  int width_ = 0, height_ = 0;
  std::vector<int64_t> counts_;
};

}  // namespace framewright
