#include "gpu_check/frame_difference.h"

#include <algorithm>
#include <cstdlib>

namespace framewright {
namespace {

// Samples of one channel of a planar or interleaved plane.
struct Channel {
  const uint8_t* data;
  ptrdiff_t stride, step;
  int width, height;
  int at(int x, int y) const { return data[y * stride + x * step]; }
};

Channel channelOf(const Image& frame, int channel) {
  const bool isInterleaved = frame.format() == PixelFormat::kNv12 && channel > 0;
  const Plane& plane = frame.plane(isInterleaved ? 1 : channel);
  return {plane.data + (isInterleaved ? channel - 1 : 0), plane.stride, isInterleaved ? 2 : 1, plane.width,
          plane.height};
}

}  // namespace

FrameDifference compareFrames(const Image& a, const Image& b) {
  FrameDifference difference;
  for (int p = 0; p < 3; ++p) {
    const Channel first = channelOf(a, p), second = channelOf(b, p);
    for (int y = 0; y < first.height; ++y) {
      for (int x = 0; x < first.width; ++x) {
        const int delta = std::abs(first.at(x, y) - second.at(x, y));
        ++difference.samples;
        difference.differing += delta > 0 ? 1 : 0;
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
