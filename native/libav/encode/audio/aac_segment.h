#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/result.h"
#include "libav/encode/audio/aac_encoder.h"
#include "libav/mux/packet_writer.h"

namespace framewright {

// A piece of a sound and the encoder that makes its packets. Packet p of a sound holds its frames p - 1 and
// p, and the encoder looks at frame p + 1. One thread at a time.
class AacSegment {
 public:
  // The first piece of a sound. `stopped` must outlive it: encoding ends early, with CANCELLED, once it is
  // set.
  AacSegment(int bitrate, std::unique_ptr<AacEncoder> encoder, const std::atomic<bool>& stopped);

  // How many samples are still to be added.
  int64_t room() const { return capacity_ - samples(); }
  void add(const float* left, const float* right, int64_t count);
  // The piece behind this one, with what both of them hear. Only where there is no room left.
  std::unique_ptr<AacSegment> next() const;
  // No piece comes behind this one.
  void end() { ended_ = true; }

  // Makes the packets up to those of the next piece; of the last one, all.
  Status encode();
  // Writes this piece's packets, as far as the next piece's can follow them. Where no place is found for
  // that, takes over the next piece's sound and goes on with it: false. Both have been encoded.
  Result<bool> joinWith(AacSegment& next, PacketWriter& writer);
  // Forgets the sound that is encoded.
  void shrink();
  // Writes what is left.
  Status finish(PacketWriter& writer);

 private:
  AacSegment(int bitrate, int64_t first, const std::atomic<bool>& stopped);

  int64_t samples() const { return static_cast<int64_t>(left_.size()); }
  int64_t firstOfNext() const;
  int64_t packetsEnd() const { return packetsBegin_ + static_cast<int64_t>(packets_.size()); }
  const AVPacket& packet(int64_t index) const {
    return *packets_[static_cast<size_t>(index - packetsBegin_)];
  }
  Status encodeTo(int64_t packet);
  Status encodeFrame();
  Status writeTo(int64_t packet, PacketWriter& writer);
  void absorb(AacSegment& next);

  const int bitrate_;
  const int64_t first_;  // the packet that it begins with
  const std::atomic<bool>& stopped_;
  std::unique_ptr<AacEncoder> encoder_;
  std::vector<float> left_, right_;
  int64_t begin_;     // the sound's frame with which left_ and right_ begin
  int64_t capacity_;  // samples
  int64_t fed_;       // the next frame to be encoded
  std::deque<PacketPtr> packets_;
  int64_t packetsBegin_;  // the index of the first one of packets_
  bool ended_ = false, drained_ = false;
};

}  // namespace framewright
