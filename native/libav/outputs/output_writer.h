#pragma once

#include <cstdint>
#include <memory>

#include "core/image.h"
#include "core/output_file.h"
#include "core/result.h"
#include "libav/outputs/write_watch.h"

namespace framewright {

// Writes one output file as PATH.part. Used by one thread at a time. Without publish() the destructor removes
// it. The files of a sequence are written into the folder PATH, which the caller removes.
class OutputWriter {
 public:
  // Creates the file's encoders. Fails with ENCODER_UNAVAILABLE, which names the encoder, or IO_FAILED.
  static Result<std::unique_ptr<OutputWriter>> open(const OutputFile& file, const WriteWatch& watch);
  virtual ~OutputWriter() = default;

  // Shows a canvas frame for `count` frames of the file. The image is kI420 (opaque) or kRgbaStraight.
  virtual Status add(const ImagePtr& image, int64_t count) = 0;
  // Completes the file; `bytes` of the result is unset. Fails with ENCODE_FAILED where maxBytes cannot be
  // reached.
  virtual Result<OutputFileResult> finish() = 0;
  // Syncs the completed file, gives it its name and returns its size in bytes, which
  // is 0 for a sequence. Fails with IO_FAILED.
  virtual Result<int64_t> publish() = 0;
};

}  // namespace framewright
