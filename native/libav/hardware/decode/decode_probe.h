#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/hardware/decode/decode_backend.h"

namespace framewright {

// The first packets of a video. Its owner keeps the stream alive.
struct ClipHead {
  const AVStream* stream = nullptr;
  std::vector<PacketPtr> packets;
};

// Cost per frame in seconds, after setup: `cpu` is CPU time, `wall` the time the caller waits.
struct DecodeCost {
  double cpu = 0, wall = 0;
};

struct DecodeComparison {
  int frameCount = 0;
  DecodeCost software, hardware;  // 0 unless timed
};

// Decodes the head with the device and in software. Fails with DECODE_FAILED when samples, timestamps, sizes
// or frame counts differ, or with CANCELLED. `threads`: of the software decoder; 0: compare only, no timing.
Result<DecodeComparison> compareDecoders(const ClipHead& head,
                                         const std::shared_ptr<const DecodeDevice>& device, int threads,
                                         const CancelToken& cancel);

// Why hardware decoding does not pay; empty: it saves CPU time and costs no waiting time.
std::string slowdownReason(const DecodeComparison& comparison);

}  // namespace framewright
