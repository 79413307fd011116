#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "core/result.h"
#include "media/av_handle.h"

namespace framewright {

inline constexpr int kSoundRate = 48000;
inline constexpr int kAacFrame = 1024;  // samples

// libav's AAC encoder, for 48 kHz stereo. One thread at a time.
class AacEncoder {
 public:
  // Fails with ENCODER_UNAVAILABLE.
  static Result<std::unique_ptr<AacEncoder>> open(int bitrate);

  // The next frame; only the last one may be shorter than kAacFrame. `sample`: where it begins in the sound.
  // Packets come out two frames late, with the times of the whole sound.
  Status encode(const float* left, const float* right, int count, int64_t sample,
                std::deque<PacketPtr>& packets);
  // The end: what is left comes out.
  Status drain(std::deque<PacketPtr>& packets) { return send(nullptr, packets); }

  const AVCodecContext& context() const { return *context_; }

 private:
  AacEncoder() = default;
  Status send(const AVFrame* frame, std::deque<PacketPtr>& packets);

  CodecContextPtr context_;
};

}  // namespace framewright
