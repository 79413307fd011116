#include "libav/outputs/animation_delays.h"

#include <algorithm>
#include <cstring>

namespace framewright {
namespace {

constexpr size_t kRiffHeaderBytes = 12, kRiffChunkBytes = 8;
constexpr size_t kAnmfDelayOffset = 12, kAnmfDelayBytes = 3;
constexpr int64_t kMaxAnmfDelay = 0xFFFFFF;

int64_t readAnmfDelay(const uint8_t* at) { return at[0] | at[1] << 8 | at[2] << 16; }

}  // namespace

void setLastWebpDelay(std::span<uint8_t> file, int64_t totalMs) {
  if (file.size() < kRiffHeaderBytes || std::memcmp(file.data() + 8, "WEBP", 4) != 0) return;
  uint8_t* last = nullptr;
  int64_t beforeMs = 0;
  for (size_t at = kRiffHeaderBytes; at + kRiffChunkBytes <= file.size();) {
    const uint8_t* const chunk = file.data() + at;
    const size_t bytes = chunk[4] | static_cast<size_t>(chunk[5]) << 8 | static_cast<size_t>(chunk[6]) << 16 |
                         static_cast<size_t>(chunk[7]) << 24;
    const size_t delay = at + kRiffChunkBytes + kAnmfDelayOffset;
    if (std::memcmp(chunk, "ANMF", 4) == 0 && delay + kAnmfDelayBytes <= file.size()) {
      if (last != nullptr) beforeMs += readAnmfDelay(last);
      last = file.data() + delay;
    }
    at += kRiffChunkBytes + bytes + bytes % 2;
  }
  if (last == nullptr) return;
  const int64_t delay = std::clamp<int64_t>(totalMs - beforeMs, 1, kMaxAnmfDelay);
  for (size_t i = 0; i < kAnmfDelayBytes; ++i) last[i] = static_cast<uint8_t>(delay >> (8 * i));
}

}  // namespace framewright
