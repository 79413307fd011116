#include "audio/onset_envelope.h"
#include "render/audio/audio_blocks.h"
#include "render/render.h"

namespace framewright {

Result<Beats> findBeats(const std::string& path, std::optional<double> expectedTempo,
                        const CancelToken& cancel) {
  OnsetEnvelope envelope;
  FW_RETURN_IF_ERROR(
      forEachAudioBlock(path, cancel, [&](const float* left, const float* right, int64_t count) -> Status {
        envelope.add(left, right, count);
        return {};
      }));
  return trackBeats(envelope.finish(), OnsetEnvelope::kRate, expectedTempo);
}

}  // namespace framewright
