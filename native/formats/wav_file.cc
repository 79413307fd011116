#include "formats/wav_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace framewright {
namespace {

constexpr int kWavChannels = 2;
constexpr uint32_t kWavSampleRate = 48000;
constexpr int kWrittenSampleBytes = 3;

Error wavIoError() {
  return Error{ErrorCode::IO_FAILED, "The WAV file cannot be written.", std::strerror(errno)};
}
Error unreadableWav(const std::string& path) {
  return Error{ErrorCode::MEDIA_UNREADABLE, "The WAV file cannot be read.", path};
}

void putLittleEndian(uint8_t* at, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) at[i] = static_cast<uint8_t>(value >> (8 * i));
}
uint32_t littleEndian(const uint8_t* at, int bytes) {
  uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= static_cast<uint32_t>(at[i]) << (8 * i);
  return value;
}

bool writeWavHeader(std::FILE* file, int64_t dataBytes) {
  constexpr PcmLayout kLayout{kWavChannels, kWavSampleRate, kWrittenSampleBytes};
  const auto header = pcmWavHeader(kLayout, static_cast<uint32_t>(dataBytes));
  return std::fwrite(header.data(), 1, header.size(), file) == header.size();
}

float sampleAt(const uint8_t* bytes, int count, bool isFloat) {
  if (isFloat) {
    float value;
    std::memcpy(&value, bytes, sizeof(value));
    return std::isfinite(value) ? value : 0;
  }
  // The sign is in the highest byte.
  const auto value = static_cast<int32_t>(littleEndian(bytes, count) << (32 - 8 * count));
  return static_cast<float>(value) / 2147483648.0f;
}

}  // namespace

std::array<uint8_t, kPcmWavHeaderBytes> pcmWavHeader(const PcmLayout& layout, uint32_t dataBytes) {
  std::array<uint8_t, kPcmWavHeaderBytes> header{};
  const uint32_t frameBytes = layout.channels * layout.bytesPerSample;
  std::memcpy(header.data(), "RIFF", 4);
  putLittleEndian(header.data() + 4, dataBytes + kPcmWavHeaderBytes - 8, 4);
  std::memcpy(header.data() + 8, "WAVEfmt ", 8);
  putLittleEndian(header.data() + 16, 16, 4);
  putLittleEndian(header.data() + 20, 1, 2);  // PCM
  putLittleEndian(header.data() + 22, layout.channels, 2);
  putLittleEndian(header.data() + 24, layout.sampleRate, 4);
  putLittleEndian(header.data() + 28, layout.sampleRate * frameBytes, 4);
  putLittleEndian(header.data() + 32, frameBytes, 2);
  putLittleEndian(header.data() + 34, 8 * layout.bytesPerSample, 2);
  std::memcpy(header.data() + 36, "data", 4);
  putLittleEndian(header.data() + 40, dataBytes, 4);
  return header;
}

WavWriter::~WavWriter() {
  if (file_ == nullptr) return;
  file_.reset();
  std::remove(path_.c_str());
}

Result<std::unique_ptr<WavWriter>> WavWriter::create(const std::string& path) {
  std::unique_ptr<WavWriter> writer(new WavWriter(path));
  writer->file_.reset(std::fopen(path.c_str(), "wbe"));
  if (writer->file_ == nullptr || !writeWavHeader(writer->file_.get(), 0)) return wavIoError();
  return writer;
}

Status WavWriter::write(const float* left, const float* right, int64_t count) {
  constexpr float kMaxSample = 8388607;
  buffer_.resize(static_cast<size_t>(count) * kWavChannels * kWrittenSampleBytes);
  uint8_t* to = buffer_.data();
  for (int64_t i = 0; i < count; ++i) {
    for (const float sample : {left[i], right[i]}) {
      const auto value = static_cast<int32_t>(std::lrint(std::clamp(sample, -1.0f, 1.0f) * kMaxSample));
      putLittleEndian(to, static_cast<uint32_t>(value), kWrittenSampleBytes);
      to += kWrittenSampleBytes;
    }
  }
  samples_ += count;
  if (samples_ * kWavChannels * kWrittenSampleBytes > kMaxWavDataBytes)
    return Error{ErrorCode::IO_FAILED, "The audio is too long for a WAV file, which holds 4.1 hours.", ""};
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) return wavIoError();
  return {};
}

