#include "libav/decode/color/color_space.h"

#include <algorithm>
#include <cmath>

#include "libav/av_version.h"

namespace framewright {
namespace {

// BT.2100 and HDR10 grade for such a display, and most masters without metadata are made on one.
constexpr double kDefaultPeakNits = 1000;
constexpr double kMinPeakNits = 203, kMaxPeakNits = 10000;

struct Chromaticity {
  double x, y;
};
struct Primaries {
  AVColorPrimaries id;
  Chromaticity red, green, blue, white;
};
constexpr Chromaticity kD65{0.3127, 0.3290}, kIlluminantC{0.310, 0.316}, kDci{0.314, 0.351};
constexpr Primaries kPrimaries[] = {
    {AVCOL_PRI_BT709, {0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}, kD65},
    {AVCOL_PRI_BT470M, {0.670, 0.330}, {0.210, 0.710}, {0.140, 0.080}, kIlluminantC},
    {AVCOL_PRI_BT470BG, {0.640, 0.330}, {0.290, 0.600}, {0.150, 0.060}, kD65},
    {AVCOL_PRI_SMPTE170M, {0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, kD65},
    {AVCOL_PRI_SMPTE240M, {0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, kD65},
    {AVCOL_PRI_BT2020, {0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, kD65},
    {AVCOL_PRI_SMPTE431, {0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, kDci},
    {AVCOL_PRI_SMPTE432, {0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, kD65},
    {AVCOL_PRI_EBU3213, {0.630, 0.340}, {0.295, 0.605}, {0.155, 0.077}, kD65},
};

const Primaries& primariesOf(AVColorPrimaries id) {
  const auto* const found = std::find_if(std::begin(kPrimaries), std::end(kPrimaries),
                                         [&](const Primaries& one) { return one.id == id; });
  return found == std::end(kPrimaries) ? kPrimaries[0] : *found;
}

Vector3 xyzOf(const Chromaticity& color) { return {color.x / color.y, 1, (1 - color.x - color.y) / color.y}; }

Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 out{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
  }
  return out;
}

Matrix3 inverse(const Matrix3& m) {
  const auto minor = [&](size_t i, size_t k) {
    const size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
  };
  const double determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
  Matrix3 out{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) out[i][k] = minor(k, i) / determinant;
  }
  return out;
}

Matrix3 toXyz(const Primaries& from) {
  const Vector3 red = xyzOf(from.red), green = xyzOf(from.green), blue = xyzOf(from.blue);
  Matrix3 columns{};
  for (size_t i = 0; i < 3; ++i) columns[i] = {red[i], green[i], blue[i]};
  const Vector3 scale = inverse(columns) * xyzOf(from.white);
  for (Vector3& row : columns) row = {row[0] * scale[0], row[1] * scale[1], row[2] * scale[2]};
  return columns;
}

Matrix3 adaptation(const Chromaticity& from, const Chromaticity& to) {
  constexpr Matrix3 kBradford{
      {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
  const Vector3 source = kBradford * xyzOf(from), target = kBradford * xyzOf(to);
  const Matrix3 gains{
      {{target[0] / source[0], 0, 0}, {0, target[1] / source[1], 0}, {0, 0, target[2] / source[2]}}};
  return product(inverse(kBradford), product(gains, kBradford));
}

Transfer transferOf(AVColorTransferCharacteristic tag) {
  switch (tag) {
    case AVCOL_TRC_IEC61966_2_1:
      return Transfer::kSrgb;
    case AVCOL_TRC_GAMMA22:
      return Transfer::kGamma22;
    case AVCOL_TRC_GAMMA28:
      return Transfer::kGamma28;
    case AVCOL_TRC_SMPTE428:
      return Transfer::kGamma26;
    case AVCOL_TRC_LINEAR:
      return Transfer::kLinear;
    case AVCOL_TRC_ARIB_STD_B67:
      return Transfer::kHlg;
    case AVCOL_TRC_SMPTE2084:
      return Transfer::kPq;
    default:
      return Transfer::kVideo;
  }
}

MasteringLight lightOf(const AVMasteringDisplayMetadata* display, const AVContentLightMetadata* content) {
  MasteringLight light;
  if (display != nullptr && display->has_luminance && display->max_luminance.den > 0)
    light.displayNits = av_q2d(display->max_luminance);
  if (content != nullptr) light.contentNits = content->MaxCLL;
  return light;
}

// The content's light if known, as far as the display could show it.
int peakOf(const MasteringLight& light) {
  const double display = light.displayNits > 0 ? light.displayNits : kMaxPeakNits;
  const double known = light.contentNits > 0 ? std::min(light.contentNits, display) : light.displayNits;
  const double peak = known > 0 ? known : kDefaultPeakNits;
  return static_cast<int>(std::lround(std::clamp(peak, kMinPeakNits, kMaxPeakNits)));
}

}  // namespace

LumaShares lumaShares(AVColorSpace matrix) {
  switch (matrix) {
    case AVCOL_SPC_FCC:
      return {0.30, 0.11};
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
      return {0.299, 0.114};
    case AVCOL_SPC_SMPTE240M:
      return {0.212, 0.087};
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return {0.2627, 0.0593};
    default:
      return {0.2126, 0.0722};
  }
}

Vector3 operator*(const Matrix3& m, const Vector3& v) {
  Vector3 out{};
  for (size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

bool ColorSpace::isBt709() const {
  const bool isPlain = transfer == Transfer::kVideo || transfer == Transfer::kSrgb;
  return isPlain && primaries == AVCOL_PRI_BT709;
}

ColorSpace colorSpaceOf(const AVFrame& frame, const MasteringLight& container) {
  ColorSpace space{transferOf(frame.color_trc), primariesOf(frame.color_primaries).id, 0};
  if (space.transfer != Transfer::kPq) return space;
  const auto* const display = av_frame_get_side_data(&frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  const auto* const content = av_frame_get_side_data(&frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  MasteringLight light = lightOf(
      display != nullptr ? reinterpret_cast<const AVMasteringDisplayMetadata*>(display->data) : nullptr,
      content != nullptr ? reinterpret_cast<const AVContentLightMetadata*>(content->data) : nullptr);
  if (light.displayNits <= 0) light.displayNits = container.displayNits;
  if (light.contentNits <= 0) light.contentNits = container.contentNits;
  space.peakNits = peakOf(light);
  return space;
}

MasteringLight masteringLightOf(const AVStream& stream) {
  return lightOf(sideDataOf<AVMasteringDisplayMetadata>(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
                 sideDataOf<AVContentLightMetadata>(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL));
}

Matrix3 primariesMatrix(AVColorPrimaries from, AVColorPrimaries to) {
  const Primaries &source = primariesOf(from), &target = primariesOf(to);
  return product(inverse(toXyz(target)), product(adaptation(source.white, target.white), toXyz(source)));
}

}  // namespace framewright
