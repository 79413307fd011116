#include "render/audio/audio_blocks.h"

#include <vector>

#include "libav/decode/audio_decoder.h"

namespace framewright {
namespace {

constexpr int kBlockSamples = 48000;
// Damaged files declare years, which would be read as silence.
constexpr int64_t kMaxSamples = int64_t{4} * 3600 * 48000;

Error tooLongError() { return {ErrorCode::MEDIA_UNSUPPORTED, "The audio is longer than 4 hours.", ""}; }

}  // namespace

Status forEachAudioBlock(const std::string& path, const CancelToken& cancel,
                         const std::function<Status(const float*, const float*, int64_t)>& consume) {
  FW_ASSIGN_OR_RETURN(const auto decoder, AudioDecoder::open(path, cancel));
  if (decoder->endSample() > kMaxSamples) return tooLongError();
  std::vector<float> left(kBlockSamples), right(kBlockSamples);
  for (int64_t total = 0;;) {
    if (cancel.cancelled()) return cancelledError();
    FW_ASSIGN_OR_RETURN(const int64_t count, decoder->read(left.data(), right.data(), kBlockSamples));
    if (count == 0) return {};
    total += count;
    if (total > kMaxSamples) return tooLongError();
    FW_RETURN_IF_ERROR(consume(left.data(), right.data(), count));
  }
}

}  // namespace framewright
