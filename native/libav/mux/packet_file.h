#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/mastering_display.h"
#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/demux/byte_source.h"

namespace framewright {

// Stream metadata of packet files: matrix, primaries and transfer of ColorTags, where they are not BT.709.
inline constexpr const char* kColorsKey = "colors";
// The values of a MasteringDisplay, in streams of PQ.
inline constexpr const char* kMasteringKey = "mastering";

// Reads a PacketWriter's file. Timestamps are in timeBase() units (frames or samples); the first packet has
// pts 0, and video dts are recreated, one unit per packet. Used by one thread.
class PacketFile {
 public:
  // Fails with STITCH_FAILED when the file is missing or damaged.
  static Result<std::unique_ptr<PacketFile>> open(const std::string& path);

  const AVStream& stream() const { return *context_->streams[0]; }
  // Of PQ.
  const std::optional<MasteringDisplay>& mastering() const { return mastering_; }
  // Duration of one frame or sample. NUT changes time bases, so this comes from its frame or sample rate.
  AVRational timeBase() const { return timeBase_; }
  // False at the end.
  Result<bool> read(AVPacket& packet);
  int64_t packetsRead() const { return count_; }

 private:
  PacketFile() = default;

  std::unique_ptr<ByteSource> source_;
  InputContextPtr context_;
  AVRational timeBase_{0, 1};
  std::optional<MasteringDisplay> mastering_;
  int64_t offset_ = 0;
  int64_t count_ = 0;
};

}  // namespace framewright
