#include <vector>

#include "libav/decode/audio_decoder.h"
#include "libav/encode/audio/speech_file.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int kReadSamples = 48000;
constexpr int64_t kWavHeaderBytes = 44;
// The maximum length of a movie. Damaged files declare years, which would be written as silence.
constexpr int64_t kMaxSamples = int64_t{4} * 3600 * 48000;

Error tooLongError() { return {ErrorCode::MEDIA_UNSUPPORTED, "The audio is longer than 4 hours.", ""}; }

}  // namespace

Result<AudioResult> extractAudio(const std::string& path, const std::string& outputPath, int sampleRate,
                                 const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto decoder, AudioDecoder::open(path, cancel));
  if (decoder->endSample() > kMaxSamples) return tooLongError();
  FW_ASSIGN_OR_RETURN(const auto file, SpeechFile::create(outputPath, sampleRate));
  std::vector<float> left(kReadSamples), right(kReadSamples);
  for (int64_t total = 0;;) {
    if (cancel.cancelled()) return cancelledError();
    FW_ASSIGN_OR_RETURN(const int64_t count, decoder->read(left.data(), right.data(), kReadSamples));
    if (count == 0) break;
    total += count;
    if (total > kMaxSamples) return tooLongError();
    FW_RETURN_IF_ERROR(file->write(left.data(), right.data(), static_cast<int>(count)));
  }
  FW_ASSIGN_OR_RETURN(const int64_t samples, file->finish());
  return AudioResult{samples, kWavHeaderBytes + samples * 2};
}

}  // namespace framewright