Result<int64_t> WavWriter::finish() {
  const int64_t dataBytes = samples_ * kWavChannels * kWrittenSampleBytes;
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0 || !writeWavHeader(file_.get(), dataBytes) ||
      std::fflush(file_.get()) != 0)
    return wavIoError();
  file_.reset();
  return dataBytes + kPcmWavHeaderBytes;
}

Result<std::unique_ptr<WavReader>> WavReader::open(const std::string& path) {
  std::unique_ptr<WavReader> reader(new WavReader());
  std::FILE* const file = std::fopen(path.c_str(), "rbe");
  reader->file_.reset(file);
  uint8_t header[12];
  if (file == nullptr || std::fread(header, 1, sizeof(header), file) != sizeof(header) ||
      std::memcmp(header, "RIFF", 4) != 0 || std::memcmp(header + 8, "WAVE", 4) != 0)
    return unreadableWav(path);
  bool isKnown = false;
  uint8_t chunk[8];
  while (std::fread(chunk, 1, sizeof(chunk), file) == sizeof(chunk)) {
    const int64_t bytes = littleEndian(chunk + 4, 4);
    if (std::memcmp(chunk, "data", 4) == 0) {
      if (!isKnown) return unreadableWav(path);
      reader->dataOffset_ = std::ftell(file);
      reader->samples_ = bytes / (kWavChannels * reader->bytesPerSample_);
      return reader;
    }
    uint8_t format[16];
    int64_t skipped = bytes + bytes % 2;
    if (std::memcmp(chunk, "fmt ", 4) == 0) {
      if (bytes < 16 || std::fread(format, 1, sizeof(format), file) != sizeof(format))
        return unreadableWav(path);
      skipped -= sizeof(format);
      const uint32_t tag = littleEndian(format, 2), bits = littleEndian(format + 14, 2);
      reader->isFloat_ = tag == 3;
      reader->bytesPerSample_ = static_cast<int>(bits / 8);
      isKnown = littleEndian(format + 2, 2) == kWavChannels &&
                littleEndian(format + 4, 4) == kWavSampleRate &&
                ((tag == 1 && (bits == 16 || bits == 24)) || (tag == 3 && bits == 32));
      if (!isKnown)
        return Error{ErrorCode::MEDIA_UNSUPPORTED,
                     "The WAV file must be 48 kHz stereo of 16 or 24 bits or 32-bit float.", path};
    }
    if (std::fseek(file, static_cast<long>(skipped), SEEK_CUR) != 0) return unreadableWav(path);
  }
  return unreadableWav(path);
}

Status WavReader::seek(int64_t sample) {
  position_ = std::min(sample, samples_);
  const int64_t offset = dataOffset_ + position_ * kWavChannels * bytesPerSample_;
  if (std::fseek(file_.get(), static_cast<long>(offset), SEEK_SET) != 0) return unreadableWav("");
  return {};
}

Status WavReader::read(float* interleaved, int64_t count) {
  const int64_t available = std::min(count, samples_ - position_);
  const auto values = static_cast<size_t>(available * kWavChannels);
  buffer_.resize(values * static_cast<size_t>(bytesPerSample_));
  if (std::fread(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) return unreadableWav("");
  for (size_t i = 0; i < values; ++i)
    interleaved[i] =
        sampleAt(buffer_.data() + i * static_cast<size_t>(bytesPerSample_), bytesPerSample_, isFloat_);
  std::fill(interleaved + values, interleaved + count * kWavChannels, 0.0f);
  position_ += available;
  return {};
}

}  // namespace framewright
