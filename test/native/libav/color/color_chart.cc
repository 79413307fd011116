#include "libav/color/color_chart.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "libav/media_fixture.h"

namespace framewright::chart {
namespace {

using Matrix = std::array<Color, 3>;

Color operator*(const Matrix& m, const Color& v) {
  Color out{};
  for (size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

// BT.2087, rounded to four places.
constexpr Matrix kBt709ToBt2020 = {
    {{0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}}};

constexpr double kM1 = 2610.0 / 16384, kM2 = 2523.0 / 4096 * 128;
constexpr double kC1 = 3424.0 / 4096, kC2 = 2413.0 / 4096 * 32, kC3 = 2392.0 / 4096 * 32;

double pqSignal(double nits) {
  const double y = std::pow(std::max(0.0, nits) / 10000, kM1);
  return std::pow((kC1 + kC2 * y) / (1 + kC3 * y), kM2);
}

double pqNits(double signal) {
  const double y = std::pow(signal, 1 / kM2);
  return 10000 * std::pow(std::max(0.0, y - kC1) / (kC2 - kC3 * y), 1 / kM1);
}

double hlgScene(double signal) {
  constexpr double kA = 0.17883277;
  const double b = 1 - 4 * kA, c = 0.5 - kA * std::log(4 * kA);
  return signal <= 0.5 ? signal * signal / 3 : (std::exp((signal - c) / kA) + b) / 12;
}

double hlgSignal(double scene) {
  constexpr double kA = 0.17883277;
  const double b = 1 - 4 * kA, c = 0.5 - kA * std::log(4 * kA), light = std::clamp(scene, 0.0, 1.0);
  return light <= 1.0 / 12 ? std::sqrt(3 * light) : kA * std::log(12 * light - b) + c;
}

Color scaled(const Color& color, double factor) {
  return {color[0] * factor, color[1] * factor, color[2] * factor};
}

}  // namespace

std::vector<Patch> hdrPatches() {
  std::vector<Patch> patches;
  for (int i = 0; i < 24; ++i) {
    const double nits = i == 0 ? 0 : 0.1 * std::pow(10000.0, (i - 1) / 22.0);
    patches.push_back({"grey", {nits, nits, nits}});
  }
  constexpr Color kCorners[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
  for (const double nits : {5.0, 25.0, 100.0, 203.0, 400.0, 1000.0}) {
    for (const Color& corner : kCorners) patches.push_back({"bt709", kBt709ToBt2020 * scaled(corner, nits)});
  }
  for (const double nits : {25.0, 100.0, 203.0}) {
    for (const Color& corner : kCorners) patches.push_back({"bt2020", scaled(corner, nits)});
  }
  constexpr Color kSkins[] = {{0.16, 0.053, 0.029}, {0.336, 0.16, 0.109}, {0.578, 0.314, 0.23},
                              {0.74, 0.49, 0.384},  {0.078, 0.023, 0.01}, {0.436, 0.203, 0.13}};
  for (const double nits : {60.0, 150.0, 300.0, 600.0}) {
    for (const Color& skin : kSkins) patches.push_back({"skin", kBt709ToBt2020 * scaled(skin, nits)});
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0.15, 1), decades(0, 2.9);
  while (patches.size() < 144) {
    const Color mixed{share(random), share(random), share(random)};
    const double nits = std::pow(10.0, decades(random)) / std::max({mixed[0], mixed[1], mixed[2]});
    patches.push_back({"mixed", scaled(mixed, nits)});
  }
  return patches;
}

Color decode(Signal signal, const Color& rgb) {
  Color light{};
  for (size_t i = 0; i < 3; ++i) {
    const double value = std::clamp(rgb[i], 0.0, 1.0);
    light[i] = signal == Signal::kPq ? pqNits(value) : hlgScene(value);
  }
  if (signal == Signal::kPq) return light;
  const double luminance = 0.2627 * light[0] + 0.678 * light[1] + 0.0593 * light[2];
  return scaled(light, luminance > 0 ? 1000 * std::pow(luminance, 0.2) : 0);
}

Color encode(Signal signal, const Color& nits) {
  if (signal == Signal::kPq) return {pqSignal(nits[0]), pqSignal(nits[1]), pqSignal(nits[2])};
  // The inverse OOTF of BT.2100 for 1000 cd/m².
  const Color display = scaled(nits, 1.0 / 1000);
  const double luminance = 0.2627 * display[0] + 0.678 * display[1] + 0.0593 * display[2];
  const double gain = luminance > 0 ? std::pow(luminance, (1 - 1.2) / 1.2) : 0;
  return {hlgSignal(display[0] * gain), hlgSignal(display[1] * gain), hlgSignal(display[2] * gain)};
}

int chartHeight(size_t patches) {
  return static_cast<int>((patches + kPatchesPerRow - 1) / kPatchesPerRow) * kPatchSide;
}

std::string writeChart(const std::string& name, const std::vector<Color>& signals) {
  const int width = kPatchesPerRow * kPatchSide, height = chartHeight(signals.size());
  std::vector<uint8_t> bytes;
  bytes.reserve(static_cast<size_t>(width) * static_cast<size_t>(height) * 6);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto patch = static_cast<size_t>(y / kPatchSide * kPatchesPerRow + x / kPatchSide);
      const Color color = patch < signals.size() ? signals[patch] : Color{};
      for (const double value : color) {
        const auto sample = static_cast<unsigned>(std::lround(std::clamp(value, 0.0, 1.0) * 65535));
        bytes.push_back(static_cast<uint8_t>(sample));
        bytes.push_back(static_cast<uint8_t>(sample >> 8));
      }
    }
  }
  const std::string path = fixture::path(name);
  fixture::writeFile(path, bytes);
  return path;
}

namespace {

Color rgbOf(double y, double cb, double cr) {
  return {y + 1.5748 * cr, y - 0.187324 * cb - 0.468124 * cr, y + 1.8556 * cb};
}
Color rgbOfBt2020(double y, double cb, double cr) {
  return {y + 1.4746 * cr, y - 0.164553 * cb - 0.571353 * cr, y + 1.8814 * cb};
}

// Centre of a patch in luma samples.
struct Place {
  int x, y;
};
Place placeOf(size_t patch) {
  const int index = static_cast<int>(patch);
  return {index % kPatchesPerRow * kPatchSide + kPatchSide / 2,
          index / kPatchesPerRow * kPatchSide + kPatchSide / 2};
}

}  // namespace

Color patchOf(const Image& image, size_t patch, bool isBt2020) {
  const Place place = placeOf(patch);
  const bool isDeep = image.format() == PixelFormat::kI010;
  // In levels of 8 bits.
  const auto mean = [&](const Plane& plane, int shift) {
    double sum = 0;
    for (int y = -4; y < 4; ++y) {
      const uint8_t* const row = plane.data + ((place.y >> shift) + y) * plane.stride;
      for (int x = -4; x < 4; ++x) {
        const int at = (place.x >> shift) + x;
        sum += isDeep ? (row[2 * at] | row[2 * at + 1] << 8) / 4.0 : row[at];
      }
    }
    return sum / 64;
  };
  const auto convert = isBt2020 ? rgbOfBt2020 : rgbOf;
  return convert((mean(image.plane(0), 0) - 16) / 219, (mean(image.plane(1), 1) - 128) / 224,
                 (mean(image.plane(2), 1) - 128) / 224);
}

Color patchOf(const std::vector<uint8_t>& planes, size_t patch, size_t patches) {
  const Place place = placeOf(patch);
  const size_t width = kPatchesPerRow * kPatchSide, size = width * static_cast<size_t>(chartHeight(patches));
  const auto sample = [&](size_t plane) {
    const size_t at =
        2 * (plane * size + static_cast<size_t>(place.y) * width + static_cast<size_t>(place.x));
    return (planes[at] | planes[at + 1] << 8) / 256.0;
  };
  return rgbOf((sample(0) - 16) / 219, (sample(1) - 128) / 224, (sample(2) - 128) / 224);
}

Color displayedNits(const Color& signal) {
  const double black = std::pow(0.001, 1 / 2.4);
  Color light{};
  for (size_t i = 0; i < 3; ++i)
    light[i] = 203 * std::pow(std::clamp(signal[i], 0.0, 1.0) * (1 - black) + black, 2.4);
  return kBt709ToBt2020 * light;
}

double deltaEItp(const Color& a, const Color& b) {
  constexpr Matrix kToLms = {{{1688 / 4096.0, 2146 / 4096.0, 262 / 4096.0},
                              {683 / 4096.0, 2951 / 4096.0, 462 / 4096.0},
                              {99 / 4096.0, 309 / 4096.0, 3688 / 4096.0}}};
  constexpr Matrix kToIctcp = {{{0.5, 0.5, 0},
                                {6610 / 4096.0, -13613 / 4096.0, 7003 / 4096.0},
                                {17933 / 4096.0, -17390 / 4096.0, -543 / 4096.0}}};
  const auto itp = [&](const Color& nits) {
    const Color lms = kToLms * nits;
    Color out = kToIctcp * Color{pqSignal(lms[0]), pqSignal(lms[1]), pqSignal(lms[2])};
    out[1] *= 0.5;
    return out;
  };
  const Color one = itp(a), other = itp(b);
  return 720 * std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

}  // namespace framewright::chart
