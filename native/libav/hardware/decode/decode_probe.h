#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/hardware/decode/decode_backend.h"

namespace framewright {

// The beginning of a film; the stream must outlive it.
struct FilmHead {
  const AVStream* stream = nullptr;
  std::vector<PacketPtr> packets;
};

// Of one picture, once decoding is under way. `wall` is what whoever waits for it waits, `cpu` the
// processor's time; both in seconds.
struct DecodeCost {
  double cpu = 0, wall = 0;
};

struct DecodeTrial {
  int pictures = 0;
  DecodeCost software, hardware;  // 0 unless timed
};

// Decodes the head both ways. Fails with DECODE_FAILED where the device gives anything else than the
// processor: other samples, times, sizes or numbers of pictures, or none. `threads`: what the processor would
// use; 0 where only the pictures are compared. CANCELLED.
Result<DecodeTrial> tryDecoding(const FilmHead& head, const std::shared_ptr<const DecodeDevice>& device,
                                int threads, const CancelToken& cancel);

// Whether hardware saves much of the processor's time and keeps nobody waiting; if not, in words.
std::string whyNotFaster(const DecodeTrial& trial);

}  // namespace framewright
