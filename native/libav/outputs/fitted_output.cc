#include "libav/outputs/fitted_output.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "formats/gif/gif_writer.h"
#include "libav/mux/part_file.h"
#include "libav/outputs/file_encoder.h"
#include "libav/outputs/frame_spool.h"
#include "libav/outputs/output_frame.h"

namespace framewright {
namespace {

constexpr int kMaxFitAttempts = 12;
constexpr int kMinFittedSide = 16;
constexpr double kMinFitQuality = 0.3;
constexpr size_t kMinGifColors = 31;
constexpr float kMaxGifTolerance = 3, kGifToleranceStep = 1.5f;
// Tolerance of a GIF by its crf.
constexpr float kGifLevelsPerCrf = 0.1f;
// Aims below the limit, because sizes do not follow the settings exactly.
constexpr double kFitMargin = 0.97;

// Settings of one encoding.
struct FitAttempt {
  double quality = 1;      // see chooseCodec()
  size_t gifColors = 255;  // one index is transparent
  float gifTolerance = 0;  // see GifWriter::create()
  double scale = 1;        // of width and height
};

// Settings that give about `ratio` (< 1) of the bytes: quality or colors first, then size.
FitAttempt reduced(const FitAttempt& last, OutputFormat format, double ratio) {
  FitAttempt next = last;
  const bool hasQuality = format == OutputFormat::kWebp || format == OutputFormat::kJpeg;
  if (hasQuality && last.quality > kMinFitQuality) {
    next.quality = std::max(kMinFitQuality, last.quality * std::clamp(ratio, 0.5, 0.9));
  } else if (format == OutputFormat::kGif && last.gifTolerance < kMaxGifTolerance) {
    next.gifTolerance = std::min(kMaxGifTolerance, last.gifTolerance + kGifToleranceStep);
  } else if (format == OutputFormat::kGif && last.gifColors > kMinGifColors && ratio > 0.5) {
    next.gifColors = (last.gifColors - 1) / 2;
  } else {
    next.scale = last.scale * std::clamp(std::sqrt(ratio) * kFitMargin, 0.3, 0.95);
  }
  return next;
}

class FittedOutput final : public OutputWriter {
 public:
  FittedOutput(const OutputFile& file, const WriteWatch& watch)
      : file_(file),
        watch_(watch),
        part_(file.path),
        converter_({file.width, file.height, AV_PIX_FMT_RGBA, file.hasAlpha, file.matte}) {}

  Status open() { return spool_.open(part_.path(), file_.width, file_.height); }

  Status add(const ImagePtr& image, int64_t count) override {
    FW_ASSIGN_OR_RETURN(const auto rgba, converter_.toRgba(*image));
    frames_ += count;
    return spool_.add(*rgba, count);
  }

  Result<OutputFileResult> finish() override {
    FitAttempt attempt;
    attempt.gifTolerance = static_cast<float>(file_.crf.value_or(0)) * kGifLevelsPerCrf;
    int64_t bytes = 0;
    for (int k = 0; k < kMaxFitAttempts; ++k) {
      OutputFile file = file_;
      const double scale = attempt.scale;
      file.width = std::max(1, static_cast<int>(std::lround(file_.width * scale)));
      file.height = std::max(1, static_cast<int>(std::lround(file_.height * scale)));
      if (scale < 1 && std::min(file.width, file.height) < kMinFittedSide) break;
      FW_RETURN_IF_ERROR(file.format == OutputFormat::kGif ? writeGif(file, attempt)
                                                           : encode(file, attempt.quality));
      FW_ASSIGN_OR_RETURN(bytes, writtenBytes());
      if (file_.maxBytes == 0 || bytes <= file_.maxBytes) return described(file);
      attempt =
          reduced(attempt, file.format, static_cast<double>(file_.maxBytes) / static_cast<double>(bytes));
    }
    return Error{ErrorCode::ENCODE_FAILED,
                 "The output does not fit into " + std::to_string(file_.maxBytes) +
                     " bytes; the smallest attempt has " + std::to_string(bytes) +
                     " bytes. Lower the size, frame rate or duration, or raise maxBytes.",
                 file_.path};
  }
  Result<int64_t> publish() override { return part_.publish(); }

 private:
  double secondsAt(int64_t frame) const {
    return static_cast<double>(frame) * static_cast<double>(file_.fps.den) /
           static_cast<double>(file_.fps.num);
  }

  OutputFileResult described(const OutputFile& file) const {
    return {file_.path, 0,           frames_,
            file.width, file.height, isStillFormat(file.format) ? 0 : secondsAt(frames_)};
  }

  Result<int64_t> writtenBytes() const {
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(part_.path(), failure);
    if (failure) return Error{ErrorCode::IO_FAILED, "The output file cannot be read.", failure.message()};
    return static_cast<int64_t>(bytes);
  }

  // Passes all frames to `sink`, at the size of `file`.
  template <typename Sink>
  Status forEachFrame(const OutputFile& file, const Sink& sink) {
    const bool isScaled = file.width != file_.width || file.height != file_.height;
    OutputFrameConverter scaler({file.width, file.height, AV_PIX_FMT_RGBA, file.hasAlpha, file.matte});
    for (size_t i = 0; i < spool_.counts().size(); ++i) {
      if (watch_.cancelled()) return cancelledError();
      watch_.step();
      FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, spool_.read(i));
      if (isScaled) {
        FW_ASSIGN_OR_RETURN(image, scaler.toRgba(*image));
      }
      FW_RETURN_IF_ERROR(sink(ImagePtr(std::move(image)), spool_.counts()[i]));
    }
    return {};
  }

  Status writeGif(const OutputFile& file, const FitAttempt& attempt) {
    gif::PaletteBuilder builder;
    FW_RETURN_IF_ERROR(forEachFrame(file, [&](const ImagePtr& image, int64_t) {
      builder.add(*image);
      return Status();
    }));
    FW_ASSIGN_OR_RETURN(const auto writer, gif::GifWriter::create(part_.path(), file.width, file.height,
                                                                  builder.build(attempt.gifColors),
                                                                  file.hasAlpha, attempt.gifTolerance));
    int64_t frames = 0;
    FW_RETURN_IF_ERROR(forEachFrame(file, [&](const ImagePtr& image, int64_t count) {
      frames += count;
      return writer->add(*image, secondsAt(frames));
    }));
    return writer->finish();
  }

  Status encode(const OutputFile& file, double quality) {
    FW_ASSIGN_OR_RETURN(const auto encoder, FileEncoder::open(file, part_.path(), watch_, quality));
    FW_RETURN_IF_ERROR(
        forEachFrame(file, [&](const ImagePtr& image, int64_t count) { return encoder->add(image, count); }));
    const auto written = encoder->finish();
    return written.ok() ? Status() : Status(written.error());
  }

  const OutputFile file_;
  const WriteWatch watch_;
  PartFile part_;
  OutputFrameConverter converter_;
  FrameSpool spool_;
  int64_t frames_ = 0;
};

}  // namespace

Result<std::unique_ptr<OutputWriter>> openFittedOutput(const OutputFile& file, const WriteWatch& watch) {
  auto output = std::make_unique<FittedOutput>(file, watch);
  FW_RETURN_IF_ERROR(output->open());
  return std::unique_ptr<OutputWriter>(std::move(output));
}

}  // namespace framewright
