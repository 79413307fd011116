#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "core/geometry.h"
#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Size in pixels and frame rate.
struct Y4mHeader {
  int width = 0, height = 0;
  Rational fps{0, 1};
};

// Reads raw frames of a YUV4MPEG2 file: 4:2:0, 8 bits, progressive, even sides. Not thread-safe.
class Y4mReader {
 public:
  // Fails with MEDIA_UNREADABLE or MEDIA_UNSUPPORTED.
  static Result<std::unique_ptr<Y4mReader>> open(const std::string& path);
  ~Y4mReader();
  Y4mReader(const Y4mReader&) = delete;
  Y4mReader& operator=(const Y4mReader&) = delete;

  const Y4mHeader& header() const { return header_; }
  // Number of frames in the file.
  int64_t frames() const { return frames_; }
  // The next frame; null at the end. A truncated frame is MEDIA_UNREADABLE.
  Result<ImagePtr> next();

 private:
  Y4mReader() = default;
  Status readHeader();
  std::string readLine();

  std::FILE* file_ = nullptr;
  Y4mHeader header_;
  int64_t frames_ = 0;
  int64_t read_ = 0;
};

// Writes a YUV4MPEG2 file, which is complete only after finish(). Not thread-safe.
class Y4mWriter {
 public:
  // Fails with IO_FAILED.
  static Result<std::unique_ptr<Y4mWriter>> open(const std::string& path, const Y4mHeader& header);
  ~Y4mWriter();
  Y4mWriter(const Y4mWriter&) = delete;
  Y4mWriter& operator=(const Y4mWriter&) = delete;

  // `image` is kI420 of the header's size.
  Status write(const Image& image);
  Status finish();

 private:
  Y4mWriter() = default;
  std::FILE* file_ = nullptr;
};

}  // namespace framewright
