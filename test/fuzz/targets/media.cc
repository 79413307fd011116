#include <vector>

#include "core/cancel_token.h"
#include "libav/decode/audio_decoder.h"
#include "libav/decode/video_decoder.h"
#include "libav/demux/probe.h"
#include "libav/log_capture.h"
#include "targets.h"

namespace framewright::fuzz {
namespace {

constexpr int64_t kSecondUs = 1'000'000;
constexpr int64_t kMaxPixels = 512 * 512;

void watch(const std::string& path) {
  const CancelToken cancel;
  auto decoder = VideoDecoder::open(path, 1, cancel);
  if (!decoder.ok()) return;
  const int64_t end = decoder.value()->endUs();
  for (const int64_t at :
       {int64_t{0}, kSecondUs / 20, kSecondUs / 5, end / 2, end - 1, end + kSecondUs, int64_t{0}}) {
    if (!decoder.value()->frameAt(at).ok()) return;
  }
}

void listen(const std::string& path) {
  const CancelToken cancel;
  auto decoder = AudioDecoder::open(path, cancel);
  if (!decoder.ok()) return;
  std::vector<float> left(4800), right(4800);
  const int64_t end = decoder.value()->endSample();
  for (const int64_t at : {int64_t{0}, int64_t{1001}, end / 2, end - 100}) {
    if (at < 0 || !decoder.value()->seek(at).ok()) return;
    for (int i = 0; i < 3; ++i) {
      auto count = decoder.value()->read(left.data(), right.data(), 4800);
      if (!count.ok() || count.value() == 0) break;
    }
  }
}

}  // namespace

void media(std::span<const uint8_t> bytes) {
  static const bool isSilent = (silenceLog(), true);
  static_cast<void>(isSilent);
  const MemoryFile file(bytes);
  auto metadata = probe(file.path());
  if (!metadata.ok()) return;
  if (metadata.value().kind == MediaMetadata::Kind::kVideo &&
      int64_t{metadata.value().width} * metadata.value().height <= kMaxPixels) {
    watch(file.path());
  }
  if (metadata.value().hasAudio) listen(file.path());
}

}  // namespace framewright::fuzz
