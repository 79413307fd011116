#pragma once

#include <array>

#include "libav/av_handle.h"

namespace framewright {

// The largest light that a video was mastered for, cd/m²; 0: unknown.
struct MasteringLight {
  double displayNits = 0;  // mastering display
  double contentNits = 0;  // MaxCLL
};

enum class Transfer {
  kVideo,  // BT.709, BT.601 and BT.2020: BT.1886 with gamma 2.4; for stills the same as kSrgb
  kSrgb,
  kGamma22,
  kGamma26,
  kGamma28,
  kLinear,
  kHlg,
  kPq
};

// How R'G'B' samples describe light.
struct ColorSpace {
  Transfer transfer = Transfer::kVideo;
  AVColorPrimaries primaries = AVCOL_PRI_BT709;
  int peakNits = 0;  // PQ: what is shown as white

  bool isHdr() const { return transfer == Transfer::kHlg || transfer == Transfer::kPq; }
  // Whether its samples are shown unchanged as BT.709 or sRGB, which are one space here as in browsers.
  bool isBt709() const;
  bool operator==(const ColorSpace&) const = default;
};

// The colour space of a frame. Unspecified tags count as BT.709. `container`: for frames without metadata.
ColorSpace colorSpaceOf(const AVFrame& frame, const MasteringLight& container);

// The mastering light in a container's stream header.
MasteringLight masteringLightOf(const AVStream& stream);

// The shares of red and blue in the luma of a YCbCr matrix. Unknown matrices count as BT.709.
struct LumaShares {
  double red, blue;

  bool operator==(const LumaShares&) const = default;
};
LumaShares lumaShares(AVColorSpace matrix);

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;
Vector3 operator*(const Matrix3& matrix, const Vector3& vector);

// Linear RGB of the primaries to linear RGB of others, adapted to their white point (Bradford). Unknown
// primaries count as BT.709.
Matrix3 primariesMatrix(AVColorPrimaries from, AVColorPrimaries to);

}  // namespace framewright
