#include <vector>

#include "audio/onset_envelope.h"
#include "libav/decode/audio_decoder.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int kReadSamples = 48000;
// The maximum length of a movie. Damaged files declare years.
constexpr int64_t kMaxSamples = int64_t{4} * 3600 * 48000;

Error tooLongError() { return {ErrorCode::MEDIA_UNSUPPORTED, "The audio is longer than 4 hours.", ""}; }

}  // namespace

Result<Beats> findBeats(const std::string& path, std::optional<double> expectedTempo,
                        const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto decoder, AudioDecoder::open(path, cancel));
  if (decoder->endSample() > kMaxSamples) return tooLongError();
  OnsetEnvelope envelope;
  std::vector<float> left(kReadSamples), right(kReadSamples);
  for (int64_t total = 0;;) {
    if (cancel.cancelled()) return cancelledError();
    FW_ASSIGN_OR_RETURN(const int64_t count, decoder->read(left.data(), right.data(), kReadSamples));
    if (count == 0) break;
    total += count;
    if (total > kMaxSamples) return tooLongError();
    envelope.add(left.data(), right.data(), count);
  }
  return trackBeats(envelope.finish(), OnsetEnvelope::kRate, expectedTempo);
}

}  // namespace framewright
