#include "render/extract_sound.h"

#include <vector>

#include "media/audio_decoder.h"
#include "media/speech_file.h"

namespace framewright {
namespace {

constexpr int kBlockSamples = 48000;
constexpr int64_t kHeaderBytes = 44;

}  // namespace

Result<AudioFacts> extractSound(const std::string& path, const std::string& outputPath, int sampleRate,
                                const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto decoder, AudioDecoder::open(path, cancel));
  FW_ASSIGN_OR_RETURN(const auto file, SpeechFile::create(outputPath, sampleRate));
  std::vector<float> left(kBlockSamples), right(kBlockSamples);
  while (true) {
    if (cancel.cancelled()) return Error{ErrorCode::CANCELLED, "the work was cancelled", ""};
    FW_ASSIGN_OR_RETURN(const int64_t count, decoder->read(left.data(), right.data(), kBlockSamples));
    if (count == 0) break;
    FW_RETURN_IF_ERROR(file->write(left.data(), right.data(), static_cast<int>(count)));
  }
  FW_ASSIGN_OR_RETURN(const int64_t samples, file->finish());
  return AudioFacts{samples, kHeaderBytes + samples * 2};
}

}  // namespace framewright
