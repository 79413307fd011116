#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/image.h"
#include "core/output_file.h"
#include "core/result.h"
#include "libav/outputs/write_watch.h"

namespace framewright {

// Encodes the frames of one file, or of a sequence, at a path that the caller renames or removes. Used by one
// thread.
class FileEncoder {
 public:
  // `quality`: see chooseCodec(). Fails with ENCODER_UNAVAILABLE or IO_FAILED.
  static Result<std::unique_ptr<FileEncoder>> open(const OutputFile& file, const std::string& path,
                                                   const WriteWatch& watch, double quality = 1);
  virtual ~FileEncoder() = default;

  // Shows the image for `count` frames.
  virtual Status add(const ImagePtr& image, int64_t count) = 0;
  // Drains the encoders and completes the file. `path` and `bytes` of the result are unset.
  virtual Result<OutputFileResult> finish() = 0;
};

}  // namespace framewright
