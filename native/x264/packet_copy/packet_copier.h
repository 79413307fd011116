#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright::x264 {

// A run of frames that can be copied from a file without re-encoding.
class CopiedFrames {
 public:
  virtual ~CopiedFrames() = default;
  // Index of the first of the requested frames, and the number of frames.
  virtual size_t first() const = 0;
  virtual int64_t count() const = 0;
  // Writes a packet file like VideoEncoder's, with the file's parameter sets added. Returns its size in
  // bytes; fails with ENCODE_FAILED, OUT_OF_MEMORY or IO_FAILED.
  virtual Result<int64_t> write(const std::string& path) const = 0;
};

// Finds frames of source files that can be copied between frames encoded with the given settings. Used by one
// thread.
class PacketCopier {
 public:
  // Null when these settings do not allow copying. `scratchPath`: a file that may be written temporarily.
  // `cancel` must outlive the copier.
  static std::unique_ptr<PacketCopier> open(const VideoEncoderSettings& settings,
                                            const std::string& scratchPath, const CancelToken& cancel);
  virtual ~PacketCopier() = default;

  // End of the file's video, as VideoDecoder::endUs(); nothing when the file cannot be copied from.
  virtual std::optional<int64_t> endUs(const std::string& path) = 0;
  // The first run of the frames at these ascending times that can be copied and that a strict decoder accepts
  // between frames of the encoder. Null when there is none.
  virtual std::unique_ptr<CopiedFrames> find(const std::string& path, std::span<const int64_t> timesUs) = 0;
  // Why the last endUs() or find() found nothing, as a predicate of the file.
  virtual const std::string& rejectionReason() const = 0;
  // The colours as which the engine shows a file; nothing where a movie's tags do not express them.
  static std::optional<ColorTags> colorsOf(const std::string& path);
  // Minimum length of a run that is worth the search.
  static size_t minFrames(const VideoEncoderSettings& settings);
};

// Concatenates packet files of one encoder and of PacketCopier. Returns the size in bytes; fails with
// ENCODE_FAILED when their streams differ, CANCELLED, OUT_OF_MEMORY or IO_FAILED.
Result<int64_t> joinPackets(const std::vector<std::string>& paths, const std::string& path,
                            const CancelToken& cancel);

}  // namespace framewright::x264
