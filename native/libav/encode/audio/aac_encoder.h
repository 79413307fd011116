#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

inline constexpr int kSoundRate = 48000;
inline constexpr int kAacFrame = 1024;                // samples
inline constexpr int kMaxPacketBytes = 2 * 6144 / 8;  // bytes; a decoder's buffer for two channels

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

  // Whether it may make a frame larger than a decoder has room for (kMaxPacketBytes) rather than encode
  // frames that need little again and again. Not before this was called.
  void allowOversizedPackets(bool may) { allowsOversizedPackets_ = may; }

  const AVCodecContext& context() const { return *context_; }

 private:
  AacEncoder() = default;
  Status send(const AVFrame* frame, std::deque<PacketPtr>& packets);
  void controlQuality();

  CodecContextPtr context_;
  bool allowsOversizedPackets_ = false;
  int lastPacket_ = 0;           // bytes
  float energies_[2] = {0, 0};   // of the frames that the next packet holds
  bool isQualityFixed_ = false;  // the fineness stays
  float fixedEnergy_ = 0;        // of the frames when that began
};

}  // namespace framewright
