#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/demux/byte_source.h"

namespace framewright {

// Reads what PacketWriter wrote. Times come out in ticks (one frame, one sample), counted so that the first
// picture (or sample) presented is at 0; decoding times are made anew, one timeBase a packet, for video.
// Used by one thread.
class PacketFile {
 public:
  // Fails with STITCH_FAILED when the file is missing or damaged.
  static Result<std::unique_ptr<PacketFile>> open(const std::string& path);

  const AVStream& stream() const { return *context_->streams[0]; }
  // NUT refines time bases as it likes, so the frame's length comes from the rate it keeps beside.
  AVRational timeBase() const { return timeBase_; }
  // False at the end.
  Result<bool> read(AVPacket& packet);
  int64_t packetsRead() const { return count_; }

 private:
  PacketFile() = default;

  std::unique_ptr<ByteSource> source_;
  InputContextPtr context_;
  AVRational timeBase_{0, 1};
  int64_t offset_ = 0;
  int64_t count_ = 0;
};

}  // namespace framewright
