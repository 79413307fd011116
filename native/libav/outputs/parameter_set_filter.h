#pragma once

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Removes the parameter sets from the packets of an HEVC stream: with HDR, x265 repeats them before each key
// frame, but `hvc1` means that only the sample description has them. Used by one thread.
class ParameterSetFilter {
 public:
  // Fails with ENCODER_UNAVAILABLE.
  static Result<ParameterSetFilter> create(const AVCodecParameters& stream);

  // Returns libav's status.
  int filter(AVPacket& packet);

 private:
  explicit ParameterSetFilter(PacketFilterPtr filter) : filter_(std::move(filter)) {}

  PacketFilterPtr filter_;
};

}  // namespace framewright
