#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/encode/video_encoder.h"

namespace framewright {

// Frames of a film that are taken from a file as they are coded there.
class CopiedFrames {
 public:
  virtual ~CopiedFrames() = default;
  // The first of the frames that were asked for, and how many.
  virtual size_t first() const = 0;
  virtual int64_t count() const = 0;
  // A packet file like those of VideoEncoder, beside whose parameter sets lie those of the file.
  virtual Result<int64_t> write(const std::string& path) const = 0;
};

// Finds out what of files can stand in a film as it is, beside what the encoder makes with the given
// settings. Used by one thread.
class PacketCopier {
 public:
  // Null when nothing can be copied with these settings. `scratchPath`: a file that may be written meanwhile.
  // `cancel` must outlive the copier.
  static std::unique_ptr<PacketCopier> open(const VideoEncoderSettings& settings,
                                            const std::string& scratchPath, const CancelToken& cancel);
  virtual ~PacketCopier() = default;

  // Where the file's picture ends, as VideoDecoder::endUs(); nothing when none of it can be copied.
  virtual std::optional<int64_t> endUs(const std::string& path) = 0;
  // The first stretch of the frames at these ascending times that can be copied and that a strict decoder
  // gets through between pictures of the encoder. Null when there is none.
  virtual std::unique_ptr<CopiedFrames> find(const std::string& path, std::span<const int64_t> timesUs) = 0;
  // Shorter stretches are not worth the search.
  static size_t fewestFrames(const VideoEncoderSettings& settings);
};

// Puts packet files behind one another into one; all of them are of the same encoder or of PacketCopier. The
// size of the whole.
Result<int64_t> joinPackets(const std::vector<std::string>& paths, const std::string& path,
                            const CancelToken& cancel);

}  // namespace framewright
