#include "libav/decode/color/color_table.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>

#include "core/light.h"
#include "kernels/color_lut.h"
#include "kernels/color_matrix.h"

namespace framewright {
namespace {

constexpr int kSide = kernels::ColorLut::kSide;
constexpr double kWhiteNits = kSdrWhiteNits, kContrast = 1000;  // of the SDR display
constexpr Vector3 kBt2020Luma{0.2627, 0.6780, 0.0593};

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Scene light of an HLG signal on a display of kHlgPeakNits with a black of 0.001 cd/m², which lifts the
// signal.
constexpr double kHlgBlack = 1e-6;
double liftedHlgScene(double signal) {
  static const double lift = std::sqrt(3 * std::pow(kHlgBlack, 1 / kHlgGamma));
  return hlgScene((1 - lift) * signal + lift);
}

// BT.2390's EETF for a display of kWhiteNits, with libplacebo's knee.
class ToneCurve {
 public:
  explicit ToneCurve(double peakNits)
      : peak_(pqSignal(peakNits)),
        white_(pqSignal(kWhiteNits) / peak_),
        black_(pqSignal(kWhiteNits / kContrast) / peak_) {}

  double operator()(double nits) const {
    const double input = std::min(pqSignal(nits) / peak_, 1.0), knee = 2 * white_ - 1;
    double output = input;
    if (input > knee && knee < 1) {
      const double t = (input - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
      output = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white_;
    }
    return pqNits((output + black_ * std::pow(1 - output, 4)) * peak_);
  }

 private:
  double peak_, white_, black_;
};

// From light beyond the gamut to the gamut. Half of what exceeds the peak is clipped, which keeps lightness,
// the other half scaled, which keeps hue: each alone shows as a break in bright saturated areas.
Vector3 fitToGamut(const Vector3& light) {
  const double peak = std::max({light[0], light[1], light[2], 1.0});
  Vector3 out{};
  for (size_t i = 0; i < 3; ++i) {
    const double inside = std::max(0.0, light[i]);
    out[i] = (std::min(inside, 1.0) + inside / peak) / 2;
  }
  return out;
}

// Light of an SDR signal, and back.
double lightOf(Transfer transfer, double signal) {
  switch (transfer) {
    case Transfer::kSrgb:
      return srgbLight(signal);
    case Transfer::kGamma22:
      return std::pow(signal, 2.2);
    case Transfer::kGamma26:
      return std::min(1.0, std::pow(signal, 2.6) * 52.37 / 48);
    case Transfer::kGamma28:
      return std::pow(signal, 2.8);
    case Transfer::kLinear:
      return signal;
    default:
      return std::pow(signal, 2.4);
  }
}
double signalOf(Transfer transfer, double light) {
  return transfer == Transfer::kSrgb ? srgbSignal(light) : std::pow(light, 1 / 2.4);
}

void addCurves(ColorTable& table, const ColorMapping& mapping) {
  // sRGB stays sRGB, so that equal samples of a video and a still have one colour.
  const bool isSrgb = mapping.to == Transfer::kSrgb || mapping.from.transfer == Transfer::kSrgb;
  const Transfer to = isSrgb ? Transfer::kSrgb : Transfer::kVideo;
  const Transfer from = mapping.from.transfer == Transfer::kVideo ? to : mapping.from.transfer;
  constexpr int kRootSteps = kernels::SignalCurves::kRootSteps;
  table.toLight.reserve(kernels::kSignalRange + 1);
  for (int i = 0; i <= kernels::kSignalRange; ++i)
    table.toLight.push_back(
        static_cast<float>(lightOf(from, static_cast<double>(i) / kernels::kSignalRange)));
  table.fromRoot.reserve(kRootSteps + 1);
  for (int i = 0; i <= kRootSteps; ++i) {
    const double root = static_cast<double>(i) / kRootSteps;
    table.fromRoot.push_back(
        static_cast<int32_t>(std::lround(signalOf(to, root * root) * kernels::kSignalRange)));
  }
  const Matrix3 matrix = primariesMatrix(mapping.from.primaries, AVCOL_PRI_BT709);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) table.curves.matrix[i][k] = static_cast<float>(matrix[i][k]);
  }
  table.curves.toLight = table.toLight.data();
  table.curves.fromRoot = table.fromRoot.data();
}

// R'G'B' of BT.709 for the vertices of an HDR table.
class HdrMapper {
 public:
  explicit HdrMapper(const ColorSpace& from)
      : isHlg_(from.transfer == Transfer::kHlg),
        toBt709_(primariesMatrix(from.primaries, AVCOL_PRI_BT709)),
        toBt2020_(primariesMatrix(from.primaries, AVCOL_PRI_BT2020)),
        curve_(isHlg_ ? kHlgPeakNits : from.peakNits) {
    // HLG: scene light; PQ: cd/m².
    for (int i = 0; i < kSide; ++i) {
      const double signal = static_cast<double>(i) / (kSide - 1);
      light_[static_cast<size_t>(i)] = isHlg_ ? liftedHlgScene(signal) : pqNits(signal);
    }
  }

  Vector3 operator()(int r, int g, int b) const {
    Vector3 nits{light_[static_cast<size_t>(r)], light_[static_cast<size_t>(g)],
                 light_[static_cast<size_t>(b)]};
    if (isHlg_) {
      const double gain = hlgDisplayGain(dot(kBt2020Luma, toBt2020_ * nits));
      for (double& value : nits) value *= gain;
    }
    // Some light of each primary counts for the others, so that saturated light is darkened before it clips.
    constexpr double kCrosstalk = 0.04;
    const Vector3 wide = toBt2020_ * nits;
    const double luminance =
        (1 - 3 * kCrosstalk) * dot(kBt2020Luma, wide) + kCrosstalk * (wide[0] + wide[1] + wide[2]);
    if (luminance < 1e-6) return {};
    const double gain = curve_(luminance) / luminance / kWhiteNits;
    for (double& value : nits) value *= gain;
    static const double black = std::pow(1 / kContrast, 1 / 2.4);
    Vector3 out = fitToGamut(toBt709_ * nits);
    for (double& value : out) value = std::max(0.0, (std::pow(value, 1 / 2.4) - black) / (1 - black));
    return out;
  }

