#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/result.h"
#include "libav/decode/frame_cache.h"
#include "libav/demux/local_file.h"

namespace framewright {

// An image sequence in one file, written by src/graphics/html. Little endian: "FWSQ"; as uint32 version 1,
// width, height, numerator and denominator of the frame rate, frame count N, image count P; N uint32, the
// image index of each frame; P times a uint64 file offset and a uint64 length; the images, PNGs of
// width x height. Used by one thread.
class SequenceFile {
 public:
  // Reads only the tables. Fails with MEDIA_UNREADABLE when a value in them is out of bounds.
  static Result<std::unique_ptr<SequenceFile>> open(const std::string& path);

  // Duration in microseconds.
  int64_t endUs() const;
  // The frame shown at `timeUs`; after the end the last one. Cached images keep their pointer.
  Result<ImagePtr> frameAt(int64_t timeUs);

 private:
  struct Entry {
    uint64_t offset = 0, length = 0;
  };

  SequenceFile() = default;
  Status readTables();
  Result<ImagePtr> decode(const Entry& entry) const;

  std::unique_ptr<LocalFile> file_;
  int width_ = 0, height_ = 0;
  int64_t fpsNum_ = 1, fpsDen_ = 1;
  std::vector<uint32_t> frames_;  // indexes into images_
  std::vector<Entry> images_;
  FrameCache cache_;
};

}  // namespace framewright
