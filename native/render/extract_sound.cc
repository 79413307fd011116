#include "render/extract_sound.h"

#include <vector>

#include "libav/decode/audio_decoder.h"
#include "libav/encode/audio/speech_file.h"

namespace framewright {
namespace {

constexpr int kBlockSamples = 48000;
constexpr int64_t kHeaderBytes = 44;
// As long as a movie may be; damaged files claim years, and their silence would be written out.
constexpr int64_t kMostSamples = int64_t{4} * 3600 * 48000;

Error tooLong() { return {ErrorCode::MEDIA_UNSUPPORTED, "the sound is longer than 4 hours", ""}; }

}  // namespace

Result<AudioFacts> extractSound(const std::string& path, const std::string& outputPath, int sampleRate,
                                const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto decoder, AudioDecoder::open(path, cancel));
  if (decoder->endSample() > kMostSamples) return tooLong();
  FW_ASSIGN_OR_RETURN(const auto file, SpeechFile::create(outputPath, sampleRate));
  std::vector<float> left(kBlockSamples), right(kBlockSamples);
  for (int64_t heard = 0;;) {
    if (cancel.cancelled()) return Error{ErrorCode::CANCELLED, "the work was cancelled", ""};
    FW_ASSIGN_OR_RETURN(const int64_t count, decoder->read(left.data(), right.data(), kBlockSamples));
    if (count == 0) break;
    heard += count;
    if (heard > kMostSamples) return tooLong();
    FW_RETURN_IF_ERROR(file->write(left.data(), right.data(), static_cast<int>(count)));
  }
  FW_ASSIGN_OR_RETURN(const int64_t samples, file->finish());
  return AudioFacts{samples, kHeaderBytes + samples * 2};
}

}  // namespace framewright