 private:
  const bool isHlg_;
  const Matrix3 toBt709_, toBt2020_;
  const ToneCurve curve_;
  std::array<double, kSide> light_{};
};

// R'G'B' of BT.2100 HDR for the vertices of a table. SDR white has 203 cd/m² (BT.2408).
class HdrConverter {
 public:
  HdrConverter(const ColorSpace& from, Transfer to)
      : from_(from), to_(to), toBt2020_(primariesMatrix(from.primaries, AVCOL_PRI_BT2020)) {}

  Vector3 operator()(const Vector3& signals) const {
    Vector3 nits = toBt2020_ * lightOf(signals);
    for (double& value : nits) value = std::max(0.0, value);
    if (from_.transfer == Transfer::kHlg) {
      const double gain = hlgDisplayGain(dot(kBt2020Luma, nits));
      for (double& value : nits) value *= gain;
    }
    Vector3 out{};
    if (to_ == Transfer::kPq) {
      std::transform(nits.begin(), nits.end(), out.begin(), pqSignal);
      return out;
    }
    const double gain = hlgSceneGain(dot(kBt2020Luma, nits) / kHlgPeakNits);
    for (size_t i = 0; i < 3; ++i) out[i] = hlgSignal(std::min(1.0, nits[i] * gain));
    return out;
  }

 private:
  // PQ and SDR: cd/m²; HLG: scene light.
  Vector3 lightOf(const Vector3& signals) const {
    Vector3 light{};
    for (size_t i = 0; i < 3; ++i) {
      light[i] = from_.transfer == Transfer::kPq ? pqNits(signals[i])
                 : from_.transfer == Transfer::kHlg
                     ? hlgScene(signals[i])
                     : kSdrWhiteNits * framewright::lightOf(from_.transfer, signals[i]);
    }
    return light;
  }

  const ColorSpace from_;
  const Transfer to_;
  const Matrix3 toBt2020_;
};

// Adds the vertices of a table. `colorAt` returns R'G'B' of the vertex at r, g, b; `lumaShares` are those of
// Y'CbCr.
template <class ColorAt>
void addVertices(ColorTable& table, bool toYcbcr, const Vector3& lumaShares, const ColorAt& colorAt) {
  table.vertices.reserve(static_cast<size_t>(kernels::ColorLut::kVertices) * kernels::ColorLut::kChannels);
  const auto add = [&](double level) {
    constexpr double kScale = 1 << kernels::ColorLut::kFractionBits;
    table.vertices.push_back(static_cast<int16_t>(std::lround(std::clamp(level, 0.0, 255.0) * kScale)));
  };
  const double blueScale = 0.5 / (1 - lumaShares[2]), redScale = 0.5 / (1 - lumaShares[0]);
  for (int r = 0; r < kSide; ++r) {
    for (int g = 0; g < kSide; ++g) {
      for (int b = 0; b < kSide; ++b) {
        const Vector3 color = colorAt(r, g, b);
        if (toYcbcr) {
          using namespace kernels;
          const double luma = dot(lumaShares, color);
          add(kLumaOffset + kLumaRange * luma);
          table.luma.push_back(table.vertices.back());
          add(0);
          add(kChromaOffset + kChromaRange * blueScale * (color[2] - luma));
          add(kChromaOffset + kChromaRange * redScale * (color[0] - luma));
        } else {
          for (const double value : color) add(255 * value);
          add(0);
        }
      }
    }
  }
}

std::shared_ptr<const ColorTable> makeTable(const ColorMapping& mapping) {
  auto table = std::make_shared<ColorTable>();
  const auto signals = [](int r, int g, int b) {
    return Vector3{r / (kSide - 1.0), g / (kSide - 1.0), b / (kSide - 1.0)};
  };
  if (mapping.to == Transfer::kHlg || mapping.to == Transfer::kPq) {
    const HdrConverter convert(mapping.from, mapping.to);
    addVertices(*table, mapping.toYcbcr, kBt2020Luma,
                [&](int r, int g, int b) { return convert(signals(r, g, b)); });
    return table;
  }
  constexpr Vector3 kBt709Luma{kernels::kRedShare, kernels::kGreenShare, kernels::kBlueShare};
  if (mapping.from.isHdr()) {
    addVertices(*table, mapping.toYcbcr, kBt709Luma, HdrMapper(mapping.from));
  } else {
    addCurves(*table, mapping);
    addVertices(*table, mapping.toYcbcr, kBt709Luma, signals);
  }
  return table;
}

}  // namespace

std::shared_ptr<const ColorTable> colorTableOf(const ColorMapping& mapping) {
  constexpr size_t kMaxTables = 4;
  static std::mutex mutex;
  static std::deque<std::pair<ColorMapping, std::shared_ptr<const ColorTable>>> tables;
  // Held while a table is made: others usually wait for the same one.
  const std::lock_guard lock(mutex);
  for (const auto& [key, table] : tables) {
    if (key == mapping) return table;
  }
  if (tables.size() >= kMaxTables) tables.pop_back();
  tables.emplace_front(mapping, makeTable(mapping));
  return tables.front().second;
}

}  // namespace framewright
