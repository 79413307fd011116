#include "libav/decode/color/planar_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/convert.h"

namespace framewright {
namespace {

using kernels::SignalMatrix;

SignalMatrix signalMatrix(const ColorLayout& layout) {
  const int bits = av_pix_fmt_desc_get(layout.format)->comp[0].depth;
  const double one = 1 << (bits - 8), all = (1 << bits) - 1;
  const double black = layout.fullRange ? 0 : 16 * one, lumaRange = layout.fullRange ? all : 219 * one;
  const double chromaRange = layout.fullRange ? all : 224 * one,
               grey = 128 * one * (1 << SignalMatrix::kChromaBits);
  const auto [red, blue] = lumaShares(layout.matrix);
  const double green = 1 - red - blue, scale = double{kernels::kSignalRange} * (1 << SignalMatrix::kShift);
  const double chromaScale = scale / chromaRange / (1 << SignalMatrix::kChromaBits);
  const auto weight = [](double value) { return static_cast<int32_t>(std::lround(value)); };
  SignalMatrix m;
  m.y = weight(scale / lumaRange);
  m.redCr = weight(2 * (1 - red) * chromaScale);
  m.blueCb = weight(2 * (1 - blue) * chromaScale);
  m.greenCb = weight(-2 * blue * (1 - blue) / green * chromaScale);
  m.greenCr = weight(-2 * red * (1 - red) / green * chromaScale);
  constexpr int kHalf = 1 << (SignalMatrix::kShift - 1);
  const double luma = black * m.y;
  m.redOffset = weight(kHalf - luma - grey * m.redCr);
  m.greenOffset = weight(kHalf - luma - grey * (m.greenCb + m.greenCr));
  m.blueOffset = weight(kHalf - luma - grey * m.blueCb);
  return m;
}

int halved(int size, int shift) { return (size + (1 << shift) - 1) >> shift; }

}  // namespace

void PlanarRows::Row::repeatEdges(int width) {
  std::fill(samples_.begin(), samples_.begin() + kMargin, data()[0]);
  std::fill_n(data() + width, kMargin, data()[width - 1]);
}

bool PlanarRows::supports(AVPixelFormat format) {
  const AVPixFmtDescriptor* const descriptor = av_pix_fmt_desc_get(format);
  constexpr uint64_t kOther = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_ALPHA |
                              AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER |
                              AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BE;
  if (descriptor == nullptr || descriptor->nb_components != 3 || (descriptor->flags & kOther) != 0 ||
      (descriptor->flags & AV_PIX_FMT_FLAG_PLANAR) == 0)
    return false;
  // Three planes with the samples in the low bits.
  for (int i = 0; i < 3; ++i) {
    const AVComponentDescriptor& component = descriptor->comp[i];
    const int bytes = component.depth > 8 ? 2 : 1;
    if (component.plane != i || component.step != bytes || component.shift != 0 || component.depth > 12 ||
        component.depth < 8)
      return false;
  }
  return descriptor->log2_chroma_w <= 1 && descriptor->log2_chroma_h <= descriptor->log2_chroma_w;
}

PlanarRows::PlanarRows(const MappedConversion::Request& request)
    : width_(request.width),
      height_(request.height),
      chromaWidth_(halved(width_, av_pix_fmt_desc_get(request.layout.format)->log2_chroma_w)),
      chromaHeight_(halved(height_, av_pix_fmt_desc_get(request.layout.format)->log2_chroma_h)),
      bytes_(av_pix_fmt_desc_get(request.layout.format)->comp[0].depth > 8 ? 2 : 1),
      shiftX_(av_pix_fmt_desc_get(request.layout.format)->log2_chroma_w),
      shiftY_(av_pix_fmt_desc_get(request.layout.format)->log2_chroma_h),
      isCentred_(request.layout.siting == ChromaSiting::kCenter),
      isTopSited_(request.layout.isTopSited),
      matrix_(signalMatrix(request.layout)),
      luma_{Row(width_), Row(width_)},
      sitedLuma_(width_),
      chroma_{{Row(width_), Row(width_), Row(width_)}, {Row(width_), Row(width_), Row(width_)}},
      mixed_(width_),
      wide_{{Row(width_), Row(width_)}, {Row(width_), Row(width_)}},
      sited_{Row(width_), Row(width_)},
      signals_{{Row(width_), Row(width_), Row(width_)},
               {Row(width_), Row(width_), Row(width_)},
               {Row(width_), Row(width_), Row(width_)}} {}

void PlanarRows::loadRow(Row& to, const AVFrame& frame, int plane, int y) const {
  const int width = plane == 0 ? width_ : chromaWidth_, height = plane == 0 ? height_ : chromaHeight_;
  const uint8_t* const row =
      frame.data[plane] + std::clamp(y, 0, height - 1) * ptrdiff_t{frame.linesize[plane]};
  if (bytes_ == 1) {
    std::copy_n(row, width, to.data());
  } else {
    std::copy_n(reinterpret_cast<const uint16_t*>(row), width, to.data());
  }
  to.repeatEdges(width);
}

void PlanarRows::loadSamples(const AVFrame& frame, int y) {
  for (int i = 0; i < 2; ++i) loadRow(luma_[i], frame, 0, y + i);
  loadChroma(frame, y);
  for (int i = 0; i < 2; ++i) {
    for (int color = 0; color < 2; ++color) {
      auto& [above, at, below] = chroma_[color];
      if (shiftY_ == 0) {
        // Rows y and y + 1 have chroma of their own.
        mixRows(mixed_, i == 0 ? at : below, at, 4);
      } else if (isTopSited_) {
        mixRows(mixed_, at, below, i == 0 ? 4 : 2);
      } else {
        mixRows(mixed_, at, i == 0 ? above : below, 3);
      }
      widen(wide_[i][color], mixed_);
    }
  }
  if (hasChromaSamples()) siteChroma();
}

kernels::SampleRow PlanarRows::lumaSamples(int row) {
  return {luma_[row].data(), wide_[row][0].data(), wide_[row][1].data()};
}

kernels::SampleRow PlanarRows::chromaSamples() {
  return {sitedLuma_.data(), sited_[0].data(), sited_[1].data()};
}

void PlanarRows::load(const AVFrame& frame, int y) {
  loadSamples(frame, y);
  const auto convert = [&](const kernels::SignalRow& to, const kernels::SampleRow& from, int count) {
    kernels::signalRow(to, from.y, from.cb, from.cr, matrix_, static_cast<size_t>(count));
  };
  for (int i = 0; i < 2; ++i) convert(luma(i), lumaSamples(i), width_);
  const int count = halved(width_, 1);
  if (hasChromaSamples()) {
    // The chroma samples themselves, without a detour over both luma rows.
    convert(chroma(), chromaSamples(), count);
    return;
  }
  const auto site = [&](Row& to, Row& top, Row& bottom) {
    top.repeatEdges(width_);
    bottom.repeatEdges(width_);
    kernels::siteChromaRow(to.data(), top.data(), bottom.data(), static_cast<size_t>(count));
  };
  site(signals_[2].r, signals_[0].r, signals_[1].r);
  site(signals_[2].g, signals_[0].g, signals_[1].g);
  site(signals_[2].b, signals_[0].b, signals_[1].b);
}

void PlanarRows::siteChroma() {
  siteLuma();
  const int count = halved(width_, 1);
  for (int color = 0; color < 2; ++color) {
    auto& [above, at, below] = chroma_[color];
    mixRows(sited_[color], at, below, shiftY_ == 0 ? 2 : isTopSited_ ? 3 : 4);
    for (int x = 0; x < count; ++x)
      sited_[color].data()[x] = static_cast<uint16_t>(4 * sited_[color].data()[x]);
  }
}

void PlanarRows::loadChroma(const AVFrame& frame, int y) {
  const int row = y >> shiftY_;
  for (int color = 0; color < 2; ++color) {
    auto& rows = chroma_[color];
    // Frames are loaded from top to bottom.
    const bool isNext = y > 0 && shiftY_ == 1;
    if (isNext) std::rotate(std::begin(rows), std::begin(rows) + 1, std::end(rows));
    for (int i = isNext ? 2 : 0; i < 3; ++i) loadRow(rows[i], frame, 1 + color, row + i - 1);
  }
}

// Weights sum to 4.
void PlanarRows::mixRows(Row& to, Row& near, Row& far, int nearWeight) const {
  const uint16_t *a = near.data(), *b = far.data();
  uint16_t* out = to.data();
  const int farWeight = 4 - nearWeight;
  for (int x = 0; x < chromaWidth_; ++x) out[x] = static_cast<uint16_t>(a[x] * nearWeight + b[x] * farWeight);
  to.repeatEdges(chromaWidth_);
}

// Multiplies by 4, as both mixtures do.
void PlanarRows::widen(Row& to, Row& from) const {
  const uint16_t* in = from.data();
  uint16_t* out = to.data();
  if (shiftX_ == 0) {
    for (int x = 0; x < width_; ++x) out[x] = static_cast<uint16_t>(4 * in[x]);
    return;
  }
  // An even width, which may exceed the row by one sample of its margin.
  for (int x = 0; x < chromaWidth_; ++x) {
    out[2 * x] = static_cast<uint16_t>(isCentred_ ? in[x - 1] + 3 * in[x] : 4 * in[x]);
    out[2 * x + 1] = static_cast<uint16_t>(isCentred_ ? 3 * in[x] + in[x + 1] : 2 * (in[x] + in[x + 1]));
  }
}

// Luma where the chroma samples are.
void PlanarRows::siteLuma() {
  const int count = halved(width_, 1);
  if (!isCentred_) {
    kernels::siteChromaRow(sitedLuma_.data(), luma_[0].data(), luma_[1].data(), static_cast<size_t>(count));
    return;
  }
  const uint16_t *top = luma_[0].data(), *bottom = luma_[1].data();
  for (int x = 0; x < count; ++x) {
    const int sum = top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1];
    sitedLuma_.data()[x] = static_cast<uint16_t>((sum + 2) >> 2);
  }
}

}  // namespace framewright
