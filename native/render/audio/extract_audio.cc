#include <memory>

#include "libav/encode/audio/speech_file.h"
#include "render/audio/audio_blocks.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int64_t kWavHeaderBytes = 44;

}  // namespace

Result<AudioResult> extractAudio(const std::string& path, const std::string& outputPath, int sampleRate,
                                 const CancelToken& cancel) {
  // Created with the first samples, so that a file without audio leaves nothing behind.
  std::unique_ptr<SpeechFile> file;
  const auto open = [&]() -> Status {
    if (file != nullptr) return {};
    FW_ASSIGN_OR_RETURN(file, SpeechFile::create(outputPath, sampleRate));
    return {};
  };
  FW_RETURN_IF_ERROR(
      forEachAudioBlock(path, cancel, [&](const float* left, const float* right, int64_t count) -> Status {
        FW_RETURN_IF_ERROR(open());
        return file->write(left, right, static_cast<int>(count));
      }));
  FW_RETURN_IF_ERROR(open());
  FW_ASSIGN_OR_RETURN(const int64_t samples, file->finish());
  return AudioResult{samples, kWavHeaderBytes + samples * 2};
}

}  // namespace framewright
