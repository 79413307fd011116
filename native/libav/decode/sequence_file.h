#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Pictures over time in one file, made by src/graphics/html. Little endian: "FWSQ", then uint32 version 1,
// width, height, frames per second as numerator and denominator, frame count N, picture count P; N uint32,
// the picture that each frame shows; P times uint64 offset from the file's start and uint64 length; the
// pictures, PNGs of width x height. Used by one thread.
class SequenceFile {
 public:
  // Reads the tables alone. Fails with MEDIA_UNREADABLE when anything in them is out of bounds.
  static Result<std::unique_ptr<SequenceFile>> open(const std::string& path);
  ~SequenceFile();
  SequenceFile(const SequenceFile&) = delete;
  SequenceFile& operator=(const SequenceFile&) = delete;

  // Where the last frame ends, microseconds.
  int64_t endUs() const;
  // The picture of the frame at that moment, of the last one after the end; the same pointer while a picture
  // is shown again soon.
  Result<ImagePtr> frameAt(int64_t timeUs);

 private:
  struct Entry {
    uint64_t offset = 0, length = 0;
  };
  struct CachedFrame {
    uint32_t picture = 0;
    ImagePtr image;
  };

  SequenceFile() = default;
  Status readTables();
  Status readAt(uint64_t offset, uint8_t* to, size_t count) const;
  Result<ImagePtr> decode(const Entry& entry) const;

  int descriptor_ = -1;
  uint64_t size_ = 0;
  int width_ = 0, height_ = 0;
  int64_t fpsNum_ = 1, fpsDen_ = 1;
  std::vector<uint32_t> frames_;
  std::vector<Entry> pictures_;
  std::deque<CachedFrame> cache_;  // latest first
};

}  // namespace framewright
