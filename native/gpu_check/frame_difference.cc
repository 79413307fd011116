#include "gpu_check/frame_difference.h"

#include <algorithm>
#include <cstdlib>

namespace framewright {
namespace {

// Samples of one channel of a planar or interleaved plane.
struct Channel {
  const uint8_t* data;
  ptrdiff_t stride, step;  // bytes
  int width, height;
  bool isDeep;
  int shift;  // of codes in words

  int at(int x, int y) const {
    const uint8_t* const sample = data + y * stride + x * step;
    return isDeep ? *reinterpret_cast<const uint16_t*>(sample) >> shift : *sample;
  }
};

Channel channelOf(const Image& frame, int channel) {
  const PixelFormat format = frame.format();
  const bool isDeep = format == PixelFormat::kI010 || format == PixelFormat::kP010;
  const bool isInterleaved = frame.planeCount() == 2 && channel > 0;
  const int bytes = isDeep ? 2 : 1;
  const Plane& plane = frame.plane(isInterleaved ? 1 : channel);
  return {plane.data + (isInterleaved ? (channel - 1) * bytes : 0),
          plane.stride,
          isInterleaved ? 2 * bytes : bytes,
          plane.width,
          plane.height,
          isDeep,
          format == PixelFormat::kP010 ? 6 : 0};
}

}  // namespace

FrameDifference compareFrames(const Image& a, const Image& b) {
  FrameDifference difference;
  for (int p = 0; p < 3; ++p) {
    const Channel first = channelOf(a, p), second = channelOf(b, p);
    const double share = 1.0 / ((p == 0 ? 1.0 : 2.0) * first.width * first.height);
    for (int y = 0; y < first.height; ++y) {
      for (int x = 0; x < first.width; ++x) {
        const int delta = std::abs(first.at(x, y) - second.at(x, y));
        ++difference.samples;
        difference.differing += delta > 0 ? 1 : 0;
        (p == 0 ? difference.lumaMean : difference.chromaMean) += delta * share;
        if (p == 0) difference.largestLuma = std::max(difference.largestLuma, delta);
        if (delta > difference.largest) {
          difference.largest = delta;
          difference.plane = p, difference.x = x, difference.y = y;
        }
      }
    }
  }
  return difference;
}

double similarity(const Image& a, const Image& b) {
  constexpr double kC1 = 6.5025, kC2 = 58.5225;  // (0.01 * 255)², (0.03 * 255)²
  constexpr int kBlock = 8;
  const Plane &first = a.plane(0), &second = b.plane(0);
  double sum = 0;
  int blocks = 0;
  for (int top = 0; top + kBlock <= first.height; top += 4) {
    for (int left = 0; left + kBlock <= first.width; left += 4) {
      double meanA = 0, meanB = 0, aa = 0, bb = 0, ab = 0;
      for (int y = top; y < top + kBlock; ++y) {
        for (int x = left; x < left + kBlock; ++x) {
          const double va = first.data[y * first.stride + x], vb = second.data[y * second.stride + x];
          meanA += va, meanB += vb, aa += va * va, bb += vb * vb, ab += va * vb;
        }
      }
      constexpr double kCount = kBlock * kBlock;
      meanA /= kCount, meanB /= kCount;
      const double varA = aa / kCount - meanA * meanA, varB = bb / kCount - meanB * meanB,
                   both = ab / kCount - meanA * meanB;
      sum += (2 * meanA * meanB + kC1) * (2 * both + kC2) /
             ((meanA * meanA + meanB * meanB + kC1) * (varA + varB + kC2));
      ++blocks;
    }
  }
  return blocks > 0 ? sum / blocks : 1;
}

}  // namespace framewright
