#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

inline constexpr int kSoundRate = 48000;
inline constexpr int kAacFrame = 1024;                // samples
inline constexpr int kMaxPacketBytes = 2 * 6144 / 8;  // a decoder's buffer for two channels (ISO 14496-3)

// libav's AAC encoder for 48 kHz stereo. Used by one thread at a time.
class AacEncoder {
 public:
  // Fails with ENCODER_UNAVAILABLE.
  static Result<std::unique_ptr<AacEncoder>> open(int bitrate);

  // Encodes the next frame, which starts at `sample` of the audio; only the last one may be shorter than
  // kAacFrame. Packets are output two frames late, with timestamps of the whole audio.
  Status encode(const float* left, const float* right, int count, int64_t sample,
                std::deque<PacketPtr>& packets);
  // Ends the stream and outputs the remaining packets.
  Status drain(std::deque<PacketPtr>& packets) { return send(nullptr, packets); }

  // Allows packets above kMaxPacketBytes in exchange for skipping libav's repeated encoding of frames that
  // need few bits. Off by default.
  void allowOversizedPackets(bool allow) { allowsOversizedPackets_ = allow; }

  const AVCodecContext& context() const { return *context_; }

 private:
  AacEncoder() = default;
  Status send(const AVFrame* frame, std::deque<PacketPtr>& packets);
  void controlQuality();

  CodecContextPtr context_;
  bool allowsOversizedPackets_ = false;
  int lastPacketBytes_ = 0;
  float energies_[2] = {0, 0};   // energies of the two frames in the next packet
  bool isQualityFixed_ = false;  // the quantiser stays as it is
  float fixedEnergy_ = 0;        // energy of the two frames when it was fixed
};

}  // namespace framewright
