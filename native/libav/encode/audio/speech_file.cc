#include "libav/encode/audio/speech_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "formats/wav_file.h"
#include "libav/av_error.h"
#include "libav/av_handle.h"

namespace framewright {
namespace {

constexpr int kInputRate = 48000;

Error ioError(const char* message) { return Error{ErrorCode::IO_FAILED, message, std::strerror(errno)}; }

class WavSpeechFile final : public SpeechFile {
 public:
  WavSpeechFile(const std::string& path, int sampleRate) : path_(path), rate_(sampleRate) {}
  ~WavSpeechFile() override {
    if (file_ == nullptr) return;
    file_.reset();
    std::remove(path_.c_str());
  }

  Status open() {
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
    SwrContext* context = nullptr;
    int status = swr_alloc_set_opts2(&context, &mono, AV_SAMPLE_FMT_S16, rate_, &stereo, AV_SAMPLE_FMT_FLTP,
                                     kInputRate, 0, nullptr);
    resampler_.reset(context);
    const double halves[2] = {0.5, 0.5};
    if (status >= 0) status = swr_set_matrix(context, halves, 2);
    if (status >= 0) status = swr_init(context);
    if (status < 0) return avError(ErrorCode::UNEXPECTED, "the audio cannot be resampled", status);
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (file_ == nullptr) return ioError("the audio file cannot be created");
    return writeHeader();
  }

  Status write(const float* left, const float* right, int count) override {
    const uint8_t* input[2] = {reinterpret_cast<const uint8_t*>(left),
                               reinterpret_cast<const uint8_t*>(right)};
    return resample(input, count);
  }

  Result<int64_t> finish() override {
    FW_RETURN_IF_ERROR(resample(nullptr, 0));
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) return ioError("the audio file cannot be written");
    FW_RETURN_IF_ERROR(writeHeader());
    if (std::fflush(file_.get()) != 0) return ioError("the audio file cannot be written");
    file_.reset();
    return samples_;
  }

 private:
  Status writeHeader() {
    const PcmLayout layout{1, static_cast<uint32_t>(rate_), sizeof(int16_t)};
    const auto header = pcmWavHeader(layout, static_cast<uint32_t>(samples_ * 2));
    if (std::fwrite(header.data(), 1, header.size(), file_.get()) == header.size()) return {};
    return ioError("the audio file cannot be written");
  }

  // Null input drains the resampler.
  Status resample(const uint8_t** input, int count) {
    const int room = swr_get_out_samples(resampler_.get(), count);
    if (room <= 0) return {};
    buffer_.resize(static_cast<size_t>(room));
    uint8_t* output[1] = {reinterpret_cast<uint8_t*>(buffer_.data())};
    const int made = swr_convert(resampler_.get(), output, room, input, count);
    if (made < 0) return avError(ErrorCode::DECODE_FAILED, "the audio cannot be resampled", made);
    samples_ += made;
    if (samples_ * 2 > kMaxWavDataBytes)
      return Error{ErrorCode::IO_FAILED, "the audio is too long for a WAV file", ""};
    const auto wanted = static_cast<size_t>(made);
    if (std::fwrite(buffer_.data(), sizeof(int16_t), wanted, file_.get()) == wanted) return {};
    return ioError("the audio file cannot be written");
  }

  const std::string path_;
  const int rate_;
  ResamplerPtr resampler_;
  FileHandle file_;
  std::vector<int16_t> buffer_;
  int64_t samples_ = 0;
};

}  // namespace

Result<std::unique_ptr<SpeechFile>> SpeechFile::create(const std::string& path, int sampleRate) {
  auto file = std::make_unique<WavSpeechFile>(path, sampleRate);
  FW_RETURN_IF_ERROR(file->open());
  return std::unique_ptr<SpeechFile>(std::move(file));
}

}  // namespace framewright
