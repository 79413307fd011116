#include "libav/decode/color/wide_image.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/planes.h"
#include "kernels/color_lut.h"
#include "libav/av_error.h"
#include "libav/decode/color/color_table.h"
#include "libav/decode/color/planar_rows.h"

namespace framewright {
namespace {

constexpr uint32_t kMaxWord = 0xFFFF;

const AVPixFmtDescriptor& descriptorOf(AVPixelFormat format) { return *av_pix_fmt_desc_get(format); }

bool isRgbOrGrey(AVPixelFormat format) {
  const AVPixFmtDescriptor* const descriptor = av_pix_fmt_desc_get(format);
  constexpr uint64_t kOther = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM |
                              AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
  if (descriptor == nullptr || (descriptor->flags & kOther) != 0 || descriptor->comp[0].depth > 16)
    return false;
  return descriptor->nb_components <= 2 || (descriptor->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

// Samples of a component as words, of which `black` is 0 and `white` the maximum.
struct WordScale {
  uint32_t black = 0, white = kMaxWord;

  WordScale(int depth, bool isFullRange) : white((1u << depth) - 1) {
    if (isFullRange) return;
    black = 16u << (depth - 8);
    white = 235u << (depth - 8);
  }
  uint16_t operator()(uint32_t sample) const {
    const uint32_t range = white - black, at = std::clamp(sample, black, white) - black;
    return static_cast<uint16_t>((uint64_t{at} * kMaxWord + range / 2) / range);
  }
};

// Rows of a frame as straight words R, G, B, A.
class WideRows {
 public:
  explicit WideRows(const WideStill& still)
      : still_(still),
        format_(descriptorOf(still.layout.format)),
        width_(static_cast<size_t>(still.frame.width)),
        samples_(width_) {
    if (!isRgbOrGrey(still.layout.format))
      planar_.emplace(MappedConversion::Request{.width = still.frame.width,
                                                .height = still.frame.height,
                                                .layout = still.layout,
                                                .space = still.space,
                                                .isStill = true});
  }

  void read(int y, uint16_t* to) {
    if (planar_) {
      readPlanar(y, to);
    } else {
      readPacked(y, to);
    }
    if (still_.alpha != nullptr) readAlpha(y, to);
    if (still_.isPremultiplied) unpremultiply(to);
  }

 private:
  void readComponent(const AVFrame& frame, const AVPixFmtDescriptor& format, int component, int y,
                     const WordScale& scale, uint16_t* to) {
    av_read_image_line2(samples_.data(), const_cast<const uint8_t**>(frame.data), frame.linesize, &format, 0,
                        y, component, frame.width, 0, sizeof(uint32_t));
    for (size_t x = 0; x < width_; ++x) to[4 * x] = scale(samples_[x]);
  }

  void readPacked(int y, uint16_t* to) {
    const bool isGrey = format_.nb_components <= 2;
    const int alpha = (format_.flags & AV_PIX_FMT_FLAG_ALPHA) != 0 ? format_.nb_components - 1 : -1;
    for (int c = 0; c < 3; ++c) {
      const int component = isGrey ? 0 : c;
      const WordScale scale(format_.comp[component].depth, !isGrey || still_.layout.fullRange);
      readComponent(still_.frame, format_, component, y, scale, to + c);
    }
    if (alpha < 0) return fillAlpha(to);
    readComponent(still_.frame, format_, alpha, y, WordScale(format_.comp[alpha].depth, true), to + 3);
  }

  // Rows come in order, so that the pairs do, too.
  void readPlanar(int y, uint16_t* to) {
    if (y % 2 == 0) planar_->load(still_.frame, y);
    const kernels::SignalRow row = planar_->luma(y % 2);
    const auto word = [](uint16_t signal) {
      return static_cast<uint16_t>((signal * kMaxWord + kernels::kSignalRange / 2) / kernels::kSignalRange);
    };
    for (size_t x = 0; x < width_; ++x) {
      to[4 * x] = word(row.r[x]);
      to[4 * x + 1] = word(row.g[x]);
      to[4 * x + 2] = word(row.b[x]);
    }
    fillAlpha(to);
  }

  void readAlpha(int y, uint16_t* to) {
    const AVPixFmtDescriptor& format = descriptorOf(static_cast<AVPixelFormat>(still_.alpha->format));
    const WordScale scale(format.comp[0].depth, still_.alpha->color_range != AVCOL_RANGE_MPEG);
    readComponent(*still_.alpha, format, 0, y, scale, to + 3);
  }

  void fillAlpha(uint16_t* to) const {
    for (size_t x = 0; x < width_; ++x) to[4 * x + 3] = kMaxWord;
  }

  void unpremultiply(uint16_t* to) const {
    for (uint16_t* pixel = to; pixel < to + 4 * width_; pixel += 4) {
      const uint32_t alpha = pixel[3];
      for (int c = 0; c < 3 && alpha > 0; ++c)
        pixel[c] = static_cast<uint16_t>(std::min(kMaxWord, (pixel[c] * kMaxWord + alpha / 2) / alpha));
    }
  }

  const WideStill& still_;
  const AVPixFmtDescriptor& format_;
  const size_t width_;
  std::vector<uint32_t> samples_;
  std::optional<PlanarRows> planar_;
};

// Converts rows of words to sRGB or to the signals of an HDR canvas, in place.
class WideColors {
 public:
  WideColors(const WideStill& still, CanvasTransfer canvas)
      : profile_(still.profile), width_(static_cast<size_t>(still.frame.width)) {
    const ColorSpace& space = still.space;
    if (profile_ != nullptr || space.isBt709()) return;
    const Transfer hdr = canvas == CanvasTransfer::kHlg ? Transfer::kHlg : Transfer::kPq;
    isHdr_ = space.isHdr() && canvas != CanvasTransfer::kSdr;
    if (isHdr_ && space.transfer == hdr && space.primaries == AVCOL_PRI_BT2020) return;
    table_ = colorTableOf({space, isHdr_ ? hdr : Transfer::kSrgb, false});
    isMapped_ = space.isHdr();
    for (std::vector<uint16_t>& channel : signals_) channel.resize(width_);
    for (std::vector<int16_t>& channel : mapped_) channel.resize(width_);
  }

  bool isHdr() const { return isHdr_; }

  void convert(uint16_t* row) {
    if (profile_ != nullptr) return applyProfile(row);
    if (table_ != nullptr) applyTable(row);
  }

 private:
  void applyProfile(uint16_t* row) {
    const bool isRgb = profile_->kind() == IccProfile::Kind::kRgb;
    from_.assign(row, row + 4 * width_);
    if (isRgb) return profile_->toSrgb(from_.data(), row, width_);
    for (size_t x = 0; x < width_; ++x) from_[x] = from_[4 * x];
    rgb_.resize(3 * width_);
    profile_->toSrgb(from_.data(), rgb_.data(), width_);
    for (size_t x = 0; x < width_; ++x) std::copy_n(&rgb_[3 * x], 3, row + 4 * x);
  }

  void applyTable(uint16_t* row) {
    const kernels::SignalRow signals{signals_[0].data(), signals_[1].data(), signals_[2].data()};
    uint16_t* const channels[3] = {signals.r, signals.g, signals.b};
    for (size_t c = 0; c < 3; ++c) {
      for (size_t x = 0; x < width_; ++x)
        channels[c][x] = static_cast<uint16_t>(
            (row[4 * x + c] * uint32_t{kernels::kSignalRange} + kMaxWord / 2) / kMaxWord);
    }
    table_->prepare(signals, width_);
    if (isMapped_) {
      const int16_t* const vertices = table_->vertices.data();
      kernels::mapRow(mapped_[0].data(), mapped_[1].data(), signals, vertices, 0, width_);
      kernels::mapRow(mapped_[2].data(), nullptr, signals, vertices, 2, width_);
    }
    constexpr uint32_t kMaxMapped = 255 << kernels::ColorLut::kFractionBits;
    for (size_t c = 0; c < 3; ++c) {
      for (size_t x = 0; x < width_; ++x) {
        const uint32_t range = isMapped_ ? kMaxMapped : uint32_t{kernels::kSignalRange};
        const uint32_t value =
            isMapped_ ? static_cast<uint32_t>(std::max<int16_t>(0, mapped_[c][x])) : channels[c][x];
        row[4 * x + c] = static_cast<uint16_t>((std::min(value, range) * kMaxWord + range / 2) / range);
      }
    }
  }

  const IccProfile* const profile_;
  const size_t width_;
  bool isHdr_ = false, isMapped_ = false;
  std::shared_ptr<const ColorTable> table_;
  std::vector<uint16_t> from_, rgb_, signals_[3];
  std::vector<int16_t> mapped_[3];
};

bool fits(const AVFrame& alpha, const AVFrame& frame) {
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(alpha.format));
  constexpr uint64_t kOther = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT;
  return format != nullptr && (format->flags & kOther) == 0 && alpha.width == frame.width &&
         alpha.height == frame.height;
}

}  // namespace

bool isWideFormat(AVPixelFormat format) { return isRgbOrGrey(format) || PlanarRows::supports(format); }

Result<ImagePtr> toWideImage(const WideStill& still, CanvasTransfer canvas) {
  const AVFrame& frame = still.frame;
  if (still.alpha != nullptr && !fits(*still.alpha, frame))
    return unreadableMedia("the alpha image of the file has another size or format");
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                      Image::create(PixelFormat::kRgba16Straight, frame.width, frame.height));
  WideRows rows(still);
  WideColors colors(still, canvas);
  image->isHdr = colors.isHdr();
  for (int y = 0; y < frame.height; ++y) {
    auto* const row = reinterpret_cast<uint16_t*>(rowOf(image->plane(0), y));
    rows.read(y, row);
    colors.convert(row);
  }
  return ImagePtr(std::move(image));
}

}  // namespace framewright
